//! Programs of quotients that are rounded and kept in range, for fixed point and saturating integers.

use super::build::Reg;
use super::number::{Number, kept, number, raised};
use super::{Build, Op};
use crate::Type;

/// Ends with x / y, y the second argument.
pub(super) fn divide(p: &mut Build, x: &Number, ty: Type) {
    let y = number(p, 1, ty);
    let exact = raised(p, x.size, ty.fraction().into());
    let apart = p.op(Op::Xor, x.negative, y.negative);
    ratio(p, exact, y.size, apart, ty);
}

/// Ends with 1 / x.
pub(super) fn reciprocal(p: &mut Build, x: &Number, ty: Type) {
    // With 64 bits after the point 1 / x is beyond the range whatever x is, as any such quotient.
    let (high, low) = match 2 * u64::from(ty.fraction()) {
        n @ 0..64 => (0, 1 << n),
        n @ 64..128 => (1 << (n - 64), 0),
        _ => (u64::MAX, 0),
    };
    let one = [p.word(high), p.word(low)];
    ratio(p, one, x.size, x.negative, ty);
}

/// Ends with x / y rounded down, y the second argument.
pub(super) fn floor(p: &mut Build, x: &Number, ty: Type) {
    let (y, zero) = (number(p, 1, ty), p.word(0));
    p.end_if_not(y.size, zero);
    let q = p.op3(Op::Div, x.size, y.size, zero);
    let rest = p.op(Op::Rest, q, q);
    let apart = p.op(Op::Xor, x.negative, y.negative);
    let uneven = p.op(Op::Below, zero, rest);
    let step = p.op(Op::And, apart, uneven);
    let q = p.op(Op::Add, q, step);
    let [over, q] = raised(p, q, ty.fraction().into());
    let y = kept(p, q, over, apart, ty);
    p.end(y);
}

/// Ends with [high, low] / y, rounded to nearest, ties to even, where the type has a fraction; 0 where y is.
fn ratio(p: &mut Build, [high, low]: [Reg; 2], y: Reg, negative: Reg, ty: Type) {
    p.end_if_not(y, y);
    let within = p.op(Op::Below, high, y);
    let mut over = p.not(within);
    let mut q = p.op3(Op::Div, low, y, high);
    if ty.fraction() > 0 {
        let rest = p.op(Op::Rest, q, q);
        let left = p.op(Op::Sub, y, rest);
        let more = p.op(Op::Below, left, rest);
        let tie = p.op(Op::Equal, left, rest);
        let odd = p.mask(q, 1);
        let up = p.op(Op::And, tie, odd);
        let up = p.op(Op::Or, up, more);
        let nearest = p.op(Op::Add, q, up);
        let carried = p.op(Op::Below, nearest, q);
        over = p.op(Op::Or, over, carried);
        q = nearest;
    }
    let y = kept(p, q, over, negative, ty);
    p.end(y);
}
