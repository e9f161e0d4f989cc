//! Sums and products of integers and fixed point that round or saturate, and rounding to integers.

use super::build::Reg;
use super::number::{Number, is_up, kept, number, of, raised, split, times};
use super::{Build, Op};
use crate::{Fun, Type};

/// Ends with a sum, difference, product or sign.
pub(super) fn arithmetic(p: &mut Build, fun: Fun, x: &Number, ty: Type) {
    let zero = p.word(0);
    let y = match fun {
        Fun::Add | Fun::Sub => sum(p, fun == Fun::Sub, x, ty),
        Fun::Neg => {
            let positive = p.not(x.negative);
            kept(p, x.size, zero, positive, ty)
        }
        Fun::Abs => kept(p, x.size, zero, zero, ty),
        Fun::CopySign => {
            let y = number(p, 1, ty);
            kept(p, x.size, zero, y.negative, ty)
        }
        Fun::Sign => {
            let unit = |sign: i128| ty.value(ty.fit(sign << ty.fraction())) as u64;
            let (one, minus) = (p.word(unit(1)), p.word(unit(-1)));
            let y = p.select(x.negative, minus, one);
            p.select(x.size, y, zero)
        }
        Fun::Mul => {
            let y = number(p, 1, ty);
            times(p, x, &y, ty)
        }
        Fun::Square => times(p, x, x, ty),
        _ => {
            let square = times(p, x, x, ty);
            let square = of(p, square, ty);
            times(p, &square, x, ty)
        }
    };
    p.end(y);
}

/// x + y, or x - y, y the second argument.
fn sum(p: &mut Build, minus: bool, x: &Number, ty: Type) -> Reg {
    let y = number(p, 1, ty);
    let sum = p.op(if minus { Op::Sub } else { Op::Add }, x.value, y.value);
    if !ty.saturates() {
        return sum;
    }
    if !ty.is_signed() {
        // Below 0 only where a difference borrows, beyond 64 bits only where a sum carries.
        let zero = p.word(0);
        let out = if minus { p.op(Op::Below, x.value, y.value) } else { p.op(Op::Below, sum, x.value) };
        let (over, under) = if minus { (zero, out) } else { (out, zero) };
        let size = p.select(under, zero, sum);
        return kept(p, size, over, zero, ty);
    }
    // Beyond 64 bits if the sign differs from that of x, and should not.
    let other = if minus { p.op(Op::Xor, x.negative, y.negative) } else { p.op(Op::Equal, x.negative, y.negative) };
    let total = of(p, sum, ty);
    let turned = p.op(Op::Xor, total.negative, x.negative);
    let over = p.op(Op::And, turned, other);
    let negative = p.op(Op::Xor, total.negative, over);
    kept(p, total.size, over, negative, ty)
}

/// Ends with x rounded to a whole number.
pub(super) fn whole(p: &mut Build, fun: Fun, x: &Number, ty: Type) {
    let frac = u64::from(ty.fraction());
    if frac == 0 {
        return p.end(x.value);
    }
    let [units, rest] = split(p, x.size, frac);
    let zero = p.word(0);
    let some = p.op(Op::Below, zero, rest);
    let up = match fun {
        Fun::Floor => p.op(Op::And, some, x.negative),
        Fun::Ceil => p.op(Op::Below, x.negative, some),
        Fun::Trunc => zero,
        _ => is_up(p, units, rest, frac),
    };
    let units = p.op(Op::Add, units, up);
    let [over, size] = raised(p, units, frac);
    let y = kept(p, size, over, x.negative, ty);
    p.end(y);
}
