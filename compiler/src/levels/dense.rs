//! `dense`: every coordinate 0..size, without arrays. Coordinate c below position p is position p * size + c.

use super::{KeyWidths, LevelFormat, Lookup, Most, Part, StoredAs};

#[derive(Debug)]
pub(super) struct Dense;

impl LevelFormat for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["d", "full", "denserle"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Dense
    }

    fn arrays(&self, _l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![]
    }

    fn layout(&self) -> &'static str {
        "`dense`: every coordinate below the size in this run, position p of the level above has those from p * size on. Where the tensor has nothing, or ends \
         within the last tile of a level that was split, the value is the one of the table's last column."
    }

    fn is_dense(&self) -> bool {
        true
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Computed)
    }

    fn keeps_reordered(&self) -> bool {
        true
    }

    fn is_explored(&self) -> bool {
        true
    }

    fn positions(&self, most: &Most) -> u64 {
        most.everywhere()
    }

    fn lookup_cycles(&self, _mean: f64) -> f64 {
        0.0
    }
}
