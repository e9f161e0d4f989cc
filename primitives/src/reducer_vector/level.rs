//! One level of the workspace's occupancy bitmap that lives in RAM: model of
//! `samhw_workspace_level`, and what flows through the levels.

/// How a list ends on the output: the stop its last leaf carries, or, if it holds nothing, its NIL;
/// with hole 0 it is DONE.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct End {
    pub hole: u8,
    pub stop: u8,
}

/// An input beat on its way down to the values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub bank: u8,
    pub addr: u32,
    pub val: u64,
    /// Carries a value.
    pub update: bool,
    /// First of its list to touch what it meets: memory there is stale.
    pub fresh: bool,
    /// Last beat of its list.
    pub last: bool,
    pub end: End,
}

/// A word to be read on the way out, or, with `none`, the notice of a list without any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub bank: u8,
    pub word: u32,
    pub none: bool,
    /// Last of its list at this level.
    pub last: bool,
}

/// Bits of a word left to emit.
#[derive(Debug, Clone, Copy)]
struct Walk {
    item: Item,
    bits: u64,
}

/// The word with its lowest bit gone.
#[inline]
pub(super) fn rest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// Bitmap words of all banks, the two stages of the way down, and the walk on the way out.
#[derive(Debug)]
pub(super) struct Level {
    /// log2 of the bits of a word.
    bit_w: u32,
    /// Address bits below this level's.
    low: u32,
    /// Words of one bank.
    depth: usize,
    words: Vec<u64>,
    /// Banks whose list has arrived and waits for the way out, one bit each.
    full: u8,
    s1: Option<Arrival>,
    s2: Option<Arrival>,
    /// An item that found no place.
    waiting: Option<Item>,
    fetched: Option<Walk>,
    current: Option<Walk>,
    next: Option<Walk>,
}

impl Level {
    pub fn new(bit_w: u32, low: u32, depth: usize, banks: usize) -> Self {
        Self {
            bit_w,
            low,
            depth,
            words: vec![0; depth * banks],
            full: 0,
            s1: None,
            s2: None,
            waiting: None,
            fetched: None,
            current: None,
            next: None,
        }
    }
    /// The item on offer to the level below.
    #[inline]
    pub fn offer(&self) -> Option<Item> {
        self.current.map(|w| Item {
            bank: w.item.bank,
            word: if w.item.none {
                w.item.word << self.bit_w
            } else {
                w.item.word << self.bit_w | w.bits.trailing_zeros()
            },
            none: w.item.none,
            last: w.item.last && (w.item.none || rest(w.bits) == 0),
        })
    }
    /// Slot for the next arrival.
    #[inline]
    pub fn entry(&mut self) -> &mut Option<Arrival> {
        &mut self.s1
    }
    /// One edge. `below` is the slot of the level below, already clocked; `sent`: it took the
    /// offer; `offered` comes from above. Returns (offered was taken, anything moved).
    #[inline]
    pub fn tick(&mut self, below: &mut Option<Arrival>, sent: bool, offered: Option<Item>) -> (bool, bool) {
        let full = self.full;
        let mut moved = sent;
        if below.is_none() && self.s2.is_some() {
            *below = self.s2.take();
            moved = true;
        }
        if let (None, Some(mut a)) = (self.s2, self.s1.filter(|a| full >> a.bank & 1 == 0)) {
            if a.update {
                let word =
                    &mut self.words[usize::from(a.bank) * self.depth + (a.addr >> (self.low + self.bit_w)) as usize];
                let bit = 1 << (a.addr >> self.low & ((1 << self.bit_w) - 1));
                let old = if a.fresh { 0 } else { *word };
                *word = old | bit;
                a.fresh = old & bit == 0;
            }
            self.full |= u8::from(a.last) << a.bank;
            self.s2 = Some(a);
            self.s1 = None;
            moved = true;
        }
        moved |= self.walk_on(sent);
        let room = usize::from(self.current.is_some()) + usize::from(self.next.is_some()) < 2;
        let taken = offered.filter(|_| self.waiting.is_none());
        let item = self.waiting.or(taken);
        let read = item.filter(|i| room && full >> i.bank & 1 == 1);
        self.waiting = if read.is_some() { None } else { item };
        if let Some(item) = read {
            self.full &= !(u8::from(item.last) << item.bank);
            let at = usize::from(item.bank) * self.depth + item.word as usize;
            self.fetched = Some(Walk { item, bits: if item.none { 0 } else { self.words[at] } });
        }
        (taken.is_some(), moved | taken.is_some() | read.is_some())
    }
    /// Moves the walk on: an emitted bit goes, a fetched word comes.
    #[inline]
    fn walk_on(&mut self, sent: bool) -> bool {
        if let (true, Some(w)) = (sent, &mut self.current) {
            w.bits = rest(w.bits);
            if w.bits == 0 {
                self.current = self.next.take();
            }
        }
        let fetched = self.fetched.take();
        let moved = fetched.is_some();
        match (&self.current, fetched) {
            (None, Some(_)) => self.current = fetched,
            (Some(_), Some(_)) => self.next = fetched,
            _ => {}
        }
        moved
    }
}
