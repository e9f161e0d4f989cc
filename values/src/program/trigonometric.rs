//! Trigonometric functions of doubles and their inverses, as sequences of fused multiply-adds.

use super::Op;
use super::build::{Build, Reg};
use super::elementary::MAGIC;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// pi / 2 beyond the double nearest to it, in two parts.
const FRAC_PI_2_REST: [f64; 2] = [6.123_233_995_736_766e-17, -1.497_384_904_859_166e-33];
/// The bound from which on sine, cosine and tangent are NaN: the argument says nothing of its place in a
/// period.
pub(super) const FAR: f64 = (1u64 << 50) as f64;

/// Terms of a series with factorials below, from `from` on, two apart, signs in turn.
fn series(from: u64, terms: u64, first_sign: f64) -> Vec<f64> {
    let term = |k: u64| {
        let n = from + 2 * k;
        let below: f64 = (1..=n).map(|j| j as f64).product();
        first_sign * if k.is_multiple_of(2) { 1.0 } else { -1.0 } / below
    };
    (0..terms).map(term).collect()
}

/// Sine (`turn` 0), cosine (1).
pub(super) fn sin_cos(p: &mut Build, x: Reg, turn: i64) -> Reg {
    p.scope(|p| {
        let size = p.size(x);
        let near = p.under(size, FAR);
        let zero = p.word(0);
        let x = p.select(near, x, zero);
        let (scale, magic) = (p.real(FRAC_2_PI), p.real(MAGIC));
        let k = p.fma(x, scale, magic);
        let quarter = p.op(Op::Sub, k, magic);
        let quarter = p.plus(quarter, turn);
        let k = p.fsub(k, magic);
        let mut r = x;
        for part in [FRAC_PI_2, FRAC_PI_2_REST[0], FRAC_PI_2_REST[1]] {
            let part = p.real(-part);
            r = p.fma(k, part, r);
        }
        let z = p.fmul(r, r);
        let tail = p.poly(z, &series(3, 9, -1.0));
        let cube = p.fmul(r, z);
        let sine = p.fma(cube, tail, r);
        let tail = p.poly(z, &series(2, 10, -1.0));
        let one = p.real(1.0);
        let cosine = p.fma(z, tail, one);
        let odd = p.mask(quarter, 1);
        let y = p.select(odd, cosine, sine);
        let half = p.mask(quarter, 2);
        let sign = p.up(half, 62);
        let y = p.op(Op::Xor, y, sign);
        let nan = p.real(f64::NAN);
        let y = p.select(near, y, nan);
        if turn == 0 { p.select(size, y, x) } else { y }
    })
}

pub(super) fn tan(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (s, c) = (sin_cos(p, x, 0), sin_cos(p, x, 1));
        let y = p.ratio(s, c);
        let (size, nan) = (p.size(x), p.real(f64::NAN));
        let near = p.under(size, FAR);
        p.select(near, y, nan)
    })
}

/// Inverse tangent of a number that is not negative, not NaN.
fn atan_size(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (one, eighth) = (p.real(1.0), p.real(0.414_213_562_373_095_03));
        let over = p.op(Op::Below, one, x);
        let inverse = p.ratio(one, x);
        let w = p.select(over, inverse, x);
        let steep = p.op(Op::Below, eighth, w);
        let (less, more) = (p.fsub(w, one), p.fadd(w, one));
        let turned = p.ratio(less, more);
        let v = p.select(steep, turned, w);
        let z = p.fmul(v, v);
        let term = |k: u64| if k.is_multiple_of(2) { -1.0 } else { 1.0 } / (2 * k + 3) as f64;
        let tail = p.poly(z, &(0..22).map(term).collect::<Vec<_>>());
        let cube = p.fmul(v, z);
        let a = p.fma(cube, tail, v);
        let quarter = p.real(FRAC_PI_4);
        let raised = p.fadd(a, quarter);
        let a = p.select(steep, raised, a);
        let (right, rest) = (p.real(FRAC_PI_2), p.real(FRAC_PI_2_REST[0]));
        let other = p.fsub(rest, a);
        let other = p.fadd(right, other);
        p.select(over, other, a)
    })
}

pub(super) fn atan(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign) = (p.size(x), p.sign(x));
        let a = atan_size(p, size);
        let y = p.with_sign(a, sign);
        let y = p.select(size, y, x);
        let (nan, none) = (p.real(f64::NAN), p.is_nan(size));
        p.select(none, nan, y)
    })
}

/// Inverse sine: the inverse tangent of x / sqrt(1 - x^2).
pub(super) fn asin(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign, one) = (p.size(x), p.sign(x), p.real(1.0));
        let inside = p.under(size, 1.0);
        let zero = p.word(0);
        let z = p.select(inside, size, zero);
        let (less, more) = (p.fsub(one, z), p.fadd(one, z));
        let s = p.fmul(less, more);
        let s = p.root(s);
        let q = p.ratio(z, s);
        let a = atan_size(p, q);
        let a = p.select(size, a, size);
        let (right, nan) = (p.real(FRAC_PI_2), p.real(f64::NAN));
        let end = p.op(Op::Equal, size, one);
        let over = p.select(end, right, nan);
        let a = p.select(inside, a, over);
        let fine = p.op(Op::Or, inside, end);
        let sign = p.select(fine, sign, zero);
        p.with_sign(a, sign)
    })
}

/// Inverse cosine: twice the inverse tangent of sqrt((1 - x) / (1 + x)).
pub(super) fn acos(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, one) = (p.size(x), p.real(1.0));
        let inside = p.under(size, 1.0);
        let zero = p.word(0);
        let z = p.select(inside, x, zero);
        let (less, more) = (p.fsub(one, z), p.fadd(one, z));
        let q = p.ratio(less, more);
        let q = p.root(q);
        let a = atan_size(p, q);
        let a = p.fadd(a, a);
        let (pi, nan) = (p.real(PI), p.real(f64::NAN));
        let plus = p.op(Op::Equal, x, one);
        let end = p.op(Op::Equal, size, one);
        let over = p.select(end, pi, nan);
        let over = p.select(plus, zero, over);
        p.select(inside, a, over)
    })
}

/// Angle of the vector (x, y).
pub(super) fn atan2(p: &mut Build, y: Reg, x: Reg) -> Reg {
    p.scope(|p| {
        let (x_size, y_size) = (p.size(x), p.size(y));
        let (inf, one, pi, nan) = (p.real(f64::INFINITY), p.real(1.0), p.real(PI), p.real(f64::NAN));
        let q = p.ratio(y_size, x_size);
        // Both infinite: the diagonal. One infinite or zero: an axis.
        let (x_inf, y_inf) = (p.op(Op::Equal, x_size, inf), p.op(Op::Equal, y_size, inf));
        let zero = p.word(0);
        let q = p.select(x_inf, zero, q);
        let both = p.select(x_inf, one, inf);
        let q = p.select(y_inf, both, q);
        let q = p.select(x_size, q, inf);
        let q = p.select(y_size, q, zero);
        let a = atan_size(p, q);
        let a = p.select(q, a, zero);
        let back = p.fsub(pi, a);
        let negative = p.sign(x);
        let a = p.select(negative, back, a);
        let sign = p.sign(y);
        let a = p.with_sign(a, sign);
        let (x_none, y_none) = (p.is_nan(x_size), p.is_nan(y_size));
        let none = p.op(Op::Or, x_none, y_none);
        p.select(none, nan, a)
    })
}
