//! Parsing values from text and printing them.

use super::convert::{from_f64, to_f64};
use super::decimal::{Decimal, exact};
use super::{Type, round_float};
use std::cmp::Ordering;

/// The reason why a text is not a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// The text is not a number.
    NotNumber,
    /// The number lies between two values: a fraction for an integer, or no multiple of 2^-frac for exact fixed point.
    Inexact,
    /// The number exceeds the type's range.
    OutOfRange,
    /// The text is an infinity or NaN, which the type does not have.
    NotFinite,
}

impl Type {
    /// Parses a value: a decimal number, `inf`, `-inf` or `nan` (in any case, also `infinity`); for bool also `true`
    /// and `false`.
    ///
    /// Floats and fixed point take the nearest value, ties to even; a finite number beyond the range is refused.
    /// Integers take whole numbers only, also written `2.` or `2e3`. An infinity is the largest or smallest value
    /// of saturating types, and no value of integers that wrap.
    pub fn parse(self, text: &str) -> Result<u64, Misfit> {
        self.parse_as(text, false)
    }

    /// Parses as [`Self::parse`] does, but accepts only exactly representable numbers for fixed point.
    pub fn parse_exact(self, text: &str) -> Result<u64, Misfit> {
        self.parse_as(text, true)
    }

    fn parse_as(self, text: &str, exactly: bool) -> Result<u64, Misfit> {
        let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
        let negative = text.starts_with('-');
        if bare.eq_ignore_ascii_case("inf") || bare.eq_ignore_ascii_case("infinity") {
            return match (self.is_float() || self.saturates(), negative) {
                (true, true) => Ok(self.least()),
                (true, false) => Ok(self.greatest()),
                (false, _) => Err(Misfit::NotFinite),
            };
        }
        if bare.eq_ignore_ascii_case("nan") {
            return if self.is_float() { Ok(self.nan()) } else { Err(Misfit::NotFinite) };
        }
        match (self, text) {
            (Self::Bool, "true") => return Ok(1),
            (Self::Bool, "false") => return Ok(0),
            _ => {}
        }
        if bare.starts_with(['+', '-']) {
            return Err(Misfit::NotNumber);
        }
        if let Self::Float { .. } = self {
            let raw = self.parse_float(bare)?;
            let sign = if negative { self.sign_bit() } else { 0 };
            return if self.is_infinite(raw) { Err(Misfit::OutOfRange) } else { Ok(sign | raw) };
        }
        let number = Decimal::parse(text).ok_or(Misfit::NotNumber)?;
        let (whole, left) = match number.scaled(self.fraction()) {
            Some(scaled) => scaled,
            None => return Err(Misfit::OutOfRange),
        };
        if left.is_some() && (exactly || !matches!(self, Self::Fixed { .. })) {
            return Err(Misfit::Inexact);
        }
        let up = left == Some(Ordering::Greater) || left == Some(Ordering::Equal) && whole & 1 == 1;
        let size = whole as i128 + i128::from(up);
        let value = if number.negative { -size } else { size };
        let (lo, hi) = self.range();
        if (lo..=hi).contains(&value) { Ok(self.wrap(value)) } else { Err(Misfit::OutOfRange) }
    }

    /// Converts a decimal number to units of the type (2^-frac for fixed point, otherwise 1), rounded down, and returns
    /// whether the result is exact. One that is far out of range stays so. `None` of what is no finite number, and of
    /// floats.
    pub fn floor(self, text: &str) -> Option<(i128, bool)> {
        let number = Decimal::parse(text).filter(|_| !self.is_float())?;
        let (size, exact) =
            number.scaled(self.fraction()).map_or((1 << 100, true), |(whole, left)| (whole as i128, left.is_none()));
        Some((if number.negative { -size - i128::from(!exact) } else { size }, exact))
    }

    /// The float nearest to a number without sign.
    fn parse_float(self, bare: &str) -> Result<u64, Misfit> {
        if self == Self::F32 {
            let value: f32 = bare.parse().map_err(|_| Misfit::NotNumber)?;
            return Ok(value.to_bits().into());
        }
        let near: f64 = bare.parse().map_err(|_| Misfit::NotNumber)?;
        if self == Self::F64 || near.is_infinite() || near == 0.0 {
            return Ok(from_f64(near, self));
        }
        // What the double lost decides ties: it goes in as a bit below the double's last.
        let number = Decimal::parse(bare).ok_or(Misfit::NotNumber)?;
        let printed = Decimal::parse(&format!("{near:.1100}")).ok_or(Misfit::NotNumber)?;
        let (_, significand, exponent) = super::convert::parts(Self::F64, near.to_bits());
        let four = u128::from(significand.unwrap_or(0)) << 2;
        let (significand, sticky) = match number.cmp_size(&printed) {
            Ordering::Equal => (four, false),
            Ordering::Greater => (four, true),
            Ordering::Less => (four - 1, true),
        };
        Ok(round_float(self, false, significand, exponent - 2, sticky))
    }

    /// Prints a value as text that [`Self::parse`] reads back: floats in their shortest form, with a point or an
    /// exponent; fixed point exactly; bool as 0 or 1.
    pub fn show(self, raw: u64) -> String {
        match self {
            Self::Fixed { frac, .. } => exact(self.value(raw), frac),
            Self::Int { .. } | Self::Bool => self.value(raw).to_string(),
            Self::Float { .. } if self.is_nan(raw) => "nan".to_owned(),
            Self::F32 => format!("{:?}", f32::from_bits(raw as u32)),
            Self::F64 => format!("{:?}", f64::from_bits(raw)),
            Self::Float { .. } => {
                let value = to_f64(raw, self);
                let short = (0..17).map(|p| format!("{value:.p$e}")).find(|text| self.parse(text) == Ok(raw));
                // The digits that suffice, in the usual notation.
                short
                    .and_then(|text| text.parse::<f64>().ok())
                    .map_or_else(|| format!("{value:?}"), |v| format!("{v:?}"))
            }
        }
    }

    /// Returns the smallest and largest finite number of the type as text.
    pub fn finite_range(self) -> (String, String) {
        match self {
            Self::Float { .. } => (self.show(self.least() - 1), self.show(self.greatest() - 1)),
            _ => (self.show(self.least()), self.show(self.greatest())),
        }
    }

    /// Describes the numbers of the type, for messages.
    pub fn values_text(self) -> String {
        let (lo, hi) = self.finite_range();
        match self {
            Self::Int { .. } => format!("whole numbers from {lo} to {hi}"),
            Self::Bool => "0 and 1 (also false and true)".to_owned(),
            Self::Fixed { .. } => format!("numbers from {lo} to {hi}"),
            Self::Float { .. } => format!("numbers from {lo} to {hi}, inf, -inf and nan"),
        }
    }
}
