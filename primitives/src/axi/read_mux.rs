//! Model of `samhw_axi_read_mux`, which shares the read channels of a manager.

use super::{Burst, BusError, Elastic, Turn};

/// The signals that memory drives on the read channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadBus {
    /// Whether memory accepts an address.
    pub ar_ready: bool,
    /// A line: ID, response, and whether it is the last of its burst.
    pub r: Option<(u64, u64, bool)>,
}

/// The shared read channels of a manager.
#[derive(Debug, Clone)]
pub struct ReadMux {
    turn: Turn,
    ar: Elastic<Burst>,
    open: u16,
    data: Option<usize>,
    error: Option<BusError>,
}

impl ReadMux {
    /// Creates the model for this number of readers.
    pub fn new(readers: usize) -> Self {
        Self { turn: Turn::new(readers), ar: Elastic::default(), open: 0, data: None, error: None }
    }
    /// Returns the reader whose burst is accepted.
    pub fn granted(&self) -> Option<usize> {
        self.turn.granted()
    }
    /// Returns the reader that receives a line.
    pub fn data(&self) -> Option<usize> {
        self.data
    }
    /// Returns the address offered to memory.
    pub fn ar(&self) -> Option<Burst> {
        self.ar.head()
    }
    /// Returns the first error.
    pub fn error(&self) -> Option<BusError> {
        self.error
    }
    /// Returns whether no burst is in progress.
    pub fn idle(&self) -> bool {
        self.open == 0 && self.granted().is_none() && self.data.is_none()
    }
    /// Simulates a clock edge; `fetch` returns the burst that reader k requests.
    pub fn clock(&mut self, fetch: impl Fn(usize) -> Option<Burst>, stop: bool, bus: &ReadBus) {
        let granted = self.granted();
        let asked = granted.and_then(|k| fetch(k).map(|b| Burst { id: k as u64, ..b }));
        if granted.is_none() && self.ar.room() && !stop {
            self.turn.clock(|k| fetch(k).is_some());
        } else {
            self.turn.rest();
        }
        let leaves = bus.ar_ready && !self.ar.is_empty();
        self.ar.clock(asked, leaves);
        let last = bus.r.is_some_and(|(_, _, last)| last);
        self.open = self.open.wrapping_add(u16::from(granted.is_some())).wrapping_sub(u16::from(last));
        self.data = bus.r.map(|(id, _, _)| id as usize);
        self.error = self.error.or_else(|| bus.r.and_then(|(id, resp, _)| BusError::of(resp, id)));
    }
}
