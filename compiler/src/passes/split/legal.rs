//! Reasons why an index cannot be split that are found in statements as a whole.

use super::parts::SplitIndex;
use super::{Split, refused, said_sizes};
use crate::diag::Diagnostic;
use crate::facts;
use crate::stmt::{Tensor, TensorId, VarId};

impl Split {
    /// Refuses a result that keeps what lands in it, where a value may land of coordinates in the last tile that the
    /// index does not have: those are visited unless an operand lists its coordinates.
    pub(super) fn landings(&self) -> Result<(), Diagnostic> {
        let kernel = &self.kernel;
        let keeps = |t: &Tensor| !t.prune && t.levels.iter().any(|l| !l.is_dense());
        for s in &kernel.statements {
            if facts::computed(kernel, s.value).is_empty() || !keeps(kernel.tensor(s.result)) {
                continue;
            }
            let all = facts::variables(kernel, s);
            for v in self.indices.iter().map(SplitIndex::outer).filter(|v| all.contains(v)) {
                let level = |(t, indices): (TensorId, &[VarId])| {
                    let (tensor, mode) = (kernel.tensor(t), indices.iter().position(|i| *i == v)?);
                    tensor.mode_order.iter().position(|m| *m == mode).map(|l| tensor.levels[l].is_dense())
                };
                let dense: Vec<bool> = kernel.accesses(s.value).into_iter().filter_map(level).collect();
                if dense.is_empty() || dense.contains(&true) {
                    let (name, span) = self.asked(v);
                    let result = &kernel.tensor(s.result).name;
                    let what =
                        format!("{name} cannot be split: what is beyond it in the last tile would land in {result}");
                    let way = format!("store {result} dense, give it `prune = true`, or leave {name} out of `split`");
                    return Err(refused(what, span, &way));
                }
            }
        }
        Ok(())
    }

    /// A result that a later statement reads lies on the chip as it was written.
    pub(super) fn results(&self) -> Result<(), Diagnostic> {
        for (n, s) in self.kernel.statements.iter().enumerate() {
            for (t, indices) in self.kernel.reads(s.value) {
                let t = self.kernel.base(t);
                let written = (0..n).find(|&w| self.of(self.kernel.statements[w].result) == self.of(t));
                let Some(w) = written else { continue };
                if self.kernel.statements[w].result != t {
                    return Err(self.read_otherwise(t, [&self.kernel.statements[w].indices, indices]));
                }
                self.kept_beyond(w)?;
            }
        }
        Ok(())
    }

    /// Refuses what statement `w` writes and a later one reads, where it is pruned and values beyond an
    /// index in the last tile may decide what of it is there.
    fn kept_beyond(&self, w: usize) -> Result<(), Diagnostic> {
        let (kernel, s) = (&self.kernel, &self.kernel.statements[w]);
        let result = kernel.tensor(s.result);
        let Some(fill) = result.fill.or(s.settled.fill).filter(|_| result.prune) else { return Ok(()) };
        let left_out = |value| kernel.algebra.same(result.ty, value, fill);
        for v in self.indices.iter().map(SplitIndex::outer).filter(|v| s.indices.contains(v)) {
            if facts::known_without(kernel, w, v, s.value).is_some_and(left_out) {
                continue;
            }
            let ((name, span), result) = (self.asked(v), &result.name);
            let what = format!(
                "{name} cannot be split: values beyond it in the last tile would decide what is left out of {result}, which a later statement reads"
            );
            let way = format!("leave `prune` out of {result}, or leave {name} out of `split`");
            return Err(refused(what, span, &way));
        }
        Ok(())
    }

    /// Tensor `t` is written with indices of which others are split than of those that it is read with.
    fn read_otherwise(&self, t: TensorId, indices: [&[VarId]; 2]) -> Diagnostic {
        let tensor = &self.kernel.tensor(self.of(t)).name;
        // Of each mode the index, and its tiles.
        let modes = indices.map(|i| {
            let outer = i.iter().filter(|v| !self.indices.iter().any(|index| index.inner().contains(v)));
            outer.map(|&v| (v, self.sizes(v))).collect::<Vec<_>>()
        });
        let other = modes[0].iter().zip(&modes[1]).find(|(w, r)| w.1 != r.1);
        let said = |(v, sizes): &(VarId, Vec<u64>)| match &sizes[..] {
            [] => format!("{}, not split", self.kernel.var(*v).name),
            sizes => format!("{}, in tiles of {}", self.asked(*v).0, said_sizes(sizes)),
        };
        let Some((w, r)) = other else {
            let split = modes.iter().flatten().find(|m| !m.1.is_empty());
            let (name, span) = split.map_or_else(Default::default, |m| self.asked(m.0));
            let what =
                format!("{name} cannot be split: {tensor} is written in another order of tiles than it is read in");
            return refused(what, span, "change `order`, or leave it out of `split`");
        };
        let (name, span) = self.asked(if w.1.is_empty() { r.0 } else { w.0 });
        let what = format!("{name} cannot be split: {tensor} is written with {}, and read with {}", said(w), said(r));
        refused(what, span, "split both indices by the same numbers, or neither")
    }
}
