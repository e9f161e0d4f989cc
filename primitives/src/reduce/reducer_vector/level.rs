//! One level of the workspace's occupancy bitmap that lives in RAM: model of
//! `samhw_workspace_level` and `samhw_workspace_vast_level`, and what flows through the levels.

use super::word_walk::{WordStep, WordWalk};
use std::collections::VecDeque;

/// The end of a list on the output: the stop its last leaf carries, or, if it holds nothing, its NIL; with
/// hole 0 it is DONE.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct End {
    pub hole: u8,
    pub stop: u8,
}

/// An input beat on its way down to the values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub bank: u8,
    pub addr: u32,
    pub val: u64,
    /// Carries a value.
    pub update: bool,
    /// First of its list to touch what it meets: memory there is stale.
    pub fresh: bool,
    /// Last beat of its list.
    pub last: bool,
    pub end: End,
}

/// A word to be read on the way out, or, with `none`, the notice of a list without any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub bank: u8,
    pub word: u32,
    pub none: bool,
    /// Last of its list at this level.
    pub last: bool,
}

/// Bitmap words of all banks, the stages of the way down and the buffer behind them, and the walk on the way out.
#[derive(Debug)]
pub(super) struct Level {
    /// log2 of the bits of a word.
    bit_w: u32,
    /// Address bits below this level's.
    low: u32,
    /// Words of one bank.
    depth: usize,
    /// The RAM's answer is a register before anything is chosen.
    late: bool,
    words: Vec<u64>,
    /// Banks whose list has arrived and waits for the way out, one bit each.
    full: u8,
    s1: Option<Arrival>,
    s2: Option<Arrival>,
    s3: Option<Arrival>,
    /// Arrivals that wait for the level below, two at most.
    below: VecDeque<Arrival>,
    /// An item that found no place.
    waiting: Option<Visit>,
    /// A word that is read, one that was, and those that wait for the walk: two at most if it is late, else one.
    asked: Option<(Visit, u64)>,
    fetched: Option<(Visit, u64)>,
    next: VecDeque<(Visit, u64)>,
    walk: WordWalk<Visit>,
}

impl Level {
    pub fn new(bit_w: u32, low: u32, depth: usize, banks: usize, late: bool) -> Self {
        Self {
            bit_w,
            low,
            depth,
            late,
            words: vec![0; depth * banks],
            full: 0,
            s1: None,
            s2: None,
            s3: None,
            below: VecDeque::with_capacity(2),
            waiting: None,
            asked: None,
            fetched: None,
            next: VecDeque::with_capacity(2),
            walk: WordWalk::new(),
        }
    }
    /// The item on offer to the level below.
    #[inline]
    pub fn offer(&self) -> Option<Visit> {
        let WordStep { of, index, over } = self.walk.offer()?;
        Some(Visit { word: of.word << self.bit_w | index, last: of.last && over, ..of })
    }
    /// Slot for the next arrival.
    #[inline]
    pub fn entry(&mut self) -> &mut Option<Arrival> {
        &mut self.s1
    }
    /// Simulates a clock edge. `below` is the slot of the level below, already clocked; `sent`: it took the offer;
    /// `offered` comes from above. Returns (offered was taken, anything moved).
    #[inline]
    pub fn tick(&mut self, below: &mut Option<Arrival>, sent: bool, offered: Option<Visit>) -> (bool, bool) {
        let full = self.full;
        let room = self.below.len() < 2;
        let out = if self.late { &mut self.s3 } else { &mut self.s2 };
        let mut moved = room && out.is_some();
        if below.is_none() {
            *below = self.below.pop_front();
            moved |= below.is_some();
        }
        if room && let Some(arrival) = out.take() {
            self.below.push_back(arrival);
        }
        if self.late && self.s3.is_none() {
            self.s3 = self.s2.take();
            moved |= self.s3.is_some();
        }
        if let (None, Some(mut a)) = (self.s2, self.s1.filter(|a| full >> a.bank & 1 == 0)) {
            if a.update {
                let word =
                    &mut self.words[usize::from(a.bank) * self.depth + (a.addr >> (self.low + self.bit_w)) as usize];
                let bit = 1 << (a.addr >> self.low & ((1 << self.bit_w) - 1));
                let old = if a.fresh { 0 } else { *word };
                *word = old | bit;
                a.fresh = old & bit == 0;
            }
            self.full |= u8::from(a.last) << a.bank;
            self.s2 = Some(a);
            self.s1 = None;
            moved = true;
        }
        moved |= self.walk.tick(sent);
        moved |= self.asked.is_some() || self.fetched.is_some();
        self.next.extend(self.fetched.take());
        self.fetched = self.asked.take();
        let ready = self.walk.ready();
        if ready && let Some((item, bits)) = self.next.pop_front() {
            self.walk.put(item, bits);
            moved = true;
        }
        let room =
            if self.late { self.next.len() + usize::from(self.fetched.is_some()) < 2 } else { self.next.is_empty() };
        let taken = offered.filter(|_| self.waiting.is_none());
        let item = self.waiting.or(taken);
        let read = item.filter(|i| room && full >> i.bank & 1 == 1);
        self.waiting = if read.is_some() { None } else { item };
        if let Some(item) = read {
            self.full &= !(u8::from(item.last) << item.bank);
            let at = usize::from(item.bank) * self.depth + item.word as usize;
            let slot = if self.late { &mut self.asked } else { &mut self.fetched };
            *slot = Some((item, if item.none { 0 } else { self.words[at] }));
        }
        (taken.is_some(), moved | taken.is_some() | read.is_some())
    }
}
