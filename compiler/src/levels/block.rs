//! `block`: like `compressed`, but each word holds a block of consecutive coordinates: the first, the last, and the
//! position of the first.

use super::{KeyWidths, LevelFormat, Most, Part, StoredAs};

/// The meaning of the arrays, for levels of words of coordinates.
pub(super) const LAYOUT: &str = "`block`, `run`: coordinates that follow each other as one word, the first in its low bits and the last above it, then of a block the position of the \
     first. Those of a run share one position.";

#[derive(Debug)]
pub(super) struct Block;

impl LevelFormat for Block {
    fn name(&self) -> &'static str {
        "block"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["vbl", "band", "interval"]
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["sparsevbl", "sparseblocklist", "sparseband"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Runs
    }

    fn arrays(&self, l: usize, widths: KeyWidths) -> Vec<Part> {
        vec![Part::Seg(l), Part::Runs(l, widths.crd_w)]
    }

    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn drawn(&self, _segments: bool) -> (&'static str, &'static str) {
        ("segments and blocks", "seg + blocks")
    }

    fn in_runs(&self) -> bool {
        true
    }

    /// Between two blocks is a coordinate that is not there.
    fn entries(&self, most: &Most) -> u64 {
        let between = most.above.saturating_mul(most.size.div_ceil(2));
        between.min(most.runs.unwrap_or(u64::MAX)).min(self.positions(most))
    }
}
