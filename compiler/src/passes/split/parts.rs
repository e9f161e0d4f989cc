//! Split indices and tensors: the parts that they have.

use crate::stmt::{TensorId, VarId};

/// An index that is split: a loop over tiles of each size, and one inside of the smallest tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitIndex {
    /// Variables of the loops, outermost first. The first one has the number of the original.
    pub vars: Vec<VarId>,
    /// Sizes of tiles in coordinates of the original, largest first: one less than loops.
    pub sizes: Vec<u64>,
}

impl SplitIndex {
    /// The variable of the original, which is that of the outermost loop.
    pub fn outer(&self) -> VarId {
        self.vars[0]
    }
    /// The variables of the loops over tiles, of the largest tiles first.
    pub fn tiles(&self) -> &[VarId] {
        &self.vars[..self.sizes.len()]
    }
    /// The variables of the loops inside of the outermost one.
    pub fn inner(&self) -> &[VarId] {
        &self.vars[1..]
    }
}

/// How many coordinates the modes inside of the outermost one have, for tiles of these sizes.
fn counts(sizes: &[u64]) -> impl Iterator<Item = u64> + '_ {
    let next = sizes.iter().skip(1).chain(std::iter::once(&1));
    sizes.iter().zip(next).map(|(size, next)| size / next)
}

/// The sizes of the modes that one of size `size` becomes, with tiles of these sizes.
pub fn split_size(size: u64, tiles: &[u64]) -> Vec<u64> {
    let outer = tiles.first().map_or(size, |tile| size.div_ceil(*tile));
    std::iter::once(outer).chain(counts(tiles)).collect()
}

/// The relation of a split tensor to its original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitPart {
    /// The original tensor.
    pub of: TensorId,
    /// For each mode of the original: the sizes of its tiles, largest first, or none if it is not split.
    pub tiles: Vec<Vec<u64>>,
}

impl SplitPart {
    /// The outermost mode of the split tensor that mode `m` of the original becomes.
    pub fn first(&self, m: usize) -> usize {
        m + self.tiles[..m].iter().map(Vec::len).sum::<usize>()
    }
    /// Converts a coordinate of the original to one of the split tensor.
    pub fn inside(&self, coord: &[u64]) -> Vec<u64> {
        let mut out = Vec::with_capacity(coord.len());
        for (&c, tiles) in coord.iter().zip(&self.tiles) {
            let mut rest = c;
            for size in tiles {
                out.push(rest / size);
                rest %= size;
            }
            out.push(rest);
        }
        out
    }
    /// Converts a coordinate of the split tensor to one of the original, possibly beyond its size.
    pub fn outside(&self, coord: &[u64]) -> Vec<u64> {
        let mut rest = coord.iter().copied();
        let mut out = Vec::with_capacity(self.tiles.len());
        for tiles in &self.tiles {
            let mut next = |size: u64| rest.next().unwrap_or(0) * size;
            let whole: u64 = tiles.iter().map(|size| next(*size)).sum();
            out.push(whole + next(1));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_of_tiles_in_tiles_are_the_originals() {
        let part = SplitPart { of: TensorId(0), tiles: vec![vec![24, 6], vec![], vec![5], vec![32, 8, 2]] };
        assert_eq!(part.inside(&[77, 9, 12, 91]), [3, 0, 5, 9, 2, 2, 2, 3, 1, 1]);
        assert_eq!([0, 1, 2, 3].map(|m| part.first(m)), [0, 3, 4, 6]);
        for c in 0..200 {
            let whole = [c, 3 * c % 71, 199 - c, 7 * c % 200];
            let parts = part.inside(&whole);
            assert_eq!(part.outside(&parts), whole, "{parts:?}");
            assert!(parts[1] < 4 && parts[2] < 6 && parts[5] < 5 && parts[7] < 4 && parts[8] < 4 && parts[9] < 2);
        }
    }

    #[test]
    fn the_last_tile_may_be_partly_empty() {
        assert_eq!(split_size(100, &[24, 6]), [5, 4, 6]);
        assert_eq!(split_size(96, &[24]), [4, 24]);
        assert_eq!(split_size(3, &[24, 6, 2]), [1, 4, 3, 2]);
        assert_eq!(split_size(7, &[]), [7]);
    }
}
