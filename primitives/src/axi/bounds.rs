//! Model of `samhw_axi_bounds`.

/// A check of pairs of segments.
#[derive(Debug, Clone)]
pub struct Bounds {
    limit: u64,
    /// Begin and end of the fiber that was told.
    taken: Option<(u64, u64)>,
    wrong: bool,
}

impl Bounds {
    /// Creates the check in reset state, for fibers in an array of `limit` words.
    pub fn new(limit: u64) -> Self {
        Self { limit, taken: None, wrong: false }
    }
    /// Returns whether a fiber ended before its start or beyond the array.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// Simulates a clock edge. `told`: begin and end of a fiber that are taken.
    pub fn clock(&mut self, told: Option<(u64, u64)>) {
        self.wrong |= self.taken.is_some_and(|(begin, end)| end < begin || end > self.limit);
        self.taken = told;
    }
}
