//! Cycle model of `samhw_joiner_intervals`.

use super::JoinerIntervals;
use crate::blocks::{HoldBack, Skid};
use crate::join::joiner::{above, bit};
use samhw_streams::{Beat, Fault, Io, Kind, Model};
use samhw_values::mask;

/// What leaves: a beat of all outputs without its stop.
#[derive(Debug, Clone)]
struct Piece {
    /// The interval, or what is on all outputs.
    beat: Beat,
    /// Position of each operand, where it has one.
    refs: Vec<Option<u64>>,
}

impl Piece {
    /// The beat of output `branch`: 0 for the interval, k+1 for ref k.
    fn beat(&self, branch: usize, stop: u8) -> Beat {
        match branch.checked_sub(1) {
            Some(k) if self.beat.kind == Kind::Data => self.refs[k].map_or(Beat::empty(stop), |r| Beat::data(stop, r)),
            _ => Beat { stop, ..self.beat },
        }
    }
}

#[derive(Debug, Default)]
struct IntervalOperand {
    skid: Skid,
    /// The head was consumed and closes this operand's fiber.
    taken: bool,
    /// Last coordinate of the interval consumed last in this fiber.
    before: Option<u64>,
}

/// A step: which heads are there, and what it consumes and emits.
struct Decision {
    leaf: u32,
    take: u32,
    /// The piece, and the operands that are present in it.
    piece: Option<(u64, u64, u32)>,
    /// The first coordinate that is left.
    next: u64,
}

#[derive(Debug)]
pub(super) struct JoinerIntervalsModel {
    of: JoinerIntervals,
    emit: Vec<u64>,
    alive: Vec<u64>,
    required: u32,
    /// Per output in use: 0 for the interval, k+1 for ref k.
    used: Vec<usize>,
    operands: Vec<IntervalOperand>,
    hold: HoldBack<Piece>,
    /// The first coordinate of the fiber that is left.
    at: u64,
}

impl JoinerIntervalsModel {
    pub(super) fn new(of: &JoinerIntervals) -> Self {
        let n = of.operands();
        Self {
            of: of.clone(),
            emit: of.joiner.emitting(),
            alive: of.joiner.alive(),
            required: of.required(),
            used: (0..=n).filter(|&b| of.joiner.uses(b)).map(|b| b as usize).collect(),
            operands: (0..n).map(|_| IntervalOperand::default()).collect(),
            hold: HoldBack::default(),
            at: 0,
        }
    }

    /// First and last coordinate of a leaf of operand `k`.
    fn ends(&self, k: u32, head: &Beat) -> (u64, u64) {
        let crd_w = self.of.joiner.crd_w;
        let first = head.p[0] & mask(crd_w);
        (first, if self.of.is_point(k) { first } else { head.p[0] >> crd_w & mask(crd_w) })
    }

    fn decide(&self, heads: &[Beat]) -> Decision {
        let all = 0..heads.len() as u32;
        let leaf = |&k: &u32| !self.operands[k as usize].taken && heads[k as usize].is_leaf();
        let leaves: Vec<(u32, u64, u64)> = all
            .filter(leaf)
            .map(|k| {
                let (first, last) = self.ends(k, &heads[k as usize]);
                (k, first, last)
            })
            .collect();
        let set =
            |of: &dyn Fn(&(u32, u64, u64)) -> bool| leaves.iter().filter(|l| of(l)).fold(0u32, |s, (k, ..)| s | 1 << k);
        let leaf = set(&|_| true);
        let nothing = |take| Decision { leaf, take, piece: None, next: self.at };
        if !bit(&self.alive, leaf) || leaf == 0 {
            return nothing(leaf);
        }
        // Where an operand must be there, nothing before it counts.
        let needed = leaves.iter().filter(|(k, ..)| self.required >> k & 1 == 1).map(|l| l.1).max();
        let late = set(&|l| needed.is_some_and(|from| l.2 < from));
        if late != 0 {
            return nothing(late);
        }
        let inside = leaves.iter().any(|l| l.1 <= self.at);
        let least = leaves.iter().map(|l| l.1).min().unwrap_or(self.at);
        let start = match needed {
            Some(from) => from.max(self.at),
            None if inside => self.at,
            None => least,
        };
        let present = set(&|l| l.1 <= start);
        let end = leaves.iter().map(|l| if l.1 <= start { l.2 } else { l.1 - 1 }).min().unwrap_or(start);
        let take = set(&|l| l.1 <= start && l.2 == end);
        let piece = bit(&self.emit, present).then_some((start, end, present));
        Decision { leaf, take, piece, next: (end + 1) & mask(self.of.joiner.crd_w) }
    }

