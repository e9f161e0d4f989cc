//! Functions of integers, fixed point and bool inside programs: registers hold sign-extended 64-bit values, fixed point
//! in units of 2^-frac.

use super::body::Values;
use super::build::Reg;
use super::{Op, number};
use crate::{Fun, Type};

/// Sums and differences of saturating types of this many bits do not wrap in 64; others have programs of their own.
const SUMS: u32 = 62;
/// Nor do products of this many.
const PRODUCTS: u32 = 32;

/// The low bits of `x` as a value of the type.
pub(super) fn wrapped(v: &mut Values, x: Reg) -> Reg {
    let unused = 64 - u64::from(v.ty.bits());
    if unused == 0 {
        return x;
    }
    if !v.ty.is_signed() {
        return v.p.mask(x, v.ty.mask());
    }
    let by = v.p.word(unused);
    let top = v.p.op(Op::Shl, x, by);
    v.p.op(Op::Sar, top, by)
}

/// `x`, exact in 64 bits if the type saturates, as a value of the type; `signed`: it may be negative.
fn fit(v: &mut Values, x: Reg, signed: bool) -> Reg {
    if v.ty == Type::Bool {
        let not = v.p.not(x);
        return v.p.not(not);
    }
    if !v.ty.saturates() {
        return wrapped(v, x);
    }
    let below = if signed { Op::Less } else { Op::Below };
    let (low, high) = v.ty.range();
    let high = v.p.word(high as u64);
    let above = v.p.op(below, high, x);
    let x = v.p.select(above, high, x);
    if !signed {
        return x;
    }
    let low = v.p.word(low as u64);
    let under = v.p.op(below, x, low);
    v.p.select(under, low, x)
}

fn less(v: &mut Values, a: Reg, b: Reg) -> Reg {
    v.p.op(if v.ty.is_signed() { Op::Less } else { Op::Below }, a, b)
}

fn truth(v: &mut Values, a: Reg) -> Reg {
    let not = v.p.not(a);
    v.p.not(not)
}

/// A whole number of units as a register.
fn unit(v: &mut Values, sign: i128) -> Reg {
    let raw = v.ty.fit(sign << v.ty.fraction());
    v.p.word(v.ty.value(raw) as u64)
}

fn product(v: &mut Values, a: Reg, b: Reg) -> Reg {
    let x = v.p.op(Op::Mul, a, b);
    let frac = u64::from(v.ty.fraction());
    let signed = v.ty.is_signed();
    if frac == 0 {
        return fit(v, x, signed);
    }
    // To the nearest, ties to even.
    let by = v.p.word(frac);
    let down = v.p.op(if signed { Op::Sar } else { Op::Shr }, x, by);
    let rest = v.p.mask(x, (1 << frac) - 1);
    let odd = v.p.mask(down, 1);
    let rest = v.p.op(Op::Add, rest, odd);
    let half = v.p.word(1 << (frac - 1));
    let up = v.p.op(Op::Below, half, rest);
    let x = v.p.op(Op::Add, down, up);
    fit(v, x, signed)
}

fn shift(v: &mut Values, up: bool, a: Reg, b: Reg) -> Reg {
    // Without sign, a negative number of steps is a large one.
    let steps = if v.ty.fraction() == 0 { b } else { number::floored(&mut v.p, b, v.ty) };
    let bits = v.p.word(u64::from(v.ty.bits()));
    let within = v.p.op(Op::Below, steps, bits);
    if up {
        let x = v.p.op(Op::Shl, a, steps);
        let x = v.p.select(within, x, v.zero);
        return wrapped(v, x);
    }
    let most = v.p.word(63);
    let (op, gone) = if v.ty.is_signed() { (Op::Sar, v.p.op(Op::Sar, a, most)) } else { (Op::Shr, v.zero) };
    let x = v.p.op(op, a, steps);
    v.p.select(within, x, gone)
}

/// How many of the type's bits of `a` are 1.
fn count(v: &mut Values, a: Reg) -> Reg {
    let (ty, frac) = (v.ty, u64::from(v.ty.fraction()));
    let x = v.p.mask(a, ty.mask());
    // Of pairs, of fours, of bytes, and the sum of all bytes in the highest one.
    let (pairs, fours, bytes) = (0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f);
    let half = v.p.down(x, 1);
    let half = v.p.mask(half, pairs);
    let x = v.p.op(Op::Sub, x, half);
    let (upper, lower) = (v.p.down(x, 2), v.p.mask(x, fours));
    let upper = v.p.mask(upper, fours);
    let x = v.p.op(Op::Add, upper, lower);
    let upper = v.p.down(x, 4);
    let x = v.p.op(Op::Add, x, upper);
    let x = v.p.mask(x, bytes);
    let all = v.p.word(0x0101_0101_0101_0101);
    let x = v.p.op(Op::Mul, x, all);
    let x = v.p.down(x, 56);
    if !ty.saturates() {
        return wrapped(v, x);
    }
    let most = ty.range().1;
    let (units, most) = (v.p.word((most >> frac) as u64), v.p.word(most as u64));
    let over = v.p.op(Op::Below, units, x);
    let x = if frac < 64 { v.p.up(x, frac) } else { v.zero };
    v.p.select(over, most, x)
}

