//! Model of `samhw_run_skid`: an input buffer that also tells when a run begins.

use crate::blocks::Skid;
use samhw_streams::{Beat, Io, Kind};

/// A [`Skid`] that knows where runs begin. Used like it.
#[derive(Debug, Clone)]
pub struct RunSkid {
    skid: Skid,
    between: bool,
    ends: bool,
    passes: bool,
}

impl Default for RunSkid {
    fn default() -> Self {
        Self { skid: Skid::default(), between: true, ends: false, passes: false }
    }
}

/// The effects of a clock edge on a [`RunSkid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocked {
    /// Whether something changed.
    pub moved: bool,
    /// Whether the first beat of a run is the new head.
    pub start: bool,
}

impl RunSkid {
    /// Creates a buffer with `PASS`.
    pub fn passing() -> Self {
        Self { skid: Skid::passing(), passes: true, ..Self::default() }
    }
    /// Takes the beat that arrives at input `k`, if the buffer passes beats through; call this first in a tick. Returns
    /// whether a run begins with it.
    #[inline]
    pub fn open(&mut self, io: &Io, k: usize) -> bool {
        self.skid.open(io, k);
        let start = self.passes && self.between && self.skid.head().is_some();
        self.between &= !start;
        start
    }
    /// Returns the oldest beat.
    #[inline]
    pub fn head(&self) -> Option<&Beat> {
        if self.between && !self.passes { None } else { self.skid.head() }
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        self.ends = self.head().is_some_and(|b| b.kind == Kind::Done);
        self.skid.pop();
    }
    /// Simulates a clock edge for input `k`; call this last in a tick.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> Clocked {
        let moved = self.skid.clock(io, k);
        let start = self.between && !self.passes && self.skid.head().is_some();
        self.between = std::mem::take(&mut self.ends) || (self.between && !start);
        Clocked { moved, start }
    }
}
