//! Model of `samhw_axi_order`.

use crate::blocks::Queue;

/// log2 of the requests that wait for the first coordinate of their answers.
pub const WAIT_LOG2: u32 = 4;

/// A coordinate that was taken: it begins a fiber, it, the one before it.
type Taken = (bool, u64, u64);

/// Watches coordinates.
#[derive(Debug, Clone)]
pub struct Order {
    /// Neighbours may be equal.
    repeats: bool,
    limit: u64,
    asked: Queue<u64>,
    /// How many coordinates of the fiber at hand are left.
    left: u64,
    taken: Option<Taken>,
    latest: u64,
    wrong: bool,
}

impl Order {
    /// After reset, of a dimension of size `limit`; `repeats`: neighbours may be equal.
    pub fn new(repeats: bool, limit: u64) -> Self {
        Self { repeats, limit, asked: Queue::new(WAIT_LOG2), left: 0, taken: None, latest: 0, wrong: false }
    }
    /// A coordinate was too large or did not rise.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// The edge. `asked`: length of a request that is taken; `told`: a coordinate that is taken.
    pub fn clock(&mut self, asked: Option<u64>, told: Option<u64>) {
        if let Some((first, crd, before)) = self.taken {
            let falls = if self.repeats { crd < before } else { crd <= before };
            self.wrong |= crd >= self.limit || !first && falls;
        }
        let first = self.left == 0;
        self.taken = told.map(|crd| (first, crd, self.latest));
        self.latest = told.unwrap_or(self.latest);
        if told.is_some() {
            let len = if first { self.asked.head().copied().unwrap_or(1) } else { self.left };
            self.left = len - 1;
            if first && self.asked.head().is_some() {
                self.asked.pop();
            }
        }
        if let Some(len) = asked.filter(|_| self.asked.room()) {
            self.asked.push(len);
        }
        self.asked.clock();
    }
}
