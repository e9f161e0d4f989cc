//! What there is to know of a format.

use super::{KeyWidths, LevelKind, Part};
use std::fmt::Debug;
use std::panic::RefUnwindSafe;

/// Cycles of a search in a list of coordinates, and of each probe.
const SEARCH: f64 = 4.0;

/// A format of levels. A level has positions, numbered from 0 and grouped into fibers: one for
/// each position of the level above.
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

/// How the host packs a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredAs {
    /// Not at all: every coordinate is there.
    Dense,
    /// The coordinates of each fiber in rising order.
    Lists,
    /// One position for each tuple of coordinates of it and of the singletons that follow it.
    Chain,
    /// The one coordinate below each position.
    Single,
    /// Coordinates that follow each other together.
    Runs,
}

/// How a coordinate is looked up. A lookup through several levels is called after the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookup {
    /// Its position is computed.
    Computed,
    /// By binary search in a list.
    Search,
    /// In words of this many bits.
    Words(u32),
    /// In a table, at two places.
    Table,
}

/// A number that the host's packing gives a lookup before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Setting {
    /// What chooses a key's slots in a table.
    Multiplier,
    /// Number of the last slot of a way of a table.
    LastSlot,
}

impl Setting {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Multiplier => "multiplier",
            Self::LastSlot => "last",
        }
    }

    /// Its bits, where the number of a slot has `slot_w`.
    pub fn width(self, slot_w: u32) -> u32 {
        match self {
            Self::Multiplier => 64,
            Self::LastSlot => slot_w,
        }
    }

    /// What it is, of a level of this packing.
    pub fn meaning(self, packing: &str, l: usize) -> String {
        match self {
            Self::Multiplier => format!("what chooses the slots in the table of level {l} of {packing}"),
            Self::LastSlot => format!("slots of a way of the table of level {l} of {packing}, less one"),
        }
    }
}

impl Lookup {
    /// What it is told before a run.
    pub fn settings(self) -> &'static [Setting] {
        match self {
            Self::Computed | Self::Search | Self::Words(_) => &[],
            Self::Table => &[Setting::Multiplier, Setting::LastSlot],
        }
    }

    /// How, behind the words "as the kernel file asks".
    pub fn how(self) -> &'static str {
        match self {
            Self::Computed => "; its position is computed",
            Self::Search => ", by binary search",
            Self::Table => "; it is in one of two slots of a table, read at once",
            Self::Words(_) => "; its position is its word's rank and the ones below it",
        }
    }
}

/// What limits the size of a level.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    /// Positions of the level above.
    pub above: u64,
    /// Size of its dimension.
    pub size: u64,
    /// Sizes of the dimensions of the singletons that follow it, multiplied.
    pub chain: u64,
    /// Entries that the tensor stores.
    pub stored: u64,
    /// Words of runs or blocks that the kernel file declares.
    pub runs: Option<u64>,
}

impl Most {
    /// Positions, if every coordinate is there.
    pub fn everywhere(&self) -> u64 {
        self.above.saturating_mul(self.size)
    }
}
