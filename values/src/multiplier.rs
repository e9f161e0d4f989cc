//! Pipeline depths of the hardware's multipliers, used by programs and by the scheduling of ALUs.

use crate::Type;

/// Registers in `samhw_mul` for products of `w` bits, its parameter DEPTH: one product of
/// 18-bit limbs needs none, two limbs need products and their cross sum, four a sum more.
pub fn mul_depth(w: u32) -> u32 {
    match w {
        0..=18 => 0,
        19..=36 => 2,
        _ => 3,
    }
}

/// Registers in `samhw_mul_full` for factors of `w` bits (its parameter DEPTH).
pub fn full_mul_depth(w: u32) -> u32 {
    match w {
        0..=18 => 0,
        19..=36 => 2,
        37..=54 => 4,
        _ => 5,
    }
}

/// Registers in `samhw_word_mul` for type `ty` (its parameter DEPTH).
pub fn word_mul_depth(ty: Type) -> u32 {
    if ty.saturates() { full_mul_depth(ty.bits()) + 2 } else { mul_depth(ty.bits()) + 1 }
}
