//! Programs of integers, wrapping or saturating, and of fixed point in units of 2^-frac.

use super::build::Reg;
use super::number::{Number, kept, number};
use super::{Build, Op, fixed, power, rounding};
use crate::{Fun, Type};

/// Writes the program of `fun` on numbers of at least two bits; `None` if there is none.
pub(super) fn write(p: &mut Build, fun: Fun, ty: Type) -> Option<()> {
    let x = number(p, 0, ty);
    match fun {
        Fun::Div if ty.saturates() => fixed::divide(p, &x, ty),
        Fun::Idiv if ty.saturates() => fixed::floor(p, &x, ty),
        Fun::Div | Fun::Idiv | Fun::Mod | Fun::PyMod => divide(p, fun, &x, ty),
        Fun::Recip => reciprocal(p, &x, ty),
        Fun::Gcd => {
            let y = number(p, 1, ty);
            let g = gcd(p, x.size, y.size);
            p.end(g);
        }
        Fun::Lcm => lcm(p, &x, ty),
        Fun::Sqrt => power::root(p, &x, ty),
        Fun::Pow => power::power(p, &x, ty),
        Fun::Ldexp => power::scale(p, &x, ty),
        Fun::Add | Fun::Sub | Fun::Neg | Fun::Abs | Fun::CopySign | Fun::Mul | Fun::Square | Fun::Cube | Fun::Sign => {
            rounding::arithmetic(p, fun, &x, ty)
        }
        Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint => rounding::whole(p, fun, &x, ty),
        _ => return None,
    }
    Some(())
}

/// Ends with the quotient or rest of x and the second argument.
fn divide(p: &mut Build, fun: Fun, x: &Number, ty: Type) {
    let y = number(p, 1, ty);
    let zero = p.word(0);
    p.end_if_not(y.size, zero);
    let q = p.op3(Op::Div, x.size, y.size, zero);
    let r = p.op(Op::Rest, q, q);
    let apart = p.op(Op::Xor, x.negative, y.negative);
    let uneven = p.op(Op::Below, zero, r);
    let step = p.op(Op::And, apart, uneven);
    match fun {
        Fun::Div => {
            let minus = p.negate(q);
            let y = p.select(apart, minus, q);
            p.end(y);
        }
        Fun::Idiv => {
            let minus = p.negate(q);
            let q = p.select(apart, minus, q);
            let q = p.op(Op::Sub, q, step);
            p.end(q);
        }
        _ => {
            let minus = p.negate(r);
            let r = p.select(x.negative, minus, r);
            if fun == Fun::PyMod {
                let more = p.select(step, y.value, zero);
                let r = p.op(Op::Add, r, more);
                p.end(r);
            } else {
                p.end(r);
            }
        }
    }
}

/// Ends with 1 / x.
pub(super) fn reciprocal(p: &mut Build, x: &Number, ty: Type) {
    if ty.saturates() {
        return fixed::reciprocal(p, x, ty);
    }
    let (one, zero) = (p.word(1), p.word(0));
    let unit = p.op(Op::Equal, x.size, one);
    let y = p.select(unit, x.value, zero);
    p.end(y);
}

fn gcd(p: &mut Build, x: Reg, y: Reg) -> Reg {
    let (a, b, r) = (p.reg(), p.reg(), p.reg());
    let zero = p.word(0);
    p.set(a, x);
    p.set(b, y);
    let (again, done) = (p.label(), p.label());
    // The worst are neighbours among Fibonacci's numbers; number 93 has 64 bits.
    p.rounds(94, |p| {
        p.here(again);
        p.jump_zero(b, done);
        p.into(r, Op::Div, a, b, zero);
        p.into(r, Op::Rest, r, r, r);
        p.set(a, b);
        p.set(b, r);
        p.jump(again);
    });
    p.here(done);
    a
}

/// Ends with the least common multiple of x and the second argument.
fn lcm(p: &mut Build, x: &Number, ty: Type) {
    let y = number(p, 1, ty);
    let zero = p.word(0);
    p.end_if_not(x.size, zero);
    p.end_if_not(y.size, zero);
    let g = gcd(p, x.size, y.size);
    let q = p.op3(Op::Div, x.size, g, zero);
    let size = p.op(Op::Mul, q, y.size);
    if !ty.saturates() {
        return p.end(size);
    }
    // q * y is beyond 64 bits, or the range, just where q is above a quotient.
    let most = p.word(ty.range().1 as u64);
    let most = p.op3(Op::Div, most, y.size, zero);
    let over = p.op(Op::Below, most, q);
    let l = kept(p, size, over, zero, ty);
    p.end(l);
}
