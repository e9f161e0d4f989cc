//! The iteration lattice of a level: its operands, and which sets of them matter.

use super::algebra::There;
use super::tree::{LeafId, Level, Tree};
use super::{Lowering, Stop};
use crate::stmt::VarId;

/// A level's operands, and which sets of them matter: the iteration lattice. Operand k of a set is bit k.
pub(super) struct Lattice {
    /// Operands that have the variable, or that must be spread over it.
    pub operands: Vec<LeafId>,
    /// Operands that are only repeated.
    pub rest: Vec<LeafId>,
    /// Coordinates that are still to come, or come here.
    pub waiting: Vec<LeafId>,
    /// A universe stands after the operands.
    pub universe: bool,
    /// No coordinate may be visited that the table leaves out.
    pub exact: bool,
    /// Per set: whether a coordinate is visited where exactly these operands are there.
    emit: Vec<bool>,
    /// Per operand and set: whether it still matters there.
    keep: Vec<Vec<bool>>,
}

/// What the scans in `t` along `v` are of.
fn scanned_along(t: &Tree, v: VarId) -> Vec<Tree> {
    let mut found = Vec::new();
    t.each_scan(&mut |_, w, of, _| {
        if w == v {
            found.extend(of.iter().cloned());
        }
    });
    found
}

/// Every subset of `set`, itself and the empty one included.
pub(super) fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(set);
    std::iter::from_fn(move || {
        let p = next?;
        next = p.checked_sub(1).map(|q| q & set);
        Some(p)
    })
}

impl Lattice {
    /// Returns the number of operands, including the universe.
    pub fn width(&self) -> usize {
        self.operands.len() + usize::from(self.universe)
    }
    pub fn emits(&self, p: u64) -> bool {
        self.emit[p as usize]
    }
    pub fn keeps(&self, k: usize, p: u64) -> bool {
        self.keep[k][p as usize]
    }
    /// Returns the range of all sets.
    pub fn sets(&self) -> std::ops::Range<u64> {
        0..1 << self.width()
    }
}

impl Lowering<'_> {
    /// Determines the operands that take part at level `v`, and their conditions.
    pub(super) fn lattice(&self, t: &Tree, v: VarId, everywhere: bool) -> Result<Lattice, Stop> {
        let waits = |o: &LeafId| matches!(self.leaves[*o].levels.first(), Some((_, Level::Coordinate)));
        let (waiting, ops): (Vec<LeafId>, Vec<LeafId>) = t.leaves().into_iter().partition(waits);
        let has = |o: LeafId| self.leaves[o].levels.first().is_some_and(|(w, _)| *w == v);
        let (mut operands, mut rest): (Vec<_>, Vec<_>) = ops.iter().partition(|&&o| has(o));
        let maybe = |holds: bool| if holds { There::Maybe } else { There::No };
        let universe = everywhere || self.algebra_with_all(t, &|_| There::No);
        if !universe && self.algebra_with_all(t, &|o| maybe(rest.contains(&o))) {
            (operands, rest) = (ops, vec![]);
        }
        let width = operands.len() + usize::from(universe);
        self.few_enough(width, v)?;
        let number = |o: LeafId| operands.iter().position(|&x| x == o);
        let there = |p: u64, o: LeafId| {
            if number(o).is_some_and(|k| p >> k & 1 == 1) {
                // What has levels left may turn out to be absent there.
                let over = self.leaves[o].levels.iter().all(|(w, _)| *w == v);
                if over { There::Yes } else { There::Maybe }
            } else {
                maybe(rest.contains(&o))
            }
        };
        let sets = 0..1u64 << width;
        // Whether it differs from its fill, and which operands can still change that.
        let scanned = scanned_along(t, v);
        let facts = |p: u64| {
            let (differs, matter) = self.differs(t, &|o| there(p, o), &number);
            // A scan sees what it is of, whatever is made of it there.
            let seen = scanned.iter().map(|body| self.differs(body, &|o| there(p, o), &number).1);
            (differs, seen.fold(matter, |all, own| all | own))
        };
        // Where no operand is, none matters, and only a universe makes a difference.
        let facts: Vec<(bool, u64)> = sets.clone().map(|p| if p == 0 { (false, 0) } else { facts(p) }).collect();
        let emits = |p: u64| p != 0 && (universe && p >> (width - 1) & 1 == 1 || facts[p as usize].0);
        let emit = sets.clone().map(emits).collect();
        // One after the other: of two that each decide the result alone, one has to stay.
        let kept = |p: u64| {
            (0..operands.len()).fold(p, |left, k| {
                let stays = left >> k & 1 == 0 || facts[left as usize].1 >> k & 1 == 1;
                if stays { left } else { left & !(1 << k) }
            })
        };
        let kept: Vec<u64> = sets.map(kept).collect();
        let mut keep: Vec<Vec<bool>> =
            (0..operands.len()).map(|k| kept.iter().map(|p| p >> k & 1 == 1).collect()).collect();
        if universe {
            keep.push(vec![false; 1 << width]);
        }
        Ok(Lattice { operands, rest, waiting, universe, exact: t.knows_by_presence(), emit, keep })
    }

    pub(super) fn few_enough(&self, n: usize, v: VarId) -> Result<(), Stop> {
        if n > samhw_primitives::join::joiner::MAX_OPERANDS {
            return Err(self.too_many(n, v));
        }
        Ok(())
    }

    /// The operands that can be at a coordinate where the leaves `alive` are there above, and those that
    /// are at every coordinate.
    pub(super) fn possible(&self, lattice: &Lattice, v: VarId, alive: u64) -> (u64, u64) {
        let (mut possible, mut certain) = (0, 0);
        for k in 0..lattice.width() {
            let leaf = lattice.operands.get(k);
            let here = leaf.is_none_or(|&o| alive >> o & 1 == 1);
            possible |= u64::from(here) << k;
            certain |= u64::from(here && leaf.is_none_or(|&o| self.everywhere_dense(o, v))) << k;
        }
        (possible, certain)
    }
}
