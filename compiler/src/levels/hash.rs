//! `hash`: like `compressed`, with an additional table of two ways for lookups (cuckoo hashing), packed by the host: a
//! coordinate below a parent has one possible slot in each way. Operands only. Positions follow the sorted coordinates,
//! so that who scans it reads them in order.

use super::{COMPRESSED, KeyWidths, LevelFormat, LevelKind, Lookup, Most, Part, StoredAs};

#[derive(Debug)]
pub(super) struct Hash;

impl LevelFormat for Hash {
    fn name(&self) -> &'static str {
        "hash"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["hashed"]
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["sparsehash", "sparsedict"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Lists
    }

    fn arrays(&self, l: usize, widths: KeyWidths) -> Vec<Part> {
        vec![Part::Seg(l), Part::Crd(l), Part::Way(l, 0, widths), Part::Way(l, 1, widths)]
    }

    fn layout(&self) -> &'static str {
        "`hash`: as `compressed` where it is scanned; where it is looked up, a table of two ways of `last` + 1 slots. The key is the position above, and the \
         coordinate in the bits below it; bit i of its slot in way w, counted from 0, is the parity of the key AND the multiplier rotated right by 32 w + i, and \
         the slot's bits AND `last` count. A slot has the key in its lowest bits, then the position, then a 1; one that holds nothing is 0. Any multiplier and \
         size will do with which every key finds a slot of one of its ways."
    }

    fn lists_coordinates(&self) -> bool {
        true
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Table)
    }

    fn where_written(&self) -> Option<LevelKind> {
        Some(COMPRESSED)
    }

    fn keeps_reordered(&self) -> bool {
        true
    }

    /// Slots of a way: at least as many as coordinates, so that at most half of all are taken.
    fn entries(&self, most: &Most) -> u64 {
        self.positions(most).max(1).checked_next_power_of_two().unwrap_or(u64::MAX)
    }

    fn lookup_cycles(&self, _mean: f64) -> f64 {
        0.0
    }
}
