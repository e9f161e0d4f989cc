//! The interface of a level format.

use super::{KeyWidths, LevelKind, Part};
use std::fmt::Debug;
use std::panic::RefUnwindSafe;

/// Cycles of a search in a list of coordinates, and of each probe.
const SEARCH: f64 = 4.0;

/// The format of a level: its name, its storage and the hardware that reads and writes it. A level has positions,
/// numbered from 0 and grouped into fibers: one for each position of the level above.
pub trait LevelFormat: Debug + Sync + RefUnwindSafe {
    /// Its name in a kernel file.
    fn name(&self) -> &'static str;

    /// Words of other tools that a kernel file may use instead of the name.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Words of other tools that a message answers with the name.
    fn elsewhere(&self) -> &'static [&'static str] {
        &[]
    }

    /// How the host packs it.
    fn stored_as(&self) -> StoredAs;

    /// Its arrays as level `l`, whose coordinates and parents have so many bits.
    fn arrays(&self, l: usize, widths: KeyWidths) -> Vec<Part>;

    /// What its arrays mean, for those who fill memory themselves.
    fn layout(&self) -> &'static str;

    /// What a result has of it, in full and in short; `segments`: also where fibers begin.
    fn drawn(&self, segments: bool) -> (&'static str, &'static str) {
        if segments { ("segments and coordinates", "seg + crd") } else { ("coordinates", "crd") }
    }

    /// What its scanner gives, where that is not coordinates.
    fn scanned(&self) -> String {
        format!("{}s", self.name())
    }

    /// Whether every coordinate of its dimension is there, and its position is computed.
    fn is_dense(&self) -> bool {
        false
    }

    /// Whether it has one coordinate at each position of the level above, which it keeps.
    fn is_singleton(&self) -> bool {
        false
    }

    /// Whether a coordinate can be at several positions of a fiber, one after the other.
    fn repeats(&self) -> bool {
        false
    }

    /// Whether each coordinate of a fiber is there once.
    fn is_unique(&self) -> bool {
        true
    }

    /// Whether its scanner reads a list of rising coordinates, each once: joins may skip in it, the
    /// host may pack it as words, lanes may cut it into runs.
    fn lists_coordinates(&self) -> bool {
        false
    }

    /// Whether the host can give lanes every W-th coordinate of it each.
    fn can_be_dealt(&self) -> bool {
        matches!(self.stored_as(), StoredAs::Dense | StoredAs::Lists | StoredAs::Chain)
    }

    /// Whether words hold coordinates that follow each other.
    fn in_runs(&self) -> bool {
        false
    }

    /// Whether coordinates that follow each other and have one value share a position.
    fn shares_positions(&self) -> bool {
        false
    }

    /// Bits of the words that its scanner gives, which joins may take as they are.
    fn words(&self) -> Option<u32> {
        None
    }

    /// How a coordinate is looked up, if it can be.
    fn lookup(&self) -> Option<Lookup> {
        None
    }

    /// Whether a coordinate can be looked up in it.
    fn is_searchable(&self) -> bool {
        self.lookup().is_some()
    }

    /// What it becomes where hardware writes it, if it cannot write this.
    fn where_written(&self) -> Option<LevelKind> {
        None
    }

    /// Whether a tensor of levels of this kind keeps them if it is stored in another order.
    fn keeps_reordered(&self) -> bool {
        false
    }

    /// What it becomes above other levels, if it cannot stand there.
    fn above_others(&self) -> Option<LevelKind> {
        None
    }

    /// What it becomes between the levels of a coordinate list.
    fn between_singletons(&self) -> Option<LevelKind> {
        None
    }

    /// Whether exploration tries it in place of others.
    fn is_explored(&self) -> bool {
        false
    }

    /// Most positions.
    fn positions(&self, most: &Most) -> u64 {
        most.everywhere().min(most.stored)
    }

    /// Most words, where there are others than positions: words of runs, slots of a table.
    fn entries(&self, _most: &Most) -> u64 {
        0
    }

    /// Cycles of a lookup in fibers of so many coordinates.
    fn lookup_cycles(&self, mean: f64) -> f64 {
        SEARCH * (1.0 + (mean + 1.0).log2().ceil())
    }
}

/// How the host stores a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredAs {
    /// Without arrays, because every coordinate exists.
    Dense,
    /// As the coordinates of each fiber, in increasing order.
    Lists,
    /// As one position for each tuple of coordinates of this level and the singletons that follow.
    Chain,
    /// As the one coordinate below each position.
    Single,
    /// As ranges of consecutive coordinates.
    Runs,
}

/// How a coordinate is located. A lookup through several levels is called after the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookup {
    /// By computation of the position.
    Computed,
    /// By binary search in a list.
    Search,
    /// In bit-vector words of this many bits.
    Words(u32),
    /// In a hash table, in one of two slots.
    Table,
}

/// A number from the host's packing that a locator needs before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Setting {
    /// The multiplier of a table's hash function.
    Multiplier,
    /// Number of the last slot in a way of a table.
    LastSlot,
}

impl Setting {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Multiplier => "multiplier",
            Self::LastSlot => "last",
        }
    }

    /// Returns the width in bits, for slot numbers of `slot_w` bits.
    pub fn width(self, slot_w: u32) -> u32 {
        match self {
            Self::Multiplier => 64,
            Self::LastSlot => slot_w,
        }
    }

    /// Describes the setting of a level of this packing.
    pub fn meaning(self, packing: &str, l: usize) -> String {
        match self {
            Self::Multiplier => format!("what chooses the slots in the table of level {l} of {packing}"),
            Self::LastSlot => format!("slots of a way of the table of level {l} of {packing}, less one"),
        }
    }
}

impl Lookup {
    /// Lists the settings that the lookup needs before a run.
    pub fn settings(self) -> &'static [Setting] {
        match self {
            Self::Computed | Self::Search | Self::Words(_) => &[],
            Self::Table => &[Setting::Multiplier, Setting::LastSlot],
        }
    }

    /// Returns the phrase that follows the words "as the kernel file asks".
    pub fn how(self) -> &'static str {
        match self {
            Self::Computed => "; its position is computed",
            Self::Search => ", by binary search",
            Self::Table => "; it is in one of two slots of a table, read at once",
            Self::Words(_) => "; its position is its word's rank and the ones below it",
        }
    }
}

/// Limits of a level's size.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Number of positions of the level above.
    pub above: u64,
    /// Size of the level's dimension.
    pub size: u64,
    /// Product of the dimensions' sizes of the singletons that follow.
    pub chain: u64,
    /// Number of entries that the tensor stores.
    pub stored: u64,
    /// Number of words of runs or blocks that the kernel file declares.
    pub runs: Option<u64>,
}

impl Most {
    /// Returns the number of positions if every coordinate exists.
    pub fn everywhere(&self) -> u64 {
        self.above.saturating_mul(self.size)
    }
}
