//! Model of `samhw_axi_bounds`.

/// Watches pairs of segments.
#[derive(Debug, Clone)]
pub struct Bounds {
    limit: u64,
    /// Begin and end of the fiber that was told.
    taken: Option<(u64, u64)>,
    wrong: bool,
}

impl Bounds {
    /// After reset, of fibers in an array of `limit` words.
    pub fn new(limit: u64) -> Self {
        Self { limit, taken: None, wrong: false }
    }
    /// A fiber ended before it began, or beyond the array.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// The edge. `told`: begin and end of a fiber that are taken.
    pub fn clock(&mut self, told: Option<(u64, u64)>) {
        self.wrong |= self.taken.is_some_and(|(begin, end)| end < begin || end > self.limit);
        self.taken = told;
    }
}
