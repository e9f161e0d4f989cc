//! Numbers of a file to raw bits of the tensor's type, by the policy the user chose.

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;

use super::number::Number;
use crate::tensor::codes;

/// Converts values to `ty`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Converter {
    pub(super) ty: Type,
    pub(super) policy: ValuePolicy,
}

impl Converter {
    /// Raw bits of `number`. `text` is how the file writes it and `what` where, e.g. `element [0, 3]`; the
    /// caller adds file and line to the error.
    pub(super) fn raw(self, number: Number, text: impl FnOnce() -> String) -> Result<u64, Diagnostic> {
        let value = match (self.policy, number) {
            (ValuePolicy::Ones, _) => return Ok(1),
            (_, Number::Whole(v)) | (ValuePolicy::Round, Number::Fraction(v)) => self.ty.raw(v),
            _ => None,
        };
        value.ok_or_else(|| self.misfit(number, &text()))
    }

    /// As [`Converter::raw`] for dense files: `None` where only the pattern counts and the value is zero.
    pub(super) fn dense(self, number: Number, text: impl FnOnce() -> String) -> Result<Option<u64>, Diagnostic> {
        match (self.policy, number) {
            (ValuePolicy::Ones, Number::Whole(0)) => Ok(None),
            _ => self.raw(number, text).map(Some),
        }
    }

    fn misfit(self, number: Number, text: &str) -> Diagnostic {
        let ty = self.ty;
        let (lo, hi) = ty.range();
        let ones = "or keep only the pattern, each entry as 1: `--convert ones`, or `convert = \"ones\"` beside the file in `[data]`";
        match number {
            Number::Fraction(_) => {
                Diagnostic::new(codes::VALUE, format!("value {text} is not a whole number, the tensor's type is {ty}"))
                    .help("to round to the nearest integer: `--convert round`, or `convert = \"round\"` beside the file in `[data]`")
                    .help(ones)
                    .help("or scale the file's values to integers first")
            }
            Number::Infinite | Number::Nan => {
                Diagnostic::new(codes::VALUE, format!("value {text} does not exist in type {ty}"))
                    .help("replace it in the file by a number that the kernel means by it")
                    .help(ones)
            }
            Number::Whole(_) | Number::Huge => {
                Diagnostic::new(codes::VALUE, format!("value {text} is out of the range of {ty}: {lo} to {hi}"))
                    .help("choose a wider type for the tensor")
                    .help(ones)
            }
        }
    }
}
