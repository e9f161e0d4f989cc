//! Cycle model of `samhw_scanner_skip`.

use super::{BUFFER_LOG2, LEAP_LOG2};
use crate::blocks::Queue;
use crate::model::{Fault, Io, Model};
use crate::scanner_compressed::{Part, SegmentFetch};
use crate::stream::Beat;
use std::cmp::Ordering;

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

/// What is needed of a fiber.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Need {
    /// Nothing.
    over: bool,
    /// Nothing below.
    lowest: u64,
    /// Nothing above.
    cap: Option<u64>,
}

/// The next pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Front {
    pair: [u64; 2],
    place: u64,
    /// Coordinates of its fiber from it on.
    left: u64,
    /// Of either coordinate, as compared a cycle ago: it is not needed.
    low: [bool; 2],
    /// Nothing beyond it is.
    high: [bool; 2],
}

impl Front {
    /// The front with what `need` says of it.
    fn compared(self, need: &Need) -> Self {
        Self {
            low: self.pair.map(|crd| crd < need.lowest),
            high: self.pair.map(|crd| need.cap.is_some_and(|cap| crd >= cap)),
            ..self
        }
    }
}

/// How far to leap: the newest pair that came, and probes.
#[derive(Debug, Default)]
struct Look {
    crd: u64,
    /// The pair was stored.
    stored: bool,
    /// It is a probe.
    probe: bool,
    /// It is not needed, as compared a cycle ago.
    useless: bool,
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
    /// Pairs asked for, that came, and that went to the front or were passed over, since reset.
    asked: u64,
    come: u64,
    loaded: u64,
    /// There is room for one more, as of a cycle ago.
    credit: bool,
    /// A pair to be stored was asked for a cycle ago.
    noted: bool,
    /// All was passed over a cycle ago.
    passed: bool,
    requests: Queue<Asked>,
    pairs: [[u64; 2]; SLOTS],
    /// Place of a pair, and coordinates of its fiber from there on.
    about: [[u64; 2]; SLOTS],
    fibers: Queue<Part>,
    at: u64,
    need: Need,
    bounds: [Option<u64>; SLOTS],
    front: Option<Front>,
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
    /// The front is through.
    load: bool,
    second: bool,
}

