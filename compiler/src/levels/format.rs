//! The interface of a level format.

use super::{KeyWidths, LevelKind, Part, ReadAs};
use std::fmt::Debug;
use std::panic::RefUnwindSafe;

/// Cycles of a search in a list of coordinates, and of each probe.
const SEARCH: f64 = 4.0;

/// The format of a level: its name, its storage and the hardware that reads and writes it. A level has positions,
/// numbered from 0 and grouped into fibers: one for each position of the level above.
pub trait LevelFormat: Debug + Sync + RefUnwindSafe {
    /// Returns the format's name in kernel files.
    fn name(&self) -> &'static str;

    /// Lists the names in other tools that kernel files may use too.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Lists the words of other tools for which messages suggest this format.
    fn elsewhere(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns how the host stores a level.
    fn stored_as(&self) -> StoredAs;

    /// Returns the arrays of level `l`, with coordinates and parents of these widths.
    fn arrays(&self, l: usize, widths: KeyWidths) -> Vec<Part>;

    /// Returns what a program must know that reads the level, with coordinates of `crd_w` bits.
    fn read_as(&self, crd_w: u32) -> ReadAs {
        if let Some(bits) = self.words() {
            return ReadAs::Words { bits };
        }
        match self.stored_as() {
            StoredAs::Dense => ReadAs::Dense,
            StoredAs::Lists => ReadAs::Lists,
            StoredAs::Chain => ReadAs::Chain,
            StoredAs::Single => ReadAs::Single,
            StoredAs::Runs if self.shares_positions() => ReadAs::Runs { bits: crd_w },
            StoredAs::Runs => ReadAs::Blocks { bits: crd_w },
        }
    }

    /// Describes the arrays, for users who fill memory themselves.
    fn layout(&self) -> &'static str;

    /// Describes the parts of a result's level, in long and short form; `segments` includes the starts of fibers.
    fn drawn(&self, segments: bool) -> (&'static str, &'static str) {
        if segments { ("segments and coordinates", "seg + crd") } else { ("coordinates", "crd") }
    }

    /// Describes the scanner's output, if it is not coordinates.
    fn scanned(&self) -> String {
        format!("{}s", self.name())
    }

    /// Returns whether every coordinate of the dimension exists and its position is computed.
    fn is_dense(&self) -> bool {
        false
    }

    /// Returns whether each position of the level above has one coordinate, at the same position.
    fn is_singleton(&self) -> bool {
        false
    }

    /// Returns whether a coordinate can have several consecutive positions in a fiber.
    fn repeats(&self) -> bool {
        false
    }

    /// Returns whether each coordinate occurs once in a fiber.
    fn is_unique(&self) -> bool {
        true
    }

    /// Returns whether the scanner reads a list of strictly increasing coordinates: joins may skip in it, the host may
    /// pack it as words, lanes may divide it into runs.
    fn lists_coordinates(&self) -> bool {
        false
    }

    /// Returns whether a part of a mode is seen at the cost of what is stored of it: not of words and
    /// tables, which are looked up in a cycle, and of lists in memory, which have no positions.
    fn shows_parts(&self) -> bool {
        self.words().is_none() && !self.is_linked() && self.lookup() != Some(Lookup::Table)
    }

    /// Returns whether the host can deal every W-th coordinate to each lane.
    fn can_be_dealt(&self) -> bool {
        matches!(self.stored_as(), StoredAs::Dense | StoredAs::Lists | StoredAs::Chain)
    }

    /// Returns whether fibers are lists in the order of writing, so that the loops above the list may have any order. Only
    /// the core has such a level: in results that later statements read.
    fn is_linked(&self) -> bool {
        false
    }

    /// Returns whether words describe ranges of consecutive coordinates.
    fn in_runs(&self) -> bool {
        false
    }

    /// Returns whether consecutive coordinates with one value share a position.
    fn shares_positions(&self) -> bool {
        false
    }

    /// Returns the width of the scanner's words in bits, if it emits words that joins may take directly.
    fn words(&self) -> Option<u32> {
        None
    }

    /// Returns how a coordinate is located, if that is possible.
    fn lookup(&self) -> Option<Lookup> {
        None
    }

    /// Returns whether a coordinate can be located.
    fn is_searchable(&self) -> bool {
        self.lookup().is_some()
    }

    /// Returns the format that replaces this one where the hardware writes the level, if it cannot write this one.
    fn where_written(&self) -> Option<LevelKind> {
        None
    }

    /// Returns whether a tensor with levels of this kind keeps them when it is stored in another order.
    fn keeps_reordered(&self) -> bool {
        false
    }

    /// Returns the format that replaces this one above other levels, if it must be the last.
    fn above_others(&self) -> Option<LevelKind> {
        None
    }

    /// Returns the format that replaces this one between the levels of a coordinate list.
    fn between_singletons(&self) -> Option<LevelKind> {
        None
    }

    /// Returns whether `samhw explore` tries the format.
    fn is_explored(&self) -> bool {
        false
    }

    /// Returns the largest number of positions.
    fn positions(&self, most: &Most) -> u64 {
        most.everywhere().min(most.stored)
    }

    /// Returns the largest number of words, if it differs from the positions: words of runs, slots of a table.
    fn entries(&self, _most: &Most) -> u64 {
        0
    }

    /// Returns the cycles of a lookup in fibers with `mean` coordinates on average.
    fn lookup_cycles(&self, mean: f64) -> f64 {
        SEARCH * (1.0 + (mean + 1.0).log2().ceil())
    }
}

/// The form in which the host stores a level.
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

/// The way in which a coordinate is located. A lookup through several levels is called after the greatest.
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
