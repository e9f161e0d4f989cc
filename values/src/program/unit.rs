//! Functions that a separate unit computes instead of a program, in one or a few cycles per step. Such a program has
//! one instruction, which names the unit: [`Op::Gcd`], [`Op::Power`], [`Op::GcdOwn`].

use super::{Instr, Op};
use crate::{Fun, Type, convert, mask, word_mul_depth};

/// Cycles without steps: arguments are taken, and the end is seen.
const AROUND: u64 = 2;

/// Whole parts of floats, and the cycles of their conversions to and from them.
const PARTS: Type = Type::int(64, true);
const CONVERSIONS: u64 = 6;

/// The instruction that is all of `fun` on `ty`, if a unit computes it.
pub(super) fn whole(fun: Fun, ty: Type) -> Option<Instr> {
    let op = match (fun, ty) {
        _ if ty.bits() < 2 => return None,
        // In units of fixed point.
        (Fun::Gcd, Type::Int { .. } | Type::Fixed { .. }) => Op::Gcd,
        (Fun::Gcd, Type::Float { .. }) => return Some(Instr { op: Op::GcdOwn, d: 1, a: 0, n: PARTS.bits() as u16 }),
        (Fun::Pow, Type::Int { .. }) => Op::Power,
        (Fun::Pow, Type::Fixed { .. }) if ty.has_one() => Op::Power,
        _ => return None,
    };
    let power = op == Op::Power;
    let d = u8::from(ty.is_signed()) | u8::from(power && ty.saturates()) << 1;
    // Where there is 1 there are fewer bits after the point than bits.
    Some(Instr { op, d, a: if power { ty.fraction() as u8 } else { 0 }, n: ty.bits() as u16 })
}

/// The numbers that such an instruction is about.
fn numbers(i: Instr) -> Type {
    let (bits, signed) = (i.n.into(), i.d & 1 == 1);
    match i.a {
        0 => Type::Int { bits, signed, saturating: i.d >> 1 & 1 == 1 },
        frac => Type::Fixed { bits, frac: frac.into(), signed },
    }
}

/// Result and cycles of the unit that `i` is; `own`: the format of floats.
pub(super) fn run(i: Instr, args: &[u64], own: Type) -> (u64, u64) {
    let (ty, arg) = (numbers(i), |k: usize| args.get(k).copied().unwrap_or(0));
    match i.op {
        Op::Power => power(arg(0), arg(1), ty),
        Op::Gcd => gcd(arg(0), arg(1), ty),
        _ => {
            let part = |k: usize| convert(arg(k) & own.mask(), own, PARTS);
            let (y, cycles) = gcd(part(0), part(1), PARTS);
            (convert(y, PARTS, own), cycles + CONVERSIONS)
        }
    }
}

/// The fewest and the most cycles of a run.
pub(super) fn cycles(i: Instr) -> (u64, u64) {
    let (ty, bits) = (numbers(i), u64::from(i.n));
    let steps = match i.op {
        Op::Gcd => 2 * bits,
        Op::GcdOwn => return (AROUND + CONVERSIONS, AROUND + CONVERSIONS + 2 * bits),
        // A round for each bit of the exponent, and the reciprocal.
        _ if ty.fraction() > 0 => {
            round(ty) * (bits - u64::from(ty.fraction())) + if ty.is_signed() { reciprocal(ty) } else { 0 }
        }
        // Squares of 2 are the largest number then.
        _ if ty.saturates() => round(ty) * u64::from(i.n.next_power_of_two().ilog2() + 1),
        // Squaring an odd number k times leaves 1 and a multiple of 2^(k + 2), and the series has three
        // rounds.
        _ if has_series(ty) => round(ty) * u64::from(third(ty) + 1),
        _ => round(ty) * bits,
    };
    (AROUND, AROUND + steps)
}

/// Cycles of a round of a power: products of what wraps need no registers before them.
fn round(ty: Type) -> u64 {
    let depth = word_mul_depth(ty);
    u64::from(if ty.saturates() { depth + 1 } else { depth })
}

/// Cycles of a reciprocal of fixed point: two bits each, of twice as many as there are after the point and 2.
fn reciprocal(ty: Type) -> u64 {
    u64::from(ty.fraction()) + 1
}

/// Do powers of numbers near 1 end with a series? Rounds of one cycle do as well.
fn has_series(ty: Type) -> bool {
    !ty.saturates() && round(ty) > 1
}

/// A third of the bits, rounded up: of a multiple of 2 to this power the third power wraps to 0.
fn third(ty: Type) -> u32 {
    ty.bits().div_ceil(3)
}

/// 1 + u to the power m where the third power of u is 0: 1 + m u + m (m - 1) / 2 u u.
fn series(u: u64, m: u64, ty: Type) -> u64 {
    let first = m.wrapping_mul(u) & ty.mask();
    let second = first.wrapping_mul((first.wrapping_sub(u) & ty.mask()) >> 1);
    1u64.wrapping_add(first).wrapping_add(second) & ty.mask()
}

/// The size of a number, in as many bits.
fn size(raw: u64, ty: Type) -> u64 {
    (ty.value(raw & ty.mask()).unsigned_abs() as u64) & ty.mask()
}

fn gcd(a: u64, b: u64, ty: Type) -> (u64, u64) {
    let (mut u, mut v, mut twos, mut cycles) = (size(a, ty), size(b, ty), 0, AROUND);
    while u != 0 && v != 0 {
        cycles += 1;
        // Of two odd numbers the difference is even; where their next bits are equal so is its half.
        let by = if (u ^ v) & 2 == 0 { 2 } else { 1 };
        let halves = |n: u64| if n & 2 == 0 { 2 } else { 1 };
        match (u & 1, v & 1) {
            (0, 0) => (u, v, twos) = (u >> 1, v >> 1, twos + 1),
            (0, _) => u >>= halves(u),
            (_, 0) => v >>= halves(v),
            _ if u < v => v = (v - u) >> by,
            _ => u = (u - v) >> by,
        }
    }
    ((u | v) << twos, cycles + twos)
}

fn power(a: u64, b: u64, ty: Type) -> (u64, u64) {
    // The exponent, rounded down.
    let exponent = ty.value(b & ty.mask()) >> ty.fraction();
    let (one, under) = (ty.one(), exponent < 0);
    let left = exponent.unsigned_abs() as u64 & ty.mask();
    let (mut base, mut left, mut result, mut cycles) = (a & ty.mask(), left, one, AROUND);
    while left != 0 && base != one {
        if base == 0 {
            result = 0;
            break;
        }
        // Three rounds instead of one for each bit that is left.
        if has_series(ty) && base & mask(third(ty)) == 1 && left >> 3 != 0 {
            (base, left) = (series(base - 1, left, ty), 1);
            cycles += 2 * round(ty);
            continue;
        }
        cycles += round(ty);
        // The squares of the largest number are that number, and what is multiplied by it saturates.
        let full = ty.saturates() && base == ty.greatest();
        if left & 1 == 1 || full {
            result = Fun::Mul.apply(&[result, base], ty);
        }
        left = if full { 0 } else { left >> 1 };
        base = Fun::Mul.apply(&[base, base], ty);
    }
    if !under {
        return (result, cycles);
    }
    if ty.fraction() > 0 {
        cycles += reciprocal(ty);
    }
    (Fun::Recip.apply(&[result], ty), cycles)
}
