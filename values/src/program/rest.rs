//! Remainders and floor division of doubles inside programs.

use super::Op;
use super::build::{Build, Reg};
use super::real::divide;

/// Most times that 64 bits of a quotient are left out: exponents of doubles, subnormals included, differ by less than 2,100.
const MOST_STEPS: u64 = 33;

/// Computes the remainder of x / y, rounded towards 0: exact, with the sign of x. Long division, 64 bits of
/// the quotient at a time.
pub(super) fn rest(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let (a, b, zero) = (p.size(x), p.size(y), p.word(0));
        let result = p.reg();
        p.set(result, x);
        let done = p.label();
        let less = p.op(Op::Below, a, b);
        let over = p.not(less);
        p.jump_zero(over, done);
        let (m, n) = (p.parts(a), p.parts(b));
        let r = p.reg();
        p.into(r, Op::Div, m.man, n.man, zero);
        p.into(r, Op::Rest, r, r, r);
        let steps = p.op(Op::Sub, m.exp, n.exp);
        let (many, most) = (p.word(64), p.word(63));
        let far = p.reg();
        let (again, last) = (p.label(), p.label());
        let first = p.open();
        p.here(again);
        p.into(far, Op::Less, most, steps, steps);
        p.jump_zero(far, last);
        p.into(r, Op::Div, zero, n.man, r);
        p.into(r, Op::Rest, r, r, r);
        p.into(steps, Op::Sub, steps, many, many);
        p.jump(again);
        p.close(first, MOST_STEPS);
        p.here(last);
        let low = p.op(Op::Shl, r, steps);
        let half = p.down(r, 1);
        let back = p.op(Op::Sub, most, steps);
        let high = p.op(Op::Shr, half, back);
        p.into(r, Op::Div, low, n.man, high);
        p.into(r, Op::Rest, r, r, r);
        let size = p.op3(Op::Round, r, n.exp, zero);
        let sign = p.sign(x);
        p.into(result, Op::Or, size, sign, sign);
        p.here(done);
        // Of infinity, by 0, with NaN.
        let (inf, nan) = (p.real(f64::INFINITY), p.real(f64::NAN));
        let finite = p.op(Op::Below, a, inf);
        let y = p.select(finite, result, nan);
        let y = p.select(b, y, nan);
        let none = p.is_nan(b);
        p.select(none, nan, y)
    })
}

/// Computes the remainder of x / y, rounded down: with the sign of y.
pub(super) fn floor_rest(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let r = rest(p, x, y);
        let other = p.fadd(r, y);
        let apart = p.op(Op::Xor, r, y);
        let apart = p.sign(apart);
        let z = p.select(apart, other, r);
        let (size, sign) = (p.size(r), p.sign(y));
        let z = p.select(size, z, sign);
        // Of a NaN nothing is apart.
        let (none, nan) = (p.is_nan(size), p.real(f64::NAN));
        p.select(none, nan, z)
    })
}

/// x / y rounded down, from what the rest leaves of x.
pub(super) fn floor_ratio(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let r = rest(p, x, y);
        let apart = p.op(Op::Xor, r, y);
        let apart = p.sign(apart);
        let (size, zero, one) = (p.size(r), p.word(0), p.real(1.0));
        let apart = p.select(size, apart, zero);
        let whole = p.fsub(x, r);
        let q = divide(p, whole, y);
        let less = p.fsub(q, one);
        let q = p.select(apart, less, q);
        let down = floor(p, q);
        let (above, half) = (p.fsub(q, down), p.real(0.5));
        let far = p.op(Op::Below, half, above);
        let up = p.fadd(down, one);
        let z = p.select(far, up, down);
        // 0 has the sign of x / y, and x / 0 is what it is.
        let sign = p.op(Op::Xor, x, y);
        let sign = p.sign(sign);
        let size = p.size(q);
        let z = p.select(size, z, sign);
        let (plain, size) = (divide(p, x, y), p.size(y));
        p.select(size, z, plain)
    })
}

/// A double that is not 0, rounded down.
fn floor(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        // From 2^52 on all are whole; below, a sum with it rounds to nearest.
        let (size, sign, limit) = (p.size(x), p.sign(x), 52f64.exp2());
        let near = p.under(size, limit);
        let limit = p.real(limit);
        let large = p.with_sign(limit, sign);
        let n = p.fadd(x, large);
        let n = p.fsub(n, large);
        let above = p.fsub(x, n);
        let above = p.sign(above);
        let one = p.real(1.0);
        let less = p.fsub(n, one);
        let n = p.select(above, less, n);
        p.select(near, n, x)
    })
}
