//! Sums and products that depend on the order: their terms, and the bounds over all orders.

use super::near::{Certainty, Near};
use samhw_compiler::stmt::Fun;
use samhw_compiler::types::Type;
use samhw_values::{from_f64, to_f64};

/// The operands of a sum or product. Nested sums are one: orders of loops may nest them otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Total {
    op: Option<Fun>,
    /// How many values.
    count: u64,
    /// Sum of their sizes; of a product, of the sizes of their binary logarithms.
    size: f64,
    /// Sum (product) of their lower ends.
    lo: f64,
    /// Sum (product) of their upper ends.
    hi: f64,
    /// Which special values are among them.
    special: u8,
}

const NAN: u8 = 1;
const PLUS: u8 = 2;
const MINUS: u8 = 4;
const ZERO: u8 = 8;
const INEXACT: u8 = 16;
const OPEN: u8 = 32;

impl Total {
    /// Returns whether the order of a reduction with `op` matters.
    pub(super) fn matters(op: Fun, ty: Type) -> bool {
        let rounds = match ty {
            Type::Float { .. } | Type::Fixed { .. } => true,
            Type::Int { saturating, signed, .. } => saturating && signed,
            Type::Bool => false,
        };
        rounds && matches!(op, Fun::Add | Fun::Mul)
    }
    /// Returns whether it is a total of `op`.
    pub(super) fn is_of(&self, op: Fun) -> bool {
        self.op == Some(op)
    }
    /// `value` as a total of `op`: what it is made of, or itself alone.
    pub(super) fn of(ty: Type, op: Fun, value: &Near) -> Self {
        if value.total.is_of(op) {
            return value.total;
        }
        let mut special = match value.certainty {
            Certainty::Exact => 0,
            Certainty::Bounded => INEXACT,
            Certainty::Open => OPEN,
        };
        let (lo, hi) = (to_f64(value.lo, ty), to_f64(value.hi, ty));
        let alone = |size, lo, hi, special| Self { op: Some(op), count: 1, size, lo, hi, special };
        let identity = if op == Fun::Add { 0.0 } else { 1.0 };
        if lo.is_nan() || hi.is_nan() || lo.is_infinite() || hi.is_infinite() {
            special |= match value.certainty {
                Certainty::Exact if lo.is_nan() => NAN,
                Certainty::Exact => {
                    if lo > 0.0 {
                        PLUS
                    } else {
                        MINUS
                    }
                }
                _ => OPEN,
            };
            return alone(0.0, identity, identity, special);
        }
        if op == Fun::Add {
            return alone(lo.abs().max(hi.abs()), lo, hi, special);
        }
        if lo == 0.0 {
            special |= ZERO;
            return alone(0.0, lo, hi, special);
        }
        alone(lo.abs().log2().abs(), lo, hi, special)
    }
    /// Both together.
    pub(super) fn and(self, _ty: Type, op: Fun, other: Self) -> Self {
        let with = |a: f64, b: f64| if op == Fun::Add { a + b } else { a * b };
        Self {
            op: Some(op),
            count: self.count + other.count,
            size: self.size + other.size,
            lo: with(self.lo, other.lo),
            hi: with(self.hi, other.hi),
            special: self.special | other.special,
        }
    }
    /// `n` times the same, n at least 2.
    pub(super) fn times(self, n: u64) -> Self {
        let by = n as f64;
        let with = |x: f64| if self.op == Some(Fun::Add) { x * by } else { x.powf(by) };
        Self { count: self.count * n, size: self.size * by, lo: with(self.lo), hi: with(self.hi), ..self }
    }
    /// `value`, which is this total in one order, with the bounds of every order.
    pub(super) fn settled(self, ty: Type, value: Near) -> Near {
        let bounded = if self.count <= 2 && self.special & (INEXACT | OPEN) == 0 {
            // One operation, which commutes. The sign of a zero may come from an accumulator's start.
            if ty.is_zero(value.raw) {
                Near::between(ty, value.raw, value.raw, value.raw)
            } else {
                Near::exact(value.raw)
            }
        } else if self.special & OPEN != 0 {
            Near::open(value.raw)
        } else {
            match (ty, self.op) {
                (Type::Float { exp, man }, Some(Fun::Add)) => self.float_sum(ty, exp, man, value.raw),
                (Type::Float { exp, man }, _) => self.float_product(ty, exp, man, value.raw),
                (_, Some(Fun::Add)) => self.saturating_sum(ty, value.raw),
                _ => Near::open(value.raw),
            }
        };
        Near { total: self, ..bounded }
    }

