//! Which packing of a tensor an access reads.

use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::graph::{Use, UseId};
use crate::stmt::{LevelKind, TensorId, VarId};

impl Lowering<'_> {
    /// The packing that access `t(indices)` reads in this loop order, and its levels as
    /// (variable, level), outermost first. The declared storage if it follows the loop order,
    /// else a packing in loop order: dense if the tensor is, compressed otherwise.
    pub(super) fn use_of(&mut self, t: TensorId, indices: &[VarId]) -> (UseId, Vec<(VarId, usize)>) {
        let tensor = self.kernel.tensor(t);
        let place = |&m: &usize| self.position[&indices[m]];
        let mut mode_order = tensor.mode_order.clone();
        let mut levels = tensor.levels.clone();
        // A diagonal is looked up, which ranges of repeated coordinates do not allow.
        let diagonal = (1..indices.len()).any(|m| indices[..m].contains(&indices[m]));
        let plain = levels.iter().all(|l| matches!(l, LevelKind::Dense | LevelKind::Compressed));
        let repacked = !mode_order.is_sorted_by_key(place) || diagonal && !plain;
        if repacked {
            mode_order.sort_by_key(place);
            let dense = levels.iter().all(|l| *l == LevelKind::Dense);
            levels.fill(if dense { LevelKind::Dense } else { LevelKind::Compressed });
        }
        let read: Vec<(VarId, usize)> = mode_order.iter().enumerate().map(|(l, &m)| (indices[m], l)).collect();
        (self.add_use(t, levels, mode_order, repacked), read)
    }

    /// Refuses another packing of what an earlier statement writes: only the host packs again.
    pub(super) fn readable(&self, t: TensorId, u: UseId) -> Result<(), Stop> {
        let written = self.kernel.statements[..self.stage].iter().any(|s| s.result == t);
        if !written || !self.graph.uses[u.0].repacked {
            return Ok(());
        }
        let name = &self.kernel.tensor(t).name;
        Err(Stop::Refuse(
            Diagnostic::new("S001", format!("the loop order contradicts the storage of {name}"))
                .help(format!("{name} is written by an earlier statement, so it is read in the order it is stored"))
                .help(format!("choose another order, or another mode_order for {name}")),
        ))
    }

    /// The use with this packing, added if it is new. Every access has memories of its own
    /// unless it reads a temporary or result of an earlier statement, which stands once.
    pub(super) fn add_use(
        &mut self,
        t: TensorId,
        levels: Vec<LevelKind>,
        mode_order: Vec<usize>,
        repacked: bool,
    ) -> UseId {
        let base = &self.kernel.tensor(t).name;
        let same = self.graph.uses.iter().filter(|u| u.tensor == t).count();
        let name = if same == 0 { base.clone() } else { format!("{base}_{}", same + 1) };
        self.graph.uses.push(Use { name, tensor: t, levels, mode_order, repacked });
        UseId(self.graph.uses.len() - 1)
    }
}
