//! Cycle model of `samhw_joiner_bits`.

use super::JoinerBits;
use crate::blocks::{BitWalk, FiberOver, HoldBack, Step};
use crate::join::joiner::bit;
use samhw_streams::{Beat, Fault, Io, Kind, Model};

/// One beat of all outputs, without its stop.
#[derive(Debug, Clone)]
struct Joined {
    /// The coordinate, or what is on all outputs.
    beat: Beat,
    refs: Vec<Option<u64>>,
}

impl Joined {
    /// The beat of output `branch`: 0 for crd, k+1 for ref k.
    fn beat(&self, branch: usize, stop: u8) -> Beat {
        match branch.checked_sub(1) {
            Some(k) if self.beat.kind == Kind::Data => self.refs[k].map_or(Beat::empty(stop), |r| Beat::data(stop, r)),
            _ => Beat { stop, ..self.beat },
        }
    }
}

#[derive(Debug)]
pub(super) struct JoinerBitsModel {
    keep: Vec<Vec<u64>>,
    used: Vec<usize>,
    walk: BitWalk,
    hold: HoldBack<Joined>,
    /// The hints about the current fiber.
    told: FiberOver,
}

impl JoinerBitsModel {
    pub(super) fn new(p: &JoinerBits) -> Self {
        let n = p.joiner.ref_w.len();
        Self {
            keep: p.joiner.keep.clone(),
            used: (0..=n).filter(|b| p.joiner.used >> b & 1 == 1).collect(),
            walk: BitWalk::new(p.joiner.emitting(), n, p.width).uneven(p.tag_w > 0),
            hold: HoldBack::default(),
            told: FiberOver::new(p.tag_w),
        }
    }

    fn step(&mut self, step: &Step, free: bool) -> Option<(Joined, u8)> {
        let (ends, stop) = (step.stop.is_some(), step.stop.unwrap_or(0));
        if let Some((b, crd)) = step.bit {
            let take = step.of.having(b);
            let there = |k: usize| take >> k & 1 == 1 && bit(&self.keep[k], take);
            let refs = (0..self.keep.len()).map(|k| there(k).then(|| step.of.position(k, b))).collect();
            // A bit that more of its word follow need not wait for what comes after the word.
            self.hold.push(Joined { beat: Beat::data(0, crd), refs }, stop, ends || step.more)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            self.hold.push(Joined { beat: step.of.closing(stop), refs: Vec::new() }, stop, true)
        } else {
            self.hold.idle(free)
        }
    }
}

impl Model for JoinerBitsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.walk.open(io);
        self.walk.cut(self.told.over());
        let hint = if self.told.hints() { io.taken(self.keep.len()) } else { None };
        let free = (0..self.used.len()).all(|b| io.free(b));
        let step = self.walk.step().filter(|_| self.hold.room(free));
        let out = match &step {
            Some(step) => {
                self.walk.pop();
                self.step(step, free)
            }
            None => self.hold.idle(free),
        };
        let moved = out.is_some() || hint.is_some();
        if let Some((joined, stop)) = out {
            for (port, &branch) in self.used.iter().enumerate() {
                io.put(port, joined.beat(branch, stop));
            }
        }
        self.told.clock(hint, step.is_some_and(|step| step.stop.is_some()));
        Ok(self.walk.clock(io)? | moved)
    }
}
