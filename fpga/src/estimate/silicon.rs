//! What the devices' memories and multipliers are like, as far as yosys' choices among them go.

use crate::board::{Board, Family};

/// How yosys maps memories and products onto a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silicon {
    /// Its name in tables of clocks: devices of one name are equally fast.
    pub name: &'static str,
    /// Depth and width of the block RAM.
    pub blocks: &'static [(u64, u64)],
    /// What a block RAM costs for yosys, in bits that a multiplexer behind it takes from one block more.
    pub block_bits: u64,
    /// What memories are made of that are not block RAM.
    pub small: Small,
    /// Multipliers.
    pub factors: Option<Factors>,
}

/// Memories that are not block RAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Small {
    /// Distributed RAM of 16 x 4 bit, rather than a block RAM where it takes at most `units` per block; registers up to `words` words.
    Distributed {
        /// Distributed RAMs.
        units: u64,
        /// Words.
        words: u64,
    },
    /// Registers, rather than a block RAM where they are at most so many bits per block.
    Registers {
        /// Bits of a FIFO: 78 become registers, 84 do not.
        fifo: u64,
        /// Bits of a memory, which has a host's port too: 64 become registers, 72 do not.
        memory: u64,
    },
}

/// The products that a multiplier takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factors {
    /// Bits of a factor, at most.
    pub most: u64,
    /// Bits of a factor, at least: smaller ones are made of lookup tables.
    pub least: u64,
    /// Bits of the result, at least.
    pub result: u64,
}

const BLOCKS_16K: &[(u64, u64)] = &[(16384, 1), (8192, 2), (4096, 4), (2048, 9), (1024, 18), (512, 36)];
const BLOCKS_4K: &[(u64, u64)] = &[(2048, 2), (1024, 4), (512, 8), (256, 16)];

impl Silicon {
    /// Of `board`'s device. The numbers were found by synthesis (yosys 0.70).
    pub fn of(board: &Board) -> Self {
        let (blocks, block_bits) = if board.family == Family::Ice40 { (BLOCKS_4K, 64) } else { (BLOCKS_16K, 256) };
        let (name, small, factors) = match board.family {
            // 21 distributed RAMs are taken rather than a block RAM, 28 are not.
            Family::Ecp5 => {
                ("ecp5", Small::Distributed { units: 23, words: 4 }, Some(Factors { most: 18, least: 1, result: 0 }))
            }
            Family::Gowin => {
                let name = if board.is_gw2() { "gw2a" } else { "gw1n" };
                let factors = Factors { most: 18, least: 4, result: 0 };
                (name, Small::Distributed { units: 23, words: 0 }, Some(factors))
            }
            Family::Ice40 => {
                let factors = Factors { most: 16, least: 2, result: 11 };
                let name = if board.is_ultra_plus() { "up" } else { "hx" };
                (name, Small::Registers { fifo: 79, memory: 68 }, (board.has.dsps > 0).then_some(factors))
            }
        };
        Self { name, blocks, block_bits, small, factors }
    }

    /// Block RAMs of a memory of `words` of `width` bits, and how many stand one above the other: not the fewest blocks, but those
    /// that with the multiplexers behind them cost least.
    pub fn block_rams(&self, words: u64, width: u64) -> (u64, u64) {
        let shape = |&(depth, w): &(u64, u64)| {
            let banks = words.div_ceil(depth);
            let blocks = banks * width.div_ceil(w);
            (self.block_bits * blocks + width * (banks - 1), blocks, banks)
        };
        let (_, blocks, banks) = self.blocks.iter().map(shape).min().unwrap_or_default();
        (blocks, banks)
    }

    /// Multipliers of a product of `a` and `b` bits of which the low `y` bits are needed, as yosys' `mul2dsp` splits it.
    pub fn multipliers(&self, a: u64, b: u64, y: u64) -> u64 {
        let Some(f) = self.factors else { return 0 };
        let (a, b) = (a.max(b).min(y), a.min(b).min(y));
        if b < f.least || y < f.result {
            0
        } else if a > f.most {
            let parts = (a - f.most).div_ceil(f.most);
            let last = a - parts * f.most;
            parts * self.multipliers(f.most, b, y.min(b + f.most)) + self.multipliers(last, b, b + last)
        } else {
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::find;

    fn of(board: &str) -> Silicon {
        Silicon::of(&find(board).unwrap())
    }

    /// Numbers of block RAMs that yosys 0.70 took.
    #[test]
    fn memories_take_the_blocks_that_cost_least() {
        let up = [(8, 16, 1), (100, 16, 1), (300, 16, 2), (512, 9, 2), (600, 16, 3), (1000, 10, 3), (1024, 18, 5)];
        let more = [(2000, 6, 3), (2048, 16, 8), (3000, 12, 9), (5000, 8, 10), (9000, 16, 36)];
        for (words, width, brams) in up.into_iter().chain(more) {
            assert_eq!(of("icebreaker").block_rams(words, width).0, brams, "{words} x {width}");
        }
        for (words, width, brams) in [(512, 36, 1), (1024, 32, 2), (3000, 12, 3), (20000, 7, 10), (24000, 10, 15)] {
            assert_eq!(of("tangnano20k").block_rams(words, width).0, brams, "{words} x {width}");
        }
    }

    /// Low halves of products alone, and of pairs of limbs of 18 bits.
    #[test]
    fn products_take_the_multipliers_that_yosys_took() {
        for (a, b, y, up, gowin) in [(8, 8, 8, 0, 1), (12, 12, 12, 1, 1), (18, 18, 18, 3, 1), (18, 18, 36, 3, 1)] {
            assert_eq!(of("icebreaker").multipliers(a, b, y), up, "{a} x {b} = {y}");
            assert_eq!(of("tangnano9k").multipliers(a, b, y), gowin, "{a} x {b} = {y}");
            assert_eq!(of("hx8k").multipliers(a, b, y), 0);
        }
        assert_eq!(of("tangnano20k").multipliers(2, 2, 2), 0);
    }
}
