//! Model of `samhw_append`: words to an array, through a write port.

use samhw_streams::{Beat, Io};
use samhw_values::mask;

/// The address counter, capacity check and output register of an array that is written.
#[derive(Debug, Clone)]
pub struct Append {
    out: usize,
    max: u64,
    capacity: u64,
    lead: bool,
    /// Number of words in this run, including dropped ones.
    pub count: u64,
    /// Whether a word was dropped.
    pub overflow: bool,
}

impl Append {
    /// Creates the model for an array behind output `out`, with addresses of `addr_w` bits. `lead`: word 0 is a 0 that
    /// [`Self::start`] writes.
    pub fn new(out: usize, addr_w: u32, capacity: u64, lead: bool) -> Self {
        Self { out, max: mask(addr_w), capacity: capacity & mask(addr_w), lead, count: 0, overflow: false }
    }
    /// Returns true if a word can be taken.
    #[inline]
    pub fn free(&self, io: &Io) -> bool {
        io.free(self.out)
    }
    /// Starts a run.
    #[inline]
    pub fn start(&mut self, io: &mut Io) {
        self.count = u64::from(self.lead);
        self.overflow = self.lead && self.capacity == 0;
        if self.lead {
            self.write(io, Beat::pair(0, 0, 0));
        }
    }
    /// Appends a word; call this only if [`Self::free`] is true.
    #[inline]
    pub fn push(&mut self, io: &mut Io, data: u64) {
        self.overflow |= self.count == self.capacity;
        self.write(io, Beat::pair(0, self.count, data));
        self.count += u64::from(self.count != self.max);
    }
    #[inline]
    fn write(&self, io: &mut Io, word: Beat) {
        if !self.overflow {
            io.put(self.out, word);
        }
    }
}