    fn float_sum(&self, ty: Type, exp: u32, man: u32, raw: u64) -> Near {
        let steps = (self.count - 1) as f64;
        let (Some(own), Some(here)) = (gamma(steps, man), gamma(steps + 4.0, 52)) else { return Near::open(raw) };
        let off = self.size * (own + here) * 1.001;
        let largest = 2f64.powi((1 << (exp - 1)) - 1) * (1.0 - 2f64.powi(-(man as i32)));
        let fits = self.size * (1.0 + own + here) < largest;
        match self.special & (NAN | PLUS | MINUS) {
            0 if fits => Near::between(ty, raw, outward(ty, self.lo - off, -1.0), outward(ty, self.hi + off, 1.0)),
            0 => Near::open(raw),
            s if s & NAN != 0 || s == PLUS | MINUS => Near::exact(raw),
            _ if fits => Near::exact(raw),
            _ => Near::open(raw),
        }
    }

    fn float_product(&self, ty: Type, exp: u32, man: u32, raw: u64) -> Near {
        let steps = (self.count - 1) as f64;
        let (Some(own), Some(here)) = (gamma(steps, man), gamma(steps + 4.0, 52)) else { return Near::open(raw) };
        // No partial product leaves the normal numbers.
        let fits = self.size + 2.0 < 2f64.powi(exp as i32 - 1) - 2.0;
        match self.special {
            0 if fits => {
                let off = self.lo.abs() * (own + here) * 1.001;
                Near::between(ty, raw, outward(ty, self.lo - off, -1.0), outward(ty, self.lo + off, 1.0))
            }
            s if s & NAN != 0 => Near::exact(raw),
            ZERO if fits => Near::exact(raw),
            _ => Near::open(raw),
        }
    }

    /// Nothing is rounded; the order matters where a partial sum saturates.
    fn saturating_sum(&self, ty: Type, raw: u64) -> Near {
        let unit = 2f64.powi(-(ty.fraction() as i32));
        let room = to_f64(ty.greatest(), ty) - 2.0 * unit;
        if self.size * (1.0 + 1e-9) > room && ty.is_signed() {
            return Near::open(raw);
        }
        if self.special & INEXACT == 0 {
            return Near::exact(raw);
        }
        let off = self.size * 1e-12 + unit;
        Near::between(ty, raw, from_f64(self.lo - off, ty), from_f64(self.hi + off, ty))
    }
}

/// n u / (1 - n u) for a mantissa of `man` bits; `None` where nothing can be said.
fn gamma(n: f64, man: u32) -> Option<f64> {
    let nu = n * 2f64.powi(-(man as i32) - 1);
    (nu < 0.5).then(|| nu / (1.0 - nu))
}

/// `x` as a value of `ty`, moved by `steps` times the last bit: at least that, and at most one more.
pub(super) fn outward(ty: Type, x: f64, steps: f64) -> u64 {
    let Type::Float { exp, man } = ty else { return from_f64(x, ty) };
    let tiny = 2f64.powi((2 - (1 << (exp - 1)) - man as i32).max(-1074));
    from_f64(x + steps * (x.abs() * 2f64.powi(-(man as i32)) + tiny), ty)
}
