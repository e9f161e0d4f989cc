//! Arrays of a packed tensor.

/// An array of a packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Segments of a level, which delimit its fibers.
    Seg(usize),
    /// Coordinates of a level.
    Crd(usize),
    /// For each position above a level of linked lists the place of its first coordinate, and above it the one behind its
    /// last one.
    Ends(usize),
    /// For each place of a level of linked lists the one that follows in its list.
    Next(usize),
    /// Words of this many bits of a level iterated as bit vectors.
    Bits(usize, u32),
    /// Position of the lowest set bit of each bit-vector word.
    Rank(usize, u32),
    /// Words of a level of blocks or runs with coordinates of this many bits: from bit 0 the first coordinate, then the
    /// last one, then, for blocks, the position of the first.
    Runs(usize, u32),
    /// One of the two ways of a hash table with these key widths.
    Way(usize, usize, KeyWidths),
    /// For each position of level `.0` the first position of level `.1` below it, followed by the end of the last
    /// range.
    Tiles(usize, usize),
    /// Values of the tensor.
    Values,
}

/// Widths of a hash table's key: a parent's position above a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyWidths {
    /// Width of the coordinate in bits.
    pub crd_w: u32,
    /// Width of the parent's position in bits.
    pub parent_w: u32,
}

/// Names of a primitive's ports for an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayPorts {
    /// Output for addresses.
    pub request: &'static str,
    /// Input for words.
    pub response: &'static str,
    /// Output for words with their addresses.
    pub write: &'static str,
}

impl Part {
    /// Returns whether the array is used as a whole, however few entries there are: it has words for
    /// coordinates.
    pub fn spans_coordinates(self) -> bool {
        matches!(self, Self::Bits(..) | Self::Rank(..) | Self::Way(..) | Self::Runs(..))
    }

    /// Returns whether segments of `level` count the entries of this array: coordinates, or words of them.
    pub fn holds_entries(self, level: usize) -> bool {
        matches!(self, Self::Crd(l) | Self::Runs(l, _) if l == level)
    }

    /// Returns the kind of the array as it appears in its name.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Seg(_) => "seg",
            Self::Crd(_) => "crd",
            Self::Ends(_) => "ends",
            Self::Next(_) => "next",
            Self::Bits(..) => "bits",
            Self::Rank(..) => "rank",
            Self::Runs(..) => "runs",
            Self::Way(_, 0, _) => "waya",
            Self::Way(..) => "wayb",
            Self::Tiles(..) => "tiles",
            Self::Values => "vals",
        }
    }

    /// Returns the level of the array.
    pub fn level(self) -> Option<usize> {
        match self {
            Self::Seg(l) | Self::Crd(l) | Self::Ends(l) | Self::Next(l) => Some(l),
            Self::Bits(l, _) | Self::Rank(l, _) | Self::Runs(l, _) | Self::Way(l, ..) | Self::Tiles(_, l) => Some(l),
            Self::Values => None,
        }
    }

    /// Returns the name of the array in a packing with this name.
    pub fn name(self, packing: &str) -> String {
        let level = self.level().map_or_else(String::new, |l| l.to_string());
        format!("{packing}_{}{level}", self.kind())
    }

    /// Returns the arrays of level `l` as bit vectors: words of `width` bits, and their ranks.
    pub fn words(l: usize, width: u32) -> [Self; 2] {
        [Self::Bits(l, width), Self::Rank(l, width)]
    }

    /// Returns whether the host's packing draws a seed for the array, so that two packings differ.
    pub fn has_seed(self) -> bool {
        matches!(self, Self::Way(..))
    }
    /// Returns the ports of scanners, locators and writers that access the array.
    pub fn ports(self) -> ArrayPorts {
        let [request, response, write] = match self {
            Self::Seg(_) | Self::Ends(_) => ["seg_req", "seg_rsp", "seg_write"],
            Self::Next(_) => ["next_req", "next_rsp", "next_write"],
            Self::Crd(_) | Self::Runs(..) => ["crd_req", "crd_rsp", "crd_write"],
            Self::Bits(..) => ["bits_req", "bits_rsp", "bits_write"],
            Self::Rank(..) => ["rank_req", "rank_rsp", "rank_write"],
            Self::Way(_, 0, _) => ["way0_req", "way0_rsp", "way0_write"],
            Self::Way(..) => ["way1_req", "way1_rsp", "way1_write"],
            Self::Tiles(..) | Self::Values => ["req", "rsp", "write"],
        };
        ArrayPorts { request, response, write }
    }
}
