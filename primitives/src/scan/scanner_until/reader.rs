//! Model of `samhw_until_reader`: bounds of fibers become the entries up to a bound.

use super::{ITEMS_LOG2, MORE_LOG2, ScannerUntil};
use crate::blocks::{HoldBack, Queue, Skid};
use crate::scan::scanner_compressed::Part;
use crate::scan::scanner_span::SpanEnd;
use samhw_streams::{Beat, Fault, Io, Kind};
use samhw_values::mask;

/// A part of a fiber that is still to be read.
#[derive(Debug, Clone, Copy)]
struct RestOfFiber {
    at: u64,
    /// Coordinates from there on.
    count: u64,
    /// The last coordinate that is needed.
    to: u64,
}

/// What was asked for.
#[derive(Debug, Clone, Copy)]
struct PairAsked {
    /// It lies behind the first pair of a fiber, the one with this number; else it is the first.
    behind: Option<u64>,
    rest: RestOfFiber,
}

/// Two coordinates that came.
#[derive(Debug, Clone, Copy)]
struct PairRead {
    crd: [u64; 2],
    stays: [bool; 2],
    /// The fiber needs nothing behind them.
    ends: bool,
    at: u64,
}

/// The stages that ask for coordinates and put them out.
#[derive(Debug)]
pub(super) struct UntilReader {
    of: ScannerUntil,
    bounds: Skid,
    /// The last coordinate that is needed of the fibers that come, if any is.
    ahead: Queue<Option<u64>>,
    items: Queue<Part>,
    asked: Queue<PairAsked>,
    /// Fibers that need more than their first pair.
    wants: Queue<RestOfFiber>,
    first: Queue<PairRead>,
    more: Queue<PairRead>,
    /// What is asked for of a fiber behind its first pair.
    active: Option<RestOfFiber>,
    /// The number of that fiber, and of the last one that is complete.
    epoch: u64,
    over: u64,
    /// Pairs behind first ones that were asked for, and not given or dropped.
    open: u64,
    dropped: u64,
    /// The fiber that is given continues behind its first pair; the second of a pair is next.
    behind: bool,
    second: bool,
    hold: HoldBack<Beat>,
}

const CRD_REQ: usize = 1;
const OUT: usize = 2;
const CRD_RSP: usize = 2;
const BOUND: usize = 3;

impl UntilReader {
    pub(super) fn new(of: ScannerUntil) -> Self {
        Self {
            of,
            bounds: Skid::default(),
            ahead: Queue::new(ITEMS_LOG2),
            items: Queue::new(ITEMS_LOG2),
            asked: Queue::new(ITEMS_LOG2.max(MORE_LOG2) + 1),
            wants: Queue::new(ITEMS_LOG2),
            first: Queue::new(ITEMS_LOG2),
            more: Queue::new(MORE_LOG2),
            active: None,
            epoch: 0,
            over: 0,
            open: 0,
            dropped: 0,
            behind: false,
            second: false,
            hold: HoldBack::default(),
        }
    }

    /// Gives the next entry; before [`Self::ask`]. Returns whether something moved.
    pub(super) fn give(&mut self, io: &mut Io) -> bool {
        let free = io.free(OUT);
        let pair = if self.behind { self.more.head() } else { self.first.head() }.copied();
        let part = self.items.head().copied().filter(|_| self.hold.room(free));
        let left = match (part, pair) {
            (Some(Part::Beat(b)), _) => {
                self.items.pop();
                self.hold.push(b, b.stop, true)
            }
            (Some(Part::List { stop, .. }), Some(p)) => {
                let half = p.stays[1] && !self.second;
                let (k, ends) = (u64::from(self.second), !half && p.ends);
                let b = Beat::pair(if ends { stop } else { 0 }, p.crd[k as usize], p.at + k);
                if !half {
                    if self.behind {
                        self.more.pop();
                        self.dropped += 1;
                    } else {
                        self.first.pop();
                    }
                    self.behind = !ends;
                }
                self.second = half;
                if ends {
                    self.items.pop();
                }
                self.hold.filter(b, p.stays[0], free)
            }
            _ => {
                let left = self.hold.idle(free);
                left.into_iter().for_each(|(b, stop)| io.put(OUT, Beat { stop, ..b }));
                return left.is_some();
            }
        };
        left.into_iter().for_each(|(b, stop)| io.put(OUT, Beat { stop, ..b }));
        true
    }

