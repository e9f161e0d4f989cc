//! Results that copies and lanes store in parts, each in arrays of its own.

use super::{Netlist, level_crd_w};
use crate::graph::UseId;
use crate::levels::{KeyWidths, LevelKind, Part, ReadAs, chain_below};
use crate::lower::Lowered;
use crate::stmt::{TensorId, VarId};

/// A result in parts, and the format of all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InParts {
    /// The result.
    pub tensor: TensorId,
    /// Name of the tensor, with which the names of its arrays begin.
    pub name: String,
    /// The levels that it has without copies and lanes, outermost first.
    pub levels: Vec<LevelKind>,
    /// The mode of each level.
    pub mode_order: Vec<usize>,
    /// The variable of each level.
    pub vars: Vec<VarId>,
    /// The parts, each with as many levels.
    pub parts: Vec<UseId>,
}

impl InParts {
    /// Lists the results of a netlist that are in parts.
    pub fn of(lowered: &Lowered, net: &Netlist) -> Vec<Self> {
        let (kernel, uses) = (&lowered.kernel, &lowered.graph.uses);
        let mut out: Vec<Self> = Vec::new();
        for u in (0..uses.len()).map(UseId) {
            let used = &uses[u.0];
            // Lists in the order of writing are for the core alone.
            let read = net.arrays.iter().any(|a| a.of == u && a.host_reads);
            if !read || used.levels.iter().any(|kind| kind.is_linked()) {
                continue;
            }
            if let Some(known) = out.iter_mut().find(|r| r.tensor == used.tensor) {
                known.parts.push(u);
                continue;
            }
            let Some(s) = kernel.statements.iter().find(|s| s.result == used.tensor) else { continue };
            let declared = lowered.declared.get(&used.tensor).unwrap_or(&used.levels);
            out.push(Self {
                tensor: used.tensor,
                name: kernel.tensor(used.tensor).name.clone(),
                levels: declared.iter().map(|kind| kind.where_written().unwrap_or(*kind)).collect(),
                mode_order: used.mode_order.clone(),
                vars: used.mode_order.iter().map(|&m| s.indices[m]).collect(),
                parts: vec![u],
            });
        }
        let whole = |r: &Self| {
            let used = &uses[r.parts[0].0];
            r.parts.len() == 1 && used.slices.is_empty() && used.levels == r.levels
        };
        out.retain(|r| !whole(r));
        out
    }

    /// Returns the form of level `l` of the whole.
    pub fn reads(&self, lowered: &Lowered, l: usize) -> ReadAs {
        self.levels[l].read_as(level_crd_w(lowered, self.parts[0], l))
    }

    /// Lists the arrays of the whole, level by level, with their names.
    pub fn arrays(&self, lowered: &Lowered) -> Vec<(String, Part)> {
        let of_level = |(l, kind): (usize, &LevelKind)| {
            let crd_w = level_crd_w(lowered, self.parts[0], l);
            kind.arrays(l, KeyWidths { crd_w, parent_w: 0 })
        };
        let parts = self.levels.iter().enumerate().flat_map(of_level).chain([Part::Values]);
        parts.map(|part| (part.name(&self.name), part)).collect()
    }

    /// Returns the first and the last level of each level's chain: of a coordinate list its levels,
    /// otherwise the level itself. A chain has a position for each tuple of coordinates.
    pub fn chains(levels: &[LevelKind]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        while let Some(kind) = levels.get(out.len()) {
            let first = out.len();
            let last = first + if kind.repeats() && !kind.is_singleton() { chain_below(levels, first) } else { 0 };
            out.extend((first..=last).map(|_| (first, last)));
        }
        out
    }
}
