//! Arithmetic on raw values of the statement's type.

use samhw_compiler::stmt::{Fun, Operator};
use samhw_compiler::types::Type;
use samhw_values::convert;

/// The type's arithmetic on raw bits; what whole numbers do most is precomputed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arith {
    pub(super) ty: Type,
    /// Whole numbers that wrap.
    plain: bool,
    mask: u64,
    /// Flipping it turns the order of a signed type into that of an unsigned one.
    sign: u64,
}

impl Arith {
    pub(super) fn new(ty: Type) -> Self {
        let sign = if ty.is_signed() { ty.sign_bit() } else { 0 };
        Self { ty, plain: ty.is_int() && !ty.saturates(), mask: ty.mask(), sign }
    }
    /// `f` of its arguments.
    pub(super) fn apply(self, f: Fun, args: &[u64]) -> u64 {
        match (f, args) {
            (Fun::Add | Fun::Mul, &[a, b]) if self.plain => {
                self.mask & if f == Fun::Add { a.wrapping_add(b) } else { a.wrapping_mul(b) }
            }
            _ => f.apply(args, self.ty),
        }
    }
    /// `a op b`.
    pub(super) fn combine(self, op: Operator, a: u64, b: u64) -> u64 {
        let Operator::Fun(op) = op else { return op.apply(&[a, b], self.ty) };
        match op {
            Fun::Min if self.plain => {
                if a ^ self.sign <= b ^ self.sign {
                    a
                } else {
                    b
                }
            }
            Fun::Max if self.plain => {
                if a ^ self.sign >= b ^ self.sign {
                    a
                } else {
                    b
                }
            }
            _ => self.apply(op, &[a, b]),
        }
    }
    /// Returns the result of `op` over no values.
    pub(super) fn identity(self, op: Operator) -> u64 {
        op.identity(self.ty).unwrap_or(0)
    }
    /// `op` over `n` copies of `a`.
    pub(super) fn repeat(self, op: Operator, a: u64, n: u64) -> u64 {
        op.repeated(a, n, self.ty)
    }
    /// A coordinate as a number of the type.
    pub(super) fn number(self, coordinate: u64) -> u64 {
        if self.plain { coordinate & self.mask } else { convert(coordinate, Type::int(64, false), self.ty) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_wrapping_follow_the_type() {
        let i8_ = Arith::new(Type::int(8, true));
        let u8_ = Arith::new(Type::int(8, false));
        assert_eq!(i8_.combine(Fun::Min.into(), 0xff, 1), 0xff);
        assert_eq!(u8_.combine(Fun::Min.into(), 0xff, 1), 1);
        assert_eq!((i8_.identity(Fun::Min.into()), i8_.identity(Fun::Max.into())), (0x7f, 0x80));
        assert_eq!((u8_.identity(Fun::Min.into()), u8_.identity(Fun::Max.into())), (0xff, 0));
        assert_eq!(i8_.repeat(Fun::Add.into(), 100, 3), 44);
        assert_eq!(i8_.apply(Fun::Neg, &[0x80]), 0x80);
    }

    #[test]
    fn the_short_way_is_the_library_s() {
        for ty in ["i8", "u8", "i64", "i16s", "f32"].map(|name| Type::from_name(name).unwrap()) {
            let arith = Arith::new(ty);
            for (a, b) in [(1, 2), (ty.mask(), 3), (ty.least(), ty.greatest()), (0, ty.least())] {
                for op in [Fun::Add, Fun::Mul, Fun::Min, Fun::Max] {
                    assert_eq!(arith.combine(op.into(), a, b), op.apply(&[a, b], ty), "{op:?} {ty} {a:x} {b:x}");
                }
            }
        }
    }
}
