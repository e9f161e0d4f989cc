//! Conversions between types, and rounding to a float.

use super::Type;

/// Converts the raw value `raw` from type `from` to type `to`.
///
/// - to a float: rounded to nearest, ties to even; out of range gives an infinity
/// - a float or fixed point to an integer: towards 0, out of range gives the nearest value in
///   range, NaN gives 0
/// - to fixed point: rounded to nearest, ties to even, saturating, NaN gives 0
/// - an integer to an integer: wraps, or saturates if `to` does
/// - to bool: whether it is not 0 (NaN is not)
pub fn convert(raw: u64, from: Type, to: Type) -> u64 {
    if from == to {
        return from.canonical(raw);
    }
    if to == Type::Bool {
        return u64::from(!from.is_zero(raw));
    }
    let Type::Float { .. } = from else {
        let value = from.value(raw);
        return match to {
            Type::Float { .. } => round_float(to, value < 0, value.unsigned_abs(), -i64::from(from.fraction()), false),
            Type::Int { .. } if matches!(from, Type::Fixed { .. }) => {
                let (lo, hi) = to.range();
                to.wrap((value / (1 << from.fraction())).clamp(lo, hi))
            }
            Type::Int { .. } => to.fit(value),
            _ => to.fit(scale(value, i64::from(to.fraction()) - i64::from(from.fraction()), to)),
        };
    };
    if from.is_nan(raw) {
        return to.nan();
    }
    // The host's own conversions, where it has the types.
    match (from, to) {
        (Type::F32, Type::F64) => return f64::from(f32::from_bits(raw as u32)).to_bits(),
        (Type::F64, Type::F32) => return u64::from((f64::from_bits(raw) as f32).to_bits()),
        _ => {}
    }
    let (negative, significand, exponent) = parts(from, raw);
    if let Type::Float { .. } = to {
        return match significand {
            None => to.infinity() | if negative { to.sign_bit() } else { 0 },
            Some(s) => round_float(to, negative, s.into(), exponent, false),
        };
    }
    let (lo, hi) = to.range();
    let bound = if negative { lo } else { hi };
    let Some(significand) = significand else { return to.wrap(bound) };
    let signed = |n: i128| if negative { -n } else { n };
    let value = match to {
        Type::Int { .. } if exponent <= -64 => 0,
        Type::Int { .. } if exponent < 0 => signed(i128::from(significand >> -exponent)),
        _ => scale(signed(significand.into()), exponent + i64::from(to.fraction()), to),
    };
    to.wrap(value.clamp(lo, hi))
}

/// `value` * 2^`shift`, rounded to nearest, ties to even; what is out of range of `to` stays out of range.
fn scale(value: i128, shift: i64, to: Type) -> i128 {
    let size = value.unsigned_abs();
    let sized = if shift >= 0 {
        // At most 64 bits come in, and nothing beyond 64 bits fits.
        if size == 0 || shift <= 62 { size << shift.min(62) } else { 1 << to.bits().max(65) }
    } else {
        shift_right(size, shift.unsigned_abs(), false)
    };
    if value < 0 { -(sized as i128) } else { sized as i128 }
}

/// `size` / 2^`by` (a little more if `sticky`), rounded to nearest, ties to even.
fn shift_right(size: u128, by: u64, sticky: bool) -> u128 {
    if by == 0 {
        return size;
    }
    if by > 127 {
        return 0;
    }
    let (kept, rest, half) = (size >> by, size & ((1 << by) - 1), 1 << (by - 1));
    let up = rest > half || rest == half && (sticky || kept & 1 == 1);
    kept + u128::from(up)
}

/// Sign, significand (`None`: infinite) and exponent: the value is significand * 2^exponent. Not for NaN.
pub(super) fn parts(ty: Type, raw: u64) -> (bool, Option<u64>, i64) {
    let Type::Float { exp, man } = ty else { return (false, Some(raw), 0) };
    let (field, fraction) = (raw >> man & ((1 << exp) - 1), raw & ((1 << man) - 1));
    let least = 2 - (1i64 << (exp - 1)) - i64::from(man);
    let negative = raw & ty.sign_bit() != 0;
    match field {
        0 => (negative, Some(fraction), least),
        f if f == (1 << exp) - 1 => (negative, None, 0),
        f => (negative, Some(fraction | 1 << man), least + f as i64 - 1),
    }
}

/// The float nearest to (-1)^`negative` * (`significand` + a little if `sticky`) * 2^`exponent`, ties to even. With
/// `sticky`, `significand` must have two bits more than the type keeps. 0 if `ty` is not a float.
pub fn round_float(ty: Type, negative: bool, significand: u128, exponent: i64, sticky: bool) -> u64 {
    let Type::Float { exp, man } = ty else { return 0 };
    let sign = if negative { ty.sign_bit() } else { 0 };
    if significand == 0 {
        return sign;
    }
    let least = 2 - (1i64 << (exp - 1)) - i64::from(man);
    // The exponent of the last kept bit: `man` bits after the first, or where subnormals end.
    let top = exponent.saturating_add(127 - i64::from(significand.leading_zeros()));
    let last = (top - i64::from(man)).max(least);
    let kept = if last > exponent {
        shift_right(significand, (last - exponent) as u64, sticky)
    } else {
        significand << (exponent - last)
    };
    // A carry out of rounding moves into the exponent's field: that is right.
    let field = (last - least) as u128;
    let raw = if kept >> man == 0 { kept } else { (field << man) + kept };
    sign | (raw.min(ty.infinity().into())) as u64
}

/// Rounds `value` to type `ty`, as [`convert`] does for a value of type `f64`.
pub fn from_f64(value: f64, ty: Type) -> u64 {
    convert(value.to_bits(), Type::F64, ty)
}

/// Converts a raw value to a double, exactly except for integers and fixed point of more than 53 bits, which are
/// rounded.
pub fn to_f64(raw: u64, ty: Type) -> f64 {
    f64::from_bits(convert(raw, ty, Type::F64))
}
