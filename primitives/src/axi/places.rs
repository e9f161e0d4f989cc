//! Model of `samhw_axi_places`, which checks coordinates that are read at random.

use crate::blocks::Queue;

/// log2 of the number of requests that can wait for their answers, and of fibers.
pub const PLACES_LOG2: u32 = 5;

/// Pairs that could be leapt to.
const LEAPS: usize = 16;

/// The way in which coordinates are read at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Here {
    /// Whether coordinates are read in pairs rather than in bursts.
    pub pairs: bool,
    /// Whether neighbours may be equal.
    pub repeats: bool,
}

/// An answer on its way to the comparison: its place, whether its fiber is another than that of the one before, the fiber, coordinates.
#[derive(Debug, Clone, Copy)]
struct PlacedAnswer {
    place: u64,
    first: bool,
    lost: bool,
    fiber: (u64, u64),
    crd: [u64; 2],
}

/// A place that was read, with its coordinate less the place.
type Key = (u64, i128);

/// The same with what it is compared with.
#[derive(Debug, Clone, Copy)]
struct Keyed {
    place: u64,
    first: bool,
    lost: bool,
    begin: bool,
    two: bool,
    tail: bool,
    keys: [i128; 2],
    low: i128,
    top: i128,
}

/// A check of the coordinates that a search or a skipping scanner reads.
#[derive(Debug, Clone)]
pub struct Places {
    here: Here,
    limit: u64,
    told: Option<(u64, u64)>,
    former: Option<(u64, u64)>,
    fibers: Queue<(u64, u64)>,
    asked: Queue<(u64, u64)>,
    /// Next place of the current burst, and how many are left of it.
    burst: Option<(u64, u64)>,
    fiber: Option<(u64, u64)>,
    come: Option<[u64; 2]>,
    placed: Option<PlacedAnswer>,
    keyed: Option<Keyed>,
    /// What must not fall, from below to above.
    chain: Option<Vec<i128>>,
    /// Read in turn last; of a search: read last.
    at: Key,
    below: Option<Key>,
    above: Option<Key>,
    /// The last coordinate of the fiber.
    last: Option<i128>,
    /// Read after what was perhaps a leap.
    jump: Option<Key>,
    /// Pairs that could be leapt to.
    leaps: [Option<Key>; LEAPS],
    wrong: bool,
}

impl Places {
    /// Creates the check in reset state, for a dimension of size `limit`.
    pub fn new(here: Here, limit: u64) -> Self {
        Self {
            here,
            limit,
            told: None,
            former: None,
            fibers: Queue::new(PLACES_LOG2),
            asked: Queue::new(PLACES_LOG2),
            burst: None,
            fiber: None,
            come: None,
            placed: None,
            keyed: None,
            chain: None,
            at: (0, 0),
            below: None,
            above: None,
            last: None,
            jump: None,
            leaps: [None; LEAPS],
            wrong: false,
        }
    }
    /// Returns whether a coordinate contradicted earlier ones.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// Simulates a clock edge. `bound`: begin and end of a fiber that are taken; `asked`: place and length (of bursts)
    /// of a request; `told`: an answer.
    pub fn clock(&mut self, bound: Option<(u64, u64)>, asked: Option<(u64, u64)>, told: Option<[u64; 2]>) {
        self.wrong |= self.chain.take().is_some_and(|c| c.windows(2).any(|w| w[1] < w[0]));
        self.chain = self.keyed.take().map(|k| if self.here.pairs { self.leap(&k) } else { self.search(&k) });
        self.keyed = self.placed.take().map(|p| self.key(&p));
        self.placed = self.come.take().map(|crd| self.place(crd));
        self.come = told;
        if let Some(fiber) = self.told.take().filter(|f| f.0 < f.1 && Some(*f) != self.former) {
            self.former = Some(fiber);
            if self.fibers.room() {
                self.fibers.push(fiber);
            }
        }
        self.told = bound;
        if let Some((place, len)) = asked.filter(|_| self.asked.room()) {
            self.asked.push((place, if self.here.pairs { 1 } else { len }));
        }
        self.fibers.clock();
        self.asked.clock();
    }