/// What the newest pair that came shows.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    distant: bool,
    sweep: bool,
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
            loaded: 0,
            credit: true,
            noted: false,
            passed: false,
            requests: Queue::new(BUFFER_LOG2),
            pairs: [[0; 2]; SLOTS],
            about: [[0; 2]; SLOTS],
            fibers: Queue::new(queue_log2),
            at: 0,
            need: Need::default(),
            bounds: [None; SLOTS],
            front: None,
            second: false,
            look: Look::default(),
        }
    }

    /// Puts out, or leaves out, the next coordinate.
    fn emit(&self, io: &mut Io) -> Step {
        let free = io.free(3);
        let still = Step { load: self.front.is_none(), second: self.second, ..Step::default() };
        let stop = match self.fibers.head() {
            None => return still,
            Some(&Part::Beat(beat)) => {
                if free {
                    io.put(3, beat);
                }
                return Step { moved: free, leave: free, second: self.second && !free, ..still };
            }
            Some(&Part::List { stop, .. }) => stop,
        };
        let Some(Front { pair, place, left, low, high }) = self.front else { return still };
        let k = usize::from(self.second);
        let ends = self.need.over || left == 1 + k as u64 || high[k];
        let both = !self.second && low == [true; 2] && left != 2 && !ends;
        // The second of two, and one alone, is given where there is room: that takes no longer, and other operands of
        // the joiner may go on meanwhile.
        let upper = usize::from(self.second || both);
        if free {
            io.put(3, Beat::pair(if ends { stop } else { 0 }, pair[upper], place + upper as u64));
        }
        let moved = free || low[k] && !ends;
        let leave = free && ends;
        let load = moved && (leave || upper == 1);
        let second = if moved { !self.second && !both && !leave } else { self.second };
        Step { moved, leave, list: true, abort: leave && self.latest(), load, second }
    }

    /// Whether the fiber at hand is the one that is being asked for.
    fn latest(&self) -> bool {
        self.asking.is_some() && (self.at + 1) % self.tags == self.newest
    }

    /// Looks at the newest pair that came.
    fn see(&self) -> Seen {
        let (look, current) = (&self.look, self.latest());
        let distant = look.stored && look.useless && current;
        let probed = look.probe && look.far.is_some();
        Seen {
            distant,
            sweep: distant && self.come > self.loaded,
            leap: probed && look.useless && current,
            miss: probed && !look.useless,
        }
    }

    /// What stands at the front after this edge, and how many pairs went there; `arrived`: the pair that comes and is stored.
    fn advance(&self, step: Step, seen: Seen, arrived: Option<[u64; 2]>) -> (Option<Front>, u64) {
        let load = |from: u64| {
            let slot = from as usize % SLOTS;
            let pair = match self.come.cmp(&from) {
                Ordering::Greater => Some(self.pairs[slot]),
                Ordering::Equal => arrived,
                Ordering::Less => None,
            };
            let [place, left] = self.about[slot];
            let front = |pair| Front { pair, place, left, low: [false; 2], high: [false; 2] }.compared(&self.need);
            (pair.map(front), from + u64::from(pair.is_some()))
        };
        let (front, loaded) = match self.front {
            _ if step.abort => (None, self.asked),
            // Behind what is left of the fiber.
            Some(f) if step.leave && step.list => load(self.loaded + (f.left - 1) / 2),
            _ if seen.leap => (None, self.asked),
            _ if seen.sweep => (None, self.come),
            // What was asked for in the cycle in which all was passed over goes, too.
            front if self.passed && self.noted => (front, self.loaded + 1),
            _ if step.load => load(self.loaded),
            front => (front.map(|f| f.compared(&self.need)), self.loaded),
        };
        // What is needed of the next fiber is not known yet.
        let fresh = |f: Front| Front { low: [false; 2], high: [false; 2], ..f };
        (if step.leave { front.map(fresh) } else { front }, loaded)
    }

    /// Asks for a probe further on, if it is time for one.
    fn probe(&mut self, io: &mut Io, seen: Seen, free: bool) -> bool {
        let look = &mut self.look;
        let turn = std::mem::replace(&mut look.turn, true);
        let wish = std::mem::replace(&mut look.wish, seen.distant && !look.failed);
        let Some(a) = self.asking else { return false };
        let from = look.far.unwrap_or(a.next);
        let fits = std::mem::replace(&mut look.fits, self.leaps && a.end - from >= 2 * LEAP);
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
    fn ask(&mut self, io: &mut Io, seen: Seen) -> Result<bool, Fault> {
        let (free, credit) = (io.free(1) && self.requests.room(), self.credit);
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
            let end = a.end;
            a.next += 2;
            if a.next >= a.end {
                self.asking = None;
            }
            self.note(addr, end);
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
                self.note(begin, end);
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

    fn note(&mut self, addr: u64, end: u64) {
        self.about[self.asked as usize % SLOTS] = [addr, end - addr];
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
            look.stored = asked.store;
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
        let before = (look.far, look.failed, look.stored);
        let probed = look.pending > pending;
        look.pending -= u32::from(look.probe);
        if step.leave || seen.miss || !probed && pending == 0 {
            look.far = None;
        }
        let reached = look.stored && !look.useless;
        look.failed = !step.leave && (seen.miss || look.failed && !reached);
        look.stored &= !step.leave;
        before != (look.far, look.failed, look.stored)
    }

    /// Hints that arrive; `at` and `leave`: of the fiber at hand before this edge.
    fn hints(&mut self, io: &Io, at: u64, leave: bool) -> bool {
        let (skip, bound) = (io.taken(3), io.taken(4));
        let next = (at + 1) % self.tags;
        if leave {
            self.need = Need { cap: self.bounds[next as usize % SLOTS], ..Need::default() };
        } else if let Some(h) = skip.filter(|h| h.p[0] % self.tags == at) {
            self.need.over = h.p[0] >= self.tags;
            self.need.lowest = if self.need.over { 0 } else { h.p[1] };
        }
        if let Some(h) = bound {
            let tag = h.p[0] % self.tags;
            if (tag + self.tags - at) % self.tags < SLOTS as u64 {
                self.bounds[tag as usize % SLOTS] = Some(h.p[1]);
                if tag == if leave { next } else { at } {
                    self.need.cap = Some(h.p[1]);
                }
            }
        }
        if leave {
            self.bounds[at as usize % SLOTS] = None;
        }
        skip.is_some() || bound.is_some()
    }

    /// What is kept from one cycle to the next but for what moves.
    fn late(&self) -> impl PartialEq + use<> {
        let look = &self.look;
        (self.front, self.loaded, self.credit, self.passed, self.noted, (look.turn, look.wish, look.fits, look.useless))
    }
}

impl Model for SkipModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.fetch.fetch(io)?;
        let (at, asked, pending, held) = (self.at, self.asked, self.look.pending, self.asked - self.loaded);
        let late = self.late();
        let (step, seen) = (self.emit(io), self.see());
        let arrived = io.taken(2).filter(|_| self.requests.head().is_some_and(|a| a.store)).map(|pair| pair.p);
        let (front, loaded) = self.advance(step, seen, arrived);
        let asking = self.asking;
        let mut moved = step.moved | self.ask(io, seen)?;
        if step.abort {
            self.asking = None;
        } else if seen.leap {
            self.asking = asking.map(|a| Asking { next: self.look.base + 2, ..a });
            self.look.base += LEAP;
        }
        moved |= self.looked(step, seen, pending);
        moved |= self.come(io);
        self.look.useless = !step.leave && self.look.crd < self.need.lowest;
        moved |= self.hints(io, at, step.leave);
        (self.front, self.loaded) = (front, loaded);
        self.second = step.second && !seen.leap && !seen.sweep;
        self.credit = held < SLOTS as u64 - 1;
        (self.passed, self.noted) = (step.abort || seen.leap, self.asked != asked);
        if step.leave {
            self.fibers.pop();
            self.at = (at + 1) % self.tags;
        }
        for k in 2..5 {
            io.set_ready(k, true);
        }
        moved |= late != self.late();
        Ok(moved | self.requests.clock() | self.fibers.clock() | self.fetch.clock(io))
    }
}
