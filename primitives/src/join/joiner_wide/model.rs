//! Cycle model of `samhw_joiner_wide`.

use super::JoinerWide;
use super::hint::{GroupHints, Heads};
use crate::blocks::{HoldBack, Skid};
use crate::scan::scanner_wide::Group;
use samhw_streams::{Beat, Fault, Io, Kind, Model};

/// One beat of all outputs, without its stop: the coordinate, or what is on all of them, and the positions.
#[derive(Debug, Clone, Copy)]
struct GroupBeat {
    beat: Beat,
    refs: [u64; 2],
}

impl GroupBeat {
    /// The beat of output `branch`: 0 for crd, k+1 for ref k.
    fn beat(&self, branch: usize, stop: u8) -> Beat {
        match branch.checked_sub(1) {
            Some(k) if self.beat.kind == Kind::Data => Beat::data(stop, self.refs[k]),
            _ => Beat { stop, ..self.beat },
        }
    }
}

/// A step: its matches leave one a cycle.
#[derive(Debug)]
struct MatchStep {
    /// What is left of them, the last first.
    matches: Vec<GroupBeat>,
    /// What is there if nothing matched in the whole fiber.
    nothing: Beat,
    ends: bool,
    stop: u8,
}

#[derive(Debug, Default)]
struct WideOperand {
    skid: Skid,
    /// The head was consumed and closes this operand's fiber.
    taken: bool,
    /// Last coordinate consumed in this fiber.
    before: Option<u64>,
}

#[derive(Debug)]
pub(super) struct JoinerWideModel {
    group: Group,
    used: Vec<usize>,
    operands: [WideOperand; 2],
    step: Option<MatchStep>,
    hold: HoldBack<GroupBeat>,
    hints: GroupHints,
}

impl JoinerWideModel {
    pub(super) fn new(p: &JoinerWide) -> Self {
        let operand = || WideOperand { skid: Skid::passing(), ..WideOperand::default() };
        Self {
            group: p.group,
            used: (0..3).filter(|&b| p.uses(b)).map(|b| b as usize).collect(),
            operands: [operand(), operand()],
            step: None,
            hold: HoldBack::default(),
            hints: GroupHints::new(p),
        }
    }

    /// The next match of the current step leaves, or what closes the fiber. Returns what leaves the hold-back register.
    fn leave(&mut self, free: bool) -> Option<(GroupBeat, u8)> {
        let Some(step) = self.step.as_mut().filter(|_| self.hold.room(free)) else { return self.hold.idle(free) };
        let next = step.matches.pop();
        let over = step.matches.is_empty();
        let (ends, stop, nothing) = (step.ends, step.stop, step.nothing);
        if over {
            self.step = None;
        }
        match next {
            // One that others of its group follow need not wait for what comes after the group.
            Some(joined) => self.hold.push(joined, if over { stop } else { 0 }, ends || !over),
            None if ends && self.hold.waiting() => {
                self.hold.close(stop);
                None
            }
            None if ends => self.hold.push(GroupBeat { beat: nothing, refs: [0; 2] }, stop, true),
            None => self.hold.idle(free),
        }
    }

    /// Compares the heads and consumes what is through. Returns the step, and of which operands a group went.
    fn compare(&mut self, heads: [Beat; 2]) -> Result<(MatchStep, [bool; 2]), Fault> {
        let leaf = [0, 1].map(|k| !self.operands[k].taken && heads[k].is_leaf());
        let closes = heads.map(|h| h.stop > 0);
        let groups = [0, 1].map(|k| if leaf[k] { self.group.unpack(&heads[k]) } else { (Vec::new(), 0) });
        let largest = [0, 1].map(|k| groups[k].0.last().copied());
        let take = [0, 1].map(|k| leaf[k] && (!leaf[1 - k] || closes[1 - k] || largest[k] <= largest[1 - k]));
        let ends = (0..2).all(|k| !leaf[k] || closes[k]);
        self.check(heads, &groups.each_ref().map(|g| &g.0[..]), take, ends)?;
        let (first, second) = (&groups[0], &groups[1]);
        let matches = first.0.iter().enumerate().rev().filter_map(|(i, c)| {
            let j = second.0.iter().position(|x| x == c)?;
            Some(GroupBeat { beat: Beat::data(0, *c), refs: [first.1 + i as u64, second.1 + j as u64] })
        });
        let matches = matches.collect();
        let stop = if ends { heads[0].stop } else { 0 };
        let nothing = if above(&heads[0]) { heads[0] } else { Beat::nil(stop, 1) };
        for (k, o) in self.operands.iter_mut().enumerate() {
            if ends || take[k] && !closes[k] {
                o.skid.pop();
            }
            o.taken = !ends && (o.taken || take[k] && closes[k]);
            o.before = if ends { None } else { largest[k].filter(|_| take[k]).or(o.before) };
        }
        Ok((MatchStep { matches, nothing, ends, stop }, take))
    }

    fn check(&self, heads: [Beat; 2], groups: &[&[u64]; 2], take: [bool; 2], ends: bool) -> Result<(), Fault> {
        let fault = |what, k: usize| Err(Fault { what, port: format!("in{k}"), beat: heads[k] });
        for (k, o) in self.operands.iter().enumerate() {
            let rises = groups[k].windows(2).all(|w| w[0] < w[1]);
            let goes_on = !take[k] || o.before.is_none_or(|b| groups[k].first().is_some_and(|&c| c > b));
            if above(&heads[k]) != above(&heads[0]) {
                return fault("operands are not aligned", k);
            }
            if !rises || !goes_on || !o.taken && o.before.is_some() && !heads[k].is_leaf() {
                return fault("coordinates do not increase within a fiber", k);
            }
            if ends && heads[k].stop != heads[0].stop {
                return fault("operands close different lists", k);
            }
        }
        Ok(())
    }
}

/// True for what is on both operands together: DONE, and NIL above the fibers.
fn above(b: &Beat) -> bool {
    b.kind == Kind::Done || b.kind == Kind::Nil && b.hole() != 1
}

impl Model for JoinerWideModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = (0..self.used.len()).all(|b| io.free(b));
        for (k, o) in self.operands.iter_mut().enumerate() {
            o.skid.open(io, k);
        }
        let stood = self.step.as_ref().map(|s| s.matches.len());
        let left = self.leave(free);
        let mut moved = left.is_some() || stood != self.step.as_ref().map(|s| s.matches.len());
        let heads = [0, 1].map(|k| self.operands[k].skid.head().copied());
        let mut seen = Heads { beats: heads, taken: [0, 1].map(|k| self.operands[k].taken), left: None };
        if let (None, [Some(first), Some(second)]) = (&self.step, heads) {
            let (step, left) = self.compare([first, second])?;
            seen.left = Some((left, step.ends));
            self.step = Some(step);
            moved = true;
        }
        moved |= self.hints.tick(io, &seen);
        if let Some((joined, stop)) = left {
            for (port, &branch) in self.used.iter().enumerate() {
                io.put(port, joined.beat(branch, stop));
            }
        }
        for (k, o) in self.operands.iter_mut().enumerate() {
            moved |= o.skid.clock(io, k);
        }
        Ok(moved)
    }
}
