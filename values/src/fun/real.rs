//! Evaluation of functions on floats: computed in double precision, then rounded to the type. Sums, products, quotients
//! and square roots of the narrower types come out as IEEE says, since a double has more than twice their bits.

use super::Fun;
use crate::{Pipeline, Power, Program, Type, convert, from_f64, to_f64};

/// What functions of whole parts compute with: numbers beyond the range become its ends, NaN becomes 0.
const WHOLE: Type = Type::int(64, true);

/// `f` on floats `a` and `b`.
pub(super) fn apply(f: Fun, a: u64, b: u64, ty: Type) -> u64 {
    match f {
        Fun::Neg if !ty.is_nan(a) => return a ^ ty.sign_bit(),
        Fun::Abs if !ty.is_nan(a) => return a & !ty.sign_bit(),
        Fun::CopySign if !ty.is_nan(a) => return a & !ty.sign_bit() | ty.canonical(b) & ty.sign_bit(),
        _ => {}
    }
    // What is rounded once needs no table, which would be looked up behind a lock.
    if let Some(exact) = double(f, to_f64(a, ty), to_f64(b, ty)) {
        return ty.canonical(from_f64(exact, ty));
    }
    // Where hosts differ from each other, what hardware does is the definition.
    if let Some(p) = Pipeline::shared(f, ty) {
        return p.apply(a);
    }
    if let Some(p) = Power::of(ty).filter(|_| f == Fun::Pow) {
        return p.apply(a, b);
    }
    if f.needs_float() || matches!(f, Fun::Pow | Fun::Ldexp) {
        return Program::shared(f, ty).map_or(ty.nan(), |p| p.run(&[a, b]).0);
    }
    if f.is_of_parts() {
        // Of whole parts.
        let parts = [a, b].map(|x| convert(x, ty, WHOLE));
        return convert(f.apply(&parts, WHOLE), WHOLE, ty);
    }
    ty.nan()
}

/// What IEEE says of `f`, before it is rounded to the type; `None` for all other functions.
fn double(f: Fun, x: f64, y: f64) -> Option<f64> {
    Some(match f {
        Fun::Add => x + y,
        Fun::Sub => x - y,
        Fun::Mul => x * y,
        Fun::Sign if x == 0.0 || x.is_nan() => x,
        Fun::Sign => x.signum(),
        Fun::Recip => 1.0 / x,
        Fun::Div => x / y,
        Fun::Idiv => floor_ratio(x, y),
        Fun::Mod => x % y,
        Fun::PyMod => floor_rest(x, y),
        Fun::Floor => x.floor(),
        Fun::Ceil => x.ceil(),
        Fun::Trunc => x.trunc(),
        Fun::Rint => x.round_ties_even(),
        Fun::Sqrt => x.sqrt(),
        _ => return None,
    })
}

/// x / y rounded down, from the exact rest as Python and NumPy do it.
fn floor_ratio(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return x / y;
    }
    let rest = x % y;
    let borrow = rest != 0.0 && (y < 0.0) != (rest < 0.0);
    let ratio = (x - rest) / y - if borrow { 1.0 } else { 0.0 };
    if ratio == 0.0 {
        return 0f64.copysign(x / y);
    }
    let down = ratio.floor();
    if ratio - down > 0.5 { down + 1.0 } else { down }
}

fn floor_rest(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest == 0.0 {
        0f64.copysign(y)
    } else if (y < 0.0) != (rest < 0.0) {
        rest + y
    } else {
        rest
    }
}
