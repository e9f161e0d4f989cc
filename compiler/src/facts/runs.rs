//! Operands that lanes split into runs of entries, because dealing them otherwise can leave a lane empty.

use crate::stmt::{Kernel, Statement, TensorId, VarId};

/// Lists the tensors that lanes split into runs, each with its statement: the innermost index is
/// sparse and has lanes, no other operand stores it sparse, no level repeats coordinates, and no
/// other level of the tensor has lanes wherever it is read.
pub fn cut(kernel: &Kernel) -> Vec<(TensorId, usize)> {
    let mut out = Vec::new();
    for (n, s) in kernel.statements.iter().enumerate() {
        let sparse = |v: VarId, t: TensorId, indices: &[VarId]| {
            let tensor = kernel.tensor(t);
            tensor.levels.iter().zip(&tensor.mode_order).any(|(l, &m)| indices.get(m) == Some(&v) && !l.is_dense())
        };
        // Lists are whole where they are written and read.
        let linked = |t: TensorId| kernel.tensor(t).levels.iter().any(|l| l.is_linked());
        let accesses = kernel.accesses(s.value);
        for &(t, indices) in accesses.iter().filter(|(t, _)| !linked(*t) && !linked(s.result)) {
            if let Some(v) = innermost(kernel, t, indices).filter(|v| !kernel.dealt.contains(v))
                && laned(kernel, s, v)
                && !laned_outside(kernel, t)
                && accesses.iter().filter(|(t, indices)| sparse(v, *t, indices)).count() == 1
            {
                out.push((t, n));
            }
        }
    }
    out
}

/// Whether the schedule gives a variable lanes in a statement.
fn laned(kernel: &Kernel, s: &Statement, v: VarId) -> bool {
    kernel.schedule_of(s).lanes.iter().any(|(of, n)| *of.get_ref() == kernel.var(v).name && *n.get_ref() > 1)
}

/// Whether a tensor is read anywhere with lanes along a level that is not its innermost one.
fn laned_outside(kernel: &Kernel, t: TensorId) -> bool {
    let tensor = kernel.tensor(t);
    let outer = &tensor.mode_order[..tensor.mode_order.len().saturating_sub(1)];
    kernel.statements.iter().any(|s| {
        let reads = kernel.accesses(s.value).into_iter().filter(|(of, _)| *of == t);
        reads.flat_map(|(_, indices)| outer.iter().filter_map(|&m| indices.get(m))).any(|v| laned(kernel, s, *v))
    })
}

/// Returns the innermost stored index of an operand that the host can split into runs.
pub fn innermost(kernel: &Kernel, t: TensorId, indices: &[VarId]) -> Option<VarId> {
    let tensor = kernel.tensor(t);
    let (inner, &mode) = (tensor.levels.last()?, tensor.mode_order.last()?);
    let unique = tensor.levels.iter().all(|l| l.is_unique());
    let operand = tensor.view.is_none() && kernel.statements.iter().all(|s| s.result != t);
    (unique && operand && !inner.is_dense()).then_some(indices[mode])
}

/// Returns whether a lane may receive no entry of a stored list over `v` of operand `t`, whose coordinates are dealt.
pub fn dealt(kernel: &Kernel, t: TensorId, v: VarId) -> bool {
    let name = &kernel.var(v).name;
    let mut lanes =
        kernel.asked(|s| &s.lanes).into_iter().filter(|((of, n), _)| of.get_ref() == name && *n.get_ref() > 1);
    lanes.any(|(_, statements)| kernel.named_in(name, &statements).contains(&v))
        && cut(kernel).iter().all(|(other, _)| *other != t)
}
