//! Model of `samhw_axi_read_mux`.

use super::{Burst, BusError, Elastic, Turn};

/// What memory drives on the read channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadBus {
    /// Takes an address.
    pub ar_ready: bool,
    /// A line: ID, response, whether it is the last one of its burst.
    pub r: Option<(u64, u64, bool)>,
}

/// The read channels, shared.
#[derive(Debug, Clone)]
pub struct ReadMux {
    turn: Turn,
    ar: Elastic<Burst>,
    open: u16,
    data: Option<usize>,
    error: Option<BusError>,
}

impl ReadMux {
    /// Among so many readers.
    pub fn new(readers: usize) -> Self {
        Self { turn: Turn::new(readers), ar: Elastic::default(), open: 0, data: None, error: None }
    }
    /// The reader whose fetch is taken.
    pub fn granted(&self) -> Option<usize> {
        self.turn.granted()
    }
    /// The reader that a line is for.
    pub fn data(&self) -> Option<usize> {
        self.data
    }
    /// The address that is offered to memory.
    pub fn ar(&self) -> Option<Burst> {
        self.ar.head()
    }
    /// The first error.
    pub fn error(&self) -> Option<BusError> {
        self.error
    }
    /// No burst is on its way.
    pub fn idle(&self) -> bool {
        self.open == 0 && self.granted().is_none() && self.data.is_none()
    }
    /// The edge: `fetch` is what reader k offers.
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
