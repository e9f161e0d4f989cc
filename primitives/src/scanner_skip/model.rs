//! Cycle model of `samhw_scanner_skip`.

use super::BUFFER_LOG2;
use crate::blocks::Queue;
use crate::model::{Fault, Io, Model};
use crate::scanner_compressed::{Part, SegmentFetch};
use crate::stream::Beat;

const SLOTS: usize = 1 << BUFFER_LOG2;

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

/// What is needed of the fiber at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    All,
    From(u64),
    Nothing,
}

#[derive(Debug)]
pub(super) struct SkipModel {
    /// How many fibers have different numbers.
    tags: u64,
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
}

/// What happens to the fiber at hand at this edge.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    moved: bool,
    /// The fiber is done with.
    leave: bool,
    /// ... before all of it was asked for.
    abort: bool,
    read: u64,
    second: bool,
}

impl SkipModel {
    pub(super) fn new(stop_w: u32, queue_log2: u32, tag_w: u32) -> Self {
        Self {
            tags: 1 << tag_w,
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
            // One alone is given out as well, where that takes no longer: the joiner may use up another beside it.
            if both || !free {
                let through = self.second || both;
                return Step { moved: true, read: self.read + u64::from(through), second: !through, ..still };
            }
        }
        if !free {
            return still;
        }
        io.put(3, Beat::pair(if ends { stop } else { 0 }, crd, place + u64::from(self.second)));
        let abort = ends && self.asking.is_some() && (self.at + 1) % self.tags == self.newest;
        let read = match (ends, abort) {
            (true, true) => self.asked,
            (true, false) => self.read + behind.div_ceil(2),
            (false, _) => self.read + u64::from(self.second),
        };
        Step { moved: true, leave: ends, abort, read, second: !ends && !self.second }
    }

    /// Asks for the next pair, or begins with the next fiber.
    fn ask(&mut self, io: &mut Io, abort: bool) -> Result<bool, Fault> {
        let (free, credit) = (io.free(1) && self.requests.room(), self.asked - self.read != SLOTS as u64);
        if let Some(a) = &mut self.asking {
            if abort {
                self.asking = None;
                return Ok(true);
            }
            if !free || !(a.tail || credit) {
                return Ok(false);
            }
            let addr = if a.tail { a.end - 2 } else { a.next };
            let last = (a.tail || a.short).then(|| usize::from(a.tail || a.end - a.next == 2));
            self.requests.push(Asked { store: !a.tail, last, tag: (self.newest + self.tags - 1) % self.tags });
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
    fn come(&mut self, io: &mut Io) {
        let (Some(pair), Some(&asked)) = (io.taken(2), self.requests.head()) else { return };
        self.requests.pop();
        if asked.store {
            self.pairs[self.come as usize % SLOTS] = pair.p;
            self.come += 1;
        }
        if let (Some(k), true) = (asked.last, io.free(2)) {
            io.put(2, Beat::pair(0, asked.tag, pair.p[k]));
        }
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
        let at = self.at;
        let step = self.emit(io);
        let mut moved = step.moved | self.ask(io, step.abort)?;
        moved |= io.taken(2).is_some();
        self.come(io);
        moved |= self.hints(io, at, step.leave);
        // `asked` moved on only where nothing was aborted.
        self.read = step.read;
        self.second = step.second;
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
