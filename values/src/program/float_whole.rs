//! Rounding of floats to integers inside programs, and functions of their integer parts.

use super::body::Values;
use super::build::Reg;
use super::{Op, number, whole_term};
use crate::{Fun, Type};

/// What functions of whole parts compute with.
const WHOLE: Type = Type::int(64, true);

/// Raw bits `a` rounded to a whole number, as `fun` does it. The bits above a unit count on into the exponent.
pub(super) fn rounded(v: &mut Values, fun: Fun, a: Reg) -> Reg {
    let (ty, p) = (v.ty, &mut v.p);
    let Type::Float { exp, man } = ty else { return a };
    let size = p.size_of(a, ty);
    let (sign, field) = (p.mask(a, ty.sign_bit()), p.down(size, man.into()));
    // Bits below a unit: none of large numbers, all of those below 1.
    let bits = p.word(u64::from(man) + (1 << (exp - 1)) - 1);
    let bits = p.op(Op::Sub, bits, field);
    let (most, one) = (p.word(man.into()), p.word(ty.one()));
    let small = p.op(Op::Less, most, bits);
    let unit = p.word(1);
    let step = p.op(Op::Shl, unit, bits);
    let rest = p.op(Op::Sub, step, unit);
    let rest = p.op(Op::And, size, rest);
    let rest = p.select(small, size, rest);
    let some = p.op(Op::Below, v.zero, rest);
    let up = match fun {
        Fun::Trunc => v.zero,
        Fun::Floor => p.select(sign, some, v.zero),
        Fun::Ceil => p.select(sign, v.zero, some),
        _ => {
            let (half, half_of_one) = (p.down(step, 1), p.word(ty.one() - (1 << man)));
            let half = p.select(small, half_of_one, half);
            let above = p.op(Op::Below, half, rest);
            let tie = p.op(Op::Equal, half, rest);
            let odd = p.op(Op::And, size, step);
            let odd = p.select(small, v.zero, odd);
            let tie = p.select(odd, tie, v.zero);
            p.op(Op::Or, above, tie)
        }
    };
    let step = p.select(small, one, step);
    let step = p.select(up, step, v.zero);
    let y = p.op(Op::Sub, size, rest);
    let y = p.op(Op::Add, y, step);
    let y = p.op(Op::Or, y, sign);
    let within = p.op(Op::Less, v.zero, bits);
    p.select(within, y, a)
}

/// The whole part of raw bits `a`, the nearest in range; 0 of what is no number.
fn part(v: &mut Values, a: Reg) -> Reg {
    let (ty, zero, p) = (v.ty, v.zero, &mut v.p);
    let Type::Float { exp, man } = ty else { return a };
    let size = p.size_of(a, ty);
    let (sign, field) = (p.mask(a, ty.sign_bit()), p.down(size, man.into()));
    let (fraction, hidden) = (p.mask(size, (1 << man) - 1), p.word(1 << man));
    let hidden = p.select(field, hidden, zero);
    let man_bits = p.op(Op::Or, fraction, hidden);
    let bias = (1i64 << (exp - 1)) - 1;
    let up = p.plus(field, -bias - i64::from(man));
    let down = p.op(Op::Sub, zero, up);
    let most = p.word(63);
    let (raised, lowered) = (p.op(Op::Shl, man_bits, up), p.op(Op::Shr, man_bits, down));
    let tiny = p.op(Op::Less, most, down);
    let lowered = p.select(tiny, zero, lowered);
    let negative = p.op(Op::Less, up, zero);
    let part = p.select(negative, lowered, raised);
    let minus = p.negate(part);
    let part = p.select(sign, minus, part);
    // From 2^63 on, or infinite: the ends of the range.
    let limit = p.word((63 + bias as u64).min((1 << exp) - 1));
    let (least, end) = (p.word(WHOLE.least()), p.word(WHOLE.greatest()));
    let end = p.select(sign, least, end);
    let within = p.op(Op::Below, field, limit);
    let part = p.select(within, part, end);
    let inf = p.word(ty.infinity());
    let none = p.op(Op::Below, inf, size);
    p.select(none, zero, part)
}

/// `fun` of whole parts.
pub(super) fn of_parts(v: &mut Values, fun: Fun, args: &[Reg]) -> Option<Reg> {
    let mut parts = Vec::new();
    for &a in args {
        let (keep, mark) = (v.p.reg(), v.p.mark());
        let part = part(v, a);
        parts.push(v.p.settle(mark, keep, part));
    }
    let ty = std::mem::replace(&mut v.ty, WHOLE);
    let whole = whole_term::apply(v, fun, &parts);
    v.ty = ty;
    let n = number::of(&mut v.p, whole?, WHOLE);
    Some(v.p.op3(Op::RoundOwn, n.size, v.zero, n.negative))
}
