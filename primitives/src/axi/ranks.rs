//! Model of `samhw_axi_ranks`, which checks the ranks of bit-vector words.

use super::WAIT_LOG2;
use crate::blocks::Queue;

/// A place that was read: its number, its rank, the rank at its end.
type Place = (u64, u64, u64);

/// A check of ranks against the words of bit vectors.
#[derive(Debug, Clone)]
pub struct Ranks {
    bursts: bool,
    word: Option<u64>,
    ones: Queue<u64>,
    ranks: Queue<u64>,
    asked: Queue<(u64, u64)>,
    /// Next place of the current burst, and how many are left of it.
    burst: Option<(u64, u64)>,
    come: Option<Place>,
    at: Option<Place>,
    wrong: bool,
}

impl Ranks {
    /// Creates the check in reset state; `bursts` says that requests have a length.
    pub fn new(bursts: bool) -> Self {
        let queue = || Queue::new(WAIT_LOG2);
        let asked = Queue::new(WAIT_LOG2);
        let (burst, come, at) = (None, None, None);
        Self { bursts, word: None, ones: queue(), ranks: queue(), asked, burst, come, at, wrong: false }
    }
    /// Returns whether a rank contradicted the previous word.
    pub fn wrong(&self) -> bool {
        self.wrong
    }
    /// Simulates a clock edge. `asked`: place and length (of bursts) of a request; `word`, `rank`: answers.
    pub fn clock(&mut self, asked: Option<(u64, u64)>, word: Option<u64>, rank: Option<u64>) {
        if let Some(now @ (place, rank, end)) = self.come.take() {
            let before = self.at.is_some_and(|(at, at_rank, at_end)| match place {
                _ if place == at => rank != at_rank,
                _ if place == at + 1 => rank != at_end,
                _ if place > at => rank < at_end,
                _ => end > at_rank,
            });
            self.wrong |= place == 0 && rank != 0 || before;
            self.at = Some(now);
        }
        if let (Some(&ones), Some(&rank)) = (self.ones.head(), self.ranks.head()) {
            self.ones.pop();
            self.ranks.pop();
            let (place, len) = self.burst.unwrap_or_else(|| {
                let request = self.asked.head().copied();
                if request.is_some() {
                    self.asked.pop();
                }
                request.unwrap_or((0, 1))
            });
            self.burst = (len != 1).then(|| (place + 1, len - 1));
            self.come = Some((place, rank, rank + ones));
        }
        if let Some(word) = self.word.take().filter(|_| self.ones.room()) {
            self.ones.push(u64::from(word.count_ones()));
        }
        self.word = word;
        if let Some(rank) = rank.filter(|_| self.ranks.room()) {
            self.ranks.push(rank);
        }
        if let Some((place, len)) = asked.filter(|_| self.asked.room()) {
            self.asked.push((place, if self.bursts { len } else { 1 }));
        }
        self.ones.clock();
        self.ranks.clock();
        self.asked.clock();
    }
}
