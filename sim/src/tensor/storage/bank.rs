//! A lane's bank of a tensor: every W-th coordinate of a dense level.

use super::{LevelData, Storage};
use samhw_compiler::graph::Slice;

/// Returns the part of `whole` in the bank of `slice`, whose mode is stored in level `level`. The levels above are
/// those of the whole, also where nothing of a fiber lies in this bank: all lanes follow the same references.
pub fn bank(whole: &Storage, level: usize, slice: &Slice) -> Storage {
    let mut out = whole.clone();
    out.shape[level] = slice.size(whole.shape[level]);
    let above = whole.levels[..level].iter().try_fold(1, |above, l| l.positions(above)).unwrap_or(0);
    // Positions of the whole that are in it, level by level; none for what is beyond the end of the level's
    // mode.
    let mut kept: Vec<Option<u64>> = (0..above).map(Some).collect();
    for l in level..whole.levels.len() {
        let cut = (l == level).then_some(slice);
        (out.levels[l], kept) = below(&whole.levels[l], &kept, cut);
    }
    out.values = kept.iter().map(|p| p.map_or(0, |p| whole.values[p as usize])).collect();
    out
}

/// The part of a level below the positions `kept` of the level above, of `cut` only the coordinates
/// of a slice; and its positions in the whole.
fn below(level: &LevelData, kept: &[Option<u64>], cut: Option<&Slice>) -> (LevelData, Vec<Option<u64>>) {
    let mine = |c: u64| cut.is_none_or(|s| c % s.lanes == s.lane);
    let own = |c: u64| cut.map_or(c, |s| c / s.lanes);
    let lists = |seg: &[u64], crd: &[u64]| {
        let (mut to, mut positions) = (vec![0], Vec::new());
        for p in kept {
            let fiber = p.map_or(0..0, |p| seg[p as usize]..seg[p as usize + 1]);
            positions.extend(fiber.filter(|&q| mine(crd[q as usize])));
            to.push(positions.len() as u64);
        }
        let coordinates = positions.iter().map(|&q| own(crd[q as usize])).collect();
        (to, coordinates, positions.into_iter().map(Some).collect())
    };
    match level {
        LevelData::Dense { dim } => {
            let size = cut.map_or(*dim, |s| s.size(*dim));
            let whole = |c: u64| cut.map_or(c, |s| c * s.lanes + s.lane);
            let there = |p: u64, c: u64| (c < *dim).then(|| p * dim + c);
            let fiber = |p: &Option<u64>| {
                let p = *p;
                (0..size).map(move |c| p.and_then(|p| there(p, whole(c))))
            };
            (LevelData::Dense { dim: size }, kept.iter().flat_map(fiber).collect())
        }
        LevelData::Compressed { seg, crd } => {
            let (seg, crd, positions) = lists(seg, crd);
            (LevelData::Compressed { seg, crd }, positions)
        }
        LevelData::CompressedNu { seg, crd } => {
            let (seg, crd, positions) = lists(seg, crd);
            (LevelData::CompressedNu { seg, crd }, positions)
        }
        LevelData::Runs(runs) => {
            let (runs, positions) = runs.of(kept);
            (LevelData::Runs(runs), positions.into_iter().map(Some).collect())
        }
        LevelData::Singleton { crd } => (
            LevelData::Singleton { crd: kept.iter().map(|p| p.map_or(0, |p| crd[p as usize])).collect() },
            kept.to_vec(),
        ),
    }
}
