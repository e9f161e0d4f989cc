//! Model of `samhw_workspace_issue`: arrivals at an address to which a fold is under way wait next to the
//! others.

use super::level::{Arrival, End};
use crate::blocks::Queue;
use std::collections::VecDeque;

/// log2 of the arrivals that wait in the queue, as `PARK_LOG2` of `samhw_workspace_issue` says.
const PARK_LOG2: u32 = 4;

/// Most arrivals that one that waited and could go lets go first, as `AGE_W` of `samhw_workspace_issue` says.
const MOST_BEFORE: u8 = 7;

/// Where an arrival folds: bank and address.
type At = (u8, u32);

/// The stage in front of an operator of several cycles.
#[derive(Debug)]
pub(super) struct Issue {
    /// Arrivals that wait until what is under way to their address is there; the oldest is in a register.
    queue: Queue<Arrival>,
    oldest: Option<Arrival>,
    /// Arrivals that what waited has let go first.
    late: u8,
    /// Of each bank, how many wait.
    parked: Vec<u8>,
    /// Banks whose last arrival has been taken, until they are full.
    closed: u8,
    /// Where folds were of which the word is not known yet, per cycle, the oldest first.
    writes: VecDeque<Option<At>>,
    /// Banks whose last folds are under way, per cycle, the oldest first.
    marks: VecDeque<u8>,
}

/// The effects of a clock edge.
pub(super) struct Issued {
    /// The arrival that is folded.
    pub fold: Option<Arrival>,
    /// The bank whose last arrival was taken, and how its list ends.
    pub ended: Option<(u8, End)>,
    /// Banks of which all folds are done.
    pub complete: u8,
    /// Whether anything moved.
    pub moved: bool,
}

impl Issue {
    /// Creates the stage in front of an operator of `depth` cycles.
    pub fn new(depth: u32, banks: usize) -> Self {
        let depth = depth as usize;
        Self {
            queue: Queue::new(PARK_LOG2),
            oldest: None,
            late: 0,
            parked: vec![0; banks],
            closed: 0,
            writes: vec![None; depth].into(),
            marks: vec![0; depth + 3].into(),
        }
    }
    /// Simulates a clock edge: takes an arrival from `slot` unless its bank is one of `full`.
    #[inline]
    pub fn tick(&mut self, slot: &mut Option<Arrival>, full: u8) -> Issued {
        let blocked = full | self.closed;
        let busy = |a: &Arrival| self.writes.contains(&Some((a.bank, a.addr)));
        let here = slot.filter(|a| blocked >> a.bank & 1 == 0);
        let waits = here.filter(|a| a.update && !a.fresh && busy(a));
        let ready = self.oldest.filter(|a| !busy(a));
        let goes = here.filter(|_| waits.is_none() && (ready.is_none() || self.late < MOST_BEFORE));
        let again = ready.filter(|_| goes.is_none());
        let room = self.queue.room();
        let parks = waits.filter(|_| room);
        // What still waits makes way for the next.
        let turns = self.oldest.filter(|_| ready.is_none() && waits.is_none() && room);
        let (fold, taken) = (goes.or(again), goes.or(parks));

        let left = |a: &Arrival| self.parked[usize::from(a.bank)];
        let closes = match (goes, again) {
            (Some(a), _) => a.last && left(&a) == 0,
            (None, Some(a)) => self.closed >> a.bank & 1 == 1 && left(&a) == 1,
            (None, None) => false,
        };
        let mark = fold.filter(|_| closes).map_or(0, |a| 1 << a.bank);
        let mut moved = taken.is_some() || again.is_some() || self.marks.iter().any(|&m| m != 0);
        moved |= self.oldest.is_some() || self.writes.iter().any(Option::is_some);

        self.late = if again.is_some() { 0 } else { self.late + u8::from(ready.is_some()) };
        self.writes.pop_front();
        self.writes.push_back(fold.filter(|a| a.update).map(|a| (a.bank, a.addr)));
        let complete = self.marks.pop_front().unwrap_or_default();
        self.marks.push_back(mark);
        if let Some(a) = again {
            self.parked[usize::from(a.bank)] -= 1;
        }
        if again.or(turns).is_some() {
            self.oldest = None;
        }
        if self.oldest.is_none()
            && let Some(&a) = self.queue.head()
        {
            self.queue.pop();
            self.oldest = Some(a);
        }
        if let Some(a) = parks {
            self.parked[usize::from(a.bank)] += 1;
        }
        if let Some(a) = parks.or(turns) {
            self.queue.push(a);
        }
        moved |= self.queue.clock();
        let ended = taken.filter(|a| a.last).map(|a| (a.bank, a.end));
        self.closed = (self.closed | ended.map_or(0, |(bank, _)| 1 << bank)) & !complete;
        if taken.is_some() {
            *slot = None;
        }
        Issued { fold, ended, complete, moved }
    }
}
