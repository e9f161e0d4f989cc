//! What the devices' memories and multipliers are like, as far as yosys' choices among them go.

use super::memory::Ram;
use crate::board::{Board, Family};

/// How yosys maps memories and products onto a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silicon {
    /// Its name in tables of clocks: devices of one name are equally fast.
    pub name: &'static str,
    /// What its memories are made of.
    pub rams: &'static [Ram],
    /// Multipliers.
    pub factors: Option<Factors>,
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

const BLOCK_4K: Ram = Ram { block: true, address: 11, widths: &[2, 4, 8, 16], byte: Some(1), cost: 64, scaled: false };
const BLOCK_16K: Ram =
    Ram { block: true, address: 14, widths: &[1, 2, 4, 9, 18, 36], byte: Some(9), cost: 128, scaled: false };
const LUTS_16X4: Ram = Ram { block: false, address: 4, widths: &[4], byte: None, cost: 4, scaled: false };

impl Silicon {
    /// Of `board`'s device, from yosys 0.70's files; the multipliers' numbers were found by synthesis.
    pub fn of(board: &Board) -> Self {
        let (rams, factors): (&[Ram], _) = match board.family() {
            Family::Ecp5 => (&[LUTS_16X4, BLOCK_16K], Some(Factors { most: 18, least: 1, result: 0 })),
            Family::Gowin => {
                (&[Ram { scaled: true, ..LUTS_16X4 }, BLOCK_16K], Some(Factors { most: 18, least: 4, result: 0 }))
            }
            Family::Ice40 => {
                let factors = Factors { most: 16, least: 2, result: 11 };
                (&[BLOCK_4K], (board.has.dsps > 0).then_some(factors))
            }
        };
        Self { name: board.series.name(), rams, factors }
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
