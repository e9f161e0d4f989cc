//! Model of `samhw_window_reader`: bounds of fibers become groups of coordinates.

use super::Group;
use crate::blocks::{Queue, Skid};
use crate::scan::scanner_compressed::Part;
use samhw_streams::{Beat, Fault, Io};
use samhw_values::mask;

const CRD_REQ: usize = 1;
const OUT: usize = 2;
const CRD_RSP: usize = 2;

/// Groups that nobody asked for yet, of the fiber that was asked for last.
#[derive(Debug, Clone, Copy)]
struct Rest {
    next: u64,
    end: u64,
}

/// The stages that ask for coordinates and put them out.
#[derive(Debug)]
pub(super) struct WindowReader {
    group: Group,
    rest: Option<Rest>,
    /// What was begun, lists with begin and end.
    begun: Queue<Part>,
    /// Coordinates of the oldest of them that are through.
    through: u64,
    crd: Skid,
}

impl WindowReader {
    pub(super) fn new(group: Group, queue_log2: u32) -> Self {
        Self { group, rest: None, begun: Queue::new(queue_log2), through: 0, crd: Skid::default() }
    }

    /// Asks for the next group, beginning with `part` where no fiber is under way. Returns (it was taken, something moved).
    pub(super) fn ask(&mut self, io: &mut Io, part: Option<Part>) -> Result<(bool, bool), Fault> {
        if !io.free(CRD_REQ) {
            return Ok((false, false));
        }
        let (rest, taken) = match (self.rest, part.filter(|_| self.begun.room())) {
            (Some(rest), _) => (rest, false),
            (None, None) => return Ok((false, false)),
            (None, Some(Part::List { p: [next, end], .. })) if next < end => (Rest { next, end }, true),
            (None, Some(Part::List { stop, p: [begin, end] })) if begin == end => {
                self.begun.push(Part::Beat(Beat::nil(stop, 1)));
                return Ok((true, true));
            }
            (None, Some(Part::List { p: [begin, end], .. })) => {
                let beat = Beat::pair(0, begin, end);
                return Err(Fault { what: "a fiber ends before it begins", port: "seg_rsp".into(), beat });
            }
            (None, Some(between)) => {
                self.begun.push(between);
                return Ok((true, true));
            }
        };
        let next = rest.next + self.group.wide() as u64;
        self.rest = (next < rest.end).then_some(Rest { next, ..rest });
        if let Some(part) = part.filter(|_| taken) {
            self.begun.push(part);
        }
        io.put(CRD_REQ, Beat::data(0, rest.next));
        Ok((taken, true))
    }

    /// Puts out the next group; after [`Self::ask`]. Returns whether there was one.
    pub(super) fn emit(&mut self, io: &mut Io) -> bool {
        if !io.free(OUT) {
            return false;
        }
        let beat = match self.begun.head() {
            None => return false,
            Some(&Part::Beat(b)) => b,
            Some(&Part::List { stop, p: [begin, end] }) => {
                let Some(words) = self.crd.head() else { return false };
                let (wide, at) = (self.group.wide(), begin + self.through);
                let word = |l: usize| words.p[l / (wide / 2)] >> ((l % (wide / 2)) as u32 * self.group.crd_w);
                let crds: Vec<u64> = (at..end).zip(0..wide).map(|(_, l)| word(l) & mask(self.group.crd_w)).collect();
                self.crd.pop();
                self.through += wide as u64;
                self.group.pack(if begin + self.through < end { 0 } else { stop }, &crds, at)
            }
        };
        if beat.stop > 0 || !beat.is_leaf() {
            self.begun.pop();
            self.through = 0;
        }
        io.put(OUT, beat);
        true
    }

    /// The edge. Returns whether anything changed.
    pub(super) fn clock(&mut self, io: &mut Io) -> bool {
        self.begun.clock() | self.crd.clock(io, CRD_RSP)
    }
}
