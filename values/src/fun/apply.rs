//! Evaluation of functions on integers, bool and fixed point, exactly as the hardware computes them.

use super::Fun;
use super::real;
use crate::{Type, mask};
use std::cmp::Ordering;

impl Fun {
    /// Evaluates the function on raw values of type `ty`, one per argument ([`Fun::arity`]); missing arguments count as
    /// 0.
    pub fn apply(self, args: &[u64], ty: Type) -> u64 {
        let raw = |k: usize| args.get(k).copied().unwrap_or(0);
        let (a, b) = (raw(0), raw(1));
        if let Some(known) = self.by_host(a, b, ty) {
            return known;
        }
        let logical = |truth: bool| if truth { ty.one() } else { 0 };
        let order = if self.compares() { ty.order(a, b) } else { None };
        let truth = |x: u64| !ty.is_zero(x);
        match self {
            Self::Id | Self::First => a,
            Self::Second => b,
            Self::Where if truth(a) => b,
            Self::Where => raw(2),
            Self::Min | Self::Max if order.is_none() => ty.nan(),
            // Equal values differ in the sign of 0 at most: -0 is the smaller one, so that order does not matter.
            Self::Min if order == Some(Ordering::Equal) => a | b,
            Self::Max if order == Some(Ordering::Equal) => a & b,
            Self::Min => pick(order == Some(Ordering::Less), a, b),
            Self::Max => pick(order == Some(Ordering::Greater), a, b),
            Self::Clip => Self::Min.apply(&[Self::Max.apply(&[a, b], ty), raw(2)], ty),
            Self::Relu => Self::Max.apply(&[a, 0], ty),
            Self::Eq => logical(order == Some(Ordering::Equal)),
            Self::Ne => logical(order != Some(Ordering::Equal)),
            Self::Lt => logical(order == Some(Ordering::Less)),
            Self::Le => logical(matches!(order, Some(Ordering::Less | Ordering::Equal))),
            Self::Gt => logical(order == Some(Ordering::Greater)),
            Self::Ge => logical(matches!(order, Some(Ordering::Greater | Ordering::Equal))),
            Self::And => logical(truth(a) && truth(b)),
            Self::Or => logical(truth(a) || truth(b)),
            Self::Xor => logical(truth(a) != truth(b)),
            Self::Not => logical(!truth(a)),
            Self::ToBool => logical(truth(a)),
            Self::IsNan => logical(ty.is_nan(a)),
            Self::IsInf => logical(ty.is_infinite(a)),
            Self::SignBit => logical(ty.is_signed() && !ty.is_nan(a) && a & ty.sign_bit() != 0),
            Self::Heaviside if ty.is_nan(a) => ty.nan(),
            Self::Heaviside => match ty.order(a, 0) {
                Some(Ordering::Less) => 0,
                Some(Ordering::Greater) => ty.one(),
                _ => b,
            },
            Self::Square => Self::Mul.apply(&[a, a], ty),
            Self::Cube => Self::Mul.apply(&[Self::Mul.apply(&[a, a], ty), a], ty),
            _ if ty.is_float() => real::apply(self, a, b, ty),
            _ => self.whole(a, b, ty),
        }
    }

    /// Sums, differences and products that the host has an instruction for.
    #[inline]
    fn by_host(self, a: u64, b: u64, ty: Type) -> Option<u64> {
        match ty {
            Type::Int { bits, saturating: false, .. } => {
                let whole = match self {
                    Self::Add => a.wrapping_add(b),
                    Self::Sub => a.wrapping_sub(b),
                    Self::Mul => a.wrapping_mul(b),
                    _ => return None,
                };
                Some(whole & mask(bits))
            }
            Type::F32 => {
                let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                let real = match self {
                    Self::Add => x + y,
                    Self::Sub => x - y,
                    Self::Mul => x * y,
                    _ => return None,
                };
                Some(if real.is_nan() { ty.nan() } else { u64::from(real.to_bits()) })
            }
            _ => None,
        }
    }

