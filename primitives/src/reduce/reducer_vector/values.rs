//! The workspace's values and its output queue: model of `samhw_workspace_values`.

use super::issue::Issue;
use super::level::{Arrival, End, Visit};
use crate::blocks::Fold;
use samhw_streams::Beat;
use std::collections::VecDeque;

/// Values of all banks, and up to three beats on the way out with what is in the output register.
#[derive(Debug)]
pub(super) struct Values {
    op: Fold,
    val_w: u32,
    signed: bool,
    depth: usize,
    words: Vec<u64>,
    ends: Vec<End>,
    full: u8,
    s1: Option<Arrival>,
    /// With an operator of several cycles: what is in front of it.
    issue: Option<Issue>,
    /// With a program: cycles until what was taken is in its word, and the banks that are complete then.
    running: u64,
    ending: u8,
    fetched: Option<Beat>,
    answered: Option<Beat>,
    /// Beats behind the output register.
    behind: VecDeque<Beat>,
    /// An item that found no place.
    waiting: Option<Visit>,
}

impl Values {
    pub fn new(op: Fold, val_w: u32, signed: bool, depth: usize, banks: usize) -> Self {
        Self {
            op,
            val_w,
            signed,
            depth,
            words: vec![0; depth * banks],
            ends: vec![End::default(); banks],
            full: 0,
            s1: None,
            issue: op.pipelined().map(|p| Issue::new(p.depth, banks)),
            running: 0,
            ending: 0,
            fetched: None,
            answered: None,
            behind: VecDeque::with_capacity(2),
            waiting: None,
        }
    }
    /// Slot for the next arrival.
    #[inline]
    pub fn entry(&mut self) -> &mut Option<Arrival> {
        &mut self.s1
    }
    /// Simulates a clock edge. `out` is the output register, already empty if its beat left; `offered` comes from
    /// above. Returns (offered was taken, anything moved).
    #[inline]
    pub fn tick(&mut self, out: &mut Option<Beat>, offered: Option<Visit>) -> (bool, bool) {
        let full = self.full;
        let mut moved = self.fold();
        let held = [out.is_some(), self.fetched.is_some(), self.answered.is_some()].map(usize::from);
        let room = held.iter().sum::<usize>() + self.behind.len() < 3;
        moved |= self.fetched.is_some() || self.answered.is_some() || out.is_none() && !self.behind.is_empty();
        if let Some(beat) = self.answered.take() {
            self.behind.push_back(beat);
        }
        if out.is_none() {
            *out = self.behind.pop_front();
        }
        self.answered = self.fetched.take();
        let taken = offered.filter(|_| self.waiting.is_none());
        let item = self.waiting.or(taken);
        let read = item.filter(|i| room && full >> i.bank & 1 == 1);
        self.waiting = if read.is_some() { None } else { item };
        if let Some(item) = read {
            self.full &= !(u8::from(item.last) << item.bank);
            self.fetched = Some(self.beat(item));
        }
        (taken.is_some(), moved | taken.is_some() | read.is_some())
    }
    /// Folds what arrives at this edge. Returns whether anything moved.
    #[inline]
    fn fold(&mut self) -> bool {
        if let Some(issue) = &mut self.issue {
            let issued = issue.tick(&mut self.s1, self.full);
            if let Some(a) = issued.fold {
                self.folds(&a);
            }
            if let Some((bank, end)) = issued.ended {
                self.ends[usize::from(bank)] = end;
            }
            self.full |= issued.complete;
            return issued.moved;
        }
        let closed = self.full | self.ending;
        let busy = self.running > 0;
        let moved = closed != self.full || busy;
        self.running = self.running.saturating_sub(1);
        if self.running == 0 {
            self.full |= std::mem::take(&mut self.ending);
        }
        let Some(a) = self.s1.take_if(|a| closed >> a.bank & 1 == 0 && !busy) else { return moved };
        self.folds(&a);
        if a.last {
            self.ends[usize::from(a.bank)] = a.end;
            let ends = if matches!(self.op, Fold::Program(_)) { &mut self.ending } else { &mut self.full };
            *ends |= 1 << a.bank;
        }
        true
    }
    /// Folds an arrival into its word.
    #[inline]
    fn folds(&mut self, a: &Arrival) {
        if !a.update {
            return;
        }
        let word = &mut self.words[usize::from(a.bank) * self.depth + a.addr as usize];
        if let (Fold::Program(routine), false) = (self.op, a.fresh) {
            let cycles;
            (*word, cycles) = routine.get().run(&[*word, a.val]);
            self.running = 2 + cycles;
        } else if let Fold::Program(_) = self.op {
            *word = a.val;
            self.running = 2;
        } else if a.fresh {
            *word = self.op.first(a.val);
        } else {
            *word = self.op.apply(*word, a.val, self.val_w, self.signed);
        }
    }
    #[inline]
    fn beat(&self, item: Visit) -> Beat {
        let bank = usize::from(item.bank);
        let end = self.ends[bank];
        match (item.none, end.hole) {
            (true, 0) => Beat::DONE,
            (true, hole) => Beat::nil(end.stop, hole),
            (false, _) => Beat::pair(
                if item.last { end.stop } else { 0 },
                u64::from(item.word),
                self.words[bank * self.depth + item.word as usize],
            ),
        }
    }
}
