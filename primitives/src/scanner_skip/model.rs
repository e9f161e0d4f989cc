//! Cycle model of `samhw_scanner_skip`.

use super::{BUFFER_LOG2, LEAP_LOG2};
use crate::blocks::Queue;
use crate::model::{Fault, Io, Model};
use crate::scanner_compressed::{Part, SegmentFetch};
use crate::stream::Beat;

const SLOTS: usize = 1 << BUFFER_LOG2;

/// From one probe to the next.
const LEAP: u64 = 1 << LEAP_LOG2;

/// The fiber that is being asked for.
#[derive(Debug, Clone, Copy)]
struct Asking {
    next: u64,
    end: u64,
    /// Its last pair comes next.
    tail: bool,
    /// Its last pair is no other than the second.
    short: bool,
}

/// What a pair that was asked for is.
#[derive(Debug, Clone, Copy)]
struct Asked {
    store: bool,
    /// Which of the two is the last coordinate of its fiber, if one is.
    last: Option<usize>,
    tag: u64,
}

impl Asked {
    fn probe(&self) -> bool {
        !self.store && self.last.is_none()
    }
}

/// What is needed of the fiber at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    All,
    From(u64),
    Nothing,
}

/// How far to leap: the newest pair that came, and probes.
#[derive(Debug, Default)]
struct Look {
    crd: u64,
    /// The pair was stored, before this.
    at: Option<u64>,
    /// It is a probe.
    probe: bool,
    /// Address of the last probe.
    far: Option<u64>,
    /// Address of the first under way.
    base: u64,
    turn: bool,
    /// There is a coordinate beyond the next probe, as of a cycle ago.
    fits: bool,
    /// A probe would be of use, as of a cycle ago.
    wish: bool,
    failed: bool,
    pending: u32,
}

#[derive(Debug)]
pub(super) struct SkipModel {
    /// How many fibers have different numbers.
    tags: u64,
    /// Whether fibers can be long enough for probes.
    leaps: bool,
    fetch: SegmentFetch,
    asking: Option<Asking>,
    newest: u64,
    /// Pairs asked for, that came, and that are through, since reset.
    asked: u64,
    come: u64,
    read: u64,
    requests: Queue<Asked>,
    pairs: [[u64; 2]; SLOTS],
    places: [u64; SLOTS],
    fibers: Queue<Part>,
    at: u64,
    need: Need,
    bounds: [Option<u64>; SLOTS],
    /// The first of the pair is through.
    second: bool,
    look: Look,
}

/// What happens to the fiber at hand at this edge.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    moved: bool,
    /// The fiber is done with.
    leave: bool,
    /// ... and is a list.
    list: bool,
    /// ... before all of it was asked for.
    abort: bool,
    read: u64,
    second: bool,
}

/// What the newest pair that came shows.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    /// Nothing up to it is needed.
    useless: bool,
    distant: bool,
    sweep: Option<u64>,
    leap: bool,
    miss: bool,
}

impl SkipModel {
    pub(super) fn new(stop_w: u32, queue_log2: u32, tag_w: u32, ref_w: u32) -> Self {
        Self {
            tags: 1 << tag_w,
            leaps: ref_w > LEAP_LOG2 + 1,
            fetch: SegmentFetch::new(stop_w, queue_log2),
            asking: None,
            newest: 0,
            asked: 0,
            come: 0,
            read: 0,
            requests: Queue::new(BUFFER_LOG2),
            pairs: [[0; 2]; SLOTS],
            places: [0; SLOTS],
            fibers: Queue::new(queue_log2),
            at: 0,
            need: Need::All,
            bounds: [None; SLOTS],
            second: false,
            look: Look::default(),
        }
    }

