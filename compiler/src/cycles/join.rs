//! Cost of joins, and the expected sizes of their outputs. Operands are taken to be independent of each other.

use super::flow::{Flow, any, ratio};
use crate::graph::{Joins, NodeId};

/// Most operands of which it is asked which lists are empty together.
const MOST: usize = 5;

/// A join's operands at one level.
pub(super) struct Join<'j> {
    /// Coordinates of each operand.
    pub operands: Vec<&'j Flow>,
    /// Truth table of emission.
    pub emit: &'j [u64],
    /// Truth table of each operand's references.
    pub keep: &'j [Vec<u64>],
}

fn bit(table: &[u64], p: u64) -> bool {
    table.get((p / 64) as usize).is_some_and(|word| word >> (p % 64) & 1 == 1)
}

impl Join<'_> {
    fn sets(&self) -> std::ops::Range<u64> {
        0..1 << self.operands.len()
    }
    /// How likely just the operands of `set` are at a coordinate, where each is with the
    /// probability that `of` says.
    fn chance(&self, set: u64, of: &dyn Fn(usize) -> f64) -> f64 {
        (0..self.operands.len()).map(|k| if set >> k & 1 == 1 { of(k) } else { 1.0 - of(k) }).product()
    }
    fn emitted(&self, of: &dyn Fn(usize) -> f64) -> f64 {
        self.sets().filter(|&p| bit(self.emit, p)).map(|p| self.chance(p, of)).sum()
    }
    /// How likely a list of `size` coordinates is empty.
    fn empty(&self, size: f64) -> f64 {
        let operands = &self.operands;
        if operands.len() > MOST {
            return 1.0 - any(self.emitted(&|k| operands[k].density()), size);
        }
        // Those whose lists have something.
        let some = |alive: u64| {
            let of = |k: usize| {
                if alive >> k & 1 == 1 { ratio(operands[k].density(), operands[k].filled()).min(1.0) } else { 0.0 }
            };
            self.chance(alive, &|k| operands[k].filled()) * any(self.emitted(&of), size)
        };
        1.0 - self.sets().map(some).sum::<f64>()
    }
    /// Returns the output of coordinates, and the outputs of each operand's references.
    pub fn outputs(&self) -> Vec<Flow> {
        let Some(first) = self.operands.first() else { return Vec::new() };
        let density = |k: usize| self.operands[k].density();
        let (emitted, lists) = (self.emitted(&density), first.lists());
        let mut crd = first.with(1.0);
        if let Some(d) = crd.depths.last_mut() {
            (d.leaves, d.empty) = (lists * d.size * emitted, lists * self.empty(d.size));
        }
        let kept = |k: usize| {
            let both = |p: &u64| bit(self.emit, *p) && bit(&self.keep[k], *p) && p >> k & 1 == 1;
            self.sets().filter(both).map(|p| self.chance(p, &density)).sum::<f64>()
        };
        let refs: Vec<Flow> = (0..self.keep.len()).map(|k| crd.with(ratio(kept(k), emitted))).collect();
        std::iter::once(crd).chain(refs).collect()
    }
    /// Returns the cycles of the joiner for node `n`.
    pub fn cycles(&self, n: NodeId, joins: &Joins) -> f64 {
        let Some(first) = self.operands.first() else { return 0.0 };
        let (lists, size) = (first.lists(), first.depths.last().map_or(1.0, |d| d.size));
        let densities = || self.operands.iter().map(|o| o.density());
        let none: f64 = densities().map(|p| 1.0 - p).product();
        let nothing: f64 = self.operands.iter().map(|o| 1.0 - o.filled()).product();
        if let Some(&width) = joins.words.joins.get(&n) {
            let width = f64::from(width);
            return lists * ((size / width).ceil() * any(1.0 - none, width)).max(1.0);
        }
        let mut lengths: Vec<f64> = densities().map(|p| p * size).collect();
        lengths.sort_by(f64::total_cmp);
        let (shorter, longer) = (lengths[0], lengths[lengths.len() - 1]);
        let steps = match joins.wide.joins.get(&n) {
            // The group goes whose largest coordinate is the smaller; after the last one of an
            // operand nothing else counts.
            Some(&log2) => {
                let wide = f64::from(1u32 << log2);
                ((shorter + longer - longer / (shorter + 1.0) + (wide - 1.0) / 2.0) / wide).max(longer / wide).max(1.0)
            }
            None => size * (1.0 - none) + nothing,
        };
        // What is skipped are the coordinates between two of the other operand's.
        let runs = 2.0 * ratio(shorter * longer, shorter + longer) + 2.0;
        lists * if joins.skipping.joins.contains_key(&n) { steps.min(runs) } else { steps }
    }
}
