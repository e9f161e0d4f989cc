//! Model of `samhw_skip_ask`: which pair of groups is asked for.

use super::answers::Note;
use super::give::FiberStep;
use super::look::{Seen, Wish};
use crate::scan::scanner_compressed::Part;
use crate::scan::scanner_wide::Group;
use samhw_streams::{Beat, Fault, Io};

const CRD_REQ: usize = 1;

/// The fiber that is being asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asking {
    pub next: u64,
    pub end: u64,
    /// Its last coordinates come next.
    tail: bool,
    /// Its last pair is no other than the second.
    short: bool,
}

/// The request of this cycle.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Asked {
    /// The part of a fiber that begins.
    pub begun: Option<Part>,
    /// The request's, if there is one.
    pub note: Option<Note>,
    /// The places that it will be stored at: its place, and coordinates of its fiber from there on.
    pub reserved: Option<[u64; 2]>,
    /// Whether it is a probe.
    pub probe: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ask {
    /// Coordinates of a pair of groups.
    pair: u64,
    /// How many fibers have different numbers.
    tags: u64,
    asking: Option<Asking>,
    /// Items that were begun, and those that have not left.
    newest: u64,
    lead: u64,
}

impl Ask {
    pub(super) fn new(group: Group, tag_w: u32) -> Self {
        Self { pair: 2 << group.wide_log2, tags: 1 << tag_w, asking: None, newest: 0, lead: 0 }
    }
    pub(super) fn asking(&self) -> Option<Asking> {
        self.asking
    }
    /// Whether the current fiber is the one that is being asked for.
    pub(super) fn current(&self) -> bool {
        self.asking.is_some() && self.lead == 1
    }

    /// In which lane of a pair a fiber with `left` coordinates from it on ends, if it does.
    fn lane(&self, left: u64) -> Option<u64> {
        (left <= self.pair).then(|| left - 1)
    }

    /// Asks for a probe, or the next pair, or begins with `part`; `room`: for one more answer, `credit`: for one more pair.
    pub(super) fn ask(
        &mut self,
        io: &mut Io,
        room: bool,
        credit: bool,
        part: Option<Part>,
        wish: &Wish,
    ) -> Result<Asked, Fault> {
        if !io.free(CRD_REQ) || !room {
            return Ok(Asked::default());
        }
        if let Some(a) = &mut self.asking {
            let tag = (self.newest + self.tags - 1) % self.tags;
            if let (Some(addr), false) = (wish.probe, a.tail) {
                io.put(CRD_REQ, Beat::data(0, addr));
                let note = Some(Note { store: false, last: None, tag });
                return Ok(Asked { note, probe: true, ..Asked::default() });
            }
            if a.tail {
                io.put(CRD_REQ, Beat::data(0, a.end - self.pair));
                a.tail = false;
                let note = Some(Note { store: false, last: Some(self.pair - 1), tag });
                return Ok(Asked { note, ..Asked::default() });
            }
            if !credit || wish.hold {
                return Ok(Asked::default());
            }
            let (a, left) = (*a, a.end - a.next);
            io.put(CRD_REQ, Beat::data(0, a.next));
            self.asking = (left > self.pair).then_some(Asking { next: a.next + self.pair, ..a });
            let last = self.lane(left).filter(|_| a.short);
            let note = Some(Note { store: true, last, tag });
            return Ok(Asked { note, reserved: Some([a.next, left]), ..Asked::default() });
        }
        let Some(part) = part.filter(|_| credit) else { return Ok(Asked::default()) };
        let tag = self.newest;
        self.newest = (self.newest + 1) % self.tags;
        let Part::List { stop, p: [begin, end] } = part else {
            return Ok(Asked { begun: Some(part), ..Asked::default() });
        };
        let Some(len) = end.checked_sub(begin) else {
            let beat = Beat::pair(0, begin, end);
            return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
        };
        if len == 0 {
            return Ok(Asked { begun: Some(Part::Beat(Beat::nil(stop, 1))), ..Asked::default() });
        }
        io.put(CRD_REQ, Beat::data(0, begin));
        let many = len > 2 * self.pair;
        let asking = Asking { next: begin + self.pair, end, tail: many, short: !many };
        self.asking = (len > self.pair).then_some(asking);
        let note = Some(Note { store: true, last: self.lane(len), tag });
        Ok(Asked { begun: Some(part), note, reserved: Some([begin, len]), probe: false })
    }

    /// Clocks the registers; `before`: the fiber that was requested before [`Self::ask`]. Returns whether
    /// anything changed.
    pub(super) fn clock(&mut self, before: Option<Asking>, step: &FiberStep, seen: &Seen, asked: &Asked) -> bool {
        let current = before.is_some() && self.lead == 1;
        if step.drops() && current {
            self.asking = None;
        } else if let Some(next) = seen.leap {
            self.asking = before.map(|a| Asking { next, ..a });
        }
        self.lead = self.lead + u64::from(asked.begun.is_some()) - u64::from(step.leave);
        step.leave || seen.leap.is_some() || asked.note.is_some() || asked.begun.is_some()
    }
}
