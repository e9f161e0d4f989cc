//! Arrays of a packing.

/// Which array of a packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Segments of a level.
    Seg(usize),
    /// Coordinates of a level.
    Crd(usize),
    /// Words of this many bits of a level that is iterated as bit vectors.
    Bits(usize, u32),
    /// Position of the lowest one of each of these words.
    Rank(usize, u32),
    /// Words of a level of blocks or runs, whose coordinates have this many bits: the first one's
    /// from bit 0, the last one's above, then, of blocks, the first one's position.
    Runs(usize, u32),
    /// One of the two ways of a table, whose keys have these widths.
    Way(usize, usize, KeyWidths),
    /// Where positions of level `.1` begin below each position of level `.0`, and where the last
    /// ones end.
    Tiles(usize, usize),
    /// Values.
    Values,
}

/// Bits of the key of a table: a parent's position above a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyWidths {
    /// Of a coordinate.
    pub crd_w: u32,
    /// Of the position of its parent.
    pub parent_w: u32,
}

/// Names of the ports at which an array is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayPorts {
    /// Addresses go out.
    pub request: &'static str,
    /// Words come in.
    pub response: &'static str,
    /// Words and their addresses go out.
    pub write: &'static str,
}

impl Part {
    /// True of what segments of `level` count: its coordinates, or its words of them.
    pub fn holds_entries(self, level: usize) -> bool {
        matches!(self, Self::Crd(l) | Self::Runs(l, _) if l == level)
    }

    /// What kind of array it is, as its name says it.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Seg(_) => "seg",
            Self::Crd(_) => "crd",
            Self::Bits(..) => "bits",
            Self::Rank(..) => "rank",
            Self::Runs(..) => "runs",
            Self::Way(_, 0, _) => "waya",
            Self::Way(..) => "wayb",
            Self::Tiles(..) => "tiles",
            Self::Values => "vals",
        }
    }

    /// The level that it is of.
    pub fn level(self) -> Option<usize> {
        match self {
            Self::Seg(l) | Self::Crd(l) => Some(l),
            Self::Bits(l, _) | Self::Rank(l, _) | Self::Runs(l, _) | Self::Way(l, ..) | Self::Tiles(_, l) => Some(l),
            Self::Values => None,
        }
    }

    /// Its name, in a packing of this name.
    pub fn name(self, packing: &str) -> String {
        let level = self.level().map_or_else(String::new, |l| l.to_string());
        format!("{packing}_{}{level}", self.kind())
    }

    /// The array of words of `width` bits of level `l`, and that of their ranks.
    pub fn words(l: usize, width: u32) -> [Self; 2] {
        [Self::Bits(l, width), Self::Rank(l, width)]
    }

    /// The ports of scanners, lookups and writers at which it is read and written.
    pub fn ports(self) -> ArrayPorts {
        let [request, response, write] = match self {
            Self::Seg(_) => ["seg_req", "seg_rsp", "seg_write"],
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
