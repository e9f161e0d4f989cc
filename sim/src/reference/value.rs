//! Values of the executor: raw bits, or raw bits with bounds if the order of a reduction matters.

use super::arith::Arith;
use super::near::Near;
use samhw_compiler::stmt::{Fun, Function, Operator};
use samhw_compiler::types::Type;
use samhw_values::convert;

/// A value of the run.
pub(super) trait Value: Copy + Default + Send + Sync + 'static {
    /// Exactly these bits.
    fn exact(raw: u64) -> Self;
    /// As much of `near` as is kept.
    fn of(near: &Near) -> Self;
    /// With what is known of it.
    fn near(self) -> Near;
    /// `f` of its arguments.
    fn apply(arith: Arith, f: Fun, args: &[Self]) -> Self;
    /// A value of type `from` as one of the type of `arith`.
    fn convert(arith: Arith, from: Type, value: Self) -> Self;
    /// A function of the kernel file, where just the arguments in `there` are.
    fn call(function: &Function, args: &[Self], there: u64) -> Self;
    /// `a op b` in a reduction.
    fn combine(arith: Arith, op: Operator, a: Self, b: Self) -> Self;
    /// A reduction of `n` times `a`.
    fn repeat(arith: Arith, op: Operator, a: Self, n: u64) -> Self;
    /// What a finished reduction gave.
    fn settle(self, arith: Arith, op: Operator) -> Self;
    /// Are there bounds?
    fn is_bounded() -> bool;
}

impl Value for u64 {
    fn exact(raw: u64) -> Self {
        raw
    }
    fn of(near: &Near) -> Self {
        near.raw
    }
    fn near(self) -> Near {
        Near::exact(self)
    }
    fn apply(arith: Arith, f: Fun, args: &[Self]) -> Self {
        arith.apply(f, args)
    }
    fn convert(arith: Arith, from: Type, value: Self) -> Self {
        convert(value, from, arith.ty)
    }
    fn call(function: &Function, args: &[Self], there: u64) -> Self {
        function.apply_where(args, there)
    }
    fn combine(arith: Arith, op: Operator, a: Self, b: Self) -> Self {
        arith.combine(op, a, b)
    }
    fn repeat(arith: Arith, op: Operator, a: Self, n: u64) -> Self {
        arith.repeat(op, a, n)
    }
    fn settle(self, _arith: Arith, _op: Operator) -> Self {
        self
    }
    fn is_bounded() -> bool {
        false
    }
}
