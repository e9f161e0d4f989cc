//! Lanes over a sparse index inside loops whose sums keep rows, with an outermost loop over windows of columns: `order
//! = ["j0", "i", "j1"]`. A run of entries would have rows of every lane in each window. So rows are dealt instead, and
//! each lane keeps the sums of its own.

use crate::facts::innermost;
use crate::stmt::{Kernel, VarId};
use toml::Spanned;

/// Gives lanes that cannot be runs of entries to the rows, in the loop order `order`; says so.
pub(super) fn deal(kernel: &mut Kernel, order: &[VarId]) -> Vec<String> {
    let mut said = Vec::new();
    let all = kernel.schedules().into_iter();
    let all: Vec<_> = all.map(|(scope, schedule, of)| (scope, schedule.lanes.len(), of)).collect();
    for (scope, lanes, statements) in all {
        for n in 0..lanes {
            let name = kernel.schedule_mut(scope).lanes[n].0.clone();
            let Some((v, row, outside)) = rows(kernel, &statements, name.get_ref(), order) else { continue };
            let [v, row, outside] = [v, row, outside].map(|v| kernel.var(v).name.clone());
            said.push(format!("lanes over {v} deal {row}: sums over {outside} keep it"));
            kernel.schedule_mut(scope).lanes[n].0 = Spanned::new(name.span(), row);
        }
    }
    said
}

/// Of lanes over the index of this name of some statements the index, that of the rows, and the
/// summed one around them.
fn rows(kernel: &Kernel, statements: &[usize], name: &str, order: &[VarId]) -> Option<(VarId, VarId, VarId)> {
    let place = |v: &VarId| order.iter().position(|o| o == v);
    statements.iter().map(|n| &kernel.statements[*n]).find_map(|s| {
        kernel.accesses(s.value).into_iter().find_map(|(t, indices)| {
            let v = innermost(kernel, t, indices).filter(|v| kernel.var(*v).name == name)?;
            let tensor = kernel.tensor(t);
            let stored: Vec<VarId> = tensor.mode_order.iter().map(|&m| indices[m]).collect();
            let row = stored.iter().rev().find(|r| s.indices.contains(r))?;
            let outside = stored.iter().find(|w| !s.indices.contains(w) && place(w) < place(row))?;
            (!s.indices.contains(&v)).then_some((v, *row, *outside))
        })
    })
}
