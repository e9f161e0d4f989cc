//! Model of `samhw_axi_order`, which checks the order of coordinates in a fiber.

use crate::blocks::Queue;

/// log2 of the number of requests that can wait for the first coordinate of their answers.
pub const WAIT_LOG2: u32 = 4;

/// The condition on the words of a fiber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fiber {
    /// Coordinates increase strictly.
    Rises,
    /// Coordinates do not decrease.
    Repeats,
    /// Bit-vector words have no bits beyond the size; the number is log2 of their width.
    Bits(u32),
}

impl Fiber {
    /// Returns the value of the module's parameter.
    pub fn kind(self) -> u32 {
        match self {
            Self::Rises => 0,
            Self::Repeats => 1,
            Self::Bits(_) => 2,
        }
    }
}

/// A word that was taken: it begins a fiber, ends it, it, the one before it.
#[derive(Debug, Clone, Copy)]
struct TakenWord {
    first: bool,
    last: bool,
    crd: u64,
    before: u64,
}

/// A check of coordinates that are read fiber by fiber.
#[derive(Debug, Clone)]
pub struct Order {
    fiber: Fiber,
    limit: u64,
    asked: Queue<u64>,
    /// Number of coordinates left in the current fiber.
    left: u64,
    taken: Option<TakenWord>,
    latest: u64,
    wrong: bool,
}

impl Order {
    /// Creates the check in reset state, for a dimension of size `limit`.
    pub fn new(fiber: Fiber, limit: u64) -> Self {
        Self { fiber, limit, asked: Queue::new(WAIT_LOG2), left: 0, taken: None, latest: 0, wrong: false }
    }
    /// Returns whether a coordinate was too large or out of order.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// Simulates a clock edge. `asked`: length of a request that is taken; `told`: a coordinate that is taken.
    pub fn clock(&mut self, asked: Option<u64>, told: Option<u64>) {
        if let Some(TakenWord { first, last, crd, before }) = self.taken {
            self.wrong |= match self.fiber {
                Fiber::Rises => crd >= self.limit || !first && crd <= before,
                Fiber::Repeats => crd >= self.limit || !first && crd < before,
                Fiber::Bits(log2) => {
                    let used = self.limit % (1 << log2);
                    last && used != 0 && crd >> used != 0
                }
            };
        }
        let first = self.left == 0;
        let len = if first { self.asked.head().copied().unwrap_or(1) } else { self.left };
        self.taken = told.map(|crd| TakenWord { first, last: len == 1, crd, before: self.latest });
        self.latest = told.unwrap_or(self.latest);
        if told.is_some() {
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
