//! Hyperbolic functions of doubles and their inverses, by exponentials and logarithms.

use super::Op;
use super::build::{Build, Reg};
use super::elementary::{exp, expm1, log, log1p};
use std::f64::consts::LN_2;

/// (e^x + e^-x) / 2 (`sum`), or the difference.
pub(super) fn sinh_cosh(p: &mut Build, x: Reg, sum: bool) -> Reg {
    p.scope(|p| {
        let (size, sign) = (p.size(x), p.sign(x));
        let (one, half) = (p.real(1.0), p.real(0.5));
        let near = if sum {
            let e = exp(p, size);
            let i = p.ratio(one, e);
            let s = p.fadd(e, i);
            p.fmul(s, half)
        } else {
            let t = expm1(p, size);
            let u = p.fadd(t, one);
            let q = p.ratio(t, u);
            let s = p.fadd(t, q);
            p.fmul(s, half)
        };
        // Where e^x is too large its root is not.
        let h = p.fmul(size, half);
        let root = exp(p, h);
        let far = p.fmul(root, half);
        let far = p.fmul(far, root);
        let small = p.under(size, 700.0);
        let y = p.select(small, near, far);
        let none = p.is_nan(size);
        if sum {
            y
        } else {
            let zero = p.word(0);
            let sign = p.select(none, zero, sign);
            p.with_sign(y, sign)
        }
    })
}

pub(super) fn tanh(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign, two) = (p.size(x), p.sign(x), p.real(2.0));
        let near = p.under(size, 22.0);
        let (far, one) = (p.real(22.0), p.real(1.0));
        let z = p.select(near, size, far);
        let z = p.fmul(z, two);
        let t = expm1(p, z);
        let u = p.fadd(t, two);
        let y = p.ratio(t, u);
        let y = p.select(near, y, one);
        let y = p.with_sign(y, sign);
        let (nan, none) = (p.real(f64::NAN), p.is_nan(size));
        p.select(none, nan, y)
    })
}

/// Inverse hyperbolic sine.
pub(super) fn asinh(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, one, ln2) = (p.size(x), p.real(1.0), p.real(LN_2));
        let far = log(p, size);
        let far = p.fadd(far, ln2);
        let near = p.under(size, 1e9);
        let z = p.select(near, size, one);
        let square = p.fmul(z, z);
        let s = p.fadd(square, one);
        let s = p.root(s);
        let s = p.fadd(s, one);
        let q = p.ratio(square, s);
        let u = p.fadd(z, q);
        let y = log1p(p, u);
        let y = p.select(near, y, far);
        let sign = p.sign(x);
        let none = p.is_nan(size);
        let zero = p.word(0);
        let sign = p.select(none, zero, sign);
        let y = p.with_sign(y, sign);
        p.select(size, y, x)
    })
}

/// Inverse hyperbolic cosine.
pub(super) fn acosh(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (one, two, ln2, nan) = (p.real(1.0), p.real(2.0), p.real(LN_2), p.real(f64::NAN));
        let size = p.size(x);
        let far = log(p, x);
        let far = p.fadd(far, ln2);
        let near = p.under(size, 1e9);
        let z = p.select(near, size, two);
        let t = p.fsub(z, one);
        let tt = p.fmul(t, t);
        let s = p.fma(two, t, tt);
        let low = p.under(size, 1.0);
        let s = p.select(low, one, s);
        let s = p.root(s);
        let u = p.fadd(t, s);
        let y = log1p(p, u);
        let y = p.select(near, y, far);
        let negative = p.sign(x);
        let bad = p.op(Op::Or, low, negative);
        p.select(bad, nan, y)
    })
}

/// Inverse hyperbolic tangent.
pub(super) fn atanh(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign, one, half) = (p.size(x), p.sign(x), p.real(1.0), p.real(0.5));
        let inside = p.under(size, 1.0);
        let z = p.select(inside, size, half);
        let twice = p.fadd(z, z);
        let left = p.fsub(one, z);
        let u = p.ratio(twice, left);
        let y = log1p(p, u);
        let y = p.fmul(y, half);
        let (inf, nan) = (p.real(f64::INFINITY), p.real(f64::NAN));
        let end = p.op(Op::Equal, size, one);
        let over = p.select(end, inf, nan);
        let y = p.select(inside, y, over);
        let fine = p.op(Op::Or, inside, end);
        let zero = p.word(0);
        let sign = p.select(fine, sign, zero);
        p.with_sign(y, sign)
    })
}
