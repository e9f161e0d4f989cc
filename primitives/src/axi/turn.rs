//! Model of `samhw_axi_turn`.

/// Whose turn it is.
#[derive(Debug, Clone)]
pub struct Turn {
    ports: usize,
    granted: Option<usize>,
    /// Ports from this one on come first.
    behind: usize,
}

impl Turn {
    /// Among so many ports.
    pub fn new(ports: usize) -> Self {
        Self { ports, granted: None, behind: ports }
    }
    /// Who was chosen at the edge before.
    pub fn granted(&self) -> Option<usize> {
        self.granted
    }
    /// The edge, with what each port wants.
    pub fn clock(&mut self, wants: impl Fn(usize) -> bool) {
        let pick = (self.behind..self.ports).find(|&k| wants(k)).or_else(|| (0..self.ports).find(|&k| wants(k)));
        self.granted = pick;
        self.behind = pick.map_or(self.behind, |k| k + 1);
    }
    /// The edge, where nobody can be chosen.
    pub fn rest(&mut self) {
        self.granted = None;
    }
}
