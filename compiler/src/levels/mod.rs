//! Formats of levels, each described completely in a file of its own. Everybody else asks [`LevelFormat`]; what a new
//! format takes is in CONTRIBUTING.md.

mod arrays;
mod bitvector;
mod block;
mod compressed;
mod compressed_nu;
mod dense;
mod format;
mod hash;
mod kind;
mod linked_list;
mod reading;
mod run;
mod singleton;
mod singleton_nu;
#[cfg(test)]
mod tests;

pub use arrays::{ArrayPorts, KeyWidths, Part};
pub use format::{LevelFormat, Lookup, Most, Setting, StoredAs};
pub use kind::{LevelKind, chain_below, lone_singleton, reordered, settle};
pub use reading::ReadAs;

/// Every coordinate exists; no arrays.
pub const DENSE: LevelKind = LevelKind::of(&dense::Dense);
/// A list of coordinates per fiber.
pub const COMPRESSED: LevelKind = LevelKind::of(&compressed::Compressed);
/// Lists of repeating coordinates: the first level of a coordinate list.
pub const COMPRESSED_NU: LevelKind = LevelKind::of(&compressed_nu::CompressedNu);
/// One coordinate per position: the last level of a coordinate list.
pub const SINGLETON: LevelKind = LevelKind::of(&singleton::Singleton);
/// One coordinate per position, possibly repeating: the inner levels of a coordinate list.
pub const SINGLETON_NU: LevelKind = LevelKind::of(&singleton_nu::SingletonNu);
/// Words that describe ranges of consecutive coordinates.
pub const BLOCK: LevelKind = LevelKind::of(&block::Block);
/// Ranges of consecutive coordinates that share one value.
pub const RUN: LevelKind = LevelKind::of(&run::Run);

/// Lists of coordinates, with a hash table for lookups.
pub const HASH: LevelKind = LevelKind::of(&hash::Hash);

/// Lists of coordinates in the order of writing.
pub const LINKED_LIST: LevelKind = LevelKind::of(&linked_list::LinkedList);

/// All formats, in the order in which help lists them.
pub const ALL: [LevelKind; 15] = [
    DENSE,
    COMPRESSED,
    COMPRESSED_NU,
    SINGLETON,
    SINGLETON_NU,
    LevelKind::of(&bitvector::Bitvector(64)),
    LevelKind::of(&bitvector::Bitvector(256)),
    LevelKind::of(&bitvector::Bitvector(128)),
    LevelKind::of(&bitvector::Bitvector(32)),
    LevelKind::of(&bitvector::Bitvector(16)),
    LevelKind::of(&bitvector::Bitvector(8)),
    BLOCK,
    RUN,
    HASH,
    LINKED_LIST,
];

/// Finds the format with this name.
pub fn named(name: &str) -> Option<LevelKind> {
    ALL.into_iter().find(|kind| kind.name() == name)
}

/// Returns the bit-vector format with words of `width` bits.
pub fn in_words(width: u32) -> Option<LevelKind> {
    ALL.into_iter().find(|kind| kind.words() == Some(width))
}
