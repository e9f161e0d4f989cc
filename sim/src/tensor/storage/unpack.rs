//! Unpacking of level arrays into entries. What is unpacked was written by hardware, so it is checked.

use samhw_compiler::diag::Diagnostic;

use super::{LevelData, Storage, wrong_order};
use crate::tensor::{Clash, Coo, MAX_POSITIONS, codes};

/// Returns every position of `storage` as an entry, in index order, including all positions of dense levels
/// ([`Coo::without`] removes fills).
pub fn unpack(storage: &Storage, mode_order: &[usize]) -> Result<Coo, Diagnostic> {
    let order = storage.shape.len();
    let mut inverse = vec![usize::MAX; order];
    for (l, &m) in mode_order.iter().enumerate() {
        *inverse.get_mut(m).ok_or_else(|| wrong_order(storage.levels.len(), mode_order, order))? = l;
    }
    if storage.levels.len() != order || mode_order.len() != order || inverse.contains(&usize::MAX) {
        return Err(wrong_order(storage.levels.len(), mode_order, order));
    }
    // The coordinates of every position of the levels done, `width` numbers each.
    let (mut rows, mut positions) = (Vec::new(), 1);
    // Of runs, which are a last level: the position of each coordinate.
    let mut shared: Vec<u64> = Vec::new();
    for (width, level) in storage.levels.iter().enumerate() {
        let bad = |what: String| bad(&format!("level {}: {what}", width + 1));
        let dim = storage.shape[width];
        let next = level.positions(positions as u64).filter(|&n| n <= MAX_POSITIONS);
        let next = next.ok_or_else(|| bad(format!("more than {MAX_POSITIONS} positions")))? as usize;
        let mut below = Vec::with_capacity(next * (width + 1));
        let mut push = |p: usize, c: u64| {
            below.extend(rows[p * width..][..width].iter().copied().chain([c]));
        };
        match level {
            LevelData::Dense { dim: stored } => {
                if *stored != dim {
                    return Err(bad(format!("dense of size {stored} in a mode of size {dim}")));
                }
                (0..positions).for_each(|p| (0..dim).for_each(|c| push(p, c)));
            }
            LevelData::Compressed { seg, crd } | LevelData::CompressedNu { seg, crd } => {
                let ends = (seg.first(), seg.last());
                if seg.len() != positions + 1 || ends != (Some(&0), Some(&(crd.len() as u64))) || !seg.is_sorted() {
                    return Err(bad(format!(
                        "{} segment numbers do not cut {} coordinates into {positions} fibers",
                        seg.len(),
                        crd.len()
                    )));
                }
                for (p, fiber) in seg.windows(2).enumerate() {
                    crd[fiber[0] as usize..fiber[1] as usize].iter().for_each(|&c| push(p, c));
                }
            }
            LevelData::Runs(runs) => {
                let ends = (runs.seg.first(), runs.seg.last());
                let counts = ends == (Some(&0), Some(&(runs.runs.len() as u64)));
                if runs.seg.len() != positions + 1 || !counts || !runs.seg.is_sorted() {
                    return Err(bad(format!(
                        "segment numbers do not cut {} runs into {positions} fibers",
                        runs.runs.len()
                    )));
                }
                for p in 0..positions {
                    runs.below(p).for_each(|(c, at)| {
                        push(p, c);
                        shared.extend(runs.shared.then_some(at));
                    });
                }
            }
            LevelData::Singleton { crd } => {
                if crd.len() != positions {
                    return Err(bad(format!("{} coordinates for {positions} positions", crd.len())));
                }
                crd.iter().enumerate().for_each(|(p, &c)| push(p, c));
            }
        }
        (rows, positions) = (below, next);
    }
    if storage.values.len() != positions {
        return Err(bad(&format!("{} values for {positions} positions", storage.values.len())));
    }
    let mut coords = Vec::with_capacity(rows.len());
    for row in rows.chunks_exact(order.max(1)) {
        coords.extend(inverse.iter().map(|&l| row[l]));
    }
    let mut values = storage.values.clone();
    if matches!(storage.levels.last(), Some(LevelData::Runs(runs)) if runs.shared) {
        values = shared.iter().map(|&at| storage.values[at as usize]).collect();
    }
    let shape: Vec<u64> = inverse.iter().map(|&l| storage.shape[l]).collect();
    Coo::new(shape, coords, values).map_err(|clash| match clash {
        Clash::Twice { coord, .. } => bad(&format!("coordinate {coord:?} stands twice")),
        Clash::Outside { mode, .. } => bad(&format!("a coordinate of mode {} is beyond its size", mode + 1)),
        Clash::Lengths => bad("coordinates are missing"),
    })
}

pub(super) fn bad(what: &str) -> Diagnostic {
    Diagnostic::new(codes::ARRAYS, format!("the stored arrays are inconsistent: {what}"))
        .help("a kernel wrote them: this is a bug in the hardware or its model, please report it with the kernel file")
}
