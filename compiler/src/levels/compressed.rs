//! `compressed`: the coordinates of each fiber in strictly increasing order; the index of a coordinate is its position.

use super::{KeyWidths, LevelFormat, Lookup, Part, StoredAs};

/// The meaning of the arrays, for lists of coordinates.
pub(super) const LAYOUT: &str = "`compressed`: the coordinates that are stored, rising within a fiber (`compressed_nu`: one may repeat, once for each entry below). Position p has those \
     from seg\\[p\\] to before seg\\[p+1\\]; the place of a coordinate is its position.";

#[derive(Debug)]
pub(super) struct Compressed;

impl LevelFormat for Compressed {
    fn name(&self) -> &'static str {
        "compressed"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bytemap", "point"]
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        &[
            "s",
            "c",
            "sparse",
            "sparselist",
            "sparsebytemap",
            "sparsepoint",
            "sparsepinpoint",
            "compressed_nonordered",
            "loose_compressed",
        ]
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Lists
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        vec![Part::Seg(l), Part::Crd(l)]
    }

    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn lists_coordinates(&self) -> bool {
        true
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Search)
    }

    fn is_explored(&self) -> bool {
        true
    }
}
