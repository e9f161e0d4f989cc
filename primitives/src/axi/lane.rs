//! Model of `samhw_axi_lane`, which extracts words from lines and returns them as answers. It holds no lines: what
//! memory holds does not change within a run, so a word whose line is there is looked up in the array.

use super::words::Wanted;
use crate::memories::memory::Read;
use samhw_streams::{Beat, Io};
use std::sync::Arc;

/// Answers. Channels: output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    array: Arc<Vec<u64>>,
    pair: bool,
    /// The word that was read from its line, and whether an answer ends with it.
    read: Option<(u64, bool)>,
    former: u64,
}

impl Lane {
    /// Creates the model in reset state, for an array in memory.
    pub fn new(read: Read, array: Arc<Vec<u64>>) -> Self {
        Self { array, pair: read == Read::Pair, read: None, former: 0 }
    }
    fn leaves(&self, io: &Io) -> Option<u64> {
        self.read.filter(|&(_, out)| !out || io.sent(0)).map(|r| r.0)
    }
    /// Returns true if a word can be taken at this edge.
    pub fn free(&self, io: &Io) -> bool {
        self.read.is_none() || self.leaves(io).is_some()
    }
    /// Simulates a clock edge with the word that is taken.
    pub fn clock(&mut self, io: &mut Io, taken: Option<Wanted>) {
        let free = self.free(io);
        if let Some(word) = self.leaves(io) {
            self.former = word;
        }
        if !free {
            return;
        }
        let word = |at: u64| self.array.get(at as usize).copied().unwrap_or(0);
        if let Some(w) = taken.filter(|w| w.two) {
            self.former = word(w.word);
        }
        self.read = taken.map(|w| (word(w.word + u64::from(w.two)), w.out));
        if let Some((word, true)) = self.read {
            io.put(0, if self.pair { Beat::pair(0, self.former, word) } else { Beat::data(0, word) });
        }
    }
}
