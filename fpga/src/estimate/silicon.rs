//! The memories and multipliers of devices, as far as they affect yosys' mapping.

use super::memory::Ram;
use crate::board::{Board, Family};

/// The mapping of memories and products to a device by yosys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silicon {
    /// Name in tables of clocks; devices with the same name are equally fast.
    pub name: &'static str,
    /// Kinds of RAM of the device.
    pub rams: &'static [Ram],
    /// Multipliers of the device, if it has any.
    pub factors: Option<Factors>,
}

/// The products that a multiplier supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factors {
    /// Largest width of a factor in bits.
    pub most: u64,
    /// Smallest width of a factor in bits; smaller products use lookup tables.
    pub least: u64,
    /// Smallest width of the result in bits.
    pub result: u64,
}

const BLOCK_4K: Ram =
    Ram { block: true, address: 11, widths: &[2, 4, 8, 16], two: &[], byte: Some(1), cost: 64, scaled: false };
const BLOCK_16K: Ram = Ram {
    block: true,
    address: 14,
    widths: &[1, 2, 4, 9, 18, 36],
    two: &[1, 2, 4, 9, 18],
    byte: Some(9),
    cost: 128,
    scaled: false,
};
const LUTS_16X4: Ram = Ram { block: false, address: 4, widths: &[4], two: &[], byte: None, cost: 4, scaled: false };

impl Silicon {
    /// Returns the data of `board`'s device, from the files of yosys 0.70; the numbers of multipliers were found by
    /// synthesis.
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

    /// Returns the number of multipliers for a product of `a` and `b` bits with `y` result bits, split as yosys'
    /// `mul2dsp` does.
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
