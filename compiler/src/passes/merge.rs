//! Statements that are split, with linked lists between: reductions whose workspace no chip has, or for which
//! the schedule asks it ([`crate::lower::merge`]), and reads of earlier results in another order than they
//! lie in ([`crate::lower::turn`]). Lowering would split them, too; here, passes before it look at both.

use crate::compiled::{Compiled, Options};
use crate::diag::Diagnostic;
use crate::facts;
use crate::lower::merge::{asked, is_merged, note};
use crate::lower::{self, Lowered, turn};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{Kernel, Statement, VarId};

/// Splits reductions in the loop order that is chosen; what cannot be lowered stays as it is.
#[expect(clippy::unnecessary_wraps, reason = "passes can refuse")]
pub(super) fn apply(compiled: &mut Compiled, _: &Options<'_>) -> Result<(), Diagnostic> {
    let (kernel, order) = (&compiled.lowered.kernel, &compiled.choice.order);
    let merges = kernel.statements.iter().any(|s| asked(kernel, s) || kept(kernel, s, order) > MAX_WORKSPACE);
    if !merges && !turn::turns(kernel, order) {
        return Ok(());
    }
    let (mut split, mut order) = (Lowered::begin(kernel.clone()), order.clone());
    if lower::lower(&mut split, &mut order).is_err() || split.again.is_empty() {
        return Ok(());
    }
    let lowered = &mut compiled.lowered;
    (lowered.kernel, lowered.again, compiled.choice.order) = (split.kernel, split.again, order);
    lowered.kernel.temporaries = split.temporaries;
    let kernel = &lowered.kernel;
    let mut notes: Vec<String> = Vec::new();
    for &(v, _) in &lowered.again {
        let said = if is_merged(kernel, v) { Some(note(kernel, v)) } else { turn::note(kernel, v) };
        notes.extend(said.filter(|said| !notes.contains(said)));
    }
    compiled.choice.reasons.extend(notes);
    Ok(())
}

/// Values of a workspace for the indices of the result inside of the first one that is reduced.
fn kept(kernel: &Kernel, statement: &Statement, order: &[VarId]) -> u64 {
    let used = facts::variables(kernel, statement);
    let reduced = |v: &&VarId| used.contains(v) && !statement.indices.contains(v);
    let inside = order.iter().skip_while(|v| !reduced(v)).filter(|v| statement.indices.contains(v));
    inside.map(|&v| kernel.var(v).max.next_power_of_two()).fold(1, u64::saturating_mul)
}
