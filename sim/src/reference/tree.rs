//! Fibertrees: one level per variable in loop order, every level compressed.

use super::key::{Key, low};

/// One level: fiber `p` holds `crd[seg[p]..seg[p + 1]]`, strictly increasing.
#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    pub(super) seg: Vec<usize>,
    pub(super) crd: Vec<u64>,
}

/// A fibertree. The root fiber is number 0; the last level's positions index `values`.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree<V = u64> {
    pub(super) levels: Vec<Level>,
    pub(super) values: Vec<V>,
}

impl<V> Tree<V> {
    /// Builds the tree from rows that are sorted by a unique key.
    pub(super) fn new(key: &Key, rows: impl Iterator<Item = (u128, V)>) -> Self {
        let mut shifts: Vec<u32> = Vec::with_capacity(key.len());
        let mut below = 0;
        for width in key.widths().rev() {
            shifts.push(below);
            below += width;
        }
        shifts.reverse();
        let widths: Vec<u32> = key.widths().collect();
        let mut levels: Vec<Level> = shifts.iter().map(|_| Level::default()).collect();
        if let Some(root) = levels.first_mut() {
            root.seg.push(0);
        }
        let mut values = Vec::new();
        let mut before: Option<u128> = None;
        for (row, value) in rows {
            let upper = |k: u128, l: usize| k.checked_shr(shifts[l]).unwrap_or(0);
            let first = before.map_or(0, |b| (0..shifts.len()).find(|&l| upper(b, l) != upper(row, l)).unwrap_or(0));
            for l in first..shifts.len() {
                if l > first {
                    let start = levels[l].crd.len();
                    levels[l].seg.push(start);
                }
                levels[l].crd.push(upper(row, l) as u64 & low(widths[l]));
            }
            values.push(value);
            before = Some(row);
        }
        for level in &mut levels {
            level.seg.push(level.crd.len());
        }
        Self { levels, values }
    }
    /// Returns whether nothing is stored.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_compiler::stmt::VarId;

    #[test]
    fn rows_become_fibers() {
        let key = Key::new(&[VarId(0), VarId(1)], &[4, 4]).unwrap();
        let rows = [(0, 1, 10), (0, 3, 11), (2, 1, 12)].map(|(i, j, v)| (key.pack(&[i, j]), v));
        let tree = Tree::new(&key, rows.into_iter());
        assert_eq!((&tree.levels[0].seg[..], &tree.levels[0].crd[..]), (&[0, 2][..], &[0, 2][..]));
        assert_eq!((&tree.levels[1].seg[..], &tree.levels[1].crd[..]), (&[0, 2, 3][..], &[1, 3, 1][..]));
        assert_eq!(tree.values, [10, 11, 12]);
    }

    #[test]
    fn a_scalar_has_no_level() {
        let tree = Tree::new(&Key::default(), [(0, 5)].into_iter());
        assert!(tree.levels.is_empty() && tree.values == [5]);
    }
}
