//! `run`: like `block`, for the last level: consecutive coordinates with the same value share a position.

use super::{BLOCK, KeyWidths, LevelFormat, LevelKind, Most, Part, StoredAs, block};

#[derive(Debug)]
pub(super) struct Run;

impl LevelFormat for Run {
    fn name(&self) -> &'static str {
        "run"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["rle", "dense_rle"]
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["sparseinterval", "sparserunlist", "sparserle", "runlist", "repeatrle"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Runs
    }

    fn arrays(&self, l: usize, widths: KeyWidths) -> Vec<Part> {
        vec![Part::Seg(l), Part::Runs(l, widths.crd_w)]
    }

    fn layout(&self) -> &'static str {
        block::LAYOUT
    }

    fn drawn(&self, _segments: bool) -> (&'static str, &'static str) {
        ("segments and runs", "seg + runs")
    }

    fn in_runs(&self) -> bool {
        true
    }

    fn shares_positions(&self) -> bool {
        true
    }

    /// Values stand below the last level only: further out it is one of blocks.
    fn above_others(&self) -> Option<LevelKind> {
        Some(BLOCK)
    }

    fn entries(&self, most: &Most) -> u64 {
        most.runs.unwrap_or(u64::MAX).min(self.positions(most))
    }
}
