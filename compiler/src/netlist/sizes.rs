//! The largest number of positions of every level, and the resulting widths.

use super::bits;
use crate::graph::{Graph, UseId};
use crate::levels::{Most, Part};
use crate::stmt::{Kernel, TensorId};

/// Default number of words of an array if the kernel file declares no `nnz` for its tensor.
pub const DEFAULT_NNZ: u64 = 1 << 16;

/// Largest number of positions per use and level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sizes {
    /// `positions[use][level]`.
    pub positions: Vec<Vec<u64>>,
    /// `runs[use][level]`: words of a level of runs or blocks, slots in one way of a table, otherwise 0.
    pub runs: Vec<Vec<u64>>,
}

/// Computes sizes from the declarations: dense levels multiply; others hold at most the declared `nnz`, or
/// `DEFAULT_NNZ` where the dimensions allow more.
pub fn declared(kernel: &Kernel, graph: &Graph) -> Sizes {
    let mut out = Sizes::default();
    for u in &graph.uses {
        let tensor = kernel.tensor(u.tensor);
        let cap = tensor.nnz.unwrap_or(DEFAULT_NNZ);
        let cap = u.chunk.map_or(cap, |c| cap.div_ceil(c.chunks));
        let mut parent = 1u64;
        let (mut positions, mut runs) = (Vec::new(), Vec::new());
        for (l, kind) in u.levels.iter().enumerate() {
            let singletons = (l + 1..u.levels.len()).take_while(|&m| u.levels[m].is_singleton());
            let most = Most {
                above: parent,
                size: u.size(kernel, l),
                chain: singletons.map(|m| u.size(kernel, m)).fold(1, u64::saturating_mul),
                stored: cap,
                runs: tensor.runs,
            };
            parent = kind.positions(&most);
            let words = kind.entries(&most);
            if kind.shares_positions() {
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

impl Sizes {
    /// Returns the sizes with equal room for an operand and for the result that rounds carry to it.
    pub fn carried(&self, kernel: &Kernel, graph: &Graph) -> Self {
        let mut out = self.clone();
        let packings = |t: TensorId| (0..graph.uses.len()).filter(move |&u| graph.uses[u].tensor == t);
        for &(operand, result) in kernel.repeat.iter().flat_map(|r| &r.carry) {
            let both: Vec<usize> = packings(operand).chain(packings(result)).collect();
            for words in [&mut out.positions, &mut out.runs] {
                let levels = both.iter().map(|&u| words[u].len()).max().unwrap_or(0);
                for l in 0..levels {
                    let most = both.iter().filter_map(|&u| words[u].get(l)).copied().max().unwrap_or(0);
                    both.iter().for_each(|&u| words[u].iter_mut().skip(l).take(1).for_each(|w| *w = most));
                }
            }
        }
        out
    }
    /// Returns the number of positions above level `l` of a use.
    pub fn above(&self, u: UseId, l: usize) -> u64 {
        if l == 0 { 1 } else { self.positions[u.0][l - 1] }
    }

    /// Returns the number of words of an array; `size` is that of the mode of a level of bit vectors.
    pub fn words(&self, u: UseId, part: Part, size: impl Fn(usize) -> u64) -> u64 {
        let positions = &self.positions[u.0];
        match part {
            Part::Seg(l) => self.above(u, l) + 1,
            Part::Ends(l) => self.above(u, l),
            Part::Crd(l) | Part::Next(l) => positions[l],
            Part::Bits(l, w) | Part::Rank(l, w) => self.above(u, l).saturating_mul(bits::words(size(l), w)),
            Part::Runs(l, _) | Part::Way(l, ..) => self.runs[u.0][l],
            Part::Tiles(tile, _) => positions[tile] + 1,
            Part::Values => positions.last().copied().unwrap_or(1),
        }
    }

    /// Returns the maximum of both sizes everywhere.
    pub fn most(mut self, other: &Self) -> Self {
        let larger = |mine: &mut Vec<Vec<u64>>, others: &Vec<Vec<u64>>| {
            let all = mine.iter_mut().flatten().zip(others.iter().flatten());
            all.for_each(|(mine, other)| *mine = (*mine).max(*other));
        };
        larger(&mut self.positions, &other.positions);
        larger(&mut self.runs, &other.runs);
        self
    }
}

/// Lists the tensors with the default number of entries, and this number: their `nnz` is not declared, and the
/// dimensions allow more.
pub fn defaulted(kernel: &Kernel, graph: &Graph) -> Vec<(String, u64)> {
    let mut out: Vec<(String, u64)> = Vec::new();
    for used in &graph.uses {
        let tensor = kernel.tensor(used.tensor);
        let all = tensor.shape.iter().copied().fold(1, u64::saturating_mul);
        let sparse = used.levels.iter().any(|l| !l.is_dense());
        if sparse && tensor.nnz.is_none() && all > DEFAULT_NNZ && !out.iter().any(|(n, _)| *n == tensor.name) {
            out.push((tensor.name.clone(), DEFAULT_NNZ));
        }
    }
    out
}
