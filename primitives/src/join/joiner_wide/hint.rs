//! Model of `samhw_group_hint`: what an operand need not give.

use super::JoinerWide;
use crate::join::joiner::Hints;
use crate::scan::scanner_wide::Group;
use samhw_streams::{Beat, Io, Word};

/// The joiner's heads at an edge.
#[derive(Debug)]
pub(super) struct Heads {
    /// The beats at the heads.
    pub beats: [Option<Beat>; 2],
    /// Whether a head was consumed and closes its operand's fiber.
    pub taken: [bool; 2],
    /// The operands that go in a step, and whether the fiber is over.
    pub left: Option<([bool; 2], bool)>,
}

/// State of the hints to one operand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Told {
    /// The other's head is not the one of a cycle ago.
    fresh: bool,
    /// Its first coordinate that is not known to be reached.
    at: usize,
    /// The hint with that was sent.
    told: bool,
}

/// The hints to both operands.
#[derive(Debug)]
pub(super) struct GroupHints {
    group: Group,
    /// Operands that get hints.
    operands: Vec<(usize, Told)>,
    hints: Hints,
}

impl GroupHints {
    pub(super) fn new(p: &JoinerWide) -> Self {
        let operands = (0..2).filter(|&k| p.skips >> k & 1 == 1).map(|k| (k, Told::default())).collect();
        Self { group: p.group, operands, hints: Hints::new(p.used.count_ones() as usize) }
    }

    /// Coordinate `l` of a head, as it is on the wire.
    fn lane(&self, head: &Beat, l: usize) -> u64 {
        let Group { crd_w, wide_log2 } = self.group;
        Word::held(head.p[0], crd_w << wide_log2).field(l as u32 * crd_w, crd_w)
    }

    /// An edge. Returns whether anything changed.
    pub(super) fn tick(&mut self, io: &mut Io, heads: &Heads) -> bool {
        let mut moved = false;
        for n in 0..self.operands.len() {
            let (k, old) = self.operands[n];
            let mut new = self.next(old, k, heads);
            if let Some(other) = heads.beats[1 - k].filter(|_| !old.told || old.fresh) {
                let over = heads.taken[1 - k] || !other.is_leaf();
                let crd = self.lane(&other, if old.fresh { 0 } else { old.at });
                new.told = self.hints.send(io, n, over, crd);
            }
            self.operands[n].1 = new;
            moved |= new != old;
        }
        if heads.left.is_some_and(|(_, ends)| ends) {
            self.hints.end();
        }
        moved
    }

    /// The state of the hints to operand `k`, where nothing is sent.
    fn next(&self, old: Told, k: usize, heads: &Heads) -> Told {
        let fresh = heads.left.is_some_and(|(left, ends)| ends || left[1 - k]);
        let known = old.told && !old.fresh;
        let reached = match (heads.beats[k], heads.beats[1 - k]) {
            (Some(own), Some(other)) if known && old.at + 1 < self.group.wide() => {
                self.lane(&own, self.group.wide() - 1) >= self.lane(&other, old.at)
            }
            _ => false,
        };
        let at = if old.fresh { 0 } else { old.at + usize::from(reached) };
        Told { fresh, at, told: known && !reached }
    }
}
