//! Model of `samhw_axi_turn`, a round-robin arbiter.

use crate::blocks::Pick;

/// A round-robin arbiter.
#[derive(Debug, Clone)]
pub struct Turn {
    granted: Option<usize>,
    pick: Pick,
}

impl Turn {
    /// Creates the arbiter for this number of ports.
    pub fn new(ports: usize) -> Self {
        Self { granted: None, pick: Pick::new(ports) }
    }
    /// Returns the port chosen at the previous edge.
    pub fn granted(&self) -> Option<usize> {
        self.granted
    }
    /// Simulates a clock edge with the request of each port.
    pub fn clock(&mut self, wants: impl Fn(usize) -> bool) {
        self.granted = self.pick.pick(wants);
    }
    /// Simulates a clock edge at which no port can be chosen.
    pub fn rest(&mut self) {
        self.granted = None;
    }
}
