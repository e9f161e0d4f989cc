//! Reductions outside of several indices of their result: by default they meet in a workspace with a place
//! for each combination of these indices. Where no chip has room for that, or the schedule asks for it,
//! what they take is stored in linked lists, a list for each coordinate of the first index, and a statement
//! of its own merges the lists ("OuterSPACE", Pal et al., HPCA 2018, section 4).

use super::{Lowered, Lowering, store};
use crate::diag::{Diagnostic, Place};
use crate::facts::{open_variables, variables};
use crate::graph::StreamId;
use crate::levels;
use crate::netlist::room::{MAX_WORKSPACE, workspace};
use crate::schedule::Reducing;
use crate::stmt::{Expr, ExprId, Kernel, Statement, TensorId, Var, VarId};
use std::collections::BTreeMap;
use std::ops::Range;

/// A statement that is split off.
pub(super) struct SplitOff {
    /// The tensor of lists that it writes.
    pub tensor: TensorId,
    /// Variables that it added, each with the one whose size it has; `None` for its declared size.
    pub again: Vec<(VarId, Option<VarId>)>,
    /// The description of what was done, and why.
    pub note: String,
}

/// Whether the schedule asks that reductions of this statement merge lists.
pub(crate) fn asked(kernel: &Kernel, statement: &Statement) -> bool {
    reducing(kernel, statement) == Some(Reducing::Lists)
}

fn reducing(kernel: &Kernel, statement: &Statement) -> Option<Reducing> {
    kernel.schedule_of(statement).reduce.as_ref().map(|reducing| *reducing.get_ref())
}

impl Lowering<'_> {
    /// Whether reduction `e` over `k`, to which lists of these coordinates come, merges linked lists.
    pub(super) fn merges(&self, e: ExprId, k: VarId, kept: &[StreamId]) -> bool {
        let Expr::Reduce(_, _, body) = self.kernel.expr(e) else { return false };
        let open = open_variables(self.kernel, *body);
        let inside = |v: &&VarId| self.position[*v] > self.position[&k];
        if kept.len() < 2 || !open.contains(&k) || open.iter().filter(inside).count() != kept.len() {
            return false;
        }
        match reducing(self.kernel, self.statement) {
            Some(Reducing::Lists) => true,
            Some(Reducing::Workspace) => false,
            None => {
                // A list has a head for each position above it.
                let first = open.iter().filter(inside).min_by_key(|v| self.position[v]);
                let above = open.iter().filter(|v| self.position[v] < self.position[&k]).chain(first);
                let heads = above.map(|&v| self.kernel.var(v).max).fold(1, u64::saturating_mul);
                workspace(self.kernel, self.graph, kept) > MAX_WORKSPACE && heads <= MAX_WORKSPACE
            }
        }
    }
}

/// Stores what reduction `e` of statement `n` takes in lists, in a statement of its own before it. `order`
/// has the reduction's variable outside of two or more others of it.
pub(super) fn split_off(kernel: &mut Kernel, n: usize, e: ExprId, order: &mut Vec<VarId>) -> SplitOff {
    let Expr::Reduce(op, k, body) = *kernel.expr(e) else { unreachable!("only reductions merge") };
    let open = open_variables(kernel, body);
    let mut indices: Vec<VarId> = order.iter().copied().filter(|v| open.contains(v)).collect();
    let above = indices.iter().position(|&v| v == k).unwrap_or(0);
    indices.swap(above, above + 1);
    let linked = above + 1;
    let mut kinds = vec![levels::DENSE; linked];
    kinds.push(levels::LINKED_LIST);
    kinds.resize(indices.len(), levels::COMPRESSED);
    let tensor = store(kernel, n, body, indices.clone(), kinds);
    // The lists are read along a variable of this reduction alone, inside of the index that they belong to.
    let along = VarId(kernel.vars.len());
    let var: Var = kernel.var(k).clone();
    let first = indices[above];
    let inside = order.iter().position(|&v| v == first).map_or(order.len(), |at| at + 1);
    order.insert(inside, along);
    kernel.vars.push(var);
    indices[linked] = along;
    kernel.exprs[body.0] = Expr::Access(tensor, indices);
    kernel.exprs[e.0] = Expr::Reduce(op, along, body);
    SplitOff { tensor, again: vec![(along, Some(k))], note: note(kernel, along) }
}

/// Whether lists are merged along this variable, which lowering added.
pub(crate) fn is_merged(kernel: &Kernel, along: VarId) -> bool {
    kernel.exprs.iter().any(|e| matches!(e, Expr::Reduce(_, k, _) if *k == along))
}

/// Describes the lists that are merged along this variable.
pub(crate) fn note(kernel: &Kernel, along: VarId) -> String {
    let accesses = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value));
    let lists = accesses.into_iter().find_map(|(t, indices)| {
        let linked = indices.iter().position(|&v| v == along)?;
        Some((kernel.tensor(t).name.as_str(), kernel.var(indices[linked - 1]).name.as_str()))
    });
    let (name, first) = lists.unwrap_or_default();
    format!(
        "the reduction over {} merges linked lists, one for each {first}: {name} stores what it takes",
        kernel.var(along).name
    )
}

/// Refuses `reduce = "merge"` where nothing merges lists.
///
/// # Errors
///
/// S050.
pub(crate) fn check(Lowered { kernel, again, .. }: &Lowered) -> Result<(), Diagnostic> {
    // Statements with a schedule of their own have the entry for all, too.
    let mut asked: BTreeMap<usize, (Range<usize>, bool)> = BTreeMap::new();
    for statement in &kernel.statements {
        let Some(reducing) = &kernel.schedule_of(statement).reduce else { continue };
        if *reducing.get_ref() == Reducing::Lists {
            let own = variables(kernel, statement);
            let merges = again.iter().any(|&(along, _)| own.contains(&along) && is_merged(kernel, along));
            asked.entry(reducing.span().start).or_insert((reducing.span(), false)).1 |= merges;
        }
    }
    let Some((span, _)) = asked.into_values().find(|(_, merges)| !merges) else { return Ok(()) };
    let message =
        "no reduction can merge lists: none is outside of two indices of its result, or absent entries count in it";
    Err(Diagnostic::new("S050", message)
        .at(Place::Kernel(span))
        .help("choose an `order` with a summed index outside of two others, or leave `reduce` out"))
}
