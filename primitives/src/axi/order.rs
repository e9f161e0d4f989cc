//! Model of `samhw_axi_order`.

use crate::blocks::Queue;

/// log2 of the requests that wait for the first coordinate of their answers.
pub const WAIT_LOG2: u32 = 4;

/// What holds within a fiber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fiber {
    /// Coordinates rise.
    Rises,
    /// They do not fall.
    Repeats,
    /// Words of bit vectors have no bits beyond the size: log2 of their bits.
    Bits(u32),
}

impl Fiber {
    /// The module's parameter.
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

/// Watches coordinates.
#[derive(Debug, Clone)]
pub struct Order {
    fiber: Fiber,
    limit: u64,
    asked: Queue<u64>,
    /// How many coordinates of the fiber at hand are left.
    left: u64,
    taken: Option<TakenWord>,
    latest: u64,
    wrong: bool,
}

impl Order {
    /// After reset, of a dimension of size `limit`.
    pub fn new(fiber: Fiber, limit: u64) -> Self {
        Self { fiber, limit, asked: Queue::new(WAIT_LOG2), left: 0, taken: None, latest: 0, wrong: false }
    }
    /// A coordinate was too large or did not rise.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// The edge. `asked`: length of a request that is taken; `told`: a coordinate that is taken.
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