    /// One step over the heads; returns what leaves the hold-back register.
    fn step(&mut self, heads: &[Beat], free: bool) -> Result<Option<(Piece, u8)>, Fault> {
        let Decision { leaf, take, piece, next } = self.decide(heads);
        let closes = |k: usize| take >> k & 1 == 1 && heads[k].stop > 0;
        let ends = (0..heads.len()).all(|k| leaf >> k & 1 == 0 || closes(k));
        self.check(heads, leaf, ends)?;
        let stop = if ends { heads[0].stop } else { 0 };
        let none = |beat: Beat| Piece { beat, refs: vec![] };
        let left = if let Some((first, last, present)) = piece {
            let reference = |k: usize| {
                let there = present >> k & 1 == 1 && bit(&self.of.joiner.keep[k], present);
                (there && heads[k].kind == Kind::Data).then_some(heads[k].p[1])
            };
            let high = if self.of.narrow { 0 } else { last << self.of.joiner.crd_w };
            let beat = Beat::data(0, high | first);
            self.hold.push(Piece { beat, refs: (0..heads.len()).map(reference).collect() }, stop, ends)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            let nothing = if above(&heads[0]) { heads[0] } else { Beat::nil(stop, 1) };
            self.hold.push(none(nothing), stop, true)
        } else {
            self.hold.idle(free)
        };
        self.at = if ends { 0 } else { next };
        let last: Vec<u64> = heads.iter().zip(0..).map(|(h, k)| self.ends(k, h).1).collect();
        for (k, o) in self.operands.iter_mut().enumerate() {
            let consumed = take >> k & 1 == 1;
            if ends || consumed && heads[k].stop == 0 {
                o.skid.pop();
            }
            o.taken = !ends && (o.taken || consumed && heads[k].stop > 0);
            o.before = if ends { None } else { consumed.then_some(last[k]).or(o.before) };
        }
        Ok(left)
    }

    fn check(&self, heads: &[Beat], leaf: u32, ends: bool) -> Result<(), Fault> {
        let fault = |what, k: usize| Err(Fault { what, port: format!("in{k}"), beat: heads[k] });
        for (k, (o, h)) in self.operands.iter().zip(heads).enumerate() {
            if above(h) != above(&heads[0]) || above(h) && h != &heads[0] {
                return fault("operands are not aligned", k);
            }
            let (first, last) = self.ends(k as u32, h);
            if leaf >> k & 1 == 1 && last < first {
                return fault("an interval ends before it begins", k);
            }
            if !o.taken && o.before.is_some() && (!h.is_leaf() || Some(first) <= o.before) {
                return fault("intervals overlap or do not rise within a fiber", k);
            }
            if ends && h.stop != heads[0].stop {
                return fault("operands close different lists", k);
            }
        }
        Ok(())
    }
}

impl Model for JoinerIntervalsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = (0..self.used.len()).all(|b| io.free(b));
        let heads: Option<Vec<Beat>> = self.operands.iter().map(|o| o.skid.head().copied()).collect();
        let heads = heads.filter(|_| self.hold.room(free));
        let left = match &heads {
            Some(heads) => self.step(heads, free)?,
            None => self.hold.idle(free),
        };
        let mut moved = heads.is_some() || left.is_some();
        if let Some((piece, stop)) = left {
            for (port, &branch) in self.used.iter().enumerate() {
                io.put(port, piece.beat(branch, stop));
            }
        }
        for (k, o) in self.operands.iter_mut().enumerate() {
            moved |= o.skid.clock(io, k);
        }
        Ok(moved)
    }
}
