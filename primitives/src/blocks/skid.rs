//! Model of `samhw_skid`: the elastic buffer at every input.

use samhw_streams::{Beat, Io};

/// A buffer whose ready is a register: of two entries, or, passing, of one that a beat does not
/// stop in. Use within a tick: if it passes, [`Self::open`] it first; look at [`Self::head`],
/// [`Self::pop`] it at most once, then [`Self::clock`] it once, last.
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
    /// A buffer with `PASS`: what arrives is the head in the same cycle.
    pub fn passing() -> Self {
        Self { passes: true, ..Self::default() }
    }
    /// Takes what arrives at input `k` at this edge, if it passes.
    #[inline(always)]
    pub fn open(&mut self, io: &Io, k: usize) {
        if self.passes {
            self.arrive(io, k);
        }
    }
    /// The oldest beat held.
    #[inline(always)]
    pub fn head(&self) -> Option<&Beat> {
        if self.len > 0 { Some(&self.beats[usize::from(self.first & 1)]) } else { None }
    }
    /// The beat after the head, held or arriving at input `k`; of a buffer that does not pass.
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
    /// The edge: removes what was popped, takes what arrived at input `k`, publishes ready.
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
    /// The only beat held by a buffer that does not pass.
    #[inline]
    pub fn only(&self) -> Option<&Beat> {
        if self.len == 1 && !self.passes { self.head() } else { None }
    }
    /// Puts another beat in the place of the head.
    #[inline]
    pub fn replace(&mut self, beat: Beat) {
        self.beats[usize::from(self.first & 1)] = beat;
    }
}
