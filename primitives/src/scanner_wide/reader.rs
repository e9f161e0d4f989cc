//! Model of `samhw_window_reader`: bounds of fibers become groups of coordinates.

use super::Group;
use crate::blocks::{Queue, Skid};
use crate::model::{Fault, Io};
use crate::pack::mask;
use crate::scanner_compressed::Part;
use crate::stream::Beat;

const CRD_REQ: usize = 1;
const OUT: usize = 2;
const CRD_RSP: usize = 2;

/// The fiber whose groups are being asked for.
#[derive(Debug, Clone, Copy)]
struct Rest {
    next: u64,
    end: u64,
    stop: u8,
}

/// What was asked for, or stands between fibers.
#[derive(Debug, Clone, Copy)]
enum Asked {
    /// Coordinates from `at` on, and the stop after them.
    Group {
        at: u64,
        count: usize,
        stop: u8,
    },
    Beat(Beat),
}

/// The stages that ask for coordinates and put them out.
#[derive(Debug)]
pub(super) struct WindowReader {
    group: Group,
    rest: Option<Rest>,
    asked: Queue<Asked>,
    crd: Skid,
}

impl WindowReader {
    pub(super) fn new(group: Group, queue_log2: u32) -> Self {
        Self { group, rest: None, asked: Queue::new(queue_log2), crd: Skid::default() }
    }

    /// Asks for the next group, beginning with `part` where no fiber is under way. Returns (it was taken, something moved).
    pub(super) fn ask(&mut self, io: &mut Io, part: Option<Part>) -> Result<(bool, bool), Fault> {
        if !io.free(CRD_REQ) || !self.asked.room() {
            return Ok((false, false));
        }
        let taken = self.rest.is_none();
        let rest = match (self.rest, part) {
            (Some(rest), _) => rest,
            (None, None) => return Ok((false, false)),
            (None, Some(Part::Beat(beat))) => {
                self.asked.push(Asked::Beat(beat));
                return Ok((true, true));
            }
            (None, Some(Part::List { stop, p: [next, end] })) if next < end => Rest { next, end, stop },
            (None, Some(Part::List { stop, p: [begin, end] })) if begin == end => {
                self.asked.push(Asked::Beat(Beat::nil(stop, 1)));
                return Ok((true, true));
            }
            (None, Some(Part::List { p: [begin, end], .. })) => {
                let beat = Beat::pair(0, begin, end);
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
            }
        };
        let wide = self.group.wide() as u64;
        let count = wide.min(rest.end - rest.next);
        self.rest = (rest.end - rest.next > wide).then_some(Rest { next: rest.next + wide, ..rest });
        let stop = if self.rest.is_none() { rest.stop } else { 0 };
        self.asked.push(Asked::Group { at: rest.next, count: count as usize, stop });
        io.put(CRD_REQ, Beat::data(0, rest.next));
        Ok((taken, true))
    }

    /// Puts out the next group; after [`Self::ask`]. Returns whether there was one.
    pub(super) fn emit(&mut self, io: &mut Io) -> bool {
        if !io.free(OUT) {
            return false;
        }
        let beat = match self.asked.head() {
            None => return false,
            Some(&Asked::Beat(b)) => b,
            Some(&Asked::Group { at, count, stop }) => {
                let Some(words) = self.crd.head() else { return false };
                let half = self.group.wide() / 2;
                let word = |l: usize| words.p[l / half] >> ((l % half) as u32 * self.group.crd_w);
                let crds: Vec<u64> = (0..count).map(|l| word(l) & mask(self.group.crd_w)).collect();
                self.crd.pop();
                self.group.pack(stop, &crds, at)
            }
        };
        self.asked.pop();
        io.put(OUT, beat);
        true
    }

    /// The edge. Returns whether anything changed.
    pub(super) fn clock(&mut self, io: &mut Io) -> bool {
        self.asked.clock() | self.crd.clock(io, CRD_RSP)
    }
}