/// `fun` of values; `None` if it has no instructions on the type.
pub(super) fn apply(v: &mut Values, fun: Fun, args: &[Reg]) -> Option<Reg> {
    let (a, b) = (args[0], args[args.len() / 2]);
    let (ty, bits) = (v.ty, v.ty.bits());
    let exact = |most: u32| !ty.saturates() || bits <= most;
    let not = |v: &mut Values, x: Reg| v.p.not(x);
    Some(match fun {
        Fun::Add if exact(SUMS) => {
            let x = v.p.op(Op::Add, a, b);
            fit(v, x, true)
        }
        Fun::Sub if exact(SUMS) => {
            let x = v.p.op(Op::Sub, a, b);
            fit(v, x, true)
        }
        Fun::Neg if exact(SUMS) => {
            let x = v.p.negate(a);
            fit(v, x, true)
        }
        Fun::Abs if exact(SUMS) => {
            let (negative, minus) = (less(v, a, v.zero), v.p.negate(a));
            let x = v.p.select(negative, minus, a);
            fit(v, x, true)
        }
        Fun::CopySign if exact(SUMS) => {
            let (x, y) = (less(v, a, v.zero), less(v, b, v.zero));
            let (apart, minus) = (v.p.op(Op::Xor, x, y), v.p.negate(a));
            let x = v.p.select(apart, minus, a);
            fit(v, x, true)
        }
        Fun::SignBit => {
            let x = less(v, a, v.zero);
            v.logical(x)
        }
        Fun::PopCount => count(v, a),
        Fun::Mul if exact(PRODUCTS) => product(v, a, b),
        Fun::Sign | Fun::Heaviside => {
            let (one, below) = (unit(v, 1), if fun == Fun::Sign { unit(v, -1) } else { v.zero });
            let at_0 = if fun == Fun::Sign { v.zero } else { b };
            let negative = less(v, a, v.zero);
            let one = if fun == Fun::Sign { one } else { v.one };
            let x = v.p.select(a, one, at_0);
            v.p.select(negative, below, x)
        }
        Fun::Min => {
            let less = less(v, a, b);
            v.p.select(less, a, b)
        }
        Fun::Max => {
            let less = less(v, a, b);
            v.p.select(less, b, a)
        }
        Fun::Where => v.p.select(a, args[1], args[2]),
        Fun::Eq | Fun::Ne | Fun::Lt | Fun::Gt | Fun::Le | Fun::Ge => {
            let x = match fun {
                Fun::Eq | Fun::Ne => v.p.op(Op::Equal, a, b),
                Fun::Lt | Fun::Ge => less(v, a, b),
                _ => less(v, b, a),
            };
            let x = if matches!(fun, Fun::Ne | Fun::Le | Fun::Ge) { not(v, x) } else { x };
            v.logical(x)
        }
        Fun::And | Fun::Or | Fun::Xor => {
            let (a, b) = (truth(v, a), truth(v, b));
            let op = [Op::And, Op::Or, Op::Xor][[Fun::And, Fun::Or].iter().position(|f| *f == fun).unwrap_or(2)];
            let x = v.p.op(op, a, b);
            v.logical(x)
        }
        Fun::Not => {
            let x = not(v, a);
            v.logical(x)
        }
        Fun::ToBool => v.logical(a),
        Fun::IsNan | Fun::IsInf => v.zero,
        Fun::BitAnd => v.p.op(Op::And, a, b),
        Fun::BitOr => v.p.op(Op::Or, a, b),
        Fun::BitXor => v.p.op(Op::Xor, a, b),
        Fun::BitNot => {
            let x = v.p.with(Op::Xor, a, u64::MAX);
            wrapped(v, x)
        }
        Fun::Shl => shift(v, true, a, b),
        Fun::Shr => shift(v, false, a, b),
        Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint if ty.fraction() == 0 => a,
        _ => {
            let x = v.library(fun, args)?;
            wrapped(v, x)
        }
    })
}
