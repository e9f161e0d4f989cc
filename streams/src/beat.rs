//! Beats: the transfers of a stream.

/// The kind of a beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Kind {
    /// A leaf with a payload (DATA).
    #[default]
    Data = 0,
    /// A leaf without a payload (EMPTY, written N). In a beat with two payloads only the second is absent.
    Empty = 1,
    /// An empty list (NIL); payload 0 holds the list's height, called "hole".
    Nil = 2,
    /// End of the run.
    Done = 3,
}

/// One transfer on a stream or on a memory port; on a memory port `kind` and `stop` are always 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Beat {
    /// The kind of the beat.
    pub kind: Kind,
    /// Height of the highest list that ends after this beat; 0 if none ends.
    pub stop: u8,
    /// Raw bits of the payloads (see [`crate`] for fields of more than 64 bits); a stream with one payload uses the
    /// first.
    pub p: [u64; 2],
}

impl Beat {
    /// Creates a beat.
    pub const fn new(kind: Kind, stop: u8, p: [u64; 2]) -> Self {
        Self { kind, stop, p }
    }
    /// Creates a leaf.
    pub const fn data(stop: u8, p: u64) -> Self {
        Self::new(Kind::Data, stop, [p, 0])
    }
    /// Creates a leaf with two payloads.
    pub const fn pair(stop: u8, p0: u64, p1: u64) -> Self {
        Self::new(Kind::Data, stop, [p0, p1])
    }
    /// Creates an absent leaf.
    pub const fn empty(stop: u8) -> Self {
        Self::new(Kind::Empty, stop, [0, 0])
    }
    /// Creates an empty list of height `hole`.
    pub const fn nil(stop: u8, hole: u8) -> Self {
        Self::new(Kind::Nil, stop, [hole as u64, 0])
    }
    /// End of the run.
    pub const DONE: Self = Self::new(Kind::Done, 0, [0, 0]);

    /// Returns true for DATA and EMPTY.
    pub const fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Data | Kind::Empty)
    }
    /// Returns the height of the empty list in a NIL beat.
    pub const fn hole(&self) -> u8 {
        self.p[0] as u8
    }
}

/// The payloads of a beat that a consumer receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Select {
    /// All payloads.
    #[default]
    All,
    /// The first payload of a pair, which is present even where the second is absent.
    First,
    /// The second payload of a pair.
    Second,
}

impl Select {
    /// Returns the beat that the consumer receives.
    #[inline]
    pub fn apply(self, b: Beat) -> Beat {
        match (self, b.kind) {
            (Self::All, _) => b,
            (Self::First, Kind::Empty) => Beat { kind: Kind::Data, p: [b.p[0], 0], ..b },
            (Self::First, _) | (Self::Second, Kind::Nil | Kind::Done) => Beat { p: [b.p[0], 0], ..b },
            (Self::Second, _) => Beat { p: [b.p[1], 0], ..b },
        }
    }
}
