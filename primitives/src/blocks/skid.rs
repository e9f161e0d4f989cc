//! Model of `samhw_skid`, the elastic buffer at every input.

use samhw_streams::{Beat, Io};

/// A buffer with registered ready: of two entries, or, if it passes beats through, of one. Use within a tick: if it
/// passes, [`Self::open`] it first; look at [`Self::head`], [`Self::pop`] it at most once, then [`Self::clock`] it
/// once, last.
#[derive(Debug, Clone, Default)]
pub struct Skid {
    beats: [Beat; 2],
    /// Place of the oldest beat.
    first: u8,
    len: u8,
    passes: bool,
    arrived: bool,
    popped: bool,
    /// Its ready is not published.
    full: bool,
}

impl Skid {
    /// Creates a buffer with `PASS`: an arriving beat is the head in the same cycle.
    pub fn passing() -> Self {
        Self { passes: true, ..Self::default() }
    }
    /// Takes the beat that arrives at input `k` at this edge, if the buffer passes beats through.
    #[inline(always)]
    pub fn open(&mut self, io: &Io, k: usize) {
        if self.passes {
            self.arrive(io, k);
        }
    }
    /// Returns the oldest beat.
    #[inline(always)]
    pub fn head(&self) -> Option<&Beat> {
        if self.len > 0 { Some(&self.beats[usize::from(self.first & 1)]) } else { None }
    }
    /// Returns the beat after the head, held or arriving at input `k`, for a buffer that does not pass.
    #[inline(always)]
    pub fn next(&self, io: &Io, k: usize) -> Option<Beat> {
        if self.len == 2 { Some(self.beats[usize::from(!self.first & 1)]) } else { io.taken(k) }
    }
    /// Removes the head at this edge.
    #[inline(always)]
    pub fn pop(&mut self) {
        debug_assert!(self.len > 0 && !self.popped);
        self.popped = true;
    }
    /// Simulates a clock edge: removes the popped beat, takes the beat that arrived at input `k`, and sets ready.
    /// Returns whether anything changed.
    #[inline(always)]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> bool {
        if !self.passes {
            self.arrive(io, k);
        }
        if !(self.popped | self.arrived) {
            // What is at the other end may be another channel than before.
            if self.full {
                io.set_ready(k, false);
            }
            return false;
        }
        if self.popped {
            self.first ^= 1;
            self.len -= 1;
        }
        (self.popped, self.arrived) = (false, false);
        let full = self.len >= if self.passes { 1 } else { 2 };
        if full | self.full {
            self.full = full;
            io.set_ready(k, !full);
        }
        true
    }
    #[inline(always)]
    fn arrive(&mut self, io: &Io, k: usize) {
        if let Some(b) = io.taken(k) {
            self.beats[usize::from((self.first ^ self.len) & 1)] = b;
            self.len += 1;
            self.arrived = true;
        }
    }
    /// Returns the only beat held by a buffer that does not pass.
    #[inline]
    pub fn only(&self) -> Option<&Beat> {
        if self.len == 1 && !self.passes { self.head() } else { None }
    }
    /// Replaces the head by another beat.
    #[inline]
    pub fn replace(&mut self, beat: Beat) {
        self.beats[usize::from(self.first & 1)] = beat;
    }
}
