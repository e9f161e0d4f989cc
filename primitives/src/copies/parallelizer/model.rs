//! Model of `samhw_parallelizer`.

use super::{Deal, Parallelizer};
use crate::blocks::{HoldBack, Skid};
use samhw_streams::{Beat, Fault, Io, Kind, Model};

/// What one copy gets in one step: kind and payload of each stream; the stop is common.
type Beats = Vec<Beat>;

#[derive(Debug)]
pub(super) struct ParallelizerModel {
    heads: Vec<Skid>,
    copies: Vec<HoldBack<Beats>>,
    /// The copy that has its turn, or is in the middle of an item.
    turn: usize,
    /// An item has begun and not ended.
    inside: bool,
    height: u8,
    deal: Deal,
    split: bool,
    tells: bool,
}

/// What a step does to the copies.
struct DealStep {
    /// The copy that gets the beat; `None`: all do.
    to: Option<usize>,
    ends_item: bool,
    ends_list: bool,
}

impl ParallelizerModel {
    pub(super) fn new(p: &Parallelizer) -> Self {
        Self {
            heads: p.fields.iter().map(|_| Skid::default()).collect(),
            copies: (0..p.copies).map(|_| HoldBack::default()).collect(),
            turn: 0,
            inside: false,
            height: p.height,
            deal: p.deal,
            split: p.split,
            tells: p.turn,
        }
    }

    /// Number of the `turn` output.
    fn turn_out(&self) -> usize {
        self.copies.len() * self.heads.len()
    }

    /// True if the output registers of copy `c` can be loaded.
    fn free(&self, io: &Io, c: usize) -> bool {
        let n = self.heads.len();
        (c * n..(c + 1) * n).all(|k| io.free(k))
    }

    fn room(&self, io: &Io, c: usize) -> bool {
        self.copies[c].room(self.free(io, c))
    }

    fn select(&self, payload: u64) -> usize {
        match self.deal {
            Deal::Coordinate if !self.inside => Parallelizer::copy_of(self.copies.len() as u64, payload) as usize,
            _ => self.turn,
        }
    }

    /// The first copy behind the one that has its turn that has room, and will still have it where `step` gives it a beat.
    fn next_free(&self, io: &Io, step: Option<&DealStep>) -> Option<usize> {
        let n = self.copies.len();
        let can = |c: usize| match step {
            Some(step) if self.needs(step, c) => self.copies[c].room(false) && self.free(io, c),
            _ => self.room(io, c),
        };
        (1..=n).map(|k| (self.turn + k) % n).find(|&c| can(c))
    }

    /// True if `step` gives copy `c` a beat.
    fn needs(&self, step: &DealStep, c: usize) -> bool {
        step.to.is_none_or(|t| t == c) || step.ends_list && !self.copies[c].waiting()
    }

    /// What the heads ask for, if it can be done now.
    fn step(&self, io: &Io, head: &Beat) -> Option<DealStep> {
        let h = self.height;
        let everyone = head.kind == Kind::Done || head.kind == Kind::Nil && head.hole() > h;
        let step = match everyone {
            true => DealStep { to: None, ends_item: true, ends_list: true },
            false => {
                let to = Some(self.select(head.p[0]));
                DealStep { to, ends_item: head.stop >= h, ends_list: head.stop > h }
            }
        };
        let room = (0..self.copies.len()).all(|c| !self.needs(&step, c) || self.room(io, c));
        let told = !self.tells || !step.ends_item || io.free(self.turn_out());
        (room && told).then_some(step)
    }

    fn load(&mut self, io: &mut Io, c: usize, left: Option<(Beats, u8)>) {
        let n = self.heads.len();
        for (k, beat) in
            left.iter().flat_map(|(beats, stop)| beats.iter().map(move |b| Beat { stop: *stop, ..*b })).enumerate()
        {
            io.put(c * n + k, beat);
        }
    }

    fn perform(&mut self, io: &mut Io, step: &DealStep, heads: &[Beat]) {
        let (h, split) = (self.height, u8::from(self.split));
        let head = heads[0];
        let next_free = self.next_free(io, Some(step));
        let list_stop = if head.kind == Kind::Done { 0 } else { head.stop + split };
        for c in 0..self.copies.len() {
            let free = self.free(io, c);
            let left = if step.to.is_none() {
                let hole = |b: &Beat| Beat { p: [b.p[0] + u64::from(split), 0], ..*b };
                let beats = heads.iter().map(|b| if b.kind == Kind::Nil { hole(b) } else { *b }).collect();
                self.copies[c].push(beats, list_stop, true)
            } else if step.to == Some(c) {
                let stop = match (self.split && step.ends_item, step.ends_list) {
                    (true, false) => h + 1,
                    (true, true) => list_stop,
                    (false, _) => head.stop,
                };
                self.copies[c].push(heads.to_vec(), stop, self.split || step.ends_list || !step.ends_item)
            } else if step.ends_list && self.copies[c].waiting() {
                self.copies[c].close(list_stop);
                None
            } else if step.ends_list {
                self.copies[c].push(vec![Beat::nil(0, h + 1); heads.len()], list_stop, true)
            } else {
                self.copies[c].idle(free)
            };
            self.load(io, c, left);
        }
        if self.tells && step.ends_item {
            let beat = match (step.to, head.kind) {
                (Some(c), _) => Beat::data(head.stop.saturating_sub(h), c as u64),
                (None, Kind::Done) => Beat::DONE,
                (None, _) => Beat::nil(head.stop - h, head.hole() - h),
            };
            io.put(self.turn_out(), beat);
        }
        self.inside = !step.ends_item;
        let after = step.to.map_or(0, |c| (c + 1) % self.copies.len());
        self.turn = match (step.ends_item, self.deal) {
            (false, _) => step.to.unwrap_or(0),
            (true, Deal::NextFree | Deal::InTurn) if head.kind == Kind::Done => 0,
            (true, Deal::NextFree | Deal::InTurn) if step.to.is_none() => self.turn,
            (true, Deal::NextFree) => next_free.unwrap_or(after),
            (true, Deal::InTurn) => after,
            (true, _) if step.ends_list => 0,
            (true, _) => after,
        };
    }
}

impl Model for ParallelizerModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        let heads: Option<Beats> = self.heads.iter().map(|s| s.head().copied()).collect();
        let step = match &heads {
            Some(heads) => {
                let first = heads[0];
                let differs = |b: &&Beat| {
                    b.stop != first.stop || b.is_leaf() != first.is_leaf() || !b.is_leaf() && b.kind != first.kind
                };
                if let Some(b) = heads.iter().find(differs) {
                    return Err(Fault { what: "streams are not aligned", port: "in".into(), beat: *b });
                }
                self.step(io, &first)
            }
            None => None,
        };
        match (step, heads) {
            (Some(step), Some(heads)) => {
                self.perform(io, &step, &heads);
                self.heads.iter_mut().for_each(Skid::pop);
                moved = true;
            }
            (_, heads) => {
                if self.deal == Deal::NextFree && heads.is_some() && !self.inside && !self.room(io, self.turn) {
                    let other = self.next_free(io, None);
                    moved |= other.is_some();
                    self.turn = other.unwrap_or(self.turn);
                }
                for c in 0..self.copies.len() {
                    let free = self.free(io, c);
                    let left = self.copies[c].idle(free);
                    moved |= left.is_some();
                    self.load(io, c, left);
                }
            }
        }
        for (k, skid) in self.heads.iter_mut().enumerate() {
            moved |= skid.clock(io, k);
        }
        Ok(moved)
    }
}
