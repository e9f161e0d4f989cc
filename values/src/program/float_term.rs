//! Float functions inside programs; registers hold raw bits of the type.

use super::body::Values;
use super::build::{Build, Reg};
use super::{Op, float_whole, real};
use crate::{Fun, Pipeline, Type};

/// Sizes, and whether one is no number.
fn unordered(v: &mut Values, args: &[Reg]) -> Reg {
    let inf = v.p.word(v.ty.infinity());
    let mut any = v.zero;
    for &a in args {
        let size = v.p.size_of(a, v.ty);
        let none = v.p.op(Op::Below, inf, size);
        any = v.p.op(Op::Or, any, none);
    }
    any
}

/// A number with sign that is in the order of the floats; both zeros give 0.
fn key(p: &mut Build, a: Reg, ty: Type) -> Reg {
    let up = p.up(a, 64 - u64::from(ty.bits()));
    let (size, zero, most) = (p.size(up), p.word(0), p.word(63));
    let up = p.select(size, up, zero);
    let signs = p.op(Op::Sar, up, most);
    let flip = p.down(signs, 1);
    p.op(Op::Xor, up, flip)
}

/// What `f` makes of doubles, rounded to the type.
fn rounded(v: &mut Values, args: &[Reg], f: impl FnOnce(&mut Build, Reg, Reg) -> Reg) -> Reg {
    let ty = v.ty;
    v.p.inside(args, |p| {
        let (x, y) = (real::argument(p, 0, ty), real::argument(p, 1, ty));
        let z = f(p, x, y);
        real::own(p, z, ty);
    })
}

fn order(v: &mut Values, fun: Fun, a: Reg, b: Reg) -> Reg {
    let (ka, kb) = (key(&mut v.p, a, v.ty), key(&mut v.p, b, v.ty));
    match fun {
        Fun::Eq | Fun::Ne => v.p.op(Op::Equal, ka, kb),
        Fun::Lt | Fun::Ge => v.p.op(Op::Less, ka, kb),
        _ => v.p.op(Op::Less, kb, ka),
    }
}

/// `fun` of values; `None` if it has no instructions.
pub(super) fn apply(v: &mut Values, fun: Fun, args: &[Reg]) -> Option<Reg> {
    let (a, b) = (args[0], args[args.len() / 2]);
    let ty = v.ty;
    let not = |v: &mut Values, x: Reg| v.p.not(x);
    Some(match fun {
        Fun::Add => rounded(v, &[a, b], Build::fadd),
        Fun::Sub => rounded(v, &[a, b], Build::fsub),
        Fun::Mul => rounded(v, &[a, b], Build::fmul),
        Fun::Neg | Fun::Abs => {
            let x = if fun == Fun::Neg { v.p.with(Op::Xor, a, ty.sign_bit()) } else { v.p.size_of(a, ty) };
            let (none, nan) = (unordered(v, &[a]), v.p.word(ty.nan()));
            v.p.select(none, nan, x)
        }
        Fun::Where => {
            let truth = v.p.size_of(a, ty);
            v.p.select(truth, args[1], args[2])
        }
        Fun::Min | Fun::Max => {
            let (same, first) = (order(v, Fun::Eq, a, b), order(v, Fun::Lt, a, b));
            // Equal values differ in the sign of 0 at most.
            let equal = v.p.op(if fun == Fun::Min { Op::Or } else { Op::And }, a, b);
            let x = if fun == Fun::Min { v.p.select(first, a, b) } else { v.p.select(first, b, a) };
            let x = v.p.select(same, equal, x);
            let (none, nan) = (unordered(v, &[a, b]), v.p.word(ty.nan()));
            v.p.select(none, nan, x)
        }
        Fun::Eq | Fun::Ne | Fun::Lt | Fun::Gt | Fun::Le | Fun::Ge => {
            let x = order(v, fun, a, b);
            let x = if matches!(fun, Fun::Ne | Fun::Le | Fun::Ge) { not(v, x) } else { x };
            let none = unordered(v, &[a, b]);
            let differ = v.p.word(u64::from(fun == Fun::Ne));
            let x = v.p.select(none, differ, x);
            v.logical(x)
        }
        Fun::And | Fun::Or | Fun::Xor => {
            let (a, b) = (v.p.size_of(a, ty), v.p.size_of(b, ty));
            let (a, b) = (not(v, a), not(v, b));
            let x = match fun {
                Fun::And => {
                    let either = v.p.op(Op::Or, a, b);
                    not(v, either)
                }
                Fun::Or => {
                    let both = v.p.op(Op::And, a, b);
                    not(v, both)
                }
                _ => v.p.op(Op::Xor, a, b),
            };
            v.logical(x)
        }
        Fun::Not | Fun::ToBool => {
            let size = v.p.size_of(a, ty);
            let x = if fun == Fun::Not { not(v, size) } else { size };
            v.logical(x)
        }
        Fun::Sign | Fun::Heaviside => {
            let (size, sign) = (v.p.size_of(a, ty), v.p.mask(a, ty.sign_bit()));
            let (one, minus, nan) = (v.one, v.p.word(ty.one() | ty.sign_bit()), v.p.word(ty.nan()));
            let below = if fun == Fun::Sign { minus } else { v.zero };
            let x = v.p.select(sign, below, one);
            let x = v.p.select(size, x, if fun == Fun::Sign { a } else { b });
            let none = unordered(v, &[a]);
            v.p.select(none, nan, x)
        }
        Fun::CopySign => {
            let (size, sign) = (v.p.size_of(a, ty), v.p.mask(b, ty.sign_bit()));
            let unsigned = unordered(v, &[b]);
            let sign = v.p.select(unsigned, v.zero, sign);
            let x = v.p.op(Op::Or, size, sign);
            let (none, nan) = (unordered(v, &[a]), v.p.word(ty.nan()));
            v.p.select(none, nan, x)
        }
        Fun::SignBit => {
            let (none, sign) = (unordered(v, &[a]), v.p.mask(a, ty.sign_bit()));
            let x = v.p.select(none, v.zero, sign);
            v.logical(x)
        }
        Fun::IsNan => {
            let x = unordered(v, &[a]);
            v.logical(x)
        }
        Fun::IsInf => {
            let (size, inf) = (v.p.size_of(a, ty), v.p.word(ty.infinity()));
            let x = v.p.op(Op::Equal, size, inf);
            v.logical(x)
        }
        Fun::Floor | Fun::Ceil | Fun::Trunc | Fun::Rint => float_whole::rounded(v, fun, a),
        _ if fun.is_of_parts() => float_whole::of_parts(v, fun, args)?,
        // What a pipeline defines a program gives other bits of.
        _ if Pipeline::shared(fun, ty).is_some() => return None,
        _ => v.library(fun, args)?,
    })
}
