//! A lane's bank of a tensor: every W-th coordinate of a dense level.

use super::{LevelData, Storage};
use samhw_compiler::graph::Slice;

/// What of `whole` lies in the bank of `slice`, whose mode is that of the dense level `level`. The levels above are those of the whole,
/// also where nothing of a fiber lies in this bank: all lanes follow the same references.
pub fn bank(whole: &Storage, level: usize, slice: &Slice) -> Storage {
    let mut out = whole.clone();
    let dim = whole.shape[level];
    out.shape[level] = slice.size(dim);
    out.levels[level] = LevelData::Dense { dim: slice.size(dim) };
    let above = whole.levels[..level].iter().try_fold(1, |above, l| l.positions(above)).unwrap_or(0);
    let mine = |p: u64| (slice.lane..dim).step_by(slice.lanes as usize).map(move |c| p * dim + c);
    // Positions of the whole that are in it, level by level.
    let mut kept: Vec<u64> = (0..above).flat_map(mine).collect();
    for (level, of) in whole.levels.iter().zip(&mut out.levels).skip(level + 1) {
        let mut below = Vec::new();
        match (level, of) {
            (LevelData::Dense { dim }, _) => below.extend(kept.iter().flat_map(|p| p * dim..(p + 1) * dim)),
            (
                LevelData::Compressed { seg, crd } | LevelData::CompressedNu { seg, crd },
                LevelData::Compressed { seg: to, crd: coordinates }
                | LevelData::CompressedNu { seg: to, crd: coordinates },
            ) => {
                to.truncate(1);
                for &p in &kept {
                    below.extend(seg[p as usize]..seg[p as usize + 1]);
                    to.push(below.len() as u64);
                }
                *coordinates = below.iter().map(|&p| crd[p as usize]).collect();
            }
            (LevelData::Runs(runs), LevelData::Runs(of)) => (*of, below) = runs.of(&kept),
            (LevelData::Singleton { crd }, LevelData::Singleton { crd: coordinates }) => {
                below.clone_from(&kept);
                *coordinates = below.iter().map(|&p| crd[p as usize]).collect();
            }
            _ => unreachable!("the copy has the levels of the whole"),
        }
        kept = below;
    }
    out.values = kept.iter().map(|&p| whole.values[p as usize]).collect();
    out
}
