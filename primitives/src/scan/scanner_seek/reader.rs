//! Model of `samhw_seek_reader`: bounds of fibers become entries, long ones only in part.

use crate::blocks::{Queue, Skid};
use crate::scan::scanner_compressed::Part;
use samhw_streams::{Beat, Fault, Io, Kind};
use samhw_values::mask;

/// A long fiber that was taken, and where its first coordinate is looked for, then where its end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Search {
    stop: u8,
    end: u64,
    above: bool,
    asked: bool,
    from: u64,
    low: u64,
    high: u64,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeekState {
    /// Take what is on offer and hand it on, if it is not long.
    Pass,
    /// Search a long fiber.
    Look(Search),
    /// Hand on what is between.
    Go(Part),
}

/// The stages that ask for coordinates and put them out.
#[derive(Debug)]
pub(super) struct SeekReader {
    lo: u64,
    hi: u64,
    largest: u64,
    long: u64,
    near: u64,
    state: SeekState,
    bound: Queue<Part>,
    crd: Skid,
    /// Coordinates of the current fiber that are through already.
    place: u64,
}

const CRD_REQ: usize = 1;
const OUT: usize = 2;
const CRD_RSP: usize = 2;

impl SeekReader {
    pub(super) fn new([lo, hi]: [u64; 2], crd_w: u32, [long, near]: [u64; 2], queue_log2: u32) -> Self {
        Self {
            lo,
            hi,
            largest: mask(crd_w),
            long,
            near,
            state: SeekState::Pass,
            bound: Queue::new(queue_log2),
            crd: Skid::default(),
            place: 0,
        }
    }

    /// Takes `part` on or searches for it. Returns (it was taken, something moved).
    pub(super) fn step(&mut self, io: &mut Io, part: Option<Part>) -> Result<(bool, bool), Fault> {
        let before = self.state;
        let taken = match (self.state, part) {
            (SeekState::Pass, Some(Part::List { p: [begin, end], .. })) if end < begin => {
                let beat = Beat::pair(0, begin, end);
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
            }
            (SeekState::Pass, Some(Part::List { stop, p: [low, high] })) if high - low > self.long => {
                let taken = self.may(io);
                if taken {
                    let (above, asked) = (false, false);
                    self.state = SeekState::Look(Search { stop, end: high, above, asked, from: low, low, high });
                }
                taken
            }
            (SeekState::Pass, Some(part)) => self.hand_on(io, part),
            (SeekState::Pass, None) => false,
            (SeekState::Go(part), _) => {
                if self.hand_on(io, part) {
                    self.state = SeekState::Pass;
                }
                false
            }
            (SeekState::Look(search), _) => {
                self.state = self.look(io, search);
                false
            }
        };
        Ok((taken, taken || self.state != before))
    }

    /// Whether something can be handed on.
    fn may(&self, io: &Io) -> bool {
        io.free(CRD_REQ) && self.bound.room()
    }

    fn hand_on(&mut self, io: &mut Io, part: Part) -> bool {
        if !self.may(io) {
            return false;
        }
        let mut part = part;
        if let Part::List { stop, p: [begin, end] } = part {
            if end > begin {
                io.put(CRD_REQ, Beat::pair(0, begin, end - begin));
            } else {
                part = Part::Beat(Beat::nil(stop, 1));
            }
        }
        self.bound.push(part);
        true
    }

    fn look(&mut self, io: &mut Io, s: Search) -> SeekState {
        let middle = (s.low + s.high) / 2;
        if s.asked {
            let Some(&c) = self.crd.head() else { return self.state };
            self.crd.pop();
            let less = c.p[0] < if s.above { self.hi } else { self.lo };
            let (low, high) = if less { (middle + 1, s.high) } else { (s.low, middle) };
            return SeekState::Look(Search { asked: false, low, high, ..s });
        }
        // What was handed on before goes first.
        if self.bound.head().is_some() {
            return self.state;
        }
        // Nothing is below 0 or beyond the largest coordinate.
        let needless = if s.above { self.hi > self.largest } else { self.lo == 0 };
        if needless || s.high - s.low <= self.near {
            return match s.above {
                false => SeekState::Look(Search { above: true, from: s.low, high: s.end, ..s }),
                true => SeekState::Go(Part::List { stop: s.stop, p: [s.from, s.high] }),
            };
        }
        if !io.free(CRD_REQ) {
            return self.state;
        }
        io.put(CRD_REQ, Beat::pair(0, middle, 1));
        SeekState::Look(Search { asked: true, ..s })
    }

    /// Puts out the next entry; before [`Self::step`]. Returns whether there was one.
    pub(super) fn emit(&mut self, io: &mut Io) -> bool {
        if !io.free(OUT) {
            return false;
        }
        let (beat, last) = match self.bound.head() {
            Some(&Part::Beat(b)) => (Some(b), true),
            Some(&Part::List { stop, p: [begin, end] }) => {
                let last = begin + self.place + 1 == end;
                let entry = |c: &Beat| Beat::pair(if last { stop } else { 0 }, c.p[0], begin + self.place);
                (self.crd.head().map(entry), last)
            }
            None => (None, false),
        };
        let Some(b) = beat else { return false };
        io.put(OUT, b);
        if b.kind == Kind::Data {
            self.crd.pop();
            self.place += 1;
        }
        if last {
            self.place = 0;
            self.bound.pop();
        }
        true
    }

    /// The edge. Returns whether anything changed.
    pub(super) fn clock(&mut self, io: &mut Io) -> bool {
        self.bound.clock() | self.crd.clock(io, CRD_RSP)
    }
}
