//! `bitvector`: like `compressed`, but stored as words of bits: bit b of word w is coordinate `w * width + b`. Beside
//! each word stands its rank, the position of its lowest one.

use super::{KeyWidths, LevelFormat, Lookup, Part, StoredAs};

/// A level of words of this number of bits.
#[derive(Debug)]
pub(super) struct Bitvector(pub u16);

impl LevelFormat for Bitvector {
    fn name(&self) -> &'static str {
        match self.0 {
            8 => "bitvector8",
            16 => "bitvector16",
            32 => "bitvector32",
            128 => "bitvector128",
            256 => "bitvector256",
            _ => "bitvector",
        }
    }

    fn aliases(&self) -> &'static [&'static str] {
        if self.0 == 64 { &["bitvector64"] } else { &[] }
    }

    fn elsewhere(&self) -> &'static [&'static str] {
        if self.0 == 64 { &["bitmap", "bitmask", "bits"] } else { &[] }
    }

    fn stored_as(&self) -> StoredAs {
        StoredAs::Lists
    }

    fn arrays(&self, l: usize, _widths: KeyWidths) -> Vec<Part> {
        Part::words(l, self.0.into()).to_vec()
    }

    fn layout(&self) -> &'static str {
        "`bitvector`: words of bits, for every position above as many as its size takes; bit b of word w is coordinate w * bits + b. A one's position is the rank \
         of its word and the number of ones below it."
    }

    fn drawn(&self, _segments: bool) -> (&'static str, &'static str) {
        ("words and ranks", "bits + rank")
    }

    fn scanned(&self) -> String {
        format!("words of {} bits", self.0)
    }

    fn words(&self) -> Option<u32> {
        Some(self.0.into())
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Words(self.0.into()))
    }

    fn keeps_reordered(&self) -> bool {
        true
    }
}