    /// Whether it asks which of its arguments is larger.
    fn compares(self) -> bool {
        use Fun::{Eq, Ge, Gt, Le, Lt, Max, Min, Ne};
        matches!(self, Min | Max | Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// Applies the function to values of a type that is not a float. Values count in units of 2^-frac.
    fn whole(self, a: u64, b: u64, ty: Type) -> u64 {
        let (x, y) = (ty.value(a), ty.value(b));
        let frac = ty.fraction();
        let one = 1i128 << frac;
        match self {
            Self::Add => ty.fit(x + y),
            Self::Sub => ty.fit(x - y),
            Self::Neg => ty.fit(-x),
            Self::Abs => ty.fit(x.abs()),
            Self::CopySign => ty.fit(if y < 0 { -x.abs() } else { x.abs() }),
            Self::PopCount => ty.fit(i128::from(a.count_ones()) << frac),
            Self::Sign => ty.fit(x.signum() * one),
            Self::Mul if frac == 0 && !ty.saturates() => ty.fit(x.wrapping_mul(y)),
            Self::Mul => ty.fit(signed(nearest(x.unsigned_abs() * y.unsigned_abs(), frac), (x < 0) != (y < 0))),
            Self::Recip if x == 0 => 0,
            Self::Recip => ty.fit(ratio((1u128 << frac).checked_mul(1 << frac), false, x, frac)),
            Self::Div | Self::Idiv | Self::Mod | Self::PyMod if y == 0 => 0,
            Self::Div => ty.fit(ratio(x.unsigned_abs().checked_mul(1 << frac), x < 0, y, frac)),
            Self::Idiv => ty.fit(floor(x, y).checked_mul(one).unwrap_or(i128::MAX)),
            Self::Mod => ty.fit(x % y),
            Self::PyMod => ty.fit(x - floor(x, y) * y),
            Self::Pow => power(a, y.div_euclid(one), ty),
            Self::Ldexp => moved(x, y.div_euclid(one), ty),
            // Of the smallest number alone it is out of range: then that number, which has no other
            // divisors, until it is settled.
            Self::Gcd => ty.wrap(gcd(x, y)),
            Self::Lcm if x == 0 || y == 0 => 0,
            Self::Lcm => {
                // At most 128 bits, without sign.
                let size = (x / gcd(x, y)).unsigned_abs() * y.unsigned_abs();
                ty.fit(if ty.saturates() { signed(size, false) } else { size as i128 })
            }
            Self::BitAnd => a & b & ty.mask(),
            Self::BitOr => (a | b) & ty.mask(),
            Self::BitXor => (a ^ b) & ty.mask(),
            Self::BitNot => !a & ty.mask(),
            Self::Shl if y < 0 || y / one >= i128::from(ty.bits()) => 0,
            Self::Shl => ty.wrap(x << (y / one)),
            Self::Shr if y < 0 || y / one >= i128::from(ty.bits()) => ty.wrap(if x < 0 { -1 } else { 0 }),
            Self::Shr => ty.wrap(x >> (y / one)),
            Self::Floor => ty.fit(x.div_euclid(one) * one),
            Self::Ceil => ty.fit(-((-x).div_euclid(one)) * one),
            Self::Trunc => ty.fit(x / one * one),
            Self::Rint => ty.fit(signed(nearest(x.unsigned_abs(), frac) << frac, x < 0)),
            Self::Sqrt if x <= 0 => 0,
            Self::Sqrt => ty.fit(signed((x.unsigned_abs() << frac).isqrt(), false)),
            // Functions of real numbers have no values here; the frontend refuses them.
            _ => 0,
        }
    }
}

fn pick(first: bool, a: u64, b: u64) -> u64 {
    if first { a } else { b }
}

/// The number of this size; one beyond 127 bits is out of range of every type.
fn signed(size: u128, negative: bool) -> i128 {
    let size = i128::try_from(size).unwrap_or(i128::MAX);
    if negative { -size } else { size }
}

/// `size` / 2^frac, rounded to nearest, ties to even.
fn nearest(size: u128, frac: u32) -> u128 {
    if frac == 0 {
        return size;
    }
    let (down, rest, half) = (size >> frac, size & ((1 << frac) - 1), 1 << (frac - 1));
    down + u128::from(rest > half || rest == half && down & 1 == 1)
}

/// `size` / y, negative if just one of them is: towards 0 for whole numbers, else to nearest, ties to even. A size of
/// `None` is beyond every range.
fn ratio(size: Option<u128>, negative: bool, y: i128, frac: u32) -> i128 {
    let by = y.unsigned_abs();
    let quotient = size.map_or(u128::MAX, |n| {
        let (q, r) = (n / by, n % by);
        let up = frac > 0 && (r > by - r || r == by - r && q & 1 == 1);
        q + u128::from(up)
    });
    signed(quotient, negative != (y < 0))
}

fn floor(x: i128, y: i128) -> i128 {
    x / y - i128::from(x % y != 0 && (x < 0) != (y < 0))
}

fn gcd(x: i128, y: i128) -> i128 {
    let (mut x, mut y) = (x.abs(), y.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

/// x * 2^by, rounded towards 0.
fn moved(x: i128, by: i128, ty: Type) -> u64 {
    match by {
        0..64 => ty.fit(x << by),
        64.. if ty.saturates() => ty.fit(x.signum() << 100),
        -64..0 => ty.fit(x / (1 << -by)),
        _ => 0,
    }
}

/// a^n by squaring, every product of type `ty`.
fn power(a: u64, n: i128, ty: Type) -> u64 {
    let mul = |x: u64, y: u64| Fun::Mul.apply(&[x, y], ty);
    if n < 0 {
        let below = power(a, -n, ty);
        return Fun::Recip.apply(&[below], ty);
    }
    let (mut base, mut n, mut result) = (a, n, ty.one());
    while n > 0 {
        if n & 1 == 1 {
            result = mul(result, base);
        }
        base = mul(base, base);
        n >>= 1;
    }
    result
}
