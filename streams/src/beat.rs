//! Beats: what moves in one transfer of a stream.

/// What a beat carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Kind {
    /// A leaf with a payload.
    #[default]
    Data = 0,
    /// A leaf without a payload (N). In a beat with two payloads only the second is absent.
    Empty = 1,
    /// No leaf: an empty list; payload 0 is the height of that list ("hole").
    Nil = 2,
    /// End of the run.
    Done = 3,
}

/// One transfer on a stream, or on a memory port (then `kind` and `stop` stay at 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Beat {
    /// What it carries.
    pub kind: Kind,
    /// Height of the highest list that closes with it; 0: none.
    pub stop: u8,
    /// Payloads, raw bits (of a field of more than 64 bits: see [`crate`]); a stream with one
    /// payload uses the first.
    pub p: [u64; 2],
}

impl Beat {
    /// A beat.
    pub const fn new(kind: Kind, stop: u8, p: [u64; 2]) -> Self {
        Self { kind, stop, p }
    }
    /// A leaf.
    pub const fn data(stop: u8, p: u64) -> Self {
        Self::new(Kind::Data, stop, [p, 0])
    }
    /// A leaf with two payloads.
    pub const fn pair(stop: u8, p0: u64, p1: u64) -> Self {
        Self::new(Kind::Data, stop, [p0, p1])
    }
    /// An absent leaf.
    pub const fn empty(stop: u8) -> Self {
        Self::new(Kind::Empty, stop, [0, 0])
    }
    /// An empty list of height `hole`.
    pub const fn nil(stop: u8, hole: u8) -> Self {
        Self::new(Kind::Nil, stop, [hole as u64, 0])
    }
    /// End of the run.
    pub const DONE: Self = Self::new(Kind::Done, 0, [0, 0]);

    /// True for DATA and EMPTY.
    pub const fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Data | Kind::Empty)
    }
    /// Height of the empty list of a NIL beat.
    pub const fn hole(&self) -> u8 {
        self.p[0] as u8
    }
}

/// Which payloads of a beat go on to a consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Select {
    /// All.
    #[default]
    All,
    /// Of a pair the first, which is there even where the second is absent.
    First,
    /// Of a pair the second.
    Second,
}

impl Select {
    /// The beat as the consumer sees it.
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