    /// Puts out, or leaves out, the next coordinate.
    fn emit(&mut self, io: &mut Io) -> Step {
        let free = io.free(3);
        let still = Step { read: self.read, second: self.second, ..Step::default() };
        let (stop, end) = match self.fibers.head() {
            None => return still,
            Some(&Part::Beat(beat)) => {
                if free {
                    io.put(3, beat);
                }
                return Step { moved: free, leave: free, ..still };
            }
            Some(&Part::List { stop, p }) => (stop, p[1]),
        };
        if self.come <= self.read {
            return still;
        }
        let slot = self.read as usize % SLOTS;
        let (pair, place) = (self.pairs[slot], self.places[slot]);
        let behind = end - place;
        let crd = pair[usize::from(self.second)];
        let bound = self.bounds[self.at as usize % SLOTS];
        let ends =
            behind == 1 + u64::from(self.second) || self.need == Need::Nothing || bound.is_some_and(|b| crd >= b);
        if let (Need::From(lowest), false) = (self.need, ends)
            && crd < lowest
        {
            let both = !self.second && behind != 2 && pair[1] < lowest;
            let through = self.second || both;
            let step = Step { moved: true, read: self.read + u64::from(through), second: !through, ..still };
            // The second of two, and one alone, is given where there is room: that takes no longer, and other operands of
            // the joiner may go on meanwhile.
            if free {
                let k = usize::from(through);
                io.put(3, Beat::pair(0, pair[k], place + k as u64));
            }
            return step;
        }
        if !free {
            return still;
        }
        io.put(3, Beat::pair(if ends { stop } else { 0 }, crd, place + u64::from(self.second)));
        let abort = ends && self.latest();
        let read = self.read + if ends { behind.div_ceil(2) } else { u64::from(self.second) };
        Step { moved: true, leave: ends, list: true, abort, read, second: !ends && !self.second }
    }

    /// Whether the fiber at hand is the one that is being asked for.
    fn latest(&self) -> bool {
        self.asking.is_some() && (self.at + 1) % self.tags == self.newest
    }

    /// Looks at the newest pair that came.
    fn see(&self) -> Seen {
        let look = &self.look;
        let useless = matches!(self.need, Need::From(lowest) if look.crd < lowest);
        let current = self.latest();
        let distant = look.at.is_some() && useless && current;
        let probed = look.probe && look.far.is_some();
        Seen {
            useless,
            distant,
            sweep: look.at.filter(|&at| distant && at > self.read),
            leap: probed && useless && current,
            miss: probed && !useless,
        }
    }

    /// Asks for a probe further on, if it is time for one.
    fn probe(&mut self, io: &mut Io, seen: Seen, free: bool) -> bool {
        let look = &mut self.look;
        let turn = std::mem::replace(&mut look.turn, true);
        let wish = std::mem::replace(&mut look.wish, seen.distant && !look.failed);
        let Some(a) = self.asking else { return false };
        let from = look.far.unwrap_or(a.next);
        let fits = std::mem::replace(&mut look.fits, self.leaps && a.end - from > LEAP + 4);
        let wants = match look.far {
            Some(_) => turn,
            None => wish && look.pending == 0,
        };
        if !free || a.tail || !fits || !wants {
            return false;
        }
        if look.far.is_none() {
            look.base = from + LEAP;
        }
        (look.far, look.turn) = (Some(from + LEAP), false);
        look.pending += 1;
        let tag = (self.newest + self.tags - 1) % self.tags;
        self.requests.push(Asked { store: false, last: None, tag });
        io.put(1, Beat::data(0, from + LEAP));
        true
    }

    /// Asks for the next pair, or begins with the next fiber.
    fn ask(&mut self, io: &mut Io, seen: Seen, held: u64) -> Result<bool, Fault> {
        let (free, credit) = (io.free(1) && self.requests.room(), held != SLOTS as u64);
        let waits =
            self.look.far.is_some() && self.look.pending > 0 && self.asking.is_some_and(|a| a.next == self.look.base);
        if self.probe(io, seen, free) {
            return Ok(true);
        }
        if let Some(a) = &mut self.asking {
            if !free || !(a.tail || credit && !waits) {
                return Ok(false);
            }
            let addr = if a.tail { a.end - 2 } else { a.next };
            let last = (a.tail || a.short).then(|| usize::from(a.tail || a.end - a.next == 2));
            let tag = (self.newest + self.tags - 1) % self.tags;
            self.requests.push(Asked { store: !a.tail, last, tag });
            io.put(1, Beat::data(0, addr));
            if a.tail {
                a.tail = false;
                return Ok(true);
            }
            a.next += 2;
            if a.next >= a.end {
                self.asking = None;
            }
            self.store_place(addr);
            return Ok(true);
        }
        let Some(part) = self.fetch.head().filter(|_| free && credit && self.fibers.room()) else { return Ok(false) };
        let mut part = part;
        if let Part::List { stop, p: [begin, end] } = part {
            let Some(len) = end.checked_sub(begin) else {
                let beat = Beat::pair(0, begin, end);
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
            };
            if len == 0 {
                part = Part::Beat(Beat::nil(stop, 1));
            } else {
                let last = (len <= 2).then(|| usize::from(len == 2));
                self.requests.push(Asked { store: true, last, tag: self.newest });
                io.put(1, Beat::data(0, begin));
                self.store_place(begin);
                let asking = Asking { next: begin + 2, end, tail: len > 4, short: len <= 4 };
                self.asking = (len > 2).then_some(asking);
                self.look.fits = false;
            }
        }
        self.fibers.push(part);
        self.fetch.pop();
        self.newest = (self.newest + 1) % self.tags;
        Ok(true)
    }

