//! Split tensors: what a tensor becomes where an access has a split index, and how it is stored.

use super::{Split, SplitPart, refused};
use crate::diag::Diagnostic;
use crate::levels::{self, LevelKind};
use crate::stmt::{Tensor, TensorId, VarId};
use toml::Spanned;

impl Split {
    /// The original of a tensor.
    pub(super) fn of(&self, t: TensorId) -> TensorId {
        self.parts.get(&t).map_or(t, |p| p.of)
    }

    /// The original whose data a tensor shows.
    pub(super) fn base(&self, t: TensorId) -> TensorId {
        self.kernel.base(self.of(t))
    }

    /// The tensor that access `t(indices)` of statement `n` has instead, with its indices.
    pub(super) fn tensor(
        &mut self,
        n: usize,
        t: TensorId,
        indices: &[VarId],
    ) -> Result<(TensorId, Vec<VarId>), Diagnostic> {
        let split = |v: &VarId| self.index(*v).is_some();
        let tiles: Vec<Vec<u64>> = indices.iter().map(|v| self.sizes(*v)).collect();
        let wide = self.in_parts(indices);
        let Some(&first) = indices.iter().find(|v| split(v)) else { return Ok((t, wide)) };
        let mut old = self.kernel.tensor(t).clone();
        // The host packs the part of an operand that is read as a tensor of its own. A result has no copy
        // there.
        let base = self.kernel.base(t);
        if old.view.take().is_some() && self.kernel.statements.iter().any(|s| self.base(s.result) == base) {
            let (name, span) = self.asked(first);
            let what = format!(
                "{name} cannot be split: it is an index of {}, a result of which a slice is read or written",
                old.name
            );
            return Err(refused(what, span, "leave it out of `split`"));
        }
        let list = old.levels.iter().position(|l| l.is_linked()).map(|l| indices[old.mode_order[l]]);
        if let Some(v) = list.filter(split) {
            let (name, span) = self.asked(v);
            let what = format!("{name} cannot be split: {} has linked lists along it", old.name);
            return Err(refused(what, span, "leave it out of `split`"));
        }
        let part = SplitPart { of: t, tiles };
        let same = |(k, p): (&TensorId, &SplitPart)| {
            (*p == part && self.kernel.tensor(*k).mode_order == self.storage(n, &old, &part, &wide).1).then_some(*k)
        };
        if let Some(known) = self.parts.iter().find_map(same) {
            return Ok((known, wide));
        }
        let (levels, mode_order) = self.storage(n, &old, &part, &wide);
        let id = TensorId(self.kernel.tensors.len());
        let others = self.parts.values().filter(|p| self.kernel.base(p.of) == base).count();
        let whole = |i: &[VarId]| !i.iter().any(split);
        let plain = self.kernel.statements.iter().any(|s| {
            s.result == base && whole(&s.indices)
                || self.kernel.accesses(s.value).iter().any(|(u, i)| self.kernel.base(*u) == base && whole(i))
        });
        let name = if others == 0 && !plain { old.name.clone() } else { self.free_name(&old.name) };
        let shape = wide.iter().map(|&v| self.kernel.var(v).max).collect();
        self.kernel.tensors.push(Tensor { name, shape, levels, mode_order, ..old });
        if self.kernel.temporaries.contains(&t) {
            self.kernel.temporaries.push(id);
        }
        self.kernel.tiles.insert(id, part.tiles.clone());
        self.parts.insert(id, part);
        Ok((id, wide))
    }

    fn free_name(&self, base: &str) -> String {
        let taken = |n: &String| self.kernel.tensors.iter().any(|t| t.name == *n);
        (1..).map(|k| format!("{base}_tiles{k}")).find(|n| !taken(n)).unwrap_or_default()
    }

    /// Levels and mode order of a split tensor: a level becomes several of its kind, one below the
    /// other; where the kernel file gives another loop order, the levels are in that order, all
    /// dense or all compressed.
    fn storage(&self, n: usize, old: &Tensor, part: &SplitPart, wide: &[VarId]) -> (Vec<LevelKind>, Vec<usize>) {
        let first: Vec<usize> = (0..part.tiles.len()).map(|m| part.first(m)).collect();
        let plain = old.levels.iter().all(|k| k.is_unique());
        let (mut levels, mut mode_order) = (vec![], vec![]);
        for (&kind, &m) in old.levels.iter().zip(&old.mode_order) {
            for inner in 0..=part.tiles[m].len() {
                levels.push(if plain { kind } else { levels::COMPRESSED });
                mode_order.push(first[m] + inner);
            }
        }
        levels::settle(&mut levels);
        if levels.iter().any(|l| l.is_linked()) {
            // Written in any order.
            return (levels, mode_order);
        }
        let own = self.kernel.statements[n].own.order.as_ref().map(Spanned::get_ref);
        if let Some(order) = own.or(self.kernel.order.as_ref()) {
            let place = |m: &usize| order.iter().position(|n| *n == self.kernel.var(wide[*m]).name);
            if !mode_order.is_sorted_by_key(place) {
                mode_order.sort_by_key(place);
                let kind = levels::reordered(&levels);
                levels.fill(kind);
            }
        }
        (levels, mode_order)
    }
}
