//! How large everything can get: positions per level, and the widths that follow.

use crate::graph::{Graph, Use};
use crate::stmt::{Kernel, LevelKind};

/// Words an array gets if the kernel file declares no `nnz` for its tensor.
pub const DEFAULT_NNZ: u64 = 1 << 16;

/// Largest number of positions per use and level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sizes {
    /// `positions[use][level]`.
    pub positions: Vec<Vec<u64>>,
    /// `runs[use][level]`: words of a level of runs or blocks, 0 of any other.
    pub runs: Vec<Vec<u64>>,
}

/// Bits of a coordinate or position below `max`; at least 1.
pub fn coordinate_bits(max: u64) -> u32 {
    (u64::BITS - max.saturating_sub(1).leading_zeros()).max(1)
}

/// Sizes from the declarations: dense levels multiply, others hold at most the declared
/// `nnz`, or `DEFAULT_NNZ` where the dimensions allow more.
pub fn declared(kernel: &Kernel, graph: &Graph) -> Sizes {
    let mut out = Sizes::default();
    for u in &graph.uses {
        let tensor = kernel.tensor(u.tensor);
        let cap = tensor.nnz.unwrap_or(DEFAULT_NNZ);
        let cap = u.chunk.map_or(cap, |c| cap.div_ceil(c.chunks));
        let mut parent = 1u64;
        let (mut positions, mut runs) = (Vec::new(), Vec::new());
        for (l, kind) in u.levels.iter().enumerate() {
            let above = parent;
            parent = level_positions(kernel, u, l, *kind, parent, cap);
            let words = level_runs(kernel, u, l, *kind, above).min(parent);
            if *kind == LevelKind::Run {
                parent = words;
            }
            positions.push(parent);
            runs.push(words);
        }
        out.positions.push(positions);
        out.runs.push(runs);
    }
    out
}

/// Tensors whose memories got a default number of entries, with that number: nothing was
/// declared and the dimensions allow more.
pub fn defaulted(kernel: &Kernel, graph: &Graph) -> Vec<(String, u64)> {
    let mut out: Vec<(String, u64)> = Vec::new();
    for used in &graph.uses {
        let tensor = kernel.tensor(used.tensor);
        let all = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
        let sparse = used.levels.iter().any(|l| *l != LevelKind::Dense);
        if sparse && tensor.nnz.is_none() && all > DEFAULT_NNZ && !out.iter().any(|(n, _)| *n == tensor.name) {
            out.push((tensor.name.clone(), DEFAULT_NNZ));
        }
    }
    out
}

/// Most words of level `l` below `parent` positions, if it is of runs or blocks.
fn level_runs(kernel: &Kernel, u: &Use, l: usize, kind: LevelKind, parent: u64) -> u64 {
    let declared = kernel.tensor(u.tensor).runs.unwrap_or(u64::MAX);
    match kind {
        LevelKind::Run => declared,
        // Between two blocks is a coordinate that is not there.
        LevelKind::Block => parent.saturating_mul(u.size(kernel, l).div_ceil(2)).min(declared),
        _ => 0,
    }
}

/// Most positions of level `l` below `parent` ones.
fn level_positions(kernel: &Kernel, u: &Use, l: usize, kind: LevelKind, parent: u64, cap: u64) -> u64 {
    let all = parent.saturating_mul(u.size(kernel, l));
    match kind {
        LevelKind::Dense => all,
        LevelKind::Compressed | LevelKind::Bitvector(_) | LevelKind::Block | LevelKind::Run => all.min(cap),
        // One position per entry of the whole run.
        LevelKind::CompressedNu => {
            let run =
                u.levels[l + 1..].iter().take_while(|k| matches!(k, LevelKind::Singleton | LevelKind::SingletonNu));
            let inner = (l + 1..).zip(run).map(|(m, _)| u.size(kernel, m));
            inner.fold(all, u64::saturating_mul).min(cap)
        }
        LevelKind::Singleton | LevelKind::SingletonNu => parent,
    }
}
