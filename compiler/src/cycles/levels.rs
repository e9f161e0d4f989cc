//! Expected sizes of the levels of a packing.

use super::flow::{any, ratio};
use crate::graph::Use;

/// A level of a packing.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedLevel {
    /// Size of the dimension.
    pub size: f64,
    /// Mean number of different coordinates below a position of the level above.
    pub mean: f64,
    /// Probability that there is any coordinate.
    pub filled: f64,
    /// Mean number of entries below a position of the level above.
    pub entries: f64,
}

/// The levels of a packing of `shape` with `stored` entries, spread evenly.
pub(super) fn levels(used: &Use, shape: &[f64], stored: f64) -> Vec<PackedLevel> {
    let size = |l: usize| {
        let mode = used.mode_order[l];
        let all = shape.get(mode).copied().unwrap_or(1.0);
        used.slice_of(mode).map_or(all, |s| (all / s.lanes as f64).max(1.0))
    };
    let sizes: Vec<f64> = (0..used.levels.len()).map(size).collect();
    let cells: f64 = sizes.iter().product();
    let whole: f64 = shape.iter().product();
    let part = used.chunk.map_or(ratio(cells, whole), |c| 1.0 / c.chunks as f64);
    let stored = (stored * part).min(cells);
    let there = ratio(stored, cells);
    let (mut out, mut above, mut different, mut inside) = (Vec::new(), 1.0, any(there, cells), cells);
    for (l, kind) in used.levels.iter().enumerate() {
        inside = ratio(inside, sizes[l]);
        let prefixes = (cells / inside.max(1.0)) * any(there, inside);
        let (mean, filled, positions) = if kind.is_dense() {
            (sizes[l], 1.0, above * sizes[l])
        } else if kind.is_unique() {
            (ratio(prefixes, above), ratio(different, above).min(1.0), prefixes)
        } else {
            // Positions are entries; the coordinates of those before are repeated.
            (ratio(prefixes, different), 1.0, prefixes)
        };
        out.push(PackedLevel { size: sizes[l], mean, filled, entries: ratio(stored, above) });
        (above, different) = (positions, prefixes);
    }
    out
}
