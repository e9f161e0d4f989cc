//! Model of `samhw_skip_buffer`: the pairs of groups that were asked for, and the next one.

use super::super::BUFFER_LOG2;
use super::give::FiberStep;
use super::look::Seen;
use super::need::Need;
use crate::scan::scanner_wide::Group;
use std::cmp::Ordering;

const SLOTS: usize = 1 << BUFFER_LOG2;

/// The next pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Front {
    pub pair: [u64; 2],
    /// The highest lane of either group.
    largest: [u64; 2],
    pub place: u64,
    /// Coordinates of its fiber from it on.
    pub left: u64,
    /// Whether a group is not needed, as compared a cycle ago.
    pub low: [bool; 2],
    /// Whether nothing beyond a group is needed.
    pub high: [bool; 2],
}

impl Front {
    /// The front with what `need` says of it.
    fn compared(self, need: &Need) -> Self {
        Self {
            low: self.largest.map(|crd| crd < need.lowest),
            high: self.largest.map(|crd| need.cap.is_some_and(|cap| crd >= cap)),
            ..self
        }
    }
}

/// Registers that change from cycle to cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BufferState {
    /// Pairs that were reserved, that came, and that went to the front or were passed over, since reset.
    asked: u64,
    come: u64,
    loaded: u64,
    /// There is room for one more, as of a cycle ago.
    credit: bool,
    /// A pair was reserved a cycle ago.
    noted: bool,
    /// All was passed over a cycle ago.
    passed: bool,
    front: Option<Front>,
    /// A cycle ago there was a front, and of the same fiber.
    known: bool,
}

#[derive(Debug)]
pub(super) struct Buffer {
    group: Group,
    pairs: [[u64; 2]; SLOTS],
    /// Place of a pair, and coordinates of its fiber from there on.
    about: [[u64; 2]; SLOTS],
    now: BufferState,
}

impl Buffer {
    pub(super) fn new(group: Group) -> Self {
        let (noted, passed, known) = (false, false, false);
        let now = BufferState { asked: 0, come: 0, loaded: 0, credit: true, noted, passed, front: None, known };
        Self { group, pairs: [[0; 2]; SLOTS], about: [[0; 2]; SLOTS], now }
    }
    pub(super) fn front(&self) -> Option<&Front> {
        self.now.front.as_ref()
    }
    /// Returns whether there is room for one more.
    pub(super) fn credit(&self) -> bool {
        self.now.credit
    }
    /// Returns whether pairs have come behind the front.
    pub(super) fn some(&self) -> bool {
        self.now.come > self.now.loaded
    }

    /// What is at the front after this edge, and how many pairs went there; `arrived`: the pair that comes.
    fn advance(
        &self,
        need: &Need,
        step: &FiberStep,
        seen: &Seen,
        current: bool,
        arrived: Option<[u64; 2]>,
    ) -> (Option<Front>, u64) {
        let now = &self.now;
        let load = |from: u64| {
            let slot = from as usize % SLOTS;
            let pair = match now.come.cmp(&from) {
                Ordering::Greater => Some(self.pairs[slot]),
                Ordering::Equal => arrived,
                Ordering::Less => None,
            };
            let [place, left] = self.about[slot];
            let front = |pair: [u64; 2]| {
                let largest = pair.map(|group| self.group.largest(group));
                Front { pair, largest, place, left, low: [false; 2], high: [false; 2] }.compared(need)
            };
            (pair.map(front), from + u64::from(pair.is_some()))
        };
        let (front, loaded) = match now.front {
            _ if step.drops() && current => (None, now.asked),
            // Behind what is left of the fiber; what is there is known from the second cycle on.
            Some(f) if step.drops() => match (f.left - 1) / (2 << self.group.wide_log2) {
                more if more > 0 && !now.known => (None, now.loaded + more),
                more => load(now.loaded + more),
            },
            _ if seen.leap.is_some() => (None, now.asked),
            _ if seen.sweep => (None, now.come),
            // What was asked for in the cycle in which all was passed over goes, too.
            front if now.passed && now.noted => (front, now.loaded + 1),
            _ if step.through => load(now.loaded),
            None => load(now.loaded),
            front => (front.map(|f| f.compared(need)), now.loaded),
        };
        // What is needed of the next fiber is not known yet.
        let fresh = |f: Front| Front { low: [false; 2], high: [false; 2], ..f };
        (if step.leave { front.map(fresh) } else { front }, loaded)
    }

    /// Clocks the registers; `reserved`: place of a pair that is requested, and coordinates of its fiber from there
    /// on. Returns whether anything changed.
    pub(super) fn clock(
        &mut self,
        need: &Need,
        step: &FiberStep,
        seen: &Seen,
        current: bool,
        reserved: Option<[u64; 2]>,
        arrived: Option<[u64; 2]>,
    ) -> bool {
        let (front, loaded) = self.advance(need, step, seen, current, arrived);
        let before = self.now;
        let slot = |at: u64| at as usize % SLOTS;
        if let Some(about) = reserved {
            self.about[slot(before.asked)] = about;
        }
        if let Some(pair) = arrived {
            self.pairs[slot(before.come)] = pair;
        }
        self.now = BufferState {
            asked: before.asked + u64::from(reserved.is_some()),
            come: before.come + u64::from(arrived.is_some()),
            loaded,
            credit: before.asked - before.loaded < SLOTS as u64 - 1,
            noted: reserved.is_some(),
            passed: step.drops() && current || seen.leap.is_some(),
            front,
            known: before.front.is_some() && !step.drops(),
        };
        before != self.now
    }
}
