//! Model of `samhw_axi_write_mux`, which shares the write channels of a manager.

use super::{Burst, BusError, Elastic, Turn, WriteLine};

/// The signals that memory drives on the write channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteBus {
    /// Whether memory accepts an address.
    pub aw_ready: bool,
    /// Whether memory accepts a line.
    pub w_ready: bool,
    /// A response: ID and code.
    pub b: Option<(u64, u64)>,
}

/// The shared write channels of a manager.
#[derive(Debug, Clone)]
pub struct WriteMux {
    turn: Turn,
    aw: Elastic<Burst>,
    w: Elastic<WriteLine>,
    /// Whose lines go by, and how many after the next one.
    current: Option<usize>,
    left: u64,
    ack: Option<usize>,
    open: u16,
    error: Option<BusError>,
}

impl WriteMux {
    /// Creates the model for this number of writers.
    pub fn new(writers: usize) -> Self {
        let (aw, w) = (Elastic::default(), Elastic::default());
        Self { turn: Turn::new(writers), aw, w, current: None, left: 0, ack: None, open: 0, error: None }
    }
    /// Returns the writer whose burst is accepted.
    pub fn granted(&self) -> Option<usize> {
        self.turn.granted()
    }
    /// Returns the writer whose line is accepted, if it has one.
    pub fn takes(&self) -> Option<usize> {
        self.current.filter(|_| self.w.room())
    }
    /// Returns the writer whose burst was written.
    pub fn ack(&self) -> Option<usize> {
        self.ack
    }
    /// Returns the address offered to memory.
    pub fn aw(&self) -> Option<Burst> {
        self.aw.head()
    }
    /// Returns the line offered to memory.
    pub fn w(&self) -> Option<WriteLine> {
        self.w.head()
    }
    /// Returns the first error.
    pub fn error(&self) -> Option<BusError> {
        self.error
    }
    /// Returns whether no burst is in progress.
    pub fn idle(&self) -> bool {
        self.open == 0 && self.granted().is_none() && self.ack.is_none()
    }
    /// Simulates a clock edge; `store` and `line` return what writer k offers.
    pub fn clock(
        &mut self,
        store: impl Fn(usize) -> Option<Burst>,
        line: impl Fn(usize) -> Option<WriteLine>,
        stop: bool,
        bus: &WriteBus,
    ) {
        let granted = self.granted();
        let begins = granted.and_then(|k| store(k).map(|b| Burst { id: k as u64, ..b }));
        if granted.is_none() && self.current.is_none() && self.aw.room() && !stop {
            self.turn.clock(|k| store(k).is_some());
        } else {
            self.turn.rest();
        }
        let leaves = bus.aw_ready && !self.aw.is_empty();
        self.aw.clock(begins, leaves);
        let last = self.left == 0;
        let moves = self.takes().and_then(line).map(|l| WriteLine { last, ..l });
        let leaves = bus.w_ready && !self.w.is_empty();
        self.w.clock(moves, leaves);
        if let Some(burst) = begins {
            (self.current, self.left) = (granted, burst.len);
        } else if moves.is_some() {
            self.current = self.current.filter(|_| !last);
            self.left = self.left.wrapping_sub(1) & 0xff;
        }
        self.open = self.open.wrapping_add(u16::from(granted.is_some())).wrapping_sub(u16::from(bus.b.is_some()));
        self.ack = bus.b.map(|(id, _)| id as usize);
        self.error = self.error.or_else(|| bus.b.and_then(|(id, resp)| BusError::of(resp, id)));
    }
}
