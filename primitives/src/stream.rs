//! Streams: beats, and the bijection between beats and nested lists.
//! Source: shared design, "Streams and primitives", section 1; after "The Sparse Abstract
//! Machine" (ASPLOS'23), section 3.

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
    /// Payloads, raw bits (of a field of more than 64 bits: see [`crate::word`]); a stream with one payload uses the first.
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

/// A stream as what it means: a nested list whose leaves are `L`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nest<L> {
    /// A leaf.
    Leaf(L),
    /// A list.
    List(Vec<Nest<L>>),
}

/// A leaf of one stream: payloads, or `None` for N. With two payloads an N leaf keeps its
/// first (`Beat` of kind EMPTY); use [`Leaf`] as given by [`decode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// False for N.
    pub present: bool,
    /// Payloads.
    pub p: [u64; 2],
}

/// The beats of nested list `x` of depth `d`, closed by DONE.
pub fn encode(x: &Nest<Leaf>, d: u8) -> Vec<Beat> {
    fn go(x: &Nest<Leaf>, h: u8, out: &mut Vec<Beat>) {
        match x {
            Nest::Leaf(l) => {
                out.push(Beat::new(if l.present { Kind::Data } else { Kind::Empty }, 0, l.p));
            }
            Nest::List(v) if v.is_empty() => out.push(Beat::nil(h, h)),
            Nest::List(v) => {
                v.iter().for_each(|c| go(c, h - 1, out));
                if let Some(b) = out.last_mut() {
                    b.stop = h;
                }
            }
        }
    }
    let mut out = Vec::new();
    go(x, d, &mut out);
    out.push(Beat::DONE);
    out
}

/// Inverse of [`encode`]; an error names the beat that does not belong.
pub fn decode(beats: &[Beat], d: u8) -> Result<Nest<Leaf>, String> {
    struct At<'a> {
        beats: &'a [Beat],
        n: usize,
    }
    impl At<'_> {
        fn next(&mut self) -> Result<Beat, String> {
            self.n += 1;
            self.beats.get(self.n - 1).copied().ok_or_else(|| format!("stream ends after beat {}", self.n - 1))
        }
        fn item(&mut self, h: u8, b: Beat) -> Result<(Nest<Leaf>, Beat), String> {
            if b.kind == Kind::Nil && b.hole() == h {
                if h == 0 || b.stop < h {
                    return Err(format!("beat {}: NIL must close the list that is empty", self.n - 1));
                }
                return Ok((Nest::List(Vec::new()), b));
            }
            if h == 0 {
                if !b.is_leaf() {
                    return Err(format!("beat {}: {:?} where a leaf belongs", self.n - 1, b.kind));
                }
                return Ok((Nest::Leaf(Leaf { present: b.kind == Kind::Data, p: b.p }), b));
            }
            let mut out = Vec::new();
            let mut b = b;
            loop {
                let (c, last) = self.item(h - 1, b)?;
                out.push(c);
                if last.stop >= h {
                    return Ok((Nest::List(out), last));
                }
                b = self.next()?;
            }
        }
    }
    let mut at = At { beats, n: 0 };
    let first = at.next()?;
    let (x, last) = at.item(d, first)?;
    if last.stop > d || at.next()?.kind != Kind::Done || at.n != beats.len() {
        return Err(format!("beat {}: stream does not end with its outermost list, then DONE", at.n - 1));
    }
    Ok(x)
}
