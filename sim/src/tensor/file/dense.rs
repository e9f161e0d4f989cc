//! Dense files hold a value everywhere; only values that differ from the fill become entries.

use samhw_compiler::diag::Diagnostic;

use super::entries::Entries;
use crate::tensor::Target;

/// Which values of a dense file are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dense {
    fill: u64,
    keep_fill: bool,
}

impl Dense {
    pub(super) fn new(target: &Target) -> Self {
        Self { fill: target.fill, keep_fill: target.keep_fill }
    }

    /// Stores `value` unless it is the fill (or `None`, where only the pattern counts).
    pub(super) fn push(
        self,
        entries: &mut Entries,
        coord: &[u64],
        value: Option<u64>,
        place: u64,
    ) -> Result<(), Diagnostic> {
        match value.filter(|&v| self.keep_fill || v != self.fill) {
            Some(value) => entries.push(coord, value, place),
            None => Ok(()),
        }
    }
}
