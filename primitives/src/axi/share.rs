//! Model of `samhw_axi_share`, which fetches lines once for several adapters.

use super::{Burst, Turn};
use crate::blocks::Queue;

/// log2 of the cycles that the unit waits for an adapter without requests.
pub const SHARE_WAIT_LOG2: u32 = 10;
/// log2 of the bursts that are on their way at once.
const OPEN_LOG2: u32 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Choose,
    Compare,
    Ask,
    Give,
}

/// A unit that shares the fetches of several adapters of one array.
#[derive(Debug, Clone)]
pub struct Share {
    wait: u64,
    step: Doing,
    turn: Turn,
    ask: Burst,
    asks: bool,
    same: Vec<bool>,
    offers: Vec<bool>,
    late: Vec<bool>,
    all: bool,
    seen: bool,
    waited: u64,
    granted: Vec<bool>,
    /// Whose the bursts on their way are, with their lines, less one each.
    open: Queue<(Vec<bool>, u64)>,
    past: u64,
    data: Vec<bool>,
}

impl Share {
    /// Creates the model for this number of adapters; an adapter without requests for `2**wait_log2` cycles is late.
    pub fn new(adapters: usize, wait_log2: u32) -> Self {
        let none = vec![false; adapters];
        Self {
            wait: (1 << wait_log2) - 1,
            step: Doing::Choose,
            turn: Turn::new(adapters),
            ask: Burst::default(),
            asks: false,
            same: none.clone(),
            offers: none.clone(),
            late: none.clone(),
            all: false,
            seen: false,
            waited: 0,
            granted: none.clone(),
            open: Queue::new(OPEN_LOG2),
            past: 0,
            data: none,
        }
    }
    /// Returns the requested burst.
    pub fn fetch(&self) -> Option<Burst> {
        self.asks.then_some(self.ask)
    }
    /// Returns whether the burst of adapter `k` is accepted.
    pub fn granted(&self, k: usize) -> bool {
        self.granted[k]
    }
    /// Returns whether the current line is for adapter `k`.
    pub fn data(&self, k: usize) -> bool {
        self.data[k]
    }

    /// Simulates a clock edge. `fetch` is what adapter k offers; `ready`: its own is taken; `line`: a line comes.
    pub fn clock(&mut self, fetch: impl Fn(usize) -> Option<Burst>, ready: bool, line: bool) {
        let n = self.same.len();
        let over = self.waited == self.wait;
        let go = self.seen && (self.all || over) && self.open.room();
        let asks = self.asks && ready;
        let chosen = self.turn.granted();

        self.data.fill(false);
        if line && let Some((whose, more)) = self.open.head() {
            self.data.clone_from(whose);
            let ends = self.past == *more;
            self.past = if ends { 0 } else { self.past + 1 };
            if ends {
                self.open.pop();
            }
        }
        if asks {
            self.open.push((self.same.clone(), self.ask.len));
        }
        self.open.clock();
        self.granted.fill(false);
        if asks {
            self.granted.clone_from(&self.same);
        }
        if go {
            let waited = !self.all;
            self.late.iter_mut().zip(&self.offers).for_each(|(late, offers)| *late = (*late || waited) && !offers);
        }
        let comparing = self.step == Doing::Compare;
        if comparing && !go {
            self.same = (0..n).map(|k| fetch(k) == Some(self.ask)).collect();
            self.offers = (0..n).map(|k| fetch(k).is_some()).collect();
            self.all = self.offers.iter().zip(&self.late).all(|(offers, late)| *offers || *late);
        }
        self.seen = comparing && !go;
        self.waited = if comparing { self.wait.min(self.waited + 1) } else { 0 };
        self.asks = go || self.asks && !ready;
        if self.step == Doing::Choose && chosen.is_none() {
            self.turn.clock(|k| fetch(k).is_some());
        } else {
            self.turn.rest();
        }
        if let Some(burst) = chosen.and_then(fetch) {
            self.ask = burst;
        }
        self.step = match self.step {
            Doing::Choose if chosen.is_some() => Doing::Compare,
            Doing::Compare if go => Doing::Ask,
            Doing::Ask if asks => Doing::Give,
            Doing::Give => Doing::Choose,
            same => same,
        };
    }
}
