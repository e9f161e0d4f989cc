//! Programs of float functions: arguments are converted to doubles, and the result is rounded once.

use super::build::{Build, Reg};
use super::{Op, elementary, hyperbolic, rest, trigonometric};
use crate::{Fun, Power, Type};

/// Writes the program of `fun` on floats of type `ty`; `None` if there is none.
pub(super) fn write(p: &mut Build, fun: Fun, ty: Type) -> Option<()> {
    if fun == Fun::Pow && Power::of(ty).is_some() {
        let (x, y) = (p.arg(0), p.arg(1));
        let result = p.op(Op::PowOwn, x, y);
        p.end(result);
        return Some(());
    }
    let x = argument(p, 0, ty);
    let y = if fun.arity() > 1 { argument(p, 1, ty) } else { x };
    let result = match fun {
        Fun::Div => divide(p, x, y),
        Fun::Recip => {
            let one = p.real(1.0);
            divide(p, one, x)
        }
        Fun::Sqrt => sqrt(p, x),
        Fun::Mod => rest::rest(p, x, y),
        Fun::PyMod => rest::floor_rest(p, x, y),
        Fun::Idiv => rest::floor_ratio(p, x, y),
        Fun::Exp => elementary::exp(p, x),
        Fun::Exp2 => elementary::exp2(p, x),
        Fun::Expm1 => elementary::expm1(p, x),
        Fun::Log => elementary::log(p, x),
        Fun::Log1p => elementary::log1p(p, x),
        Fun::Log2 => elementary::log2(p, x),
        Fun::Log10 => elementary::log10(p, x),
        Fun::Pow => elementary::pow(p, x, y),
        Fun::Sinh => hyperbolic::sinh_cosh(p, x, false),
        Fun::Cosh => hyperbolic::sinh_cosh(p, x, true),
        Fun::Tanh => hyperbolic::tanh(p, x),
        Fun::Asinh => hyperbolic::asinh(p, x),
        Fun::Acosh => hyperbolic::acosh(p, x),
        Fun::Atanh => hyperbolic::atanh(p, x),
        Fun::Cbrt => elementary::cbrt(p, x),
        Fun::Hypot => elementary::hypot(p, x, y),
        Fun::Sin => trigonometric::sin_cos(p, x, 0),
        Fun::Cos => trigonometric::sin_cos(p, x, 1),
        Fun::Tan => trigonometric::tan(p, x),
        Fun::Atan => trigonometric::atan(p, x),
        Fun::Asin => trigonometric::asin(p, x),
        Fun::Acos => trigonometric::acos(p, x),
        Fun::Atan2 => trigonometric::atan2(p, x, y),
        Fun::Ldexp => scale(p, x, y),
        _ => return None,
    };
    own(p, result, ty);
    Some(())
}

/// Argument `k` as a double.
pub(super) fn argument(p: &mut Build, k: u16, ty: Type) -> Reg {
    let raw = p.arg(k);
    let Type::Float { exp, man } = ty else { return raw };
    if ty == Type::F64 {
        return raw;
    }
    p.scope(|p| {
        let sign = p.down(raw, u64::from(exp + man));
        let field = p.down(raw, man.into());
        let field = p.mask(field, (1 << exp) - 1);
        let fraction = p.mask(raw, (1 << man) - 1);
        let (none, zero, hidden) = (p.not(field), p.word(0), p.word(1 << man));
        let hidden = p.select(none, zero, hidden);
        let m = p.op(Op::Or, fraction, hidden);
        let e = p.op(Op::Add, field, none);
        let e = p.plus(e, -(1i64 << (exp - 1)) + 1 - i64::from(man));
        let finite = p.op3(Op::Round, m, e, sign);
        // Infinity and NaN: fraction above, exponent full.
        let up = p.up(sign, 63);
        let inf = p.real(f64::INFINITY);
        let inf = p.op(Op::Or, inf, up);
        let nan = p.real(f64::NAN);
        let other = p.select(fraction, nan, inf);
        let most = p.word((1 << exp) - 1);
        let full = p.op(Op::Equal, field, most);
        p.select(full, other, finite)
    })
}

