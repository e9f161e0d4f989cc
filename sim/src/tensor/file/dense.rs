//! Dense files, which hold all values; only values that differ from the fill become entries.

use samhw_compiler::diag::Diagnostic;

use super::entries::Entries;
use crate::tensor::{Keep, Target};
use samhw_compiler::types::Type;

/// The values of a dense file that are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dense {
    ty: Type,
    fill: u64,
    keep: Keep,
}

impl Dense {
    pub(super) fn new(target: &Target) -> Self {
        Self { ty: target.ty, fill: target.fill, keep: target.keep }
    }

    /// Stores `value` unless it is the fill (or `None`, where only the pattern counts).
    pub(super) fn push(
        self,
        entries: &mut Entries,
        coord: &[u64],
        value: Option<u64>,
        place: u64,
    ) -> Result<(), Diagnostic> {
        let stored = |value: &u64| match self.keep {
            Keep::Others => !self.ty.same(*value, self.fill),
            Keep::Signs => *value != self.fill,
            Keep::All => true,
        };
        match value.filter(stored) {
            Some(value) => entries.push(coord, value, place),
            None => Ok(()),
        }
    }
}
