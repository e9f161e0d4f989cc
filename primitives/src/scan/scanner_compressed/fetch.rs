//! Models of `samhw_ref_skid` and `samhw_segment_fetch`, which turn references into bounds of fibers.

use crate::blocks::{Queue, Skid};
use samhw_streams::{Beat, Fault, Io, Kind};
use samhw_values::mask;

/// The part of a scanner's output that replaces a beat of `ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A fiber, with its stop, and a reference until its bounds arrive.
    List {
        /// Stop after the fiber.
        stop: u8,
        /// The reference; then begin and end.
        p: [u64; 2],
    },
    /// A NIL or DONE beat.
    Beat(Beat),
}

/// An input buffer of references. Used like a [`Skid`].
#[derive(Debug)]
pub struct RefSkid {
    skid: Skid,
    max_stop: u8,
}

impl RefSkid {
    /// Creates the buffer for streams with `stop_w` stop bits.
    pub fn new(stop_w: u32) -> Self {
        Self { skid: Skid::passing(), max_stop: mask(stop_w) as u8 }
    }
    /// Takes the beat that arrives at input `k`; call this first in a tick.
    #[inline]
    pub fn open(&mut self, io: &Io, k: usize) {
        self.skid.open(io, k);
    }
    /// Returns whether the oldest beat stands for a list.
    #[inline]
    pub fn is_list(&self) -> bool {
        self.skid.head().is_some_and(|r| r.kind == Kind::Data)
    }
    /// Returns the part for the oldest beat. Malformed: a stop that does not fit one level deeper.
    #[inline]
    pub fn head(&self) -> Result<Option<Part>, Fault> {
        let Some(&r) = self.skid.head() else { return Ok(None) };
        if r.kind != Kind::Done && r.stop == self.max_stop {
            return Err(Fault { what: "the stop does not fit", port: "ref".into(), beat: r });
        }
        Ok(Some(match r.kind {
            Kind::Data => Part::List { stop: r.stop + 1, p: [r.p[0], 0] },
            Kind::Empty => Part::Beat(Beat::nil(r.stop + 1, 1)),
            Kind::Nil => Part::Beat(Beat::nil(r.stop + 1, r.hole() + 1)),
            Kind::Done => Part::Beat(Beat::DONE),
        }))
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        self.skid.pop();
    }
    /// Simulates a clock edge for input `k`. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> bool {
        self.skid.clock(io, k)
    }
}

/// The stage that asks for segments: input 0 `ref`, input 1 `seg_rsp`, output 0 `seg_req`.
#[derive(Debug)]
pub struct SegmentFetch {
    refs: RefSkid,
    fetched: Queue<Part>,
    seg: Skid,
}

impl SegmentFetch {
    /// Creates the stage with up to `2**queue_log2` requests in flight.
    pub fn new(stop_w: u32, queue_log2: u32) -> Self {
        Self { refs: RefSkid::new(stop_w), fetched: Queue::new(queue_log2), seg: Skid::default() }
    }
    /// Requests the bounds of the next fiber.
    #[inline]
    pub fn fetch(&mut self, io: &mut Io) -> Result<(), Fault> {
        self.refs.open(io, 0);
        let (true, true) = (io.free(0), self.fetched.room()) else { return Ok(()) };
        let Some(part) = self.refs.head()? else { return Ok(()) };
        if let Part::List { p, .. } = part {
            io.put(0, Beat::data(0, p[0]));
        }
        self.fetched.push(part);
        self.refs.pop();
        Ok(())
    }
    /// Returns whether the stage requests bounds, or takes a beat that is not a fiber, at the next edge without input.
    pub fn asks(&self, io: &Io) -> bool {
        io.free(0) && self.fetched.room() && self.refs.skid.head().is_some()
    }
    /// Returns the next fiber with its bounds, or a beat that is not a fiber.
    #[inline]
    pub fn head(&self) -> Option<Part> {
        match *self.fetched.head()? {
            Part::List { stop, .. } => self.seg.head().map(|s| Part::List { stop, p: s.p }),
            part => Some(part),
        }
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(Part::List { .. }) = self.fetched.head() {
            self.seg.pop();
        }
        self.fetched.pop();
    }
    /// Simulates a clock edge. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io) -> bool {
        self.fetched.clock() | self.refs.clock(io, 0) | self.seg.clock(io, 1)
    }
}