    /// Takes `part`, or asks for more of a fiber, and notes what comes. Returns (it was taken, something moved).
    pub(super) fn ask(&mut self, io: &mut Io, part: Option<Part>) -> Result<(bool, bool), Fault> {
        let free = io.free(CRD_REQ);
        let (active, mut moved) = (self.active, false);
        // What comes is judged by what is in registers.
        let ended = self.came(io)?;
        let mut taken = false;
        if let (true, true, Some(part), Some(&to)) = (free, self.items.room(), part, self.ahead.head()) {
            taken = true;
            self.ahead.pop();
            let mut item = part;
            if let Part::List { stop, p: [begin, end] } = part {
                let Some(count) = end.checked_sub(begin) else {
                    let beat = Beat::pair(0, begin, end);
                    return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
                };
                match to.filter(|_| count > 0) {
                    Some(to) => self.request(io, None, RestOfFiber { at: begin, count, to }),
                    None => item = Part::Beat(Beat::nil(stop, 1)),
                }
            }
            self.items.push(item);
        } else if let (true, Some(rest)) = (free && self.open >> MORE_LOG2 == 0, active) {
            self.request(io, Some(self.epoch), rest);
            self.open += 1;
            let rest = RestOfFiber { at: rest.at + 2, count: rest.count.saturating_sub(2), ..rest };
            self.active = Some(rest).filter(|rest| rest.count > 0);
            moved = true;
        }
        if active.is_none()
            && let Some(&rest) = self.wants.head()
        {
            self.wants.pop();
            self.active = Some(RestOfFiber { at: rest.at + 2, count: rest.count - 2, ..rest });
            self.epoch = (self.epoch + 1) & mask(MORE_LOG2 + 1);
            moved = true;
        } else if ended {
            self.active = None;
        }
        self.open -= std::mem::take(&mut self.dropped);
        if let (true, Some(b)) = (self.ahead.room(), self.bounds.head()) {
            self.ahead.push(self.needed(b));
            self.bounds.pop();
            moved = true;
        }
        Ok((taken, moved))
    }

    fn request(&mut self, io: &mut Io, behind: Option<u64>, rest: RestOfFiber) {
        io.put(CRD_REQ, Beat::data(0, rest.at));
        self.asked.push(PairAsked { behind, rest });
    }

    /// The last coordinate that a bound leaves, if any.
    fn needed(&self, b: &Beat) -> Option<u64> {
        let p = &self.of;
        let (hi, open) = (b.p[0], u64::from(p.hi == SpanEnd::Open));
        let negative = p.signed && hi >> (p.bound_w - 1) & 1 != 0;
        let some = b.kind == Kind::Data && !negative && hi >= open;
        some.then(|| mask(p.crd_w).min(hi.wrapping_sub(open)))
    }

    /// Keeps what comes. Returns whether the fiber that is asked for is complete.
    fn came(&mut self, io: &Io) -> Result<bool, Fault> {
        let Some(beat) = io.taken(CRD_RSP) else { return Ok(false) };
        let Some(&PairAsked { behind, rest: RestOfFiber { at, count, to } }) = self.asked.head() else {
            return Err(Fault { what: "an answer without a request", port: "crd_rsp".into(), beat });
        };
        self.asked.pop();
        let stays = [beat.p[0] <= to, count > 1 && beat.p[1] <= to];
        let ends = count <= 2 || beat.p[1] >= to;
        let pair = PairRead { crd: beat.p, stays, ends, at };
        match behind {
            None => {
                self.first.push(pair);
                if !ends {
                    self.wants.push(RestOfFiber { at, count, to });
                }
            }
            Some(epoch) if epoch == self.over => self.dropped += 1,
            Some(epoch) => {
                self.more.push(pair);
                if ends {
                    self.over = epoch;
                    return Ok(epoch == self.epoch);
                }
            }
        }
        Ok(false)
    }

    /// The edge. Returns whether anything changed.
    pub(super) fn clock(&mut self, io: &mut Io) -> bool {
        let came = io.taken(CRD_RSP).is_some();
        io.set_ready(CRD_RSP, true);
        let queues = [self.first.clock(), self.more.clock(), self.items.clock(), self.wants.clock()];
        let others = [self.ahead.clock(), self.asked.clock(), self.bounds.clock(io, BOUND)];
        came | queues.contains(&true) | others.contains(&true)
    }
}
