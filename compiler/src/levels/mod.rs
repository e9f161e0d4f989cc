//! Formats of levels: one file each, which says everything about it. Everybody else asks
//! [`LevelFormat`]; what a new format takes stands in CONTRIBUTING.md.

mod arrays;
mod bitvector;
mod block;
mod compressed;
mod compressed_nu;
mod dense;
mod format;
mod hash;
mod kind;
mod run;
mod singleton;
mod singleton_nu;
#[cfg(test)]
mod tests;

pub use arrays::{ArrayPorts, KeyWidths, Part};
pub use format::{LevelFormat, Lookup, Most, Setting, StoredAs};
pub use kind::{LevelKind, chain_below, lone_singleton, reordered, settle};

/// Every coordinate; no arrays.
pub const DENSE: LevelKind = LevelKind::of(&dense::Dense);
/// Lists of coordinates.
pub const COMPRESSED: LevelKind = LevelKind::of(&compressed::Compressed);
/// Lists of coordinates that repeat: the first level of a coordinate list.
pub const COMPRESSED_NU: LevelKind = LevelKind::of(&compressed_nu::CompressedNu);
/// One coordinate per position: the last level of a coordinate list.
pub const SINGLETON: LevelKind = LevelKind::of(&singleton::Singleton);
/// One coordinate per position, which repeats: the inner levels of a coordinate list.
pub const SINGLETON_NU: LevelKind = LevelKind::of(&singleton_nu::SingletonNu);
/// Words of coordinates that follow each other.
pub const BLOCK: LevelKind = LevelKind::of(&block::Block);
/// As blocks, of coordinates with one value.
pub const RUN: LevelKind = LevelKind::of(&run::Run);

/// Lists of coordinates with a table to look them up in.
pub const HASH: LevelKind = LevelKind::of(&hash::Hash);

/// Every format, in the order in which help lists them.
pub const ALL: [LevelKind; 14] = [
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
];

/// The format of this name.
pub fn named(name: &str) -> Option<LevelKind> {
    ALL.into_iter().find(|kind| kind.name() == name)
}

/// The format in words of so many bits.
pub fn in_words(width: u32) -> Option<LevelKind> {
    ALL.into_iter().find(|kind| kind.words() == Some(width))
}
