//! Programs of quotients that are rounded and kept in range: those of fixed point, and of whole numbers that saturate.

use super::build::Reg;
use super::whole::{divide, number};
use super::{Build, Op};
use crate::value::{Fun, Type};

/// Writes the program of `fun` on a type that saturates; `None` if there is none.
pub(super) fn write(p: &mut Build, fun: Fun, ty: Type) -> Option<()> {
    let (x, frac) = (number(p, 0, ty), u64::from(ty.fraction()));
    let zero = p.word(0);
    match fun {
        Fun::Div => {
            let y = number(p, 1, ty);
            let (high, low) = raised(p, x.size, frac);
            let apart = p.op(Op::Xor, x.negative, y.negative);
            ratio(p, [high, low], y.size, apart, ty);
        }
        Fun::Recip => {
            // With 64 bits after the point 1 / x is beyond the range whatever x is, as any such quotient.
            let (high, low) = match 2 * frac {
                n @ 0..64 => (0, 1 << n),
                n @ 64..128 => (1 << (n - 64), 0),
                _ => (u64::MAX, 0),
            };
            let one = [p.word(high), p.word(low)];
            ratio(p, one, x.size, x.negative, ty);
        }
        Fun::Idiv => {
            let y = number(p, 1, ty);
            p.end_if_not(y.size, zero);
            let q = p.op3(Op::Div, x.size, y.size, zero);
            let rest = p.op(Op::Rest, q, q);
            let apart = p.op(Op::Xor, x.negative, y.negative);
            let uneven = p.op(Op::Below, zero, rest);
            let step = p.op(Op::And, apart, uneven);
            let q = p.op(Op::Add, q, step);
            let (over, q) = raised(p, q, frac);
            fit(p, q, over, apart, ty);
        }
        Fun::Mod | Fun::PyMod => divide(p, fun, &x, ty),
        _ => return None,
    }
    Some(())
}

/// x * 2^frac, its upper and its lower half.
fn raised(p: &mut Build, x: Reg, frac: u64) -> (Reg, Reg) {
    let zero = p.word(0);
    match frac {
        0 => (zero, x),
        64 => (x, zero),
        _ => (p.down(x, 64 - frac), p.up(x, frac)),
    }
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
    fit(p, q, over, negative, ty);
}

/// Ends with the number of this size, the nearest in range; `over`, if not 0: it is beyond.
fn fit(p: &mut Build, size: Reg, over: Reg, negative: Reg, ty: Type) {
    let (least, most) = ty.range();
    let (least, most) = (p.word(least.unsigned_abs() as u64), p.word(most as u64));
    let end = p.select(negative, least, most);
    let past = p.op(Op::Below, end, size);
    let past = p.op(Op::Or, past, over);
    let size = p.select(past, end, size);
    let minus = p.negate(size);
    let y = p.select(negative, minus, size);
    p.end(y);
}