/// Ends with the double `y` in the program's own format.
pub(super) fn own(p: &mut Build, y: Reg, ty: Type) {
    let size = p.size(y);
    let none = p.is_nan(size);
    let nan = p.word(ty.nan());
    p.end_if(none, nan);
    if ty == Type::F64 {
        p.end(y);
        return;
    }
    let inf = p.real(f64::INFINITY);
    let endless = p.op(Op::Equal, size, inf);
    let parts = p.parts(y);
    let up = p.up(parts.sign, u64::from(ty.bits()) - 1);
    let own_inf = p.word(ty.infinity());
    let own_inf = p.op(Op::Or, own_inf, up);
    p.end_if(endless, own_inf);
    let y = p.op3(Op::RoundOwn, parts.man, parts.exp, parts.sign);
    p.end(y);
}

pub(super) fn divide(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let (a, b) = (p.size(x), p.size(y));
        let sign = p.op(Op::Xor, x, y);
        let sign = p.sign(sign);
        let (zero, inf, nan) = (p.word(0), p.real(f64::INFINITY), p.real(f64::NAN));
        let q = p.ratio(x, y);
        let q = p.size(q);
        let q = p.select(a, q, zero);
        // x / 0, inf / y, x / inf, then what is none of them.
        let q = p.select(b, q, inf);
        let (a_inf, b_inf) = (p.op(Op::Equal, a, inf), p.op(Op::Equal, b, inf));
        let q = p.select(a_inf, inf, q);
        let q = p.select(b_inf, zero, q);
        let q = p.with_sign(q, sign);
        let both_inf = p.op(Op::And, a_inf, b_inf);
        let some = p.op(Op::Or, a, b);
        let both_zero = p.not(some);
        let (a_none, b_none) = (p.is_nan(a), p.is_nan(b));
        let none = p.op(Op::Or, a_none, b_none);
        let none = p.op(Op::Or, none, both_inf);
        let none = p.op(Op::Or, none, both_zero);
        p.select(none, nan, q)
    })
}

fn sqrt(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign) = (p.size(x), p.sign(x));
        let (inf, nan) = (p.real(f64::INFINITY), p.real(f64::NAN));
        let finite = p.op(Op::Below, size, inf);
        let root = p.root(size);
        let y = p.select(finite, root, x);
        let y = p.select(sign, nan, y);
        let y = p.select(size, y, x);
        let none = p.is_nan(size);
        p.select(none, nan, y)
    })
}

/// x * 2^n, n the whole part of `y`, rounded once.
fn scale(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        // Beyond 2200 steps all is infinite or 0.
        let size = p.size(y);
        let near = p.under(size, 2200.0);
        let steps = p.real(2200.0);
        let size = p.select(near, size, steps);
        let parts = p.parts(size);
        let zero = p.word(0);
        let down = p.op(Op::Sub, zero, parts.exp);
        let most = p.word(63);
        let tiny = p.op(Op::Less, most, down);
        let n = p.op(Op::Shr, parts.man, down);
        let n = p.select(tiny, zero, n);
        let minus = p.negate(n);
        let sign = p.sign(y);
        let n = p.select(sign, minus, n);
        let parts = p.parts(x);
        let exp = p.op(Op::Add, parts.exp, n);
        let z = p.op3(Op::Round, parts.man, exp, parts.sign);
        let size = p.size(x);
        let inf = p.real(f64::INFINITY);
        let finite = p.op(Op::Below, size, inf);
        let z = p.select(finite, z, x);
        let y_size = p.size(y);
        let (nan, none) = (p.real(f64::NAN), p.is_nan(y_size));
        p.select(none, nan, z)
    })
}