    fn store_place(&mut self, addr: u64) {
        self.places[self.asked as usize % SLOTS] = addr;
        self.asked += 1;
    }

    /// A pair comes.
    fn come(&mut self, io: &mut Io) -> bool {
        let look = &mut self.look;
        let probed = std::mem::take(&mut look.probe);
        let (Some(pair), Some(&asked)) = (io.taken(2), self.requests.head()) else { return probed };
        self.requests.pop();
        look.probe = asked.probe();
        if asked.store || asked.probe() {
            look.crd = pair.p[1];
            look.at = asked.store.then_some(self.come + 1);
        }
        if asked.store {
            self.pairs[self.come as usize % SLOTS] = pair.p;
            self.come += 1;
        }
        if let (Some(k), true) = (asked.last, io.free(2)) {
            io.put(2, Beat::pair(0, asked.tag, pair.p[k]));
        }
        true
    }

    /// What the newest pair that came meant for probes.
    fn looked(&mut self, step: Step, seen: Seen, pending: u32) -> bool {
        let look = &mut self.look;
        let before = (look.far, look.failed, look.at);
        let probed = look.pending > pending;
        look.pending -= u32::from(look.probe);
        if step.leave || seen.miss || !probed && pending == 0 {
            look.far = None;
        }
        let reached = look.at.is_some() && !seen.useless;
        look.failed = !step.leave && (seen.miss || look.failed && !reached);
        if step.leave {
            look.at = None;
        }
        before != (look.far, look.failed, look.at)
    }

    /// Hints that arrive; `at` and `leave`: of the fiber at hand before this edge.
    fn hints(&mut self, io: &Io, at: u64, leave: bool) -> bool {
        let (skip, bound) = (io.taken(3), io.taken(4));
        if let Some(h) = skip.filter(|h| h.p[0] % self.tags == at) {
            self.need = if h.p[0] >= self.tags { Need::Nothing } else { Need::From(h.p[1]) };
        }
        if let Some(h) = bound {
            let tag = h.p[0] % self.tags;
            if (tag + self.tags - at) % self.tags < SLOTS as u64 {
                self.bounds[tag as usize % SLOTS] = Some(h.p[1]);
            }
        }
        if leave {
            self.need = Need::All;
            self.bounds[at as usize % SLOTS] = None;
        }
        skip.is_some() || bound.is_some()
    }
}

impl Model for SkipModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let (at, pending, turn, held) =
            (self.at, self.look.pending, (self.look.turn, self.look.wish, self.look.fits), self.asked - self.read);
        let (step, seen) = (self.emit(io), self.see());
        let asking = self.asking;
        let mut moved = step.moved | self.ask(io, seen, held)?;
        if step.abort {
            self.asking = None;
        } else if seen.leap {
            self.asking = asking.map(|a| Asking { next: self.look.base + 2, ..a });
            self.look.base += LEAP;
        }
        moved |= self.looked(step, seen, pending) | (turn != (self.look.turn, self.look.wish, self.look.fits));
        moved |= self.come(io);
        moved |= self.hints(io, at, step.leave);
        // What was asked for at this edge goes, too.
        let leaves = step.leave && step.list;
        (self.read, self.second) = match seen.sweep {
            _ if step.abort || !leaves && seen.leap => (self.asked, false),
            Some(at) if !leaves => (at, false),
            _ => (step.read, step.second),
        };
        if step.leave {
            self.fibers.pop();
            self.at = (at + 1) % self.tags;
        }
        for k in 2..5 {
            io.set_ready(k, true);
        }
        Ok(moved | self.requests.clock() | self.fibers.clock() | self.fetch.clock(io))
    }
}
