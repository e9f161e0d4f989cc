//! Numbers inside programs: 64-bit magnitudes with separate signs, and saturation to a type's range.

use super::build::Reg;
use super::{Build, Op};
use crate::Type;

/// A number with its sign in all 64 bits, and what it is without.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub value: Reg,
    pub size: Reg,
    pub negative: Reg,
}

/// Argument `k`.
pub(super) fn number(p: &mut Build, k: u16, ty: Type) -> Number {
    let raw = p.arg(k);
    let unused = 64 - u64::from(ty.bits());
    if !ty.is_signed() || unused == 0 {
        return of(p, raw, ty);
    }
    let unused = p.word(unused);
    let top = p.op(Op::Shl, raw, unused);
    let value = p.op(Op::Sar, top, unused);
    of(p, value, ty)
}

/// The number of a register that has its sign in all 64 bits.
pub(super) fn of(p: &mut Build, value: Reg, ty: Type) -> Number {
    let zero = p.word(0);
    if !ty.is_signed() {
        return Number { value, size: value, negative: zero };
    }
    let negative = p.op(Op::Less, value, zero);
    let minus = p.op(Op::Sub, zero, value);
    let size = p.select(negative, minus, value);
    Number { value, size, negative }
}

/// Computes the number of whole units of a value, rounded down.
pub(super) fn floored(p: &mut Build, value: Reg, ty: Type) -> Reg {
    match (ty.fraction(), ty.is_signed()) {
        (64, false) => p.word(0),
        (frac, signed) => {
            let by = p.word(frac.min(63).into());
            p.op(if signed { Op::Sar } else { Op::Shr }, value, by)
        }
    }
}

/// The value of this size, the nearest in range if the type saturates; `over`, if not 0: it is beyond 64 bits.
pub(super) fn kept(p: &mut Build, size: Reg, over: Reg, negative: Reg, ty: Type) -> Reg {
    let mut size = size;
    if ty.saturates() {
        let (least, most) = ty.range();
        let (least, most) = (p.word(least.unsigned_abs() as u64), p.word(most as u64));
        let end = p.select(negative, least, most);
        let past = p.op(Op::Below, end, size);
        let past = p.op(Op::Or, past, over);
        size = p.select(past, end, size);
    }
    let minus = p.negate(size);
    p.select(negative, minus, size)
}

/// x * 2^frac, its upper and its lower half.
pub(super) fn raised(p: &mut Build, x: Reg, frac: u64) -> [Reg; 2] {
    let zero = p.word(0);
    match frac {
        0 => [zero, x],
        64 => [x, zero],
        _ => [p.down(x, 64 - frac), p.up(x, frac)],
    }
}

/// x / 2^frac rounded down, and the bits that are left.
pub(super) fn split(p: &mut Build, x: Reg, frac: u64) -> [Reg; 2] {
    match frac {
        64 => [p.word(0), x],
        _ => [p.down(x, frac), p.mask(x, (1 << frac) - 1)],
    }
}

/// [high, low] / 2^frac, rounded to nearest, ties to even; and whether that is beyond 64 bits.
pub(super) fn nearest(p: &mut Build, [high, low]: [Reg; 2], frac: u64) -> (Reg, Reg) {
    if frac == 0 {
        return (low, high);
    }
    let [down, rest] = split(p, low, frac);
    let (down, over) = match frac {
        64 => (high, down),
        _ => {
            let upper = p.up(high, 64 - frac);
            (p.op(Op::Or, down, upper), p.down(high, frac))
        }
    };
    let up = is_up(p, down, rest, frac);
    let size = p.op(Op::Add, down, up);
    let carried = p.op(Op::Below, size, down);
    (size, p.op(Op::Or, over, carried))
}

/// Computes whether `down` and `rest` / 2^frac is nearer to the next number, or between the two with `down`
/// odd.
pub(super) fn is_up(p: &mut Build, down: Reg, rest: Reg, frac: u64) -> Reg {
    let odd = p.mask(down, 1);
    let half = p.word((1 << (frac - 1)) + 1);
    let least = p.op(Op::Sub, half, odd);
    let below = p.op(Op::Below, rest, least);
    p.not(below)
}

/// x * y of sizes that have up to `bits` bits, its upper and its lower half.
pub(super) fn product(p: &mut Build, x: Reg, y: Reg, bits: u32) -> [Reg; 2] {
    let low = p.op(Op::Mul, x, y);
    if bits <= 32 {
        return [p.word(0), low];
    }
    let high = p.scope(|p| {
        let mut halves = |x: Reg| [p.down(x, 32), p.mask(x, u64::from(u32::MAX))];
        let ([xh, xl], [yh, yl]) = (halves(x), halves(y));
        let lowest = p.op(Op::Mul, xl, yl);
        let carry = p.down(lowest, 32);
        // Neither sum has more than 64 bits.
        let cross = p.op(Op::Mul, xh, yl);
        let cross = p.op(Op::Add, cross, carry);
        let (up, carry) = (p.down(cross, 32), p.mask(cross, u64::from(u32::MAX)));
        let cross = p.op(Op::Mul, xl, yh);
        let cross = p.op(Op::Add, cross, carry);
        let carry = p.down(cross, 32);
        let high = p.op(Op::Mul, xh, yh);
        let high = p.op(Op::Add, high, up);
        p.op(Op::Add, high, carry)
    });
    [high, low]
}

/// x * y of the type, with its sign in all 64 bits if the type saturates; else its low bits.
pub(super) fn times(p: &mut Build, x: &Number, y: &Number, ty: Type) -> Reg {
    if !ty.saturates() {
        return p.op(Op::Mul, x.value, y.value);
    }
    p.scope(|p| {
        let exact = product(p, x.size, y.size, ty.bits());
        let (size, over) = nearest(p, exact, ty.fraction().into());
        let apart = p.op(Op::Xor, x.negative, y.negative);
        kept(p, size, over, apart, ty)
    })
}
