//! Arithmetic on raw values: everything wraps at the statement's type.

use samhw_compiler::stmt::{Fun, ReduceOp};
use samhw_compiler::types::Type;

/// The type's arithmetic on raw bits, precomputed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arith {
    mask: u64,
    /// Flipping it turns the order of a signed type into that of an unsigned one.
    sign: u64,
}

impl Arith {
    pub(super) fn new(ty: Type) -> Self {
        Self { mask: ty.mask(), sign: if ty.is_signed() { 1 << (ty.bits() - 1) } else { 0 } }
    }
    /// `f(a, b)`; `Neg` takes `a` alone.
    pub(super) fn apply(self, f: Fun, a: u64, b: u64) -> u64 {
        self.mask
            & match f {
                Fun::Add => a.wrapping_add(b),
                Fun::Sub => a.wrapping_sub(b),
                Fun::Mul => a.wrapping_mul(b),
                Fun::Neg => a.wrapping_neg(),
            }
    }
    /// `a op b`.
    pub(super) fn combine(self, op: ReduceOp, a: u64, b: u64) -> u64 {
        match op {
            ReduceOp::Add => a.wrapping_add(b) & self.mask,
            ReduceOp::Min if a ^ self.sign <= b ^ self.sign => a,
            ReduceOp::Max if a ^ self.sign >= b ^ self.sign => a,
            ReduceOp::Min | ReduceOp::Max => b,
        }
    }
    /// What `op` gives over nothing.
    pub(super) fn identity(self, op: ReduceOp) -> u64 {
        match op {
            ReduceOp::Add => 0,
            ReduceOp::Min => self.mask ^ self.sign,
            ReduceOp::Max => self.sign,
        }
    }
    /// `op` over `n` copies of `a`.
    pub(super) fn repeat(self, op: ReduceOp, a: u64, n: u64) -> u64 {
        match op {
            _ if n == 0 => self.identity(op),
            ReduceOp::Add => a.wrapping_mul(n) & self.mask,
            ReduceOp::Min | ReduceOp::Max => a,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_wrapping_follow_the_type() {
        let i8_ = Arith::new(Type::int(8, true));
        let u8_ = Arith::new(Type::int(8, false));
        assert_eq!(i8_.combine(ReduceOp::Min, 0xff, 1), 0xff);
        assert_eq!(u8_.combine(ReduceOp::Min, 0xff, 1), 1);
        assert_eq!((i8_.identity(ReduceOp::Min), i8_.identity(ReduceOp::Max)), (0x7f, 0x80));
        assert_eq!((u8_.identity(ReduceOp::Min), u8_.identity(ReduceOp::Max)), (0xff, 0));
        assert_eq!(i8_.repeat(ReduceOp::Add, 100, 3), 44);
        assert_eq!(i8_.apply(Fun::Neg, 0x80, 0), 0x80);
    }
}
