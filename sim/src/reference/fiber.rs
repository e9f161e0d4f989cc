//! A cursor over one fiber.

use super::program::SlotId;
use super::tree::Tree;
use std::ops::Range;

/// Position of a slot that has nothing at the current coordinates.
pub(super) const NOWHERE: usize = usize::MAX;
/// Position of a root, and of what may be there.
pub(super) const SOMEWHERE: usize = 0;

/// The entries of one slot that a loop goes over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fiber {
    pub(super) slot: SlotId,
    level: usize,
    /// The slot's position before the loop.
    pub(super) parent: usize,
    /// Next position to look at.
    next: usize,
    end: usize,
    /// Whether its coordinates are visited.
    pub(super) drives: bool,
    /// Whether it drives is decided.
    pub(super) settled: bool,
}

impl Fiber {
    /// The fiber below `parent`; empty below [`NOWHERE`].
    pub(super) fn new<V>(tree: &Tree<V>, slot: SlotId, level: usize, parent: usize) -> Self {
        let (next, end) = if parent == NOWHERE {
            (0, 0)
        } else {
            let seg = &tree.levels[level].seg;
            (seg[parent], seg[parent + 1])
        };
        Self { slot, level, parent, next, end, drives: false, settled: false }
    }
    /// Leaves what lies outside of `part` out.
    pub(super) fn cut<V>(&mut self, tree: &Tree<V>, part: &Range<u64>) {
        let crd = &tree.levels[self.level].crd[self.next..self.end];
        self.end = self.next + crd.partition_point(|&c| c < part.end);
        self.next += crd.partition_point(|&c| c < part.start);
    }
    /// Coordinates left.
    pub(super) fn remaining(&self) -> usize {
        self.end - self.next
    }
    /// Returns whether no entries are left.
    pub(super) fn is_empty(&self) -> bool {
        self.next == self.end
    }
    /// The next coordinate.
    pub(super) fn head<V>(&self, tree: &Tree<V>) -> Option<u64> {
        (self.next < self.end).then(|| tree.levels[self.level].crd[self.next])
    }
    /// Moves past `c` and says its position, or [`NOWHERE`]. Calls come with increasing `c`.
    pub(super) fn locate<V>(&mut self, tree: &Tree<V>, c: u64) -> usize {
        let crd = &tree.levels[self.level].crd[self.next..self.end];
        // Gallop: the distance to the next hit is short in a merge, and just `c` steps in a full fiber.
        let mut low = 0;
        match crd.first() {
            Some(&head) if head < c => {
                let guess = usize::try_from(c - head).unwrap_or(usize::MAX);
                if crd.get(guess) == Some(&c) {
                    low = guess;
                } else {
                    let mut step = 1;
                    while low + step < crd.len() && crd[low + step] < c {
                        low += step;
                        step *= 2;
                    }
                    let high = crd.len().min(low + step + 1);
                    low += crd[low..high].partition_point(|&x| x < c);
                }
            }
            _ => {}
        }
        self.next += low;
        if crd.get(low) == Some(&c) {
            self.next += 1;
            return self.next - 1;
        }
        NOWHERE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::key::Key;
    use samhw_compiler::stmt::VarId;

    #[test]
    fn locating_finds_what_is_there_and_only_that() {
        let key = Key::new(&[VarId(0)], &[100]).unwrap();
        for crds in [vec![], vec![0], (0..100).collect(), (0..100).filter(|c| c % 3 == 1).collect(), vec![5, 6, 7, 99]]
        {
            let tree = Tree::new(&key, crds.iter().map(|&c| (u128::from(c), c)));
            for step in [1, 2, 7, 50] {
                let mut fiber = Fiber::new(&tree, 0, 0, if tree.is_empty() { NOWHERE } else { SOMEWHERE });
                for c in (0..100).step_by(step) {
                    let want = crds.iter().position(|&x| x == c).unwrap_or(NOWHERE);
                    assert_eq!(fiber.locate(&tree, c), want, "{c} in {crds:?}");
                }
            }
        }
    }
}
