//! The choice of the packing that an access reads.

use super::turn::Turned;
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::graph::{Use, UseId};
use crate::levels::{self, LevelKind};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{TensorId, VarId};

impl Lowering<'_> {
    /// The packing that access `t(indices)` reads in this loop order, and its levels as
    /// (variable, level), outermost first. The declared storage if it follows the loop order,
    /// else a packing in loop order: dense or of bit vectors if all of the tensor is,
    /// compressed otherwise.
    pub(super) fn use_of(&mut self, t: TensorId, indices: &[VarId]) -> Result<(UseId, Vec<(VarId, usize)>), Stop> {
        let tensor = self.kernel.tensor(t);
        let place = |&m: &usize| self.position[&indices[m]];
        let mut mode_order = tensor.mode_order.clone();
        let mut levels = tensor.levels.clone();
        // A diagonal is looked up, which ranges of repeated coordinates, and words of several, do not allow.
        let diagonal = (1..indices.len()).any(|m| indices[..m].contains(&indices[m]));
        let plain = levels.iter().all(|l| l.is_searchable());
        let on_chip = self.kernel.on_chip(self.stage, t);
        // The host has no lists: old values of an update come in order.
        let listed = !on_chip && levels.iter().any(|l| l.is_linked());
        let repacked = !mode_order.is_sorted_by_key(place) || diagonal && !plain || listed;
        if repacked && on_chip {
            let names = |modes: &[usize]| {
                modes.iter().map(|&m| self.kernel.var(indices[m]).name.clone()).collect::<Vec<_>>().join(", ")
            };
            let mut read = mode_order.clone();
            read.sort_by_key(place);
            let distinct = (1..indices.len()).all(|m| !indices[..m].contains(&indices[m]));
            if let Some(turned) = Turned::in_lists(t, indices, read.clone(), &tensor.shape).filter(|_| distinct) {
                return Err(Stop::Turn(turned));
            }
            if diagonal && mode_order.is_sorted_by_key(place) {
                let what = format!("a diagonal of {} is read, which its levels cannot look up", tensor.name);
                let way = format!("store {} with dense, compressed or bitvector levels", tensor.name);
                return Err(Stop::Refuse(Diagnostic::new("S006", what).help(way)));
            }
            let problem =
                Diagnostic::new("S006", format!("{} is written in another order than it is read in", tensor.name));
            let problem = problem.help(format!(
                "it is stored {} outermost first, this statement reads it {}",
                names(&mode_order),
                names(&read)
            ));
            let heads = Turned::heads(&read, &tensor.shape);
            let problem = match distinct {
                true => problem.help(format!(
                    "to be read so it would be stored once more, in {heads} lists: at most {MAX_WORKSPACE} are possible"
                )),
                false => problem,
            };
            return Err(Stop::Refuse(
                problem.help(format!("choose another order, or mode_order = {read:?} for {}", tensor.name)),
            ));
        }
        if repacked {
            mode_order.sort_by_key(place);
            let kind = levels::reordered(&levels);
            levels.fill(kind);
        }
        let read: Vec<(VarId, usize)> = mode_order.iter().enumerate().map(|(l, &m)| (indices[m], l)).collect();
        Ok((self.add_use(t, levels, mode_order, repacked), read))
    }

    /// Adds a use with this packing: every access has memories of its own, since each has one
    /// read port.
    pub(super) fn add_use(
        &mut self,
        t: TensorId,
        levels: Vec<LevelKind>,
        mode_order: Vec<usize>,
        repacked: bool,
    ) -> UseId {
        let base = &self.kernel.tensor(t).name;
        let same = self.graph.uses.iter().filter(|u| self.kernel.tensor(u.tensor).name == *base).count();
        // The kernel may have a tensor of such a name, too.
        let is_taken = |name: &String| {
            self.graph.uses.iter().any(|u| u.name == *name) || self.kernel.tensors.iter().any(|t| t.name == *name)
        };
        let name = match same {
            0 => base.clone(),
            _ => (same + 1..).map(|n| format!("{base}_{n}")).find(|name| !is_taken(name)).unwrap_or_default(),
        };
        let (slices, chunk, backwards) = (Vec::new(), None, false);
        self.graph.uses.push(Use { name, tensor: t, levels, mode_order, repacked, slices, chunk, backwards });
        UseId(self.graph.uses.len() - 1)
    }
}
