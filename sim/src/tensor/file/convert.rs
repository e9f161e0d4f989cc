//! Conversion of numbers in files to raw bits, according to the user's policy.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;
use samhw_values::{Misfit, from_f64};

use super::number::{Class, Number, Source};
use crate::tensor::codes;

/// Converts values to `ty`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converter {
    pub(super) ty: Type,
    pub(super) policy: ValuePolicy,
}

impl Converter {
    /// Raw bits of `number`. `text` is how the file writes it and where, e.g. `7 at [0, 3]`; the caller adds
    /// file and line to the error.
    pub(super) fn raw(self, number: Number<'_>, text: impl FnOnce() -> String) -> Result<u64, Diagnostic> {
        if self.policy == ValuePolicy::Ones {
            return Ok(self.ty.one());
        }
        match self.ty {
            Type::Int { .. } | Type::Bool => self.whole(number),
            Type::Float { .. } | Type::Fixed { .. } => self.real(number),
        }
        .map_err(|misfit| self.misfit(misfit, &text()))
    }

    /// Converts a number of a dense file, as [`Converter::raw`] does for entries: `None` where only the
    /// pattern counts and the value is zero.
    pub(super) fn dense(self, number: Number<'_>, text: impl FnOnce() -> String) -> Result<Option<u64>, Diagnostic> {
        match (self.policy, number.class) {
            (ValuePolicy::Ones, Class::Whole(0)) => Ok(None),
            _ => self.raw(number, text).map(Some),
        }
    }

    /// For a type of whole numbers.
    fn whole(self, number: Number<'_>) -> Result<u64, Misfit> {
        let fit = |value| self.ty.raw(value).ok_or(Misfit::OutOfRange);
        match number.class {
            Class::Whole(value) => fit(value),
            Class::Fraction(nearest) if self.policy == ValuePolicy::Round => fit(nearest),
            Class::Fraction(_) => Err(Misfit::Inexact),
            Class::Huge => Err(Misfit::OutOfRange),
            Class::Infinite(negative) => self.ty.parse(if negative { "-inf" } else { "inf" }),
            Class::Nan => Err(Misfit::NotFinite),
        }
    }

    /// For floats, which always take the nearest value, and fixed point, which does if asked to.
    fn real(self, number: Number<'_>) -> Result<u64, Misfit> {
        let ty = self.ty;
        let read = |text: &str| {
            // No number but one of Fortran's has a d.
            let other = text.contains(['d', 'D']).then(|| text.replace(['d', 'D'], "e"));
            let text = other.as_deref().unwrap_or(text);
            match self.policy {
                ValuePolicy::Round => ty.parse(text),
                _ => ty.parse_exact(text),
            }
        };
        let value = match number.source {
            Source::Text(false, text) => return read(text),
            Source::Text(true, text) => match text.strip_prefix('-') {
                Some(positive) => return read(positive),
                None => return read(&format!("-{}", text.strip_prefix('+').unwrap_or(text))),
            },
            Source::Whole(value) => return read(&value.to_string()),
            Source::Float(value) => value,
        };
        let raw = from_f64(value, ty);
        match ty {
            Type::Float { .. } if ty.is_infinite(raw) && value.is_finite() => Err(Misfit::OutOfRange),
            Type::Float { .. } => Ok(raw),
            _ if value.is_nan() => Err(Misfit::NotFinite),
            _ if value.is_infinite() => Ok(raw),
            _ => {
                let scaled = value * 2f64.powi(ty.fraction() as i32);
                let (lo, hi) = ty.range();
                let nearest = scaled.round_ties_even();
                if nearest < lo as f64 || nearest > hi as f64 || nearest as i128 != ty.value(raw) {
                    Err(Misfit::OutOfRange)
                } else if self.policy == ValuePolicy::Round || nearest == scaled {
                    Ok(raw)
                } else {
                    Err(Misfit::Inexact)
                }
            }
        }
    }

    fn misfit(self, misfit: Misfit, text: &str) -> Diagnostic {
        let ty = self.ty;
        let ones = "or keep only the pattern, each entry as 1: `--convert ones`, or `convert = \"ones\"` next to the file in `[data]`";
        let round = |to: &str| {
            format!("to round to {to}: `--convert round`, or `convert = \"round\"` next to the file in `[data]`")
        };
        let said = |message: String| Diagnostic::new(codes::VALUE, message);
        match misfit {
            Misfit::Inexact if matches!(ty, Type::Fixed { .. }) => {
                said(format!("value {text} is not a multiple of 2^-{}, the tensor's type is {ty}", ty.fraction()))
                    .help(round("the nearest multiple"))
                    .help("or give the tensor a float type")
            }
            Misfit::Inexact => said(format!("value {text} is not a whole number, the tensor's type is {ty}"))
                .help(round("the nearest integer"))
                .help(ones)
                .help("or give the tensor a float type, or scale the file's values to integers first"),
            Misfit::NotFinite | Misfit::NotNumber => said(format!("value {text} does not exist in type {ty}"))
                .help("replace it in the file with a number, or give the tensor a float type")
                .help(ones),
            Misfit::OutOfRange => {
                let (lo, hi) = ty.finite_range();
                said(format!("value {text} is out of the range of {ty}: {lo} to {hi}"))
                    .help("choose a wider type for the tensor")
                    .help(ones)
            }
        }
    }
}
