//! `compressed_nu`: like `compressed`, but a coordinate repeats for each entry below it (the first level of a
//! coordinate list).

use super::{KeyWidths, LevelFormat, Most, Part, StoredAs, compressed};

#[derive(Debug)]
pub(super) struct CompressedNu;

impl LevelFormat for CompressedNu {
    fn name(&self) -> &'static str {
        "compressed_nu"
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &["u", "compressed-nonunique"]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Chain
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![Part::Seg(l), Part::Crd(l)]
    }

    fn layout(&self) -> &'static str {
        compressed::LAYOUT
    }

    fn repeats(&self) -> bool {
        true
    }

    fn is_unique(&self) -> bool {
        false
    }

    /// One position per entry of the whole chain.
    fn positions(&self, most: &Most) -> u64 {
        most.everywhere().saturating_mul(most.chain).min(most.stored)
    }
}
