//! What an ALU computes, and how deep its multiplier is.

use crate::pack::{mask, signed};

/// A function of an ALU, with wrapping arithmetic; the discriminant is FUN of `samhw_alu_pipe`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fun {
    /// a + b
    Add = 0,
    /// a - b
    Sub = 1,
    /// a * b
    Mul = 2,
    /// -a
    Neg = 3,
    /// The smaller one.
    Min = 4,
    /// The larger one.
    Max = 5,
    /// a: an absent leaf becomes its fill, if `emit` has bit 0.
    Id = 6,
    /// b, a constant; a gives the structure only.
    Const = 7,
}

impl Fun {
    /// How many operands it takes.
    pub fn operands(self) -> usize {
        match self {
            Self::Neg | Self::Id => 1,
            _ => 2,
        }
    }
    /// Its value on raw bits of width `w`.
    pub fn apply(self, [a, b]: [u64; 2], w: u32, is_signed: bool) -> u64 {
        let below = if is_signed { signed(a, w) < signed(b, w) } else { a & mask(w) < b & mask(w) };
        let y = match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::Neg => a.wrapping_neg(),
            Self::Min if below => a,
            Self::Max if !below => a,
            Self::Id => a,
            Self::Min | Self::Max | Self::Const => b,
        };
        y & mask(w)
    }
}

/// Registers in `samhw_mul` for products of `w` bits, its parameter DEPTH: one product of
/// 18-bit limbs needs none, two limbs need products and their cross sum, four a sum more.
pub fn mul_depth(w: u32) -> u32 {
    match w {
        0..=18 => 0,
        19..=36 => 2,
        _ => 3,
    }
}