    /// Where an answer lies.
    fn place(&mut self, crd: [u64; 2]) -> PlacedAnswer {
        let (place, len) = self.burst.unwrap_or_else(|| {
            let request = self.asked.head().copied();
            if request.is_some() {
                self.asked.pop();
            }
            request.unwrap_or((0, 1))
        });
        self.burst = (len != 1).then(|| (place + 1, len - 1));
        let within = |(begin, end): (u64, u64)| place >= begin && place < end;
        let same = self.fiber.filter(|f| within(*f));
        let head = self.fibers.head().copied();
        if same.is_none() && head.is_some() {
            self.fibers.pop();
        }
        let lost = same.or(head).is_none_or(|f| !within(f));
        let fiber = same.or(head).unwrap_or_default();
        self.fiber = Some(fiber);
        PlacedAnswer { place, first: same.is_none(), lost, fiber, crd }
    }

    fn key(&self, p: &PlacedAnswer) -> Keyed {
        let (begin, end) = (i128::from(p.fiber.0), i128::from(p.fiber.1));
        let repeats = self.here.repeats;
        let less = |k: u64| i128::from(p.crd[k as usize]) - if repeats { 0 } else { i128::from(p.place + k) };
        Keyed {
            place: p.place,
            first: p.first,
            lost: p.lost,
            begin: p.place == p.fiber.0,
            two: p.fiber.1.wrapping_sub(p.place) != 1,
            tail: p.fiber.1.wrapping_sub(p.place) == 2,
            keys: [less(0), less(1)],
            low: if repeats { 0 } else { -begin },
            top: i128::from(self.limit) - if repeats { 1 } else { end },
        }
    }

    /// What is lost falls.
    fn chain(k: &Keyed, chain: Vec<i128>) -> Vec<i128> {
        if k.lost { vec![1, 0] } else { chain }
    }

    fn search(&mut self, k: &Keyed) -> Vec<i128> {
        let (up, down) = (!k.first && k.place > self.at.0, !k.first && k.place < self.at.0);
        let former = |kept: Option<Key>| kept.filter(|_| !k.first);
        self.below = if up { Some(self.at) } else { former(self.below).filter(|b| b.0 < k.place) };
        self.above = if down { Some(self.at) } else { former(self.above).filter(|a| a.0 > k.place) };
        self.at = (k.place, k.keys[0]);
        let low = self.below.map_or(k.low, |b| b.1);
        Self::chain(k, vec![low, k.keys[0], self.above.map_or(k.top, |a| a.1)])
    }

    fn leap(&mut self, k: &Keyed) -> Vec<i128> {
        let slot = |place: u64| (place >> 4) as usize % LEAPS;
        let (turn, anew) = (self.at, k.first || k.begin);
        let on = !anew && k.place > turn.0;
        let follow = on && k.place == turn.0 + 1;
        let apart = on && !follow;
        let landed = self.jump.filter(|j| apart && k.place == j.0 + 1);
        let behind = k.place.checked_sub(2).filter(|_| apart && landed.is_none());
        let leapt = behind.and_then(|b| self.leaps[slot(b)].filter(|l| l.0 == b));
        let tail = apart && landed.is_none() && leapt.is_none() && k.tail;
        let high = if k.two { k.keys[1] } else { k.keys[0] };
        let (low, from) = match landed.or(leapt).unwrap_or(turn) {
            (_, key) if on => (key, turn.1),
            _ => (k.low, k.low),
        };
        let top = self.last.filter(|_| !anew).unwrap_or(k.top);
        let own = (k.place + u64::from(k.two), high);
        if !on || follow || landed.is_some() {
            self.at = own;
        } else if !tail && leapt.is_none_or(|l| slot(l.0) == slot(k.place)) {
            self.leaps[slot(k.place)] = Some((k.place, high));
        }
        self.jump = if leapt.is_some() { Some(own) } else { self.jump.filter(|_| !anew && landed.is_none()) };
        self.last = if tail { Some(high) } else { self.last.filter(|_| !anew) };
        Self::chain(k, vec![from, low, k.keys[0], high, top])
    }
}
