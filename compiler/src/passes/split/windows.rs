//! Windows: where lanes process tiles of a sum over a sparse operand and locate in another operand, the loop over tiles
//! is outermost, so that the located part fits on the chip. Inside is the order of the sparse operand.

use super::{Split, SplitIndex};
use crate::facts;
use crate::stmt::{Kernel, TensorId, VarId};

/// Sums that are stored after their last window take at most one in this number of cycles of a run.
const STORED_PART: u64 = 32;
/// Words looked up in that come in a cycle, of a wide bus.
const WORDS_PER_CYCLE: u64 = 16;

/// A split index whose tiles are windows.
pub(super) struct Windows {
    /// The loop over them.
    outer: VarId,
    /// The sparse operand, and its indices.
    operand: TensorId,
    indices: Vec<VarId>,
    /// The rows, in blocks of this size: a lane stores the sums of one block while it adds up the next.
    pub blocks: Option<(VarId, u64)>,
}

impl Split {
    /// The windows of a kernel of one statement without `order`, of which nothing but the indices
    /// is split yet.
    pub(super) fn windows(&self, original: &Kernel) -> Option<Windows> {
        let [statement] = &original.statements[..] else { return None };
        let accesses = original.accesses(statement.value);
        let has = |v: VarId, dense: bool| {
            let stored = |(t, indices): &&(TensorId, &[VarId])| {
                let tensor = original.tensor(*t);
                let mode = indices.iter().position(|i| *i == v);
                let level = mode.and_then(|m| tensor.mode_order.iter().position(|x| *x == m));
                level.is_some_and(|l| tensor.levels[l].is_dense() == dense)
            };
            accesses.iter().find(stored).copied()
        };
        let lanes = |v: VarId| {
            let name = &original.var(v).name;
            let inner = self.index(v).and_then(|index| index.inner().last()).map(|v| &self.kernel.var(*v).name);
            let named = |of: &String| of == name || Some(of) == inner;
            let lanes = &original.schedule_of(statement).lanes;
            lanes.iter().find(|(of, n)| named(of.get_ref()) && *n.get_ref() > 1).map(|(_, n)| *n.get_ref())
        };
        let walked = |index: &SplitIndex| {
            let outer = index.outer();
            let (lanes, operand) = (lanes(outer)?, has(outer, false)?);
            (!statement.indices.contains(&outer) && has(outer, true).is_some()).then_some((outer, lanes, operand))
        };
        let (outer, lanes, (operand, indices)) =
            self.indices.iter().find_map(walked).filter(|_| original.order.is_none())?;
        let stored = original.tensor(operand).mode_order.iter().map(|&m| indices[m]);
        // Tensors that are not split keep the order in which they are stored.
        let order: Vec<VarId> =
            std::iter::once(outer).chain(stored.clone()).chain(facts::variables(original, statement)).collect();
        let fits = |t: TensorId, indices: &[VarId]| {
            let modes = original.tensor(t).mode_order.iter();
            let own: Vec<VarId> = modes.filter_map(|&m| indices.get(m).copied()).collect();
            own.iter().any(|v| self.index(*v).is_some()) || own.is_sorted_by_key(|v| order.iter().position(|o| o == v))
        };
        if !fits(statement.result, &statement.indices) || !accesses.iter().all(|(t, indices)| fits(*t, indices)) {
            return None;
        }
        let row = stored.rev().find(|r| statement.indices.contains(r));
        let free = row.filter(|r| self.index(*r).is_none());
        let blocks = free.and_then(|row| {
            let [rows, columns] = [row, outer].map(|v| original.var(v).max);
            let entries = original.tensor(operand).nnz?;
            let wanted = rows.saturating_mul(STORED_PART).div_ceil(entries.max(1));
            // What is looked up in is read once per block: in half of the run at most.
            let most = entries.saturating_mul(WORDS_PER_CYCLE / 2) / columns.saturating_mul(lanes).max(1);
            let blocks = wanted.min(most);
            (blocks > 1).then(|| (row, rows.div_ceil(blocks)))
        });
        Some(Windows { outer, operand, indices: indices.to_vec(), blocks })
    }

    /// Gives the kernel the order of its windows, if tensors that are not split are stored in it.
    pub(super) fn walk(&mut self, windows: &Windows, original: &Kernel) {
        let [statement] = &original.statements[..] else { return };
        let stored = original.tensor(windows.operand).mode_order.iter().map(|&m| windows.indices[m]);
        let all = stored.chain(facts::variables(original, statement));
        let block = windows.blocks.map(|(row, _)| row).filter(|row| self.index(*row).is_some());
        let mut order: Vec<VarId> = block.into_iter().chain([windows.outer]).collect();
        for v in self.in_parts(&all.collect::<Vec<_>>()) {
            if !order.contains(&v) {
                order.push(v);
            }
        }
        let names: Vec<String> = order.iter().map(|v| self.kernel.var(*v).name.clone()).collect();
        let window = &self.kernel.var(windows.outer).name;
        let mut why =
            format!("the loop over {window} is outside, so that lanes share a window of the operand that they look up");
        if let (Some(row), Some((_, size))) = (block, windows.blocks) {
            let row = &self.kernel.var(row).name;
            why += &format!("; {row} has blocks of {size}, of which one is stored while the next is added up");
        }
        self.ordered = Some(why);
        self.kernel.order = Some(names);
    }
}
