//! Model of `samhw_axi_turn`.

use crate::blocks::Pick;

/// Whose turn it is.
#[derive(Debug, Clone)]
pub struct Turn {
    granted: Option<usize>,
    pick: Pick,
}

impl Turn {
    /// Among so many ports.
    pub fn new(ports: usize) -> Self {
        Self { granted: None, pick: Pick::new(ports) }
    }
    /// Who was chosen at the edge before.
    pub fn granted(&self) -> Option<usize> {
        self.granted
    }
    /// The edge, with what each port wants.
    pub fn clock(&mut self, wants: impl Fn(usize) -> bool) {
        self.granted = self.pick.pick(wants);
    }
    /// The edge, where nobody can be chosen.
    pub fn rest(&mut self) {
        self.granted = None;
    }
}
