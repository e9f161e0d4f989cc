//! Programs of whole numbers that wrap.

use super::build::Reg;
use super::{Build, Op};
use crate::value::{Fun, Type};

/// An argument with its sign in all 64 bits, and what it is without.
pub(super) struct Number {
    pub value: Reg,
    pub size: Reg,
    pub negative: Reg,
}

pub(super) fn number(p: &mut Build, k: u16, ty: Type) -> Number {
    let raw = p.arg(k);
    let zero = p.word(0);
    if !ty.is_signed() {
        return Number { value: raw, size: raw, negative: zero };
    }
    let unused = p.word(64 - u64::from(ty.bits()));
    let top = p.op(Op::Shl, raw, unused);
    let value = p.op(Op::Sar, top, unused);
    let negative = p.op(Op::Less, value, zero);
    let minus = p.op(Op::Sub, zero, value);
    let size = p.select(negative, minus, value);
    Number { value, size, negative }
}

/// Writes the program of `fun` on whole numbers that wrap; `None` if there is none.
pub(super) fn write(p: &mut Build, fun: Fun, ty: Type) -> Option<()> {
    let x = number(p, 0, ty);
    match fun {
        Fun::Div | Fun::Idiv | Fun::Mod | Fun::PyMod => divide(p, fun, &x, ty),
        Fun::Gcd => {
            let y = number(p, 1, ty);
            let g = gcd(p, x.size, y.size);
            p.end(g);
        }
        Fun::Lcm => {
            let y = number(p, 1, ty);
            let g = gcd(p, x.size, y.size);
            p.end_if_not(g, g);
            let zero = p.word(0);
            let q = p.op3(Op::Div, x.size, g, zero);
            let l = p.op(Op::Mul, q, y.size);
            p.end(l);
        }
        Fun::Recip => {
            let (one, zero) = (p.word(1), p.word(0));
            let unit = p.op(Op::Equal, x.size, one);
            let y = p.select(unit, x.value, zero);
            p.end(y);
        }
        Fun::Sqrt => {
            let zero = p.word(0);
            p.end_if(x.negative, zero);
            p.end_if_not(x.size, zero);
            // A power of two not below the root.
            let zeros = p.op(Op::Zeros, x.size, x.size);
            let bits = p.word(65);
            let bits = p.op(Op::Sub, bits, zeros);
            let half = p.down(bits, 1);
            let one = p.word(1);
            let start = p.op(Op::Shl, one, half);
            let root = p.isqrt(zero, x.size, start);
            p.end(root);
        }
        Fun::Pow => power(p, &x, ty),
        _ => return None,
    }
    Some(())
}

/// Ends with the quotient or rest of x and the second argument.
pub(super) fn divide(p: &mut Build, fun: Fun, x: &Number, ty: Type) {
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

fn power(p: &mut Build, x: &Number, ty: Type) {
    let n = number(p, 1, ty);
    let (base, left, result, odd) = (p.reg(), p.reg(), p.reg(), p.reg());
    let one = p.word(1);
    p.set(base, x.value);
    p.set(left, n.size);
    p.set(result, one);
    let (again, done, even) = (p.label(), p.label(), p.label());
    p.rounds(65, |p| {
        p.here(again);
        p.jump_zero(left, done);
        p.into(odd, Op::And, left, one, one);
        p.jump_zero(odd, even);
        p.into(result, Op::Mul, result, base, base);
        p.here(even);
        p.into(base, Op::Mul, base, base, base);
        p.into(left, Op::Shr, left, one, one);
        p.jump(again);
    });
    p.here(done);
    p.end_if_not(n.negative, result);
    // 1 / result, towards 0: of 1 and -1 themselves, else 0.
    let unused = p.word(64 - u64::from(ty.bits()));
    let top = p.op(Op::Shl, result, unused);
    let value = p.op(Op::Sar, top, unused);
    let minus = p.word(u64::MAX);
    let is_one = p.op(Op::Equal, value, one);
    let is_minus = p.op(Op::Equal, value, minus);
    let unit = p.op(Op::Or, is_one, is_minus);
    let zero = p.word(0);
    let y = p.select(unit, value, zero);
    p.end(y);
}
