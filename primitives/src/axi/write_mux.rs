//! Model of `samhw_axi_write_mux`.

use super::{Burst, BusError, Elastic, Turn, WriteLine};

/// What memory drives on the write channels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteBus {
    /// Takes an address.
    pub aw_ready: bool,
    /// Takes a line.
    pub w_ready: bool,
    /// A response: ID, code.
    pub b: Option<(u64, u64)>,
}

/// The write channels, shared.
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
    /// Among so many writers.
    pub fn new(writers: usize) -> Self {
        let (aw, w) = (Elastic::default(), Elastic::default());
        Self { turn: Turn::new(writers), aw, w, current: None, left: 0, ack: None, open: 0, error: None }
    }
    /// The writer whose store is taken.
    pub fn granted(&self) -> Option<usize> {
        self.turn.granted()
    }
    /// The writer whose line is taken, if it has one.
    pub fn takes(&self) -> Option<usize> {
        self.current.filter(|_| self.w.room())
    }
    /// The writer whose burst was written.
    pub fn ack(&self) -> Option<usize> {
        self.ack
    }
    /// The address that is offered to memory.
    pub fn aw(&self) -> Option<Burst> {
        self.aw.head()
    }
    /// The line that is offered to memory.
    pub fn w(&self) -> Option<WriteLine> {
        self.w.head()
    }
    /// The first error.
    pub fn error(&self) -> Option<BusError> {
        self.error
    }
    /// No burst is on its way.
    pub fn idle(&self) -> bool {
        self.open == 0 && self.granted().is_none() && self.ack.is_none()
    }
    /// The edge: `store` and `line` are what writer k offers.
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
