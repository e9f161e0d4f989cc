//! Joins with more operands than a joiner supports: a part of the expression becomes a temporary.

use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::facts::open_variables;
use crate::stmt::{ExprId, Kernel, VarId};
use samhw_primitives::join::joiner::MAX_OPERANDS;

impl Lowering<'_> {
    /// Returns the way out for `n` operands that meet at `v`.
    pub(super) fn too_many(&self, n: usize, v: VarId) -> Stop {
        part(self.kernel, self.statement.value, v).map_or_else(
            || {
                let message = format!("{n} operands meet at index {}, a joiner takes {MAX_OPERANDS}", self.var_name(v));
                let help = "split the expression: let a statement of its own compute a part of it";
                Stop::Refuse(Diagnostic::new("S005", message).help(help))
            },
            Stop::Materialize,
        )
    }
}

/// The largest part of `e` whose operands at `v` one joiner takes. Its presence is what the joiner's table says
/// of it, so the rest of the expression sees one operand in place of several.
fn part(kernel: &Kernel, e: ExprId, v: VarId) -> Option<ExprId> {
    let largest = kernel.expr(e).children().iter().copied().max_by_key(|&c| operands(kernel, c, v))?;
    match operands(kernel, largest, v) {
        0 | 1 => None,
        // One place is left for the universe.
        n if n < MAX_OPERANDS && open_variables(kernel, largest).contains(&v) => Some(largest),
        _ => part(kernel, largest, v),
    }
}

/// Different accesses with `v` in `e`.
fn operands(kernel: &Kernel, e: ExprId, v: VarId) -> usize {
    let mut all = kernel.accesses(e);
    all.retain(|(_, indices)| indices.contains(&v));
    all.sort_unstable();
    all.dedup();
    all.len()
}
