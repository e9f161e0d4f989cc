//! Powers, roots and scaling by powers of two, of whole numbers and fixed point.

use super::build::Reg;
use super::number::{Number, floored, kept, number, of, raised, times};
use super::{Build, Op, whole};
use crate::Type;

/// Ends with the square root of x, rounded down; 0 of negative ones.
pub(super) fn root(p: &mut Build, x: &Number, ty: Type) {
    let (zero, frac) = (p.word(0), ty.fraction());
    p.end_if(x.negative, zero);
    p.end_if_not(x.size, zero);
    let [high, low] = raised(p, x.size, frac.into());
    // The largest number of half as many bits is not below the root.
    let zeros = p.op(Op::Zeros, x.size, x.size);
    let unused = p.plus(zeros, 64 - i64::from(frac));
    let unused = p.down(unused, 1);
    let ones = p.word(u64::MAX);
    let start = p.op(Op::Shr, ones, unused);
    let root = p.isqrt(high, low, start);
    let y = kept(p, root, zero, zero, ty);
    p.end(y);
}

/// Ends with x to the power of the second argument, rounded down to a whole number, by squaring.
pub(super) fn power(p: &mut Build, x: &Number, ty: Type) {
    let exponent = steps(p, ty);
    let (base, left, result, odd) = (p.reg(), p.reg(), p.reg(), p.reg());
    let one = p.word(1);
    p.set(base, x.value);
    p.set(left, exponent.size);
    p.load(result, ty.value(ty.one()) as u64);
    let (again, done, even) = (p.label(), p.label(), p.label());
    let whole_bits = ty.bits() - ty.fraction();
    p.rounds(u64::from(whole_bits.max(1)), |p| {
        p.here(again);
        p.jump_zero(left, done);
        p.into(odd, Op::And, left, one, one);
        p.jump_zero(odd, even);
        multiply(p, result, base, ty);
        p.here(even);
        multiply(p, base, base, ty);
        p.into(left, Op::Shr, left, one, one);
        p.jump(again);
    });
    p.here(done);
    p.end_if_not(exponent.negative, result);
    // What wraps has its low bits only.
    let unused = p.word(64 - u64::from(ty.bits()));
    let top = p.op(Op::Shl, result, unused);
    let value = p.op(if ty.is_signed() { Op::Sar } else { Op::Shr }, top, unused);
    let result = of(p, value, ty);
    whole::reciprocal(p, &result, ty);
}

/// a = a * b
fn multiply(p: &mut Build, a: Reg, b: Reg, ty: Type) {
    let mark = p.mark();
    let plain = |value: Reg| Number { value, size: value, negative: value };
    let numbers = if ty.saturates() { [of(p, a, ty), of(p, b, ty)] } else { [plain(a), plain(b)] };
    let y = times(p, &numbers[0], &numbers[1], ty);
    p.settle(mark, a, y);
}

/// Ends with x * 2^n, rounded towards 0, n the second argument rounded down.
pub(super) fn scale(p: &mut Build, x: &Number, ty: Type) {
    let (n, zero, most) = (steps(p, ty), p.word(0), p.word(63));
    p.end_if_not(x.size, zero);
    let far = p.op(Op::Below, most, n.size);
    let zeros = p.op(Op::Zeros, x.size, x.size);
    let over = p.op(Op::Below, zeros, n.size);
    let up = p.op(Op::Shl, x.size, n.size);
    let down = p.op(Op::Shr, x.size, n.size);
    let size = p.select(n.negative, down, up);
    let size = p.select(far, zero, size);
    let over = p.select(n.negative, zero, over);
    let y = kept(p, size, over, x.negative, ty);
    p.end(y);
}

/// The second argument, rounded down to a whole number.
fn steps(p: &mut Build, ty: Type) -> Number {
    let y = number(p, 1, ty);
    if ty.fraction() == 0 {
        return y;
    }
    let value = floored(p, y.value, ty);
    of(p, value, ty)
}
