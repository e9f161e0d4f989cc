//! Model of `samhw_skid`: the two-entry elastic buffer at every input.

use crate::model::Io;
use crate::stream::Beat;

/// A two-entry buffer whose ready is a register. Use within a tick: look at [`Self::head`],
/// [`Self::pop`] it at most once, then [`Self::clock`] it once, last.
#[derive(Debug, Clone, Default)]
pub struct Skid {
    beats: [Beat; 2],
    len: u8,
    popped: bool,
}

impl Skid {
    /// The oldest beat held.
    #[inline]
    pub fn head(&self) -> Option<&Beat> {
        (self.len > 0).then_some(&self.beats[0])
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.len > 0 && !self.popped);
        self.popped = true;
    }
    /// The edge: removes what was popped, takes what arrived at input `k`, publishes ready.
    /// Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> bool {
        let popped = self.popped;
        if popped {
            self.beats[0] = self.beats[1];
            self.len -= 1;
            self.popped = false;
        }
        let pushed = io.taken(k);
        if let Some(b) = pushed {
            self.beats[usize::from(self.len)] = b;
            self.len += 1;
        }
        io.set_ready(k, self.len < 2);
        popped | pushed.is_some()
    }
}
