//! Exact numbers of files: text is not converted through floating point, so that `9223372036854775807.0` stays exact.

/// A number of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number<'t> {
    /// The number as integer types see it.
    pub(super) class: Class,
    /// The number as other types see it.
    pub(super) source: Source<'t>,
}

/// The source of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Source<'t> {
    /// Minus, if so, what the text says, which has a sign at most.
    Text(bool, &'t str),
    /// A float's exact value.
    Float(f64),
    /// A whole number.
    Whole(i128),
}

impl<'t> Number<'t> {
    /// Parses `[+-]digits[.digits][e[+-]digits]`, also with Fortran's `d` for `e`, `inf`,
    /// `infinity` or `nan`.
    pub(super) fn parse(text: &'t [u8]) -> Option<Self> {
        Some(Self { class: Class::parse(text)?, source: Source::Text(false, std::str::from_utf8(text).ok()?) })
    }
    /// A whole number.
    pub(super) fn whole(value: i128) -> Self {
        Self { class: Class::Whole(value), source: Source::Whole(value) }
    }
    /// The exact value of a float.
    pub(super) fn from_float(value: f64) -> Self {
        Self { class: Class::from_float(value), source: Source::Float(value) }
    }
    /// The number times -1.
    pub(super) fn negated(self) -> Self {
        let source = match self.source {
            Source::Text(minus, text) => Source::Text(!minus, text),
            Source::Float(value) => Source::Float(-value),
            Source::Whole(value) => Source::Whole(-value),
        };
        Self { class: self.class.negated(), source }
    }
}

/// A number as far as integer types are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A whole number.
    Whole(i128),
    /// Between whole numbers; holds the nearest (halves away from zero).
    Fraction(i128),
    /// Finite, but beyond every supported integer type.
    Huge,
    /// Infinity, minus infinity if true.
    Infinite(bool),
    /// Not a number.
    Nan,
}

/// Digits that an `i128` takes for sure.
const DIGITS: usize = 38;

impl Class {
    fn parse(text: &[u8]) -> Option<Self> {
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        if digits.len() <= DIGITS && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
            return Some(Self::Whole(signed(negative, whole(digits.iter()))));
        }
        if digits.eq_ignore_ascii_case(b"inf") || digits.eq_ignore_ascii_case(b"infinity") {
            return Some(Self::Infinite(negative));
        }
        if digits.eq_ignore_ascii_case(b"nan") {
            return Some(Self::Nan);
        }
        decimal(digits).map(|number| if negative { number.negated() } else { number })
    }

    fn from_float(value: f64) -> Self {
        if value.is_nan() {
            Self::Nan
        } else if value.is_infinite() {
            Self::Infinite(value < 0.0)
        } else if value.abs() >= 2f64.powi(126) {
            Self::Huge
        } else if value.fract() == 0.0 {
            Self::Whole(value as i128)
        } else {
            Self::Fraction(value.round() as i128)
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::Whole(v) => Self::Whole(-v),
            Self::Fraction(v) => Self::Fraction(-v),
            Self::Infinite(negative) => Self::Infinite(!negative),
            other => other,
        }
    }
}

fn signed(negative: bool, value: i128) -> i128 {
    if negative { -value } else { value }
}

/// Value of at most [`DIGITS`] digits.
fn whole<'d>(digits: impl Iterator<Item = &'d u8>) -> i128 {
    digits.fold(0, |v, d| v * 10 + i128::from(d - b'0'))
}

/// `digits[.digits][e[+-]digits]`, or with `d` for `e`, with at least one digit before the exponent.
fn decimal(text: &[u8]) -> Option<Class> {
    let (mantissa, exponent) = match text.iter().position(|b| matches!(b, b'e' | b'E' | b'd' | b'D')) {
        Some(e) => (&text[..e], parse_exponent(&text[e + 1..])?),
        None => (text, 0),
    };
    let (int, frac) = match mantissa.iter().position(|&b| b == b'.') {
        Some(dot) => (&mantissa[..dot], &mantissa[dot + 1..]),
        None => (mantissa, &[][..]),
    };
    if int.len() + frac.len() == 0 || !int.iter().chain(frac).all(u8::is_ascii_digit) {
        return None;
    }
    let all = || int.iter().chain(frac);
    let leading = all().take_while(|&&d| d == b'0').count();
    let trailing = all().rev().take_while(|&&d| d == b'0').count();
    let count = (int.len() + frac.len() - leading).saturating_sub(trailing);
    let digits = || all().skip(leading).take(count);
    // The value is `digits` times ten to the `power`.
    let power = exponent.saturating_sub(frac.len() as i64).saturating_add(trailing as i64);
    let before_point = power.saturating_add(count as i64);
    Some(if count == 0 {
        Class::Whole(0)
    } else if before_point > DIGITS as i64 {
        Class::Huge
    } else if power >= 0 {
        Class::Whole(whole(digits()) * 10i128.pow(power as u32))
    } else if before_point < 0 {
        Class::Fraction(0)
    } else {
        let (kept, cut) = (digits().take(before_point as usize), digits().nth(before_point as usize));
        Class::Fraction(whole(kept) + i128::from(cut.is_some_and(|&d| d >= b'5')))
    })
}

/// An exponent, saturated: whether it is -10^18 or less changes nothing.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0i64, |v, d| v.saturating_mul(10).saturating_add(i64::from(d - b'0')));
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::Class::{self, *};

    #[test]
    fn text_is_exact() {
        for (text, want) in [
            ("3.0", Some(Whole(3))),
            ("1e2", Some(Whole(100))),
            ("-2.8E2", Some(Whole(-280))),
            (".5", Some(Fraction(1))),
            ("-0.5", Some(Fraction(-1))),
            ("0.49999999999999999999999999999999999999999999", Some(Fraction(0))),
            ("5.", Some(Whole(5))),
            ("1e-400", Some(Fraction(0))),
            ("1.5D+01", Some(Whole(15))),
            ("-2d0", Some(Whole(-2))),
            ("1.5D", None),
            ("0e99999999999999999999", Some(Whole(0))),
            ("1e99999999999999999999", Some(Huge)),
            ("9223372036854775807.0", Some(Whole(i64::MAX as i128))),
            ("100000000000000000000000000000000000000000", Some(Huge)),
            ("0000000000000000000000000000000000000000000000007", Some(Whole(7))),
            ("-Infinity", Some(Infinite(true))),
            ("+nan", Some(Nan)),
            ("", None),
            ("-", None),
            (".", None),
            ("1e", None),
            ("1e+", None),
            ("e5", None),
            ("1.2.3", None),
            ("0x10", None),
            ("1_000", None),
            ("+-1", None),
        ] {
            assert_eq!(Class::parse(text.as_bytes()), want, "{text}");
        }
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(Class::from_float(-2.5), Fraction(-3));
        assert_eq!(Class::from_float(-0.0), Whole(0));
        assert_eq!(Class::from_float(1e300), Huge);
        assert_eq!(Class::from_float(f64::from(u32::MAX)), Whole(u32::MAX.into()));
    }
}
