//! Scattered writes: a dense result into whose memory values are folded in the order of arrival. No reducer waits for
//! the end of a list, and loops may visit the result in another order than it is stored in. docs/schedules.md,
//! "Scattering"; decision 20.

use super::region::Region;
use super::{Lowering, Said, merge};
use crate::diag::{Diagnostic, Place};
use crate::facts::variables;
use crate::graph::{Leaves, Op, Payload, StreamId, UseId};
use crate::levels::LevelKind;
use crate::operator::Operator;
use crate::stmt::{Expr, Fun, Kernel, Statement, TensorId, VarId};
use samhw_primitives::blocks::Fold;
use std::collections::BTreeMap;

/// A result into which values are scattered.
pub(super) struct Scattered {
    /// What makes one of two values.
    op: Fun,
    /// Variables of the reductions that end in the result's memory, outermost first.
    reduced: Vec<VarId>,
    /// Coordinates of their loops.
    loops: Vec<StreamId>,
}

/// Why a result is not scattered into, and what to do.
type Refusal = (String, String);

/// Whether statement `n` scatters: if the schedule asks for it, or, where that says nothing, if it pays.
pub(super) fn plan(
    kernel: &Kernel,
    n: usize,
    order: &[VarId],
    declared: &BTreeMap<TensorId, Vec<LevelKind>>,
    said: &mut Said,
) -> Result<Option<Scattered>, Diagnostic> {
    let statement = &kernel.statements[n];
    let tensor = kernel.tensor(statement.result);
    let found = possible(kernel, n, order, declared.contains_key(&statement.result));
    match &kernel.schedule_of(statement).scatter {
        Some(names) => {
            let Some(name) = names.iter().find(|name| *name.get_ref() == tensor.name) else { return Ok(None) };
            let refused = |(why, way): Refusal| {
                let what = format!("nothing can be scattered into {}: {why}", tensor.name);
                Diagnostic::new("S043", what).at(Place::Kernel(name.span())).help(way)
            };
            let scattered = found.map_err(refused)?;
            said.notes.push(format!("values are scattered into {}, as the kernel file asks", tensor.name));
            Ok(Some(scattered))
        }
        None => {
            let scattered = found.ok().filter(|s| s.pays(kernel, statement));
            if scattered.is_some() {
                said.notes.push(format!(
                    "values are scattered into {}: no reducer keeps them, and no gap between them is filled",
                    tensor.name
                ));
            }
            Ok(scattered)
        }
    }
}

/// Refuses names of tensors that no statement writes.
pub(super) fn all_written(kernel: &Kernel) -> Result<(), Diagnostic> {
    let written = |name: &String| kernel.statements.iter().any(|s| kernel.tensor(s.result).name == *name);
    let asked = kernel.asked(|s| s.scatter.as_deref().unwrap_or_default());
    match asked.into_iter().find(|(name, _)| !written(name.get_ref())) {
        None => Ok(()),
        Some((name, _)) => {
            let what = format!("nothing can be scattered into {}: no statement writes it", name.get_ref());
            let way = "name a result, or leave it out of `scatter`";
            Err(Diagnostic::new("S043", what).at(Place::Kernel(name.span())).help(way))
        }
    }
}

impl Scattered {
    /// A sum that is scattered takes no more cycles than one that a reducer makes. But copies would come
    /// together value by value, lanes over what is summed need sums of their own, and lists are merged
    /// where the schedule asks for it.
    fn pays(&self, kernel: &Kernel, statement: &Statement) -> bool {
        let used = variables(kernel, statement);
        let named = |name: &str, all: &[VarId]| all.iter().any(|&v| kernel.var(v).name == *name);
        let summed: Vec<VarId> = used.iter().filter(|v| !statement.indices.contains(v)).copied().collect();
        let schedule = kernel.schedule_of(statement);
        let copied = schedule.parallel.iter().any(|(v, copies)| copies.several() && named(v.get_ref(), &used));
        let cut = schedule.lanes.iter().any(|(v, n)| *n.get_ref() > 1 && named(v.get_ref(), &summed));
        !self.reduced.is_empty() && !copied && !cut && !merge::asked(kernel, statement)
    }
}

fn possible(kernel: &Kernel, n: usize, order: &[VarId], cut: bool) -> Result<Scattered, Refusal> {
    let statement = &kernel.statements[n];
    let tensor = kernel.tensor(statement.result);
    let refuse = |why: &str, way: &str| Err((why.to_string(), way.to_string()));
    if cut {
        let way = "leave it out of `scatter`, or the index of a sparse level out of `lanes`";
        return refuse("every lane stores the part that its entries give", way);
    }
    if tensor.levels.is_empty() {
        return refuse("it is a single value", "leave it out of `scatter`");
    }
    if let Some(l) = tensor.levels.iter().position(|k| !k.is_dense()) {
        let why = format!("its level {l} is {}, and stores coordinates in order", tensor.levels[l].name());
        return refuse(&why, "make all its levels dense, or leave it out of `scatter`");
    }
    if kernel.read_again(n) {
        return refuse("a later statement or round reads it on the chip", "make a kernel of each statement");
    }
    if kernel.statements.iter().filter(|s| s.result == statement.result).count() > 1 {
        return refuse("two statements write it", "write it by one statement");
    }
    let (op, summed) = chain(kernel, statement);
    let place = |v: &VarId| order.iter().position(|o| o == v);
    let last = statement.indices.iter().filter_map(place).max();
    let mut reduced: Vec<VarId> = summed.into_iter().filter(|k| place(k) < last).collect();
    reduced.sort_by_key(place);
    let stored: Vec<VarId> = tensor.mode_order.iter().map(|&m| statement.indices[m]).collect();
    let in_order = stored.is_sorted_by_key(place);
    let inner = inner(kernel, statement, order, last);
    match op {
        _ if reduced.is_empty() && !inner.is_empty() => {
            let names: Vec<&str> = inner.iter().map(|&v| kernel.var(v).name.as_str()).collect();
            let why = format!(
                "its reduction over {} is only a part of the right-hand side: a reduction of all of it is needed",
                names.join(", ")
            );
            let typed = kernel.type_in(statement, statement.value) == statement.ty
                && !matches!(kernel.expr(statement.value), Expr::Convert(_));
            let way = match typed {
                true => "leave it out of `scatter`: a reducer keeps the sums",
                false => {
                    "its values are computed in another type and converted: leave it out of `scatter`, and a reducer keeps the sums"
                }
            };
            refuse(&why, way)
        }
        _ if reduced.is_empty() && in_order => {
            let used = variables(kernel, statement);
            let own = order.iter().filter(|v| used.contains(v));
            let names: Vec<&str> = own.map(|&v| kernel.var(v).name.as_str()).collect();
            let why = format!("in loop order {} its values come complete, one after the other", names.join(", "));
            let way = "scattering is for sums whose terms come from several places: leave it out of `scatter`, or give an `order` \
                       with a summed index outside one of the result";
            refuse(&why, way)
        }
        Some(Operator::Call(_)) if !reduced.is_empty() => {
            refuse("it reduces by a function of the kernel file", "leave it out of `scatter`")
        }
        Some(Operator::Fun(op)) if !reduced.is_empty() && Fold::of(op, statement.ty).is_none() => {
            refuse("its reduction takes many cycles per value", "leave it out of `scatter`")
        }
        Some(Operator::Fun(op)) if !reduced.is_empty() && !op.commutes() => {
            refuse("its reduction depends on the order of its values", "leave it out of `scatter`")
        }
        Some(Operator::Fun(op)) if !reduced.is_empty() => Ok(Scattered { op, reduced, loops: vec![] }),
        // One value per position.
        _ => Ok(Scattered { op: Fun::First, reduced, loops: vec![] }),
    }
}

/// Variables of other reductions than those of [`chain`] that come before the result's last one,
/// outermost first.
fn inner(kernel: &Kernel, statement: &Statement, order: &[VarId], last: Option<usize>) -> Vec<VarId> {
    let (_, summed) = chain(kernel, statement);
    let used = variables(kernel, statement);
    let place = |v: &VarId| order.iter().position(|o| o == v);
    let other = |v: &VarId| !statement.indices.contains(v) && !summed.contains(v) && place(v) < last;
    order.iter().copied().filter(|v| used.contains(v) && other(v)).collect()
}

/// The reductions of one operator that a statement's value begins with: operator and variables.
fn chain(kernel: &Kernel, statement: &Statement) -> (Option<Operator>, Vec<VarId>) {
    let (mut at, mut first, mut vars) = (statement.value, None, vec![]);
    while let Expr::Reduce(op, k, body) = kernel.expr(at)
        && first.is_none_or(|f| f == *op)
        && kernel.type_in(statement, at) == statement.ty
    {
        first = Some(*op);
        vars.push(*k);
        at = *body;
    }
    (first, vars)
}

impl Lowering<'_> {
    /// True if the reduction over `k` ends in the result's memory: `crd` are the coordinates of its loop.
    pub(super) fn passes(&mut self, k: VarId, crd: StreamId) -> bool {
        let Some(s) = self.scattered.as_mut().filter(|s| s.reduced.contains(&k)) else { return false };
        s.loops.push(crd);
        true
    }

    /// Writes the values of `region` with their positions.
    pub(super) fn scatter(&mut self, s: Scattered, used: UseId, region: Region) {
        let (order, indices) = (self.graph.uses[used.0].mode_order.clone(), &self.statement.indices);
        let levels: Vec<VarId> = order.iter().map(|&m| indices[m]).collect();
        let name = self.graph.uses[used.0].name.clone();
        let crds = region.crds;
        // The coordinates of every loop, outermost first.
        let mut loops: Vec<StreamId> = crds.iter().chain(&s.loops).copied().collect();
        loops.sort_by_key(|&crd| self.graph.depth(crd));
        let of = |low: &Self, v: VarId| crds.iter().copied().find(|&c| low.graph.stream(c).payload == Payload::Crd(v));
        let mut pos: Option<StreamId> = None;
        for (l, &v) in levels.iter().enumerate() {
            let Some(crd) = of(self, v) else { continue };
            pos = Some(match pos {
                None => crd,
                Some(above) => {
                    let depth = self.graph.depth(above).max(self.graph.depth(crd));
                    let (above, crd) = (self.aligned(above, depth, &loops), self.aligned(crd, depth, &loops));
                    let outputs = vec![Leaves::sure(Payload::Pos(used, l), self.graph.stream(crd).over.clone())];
                    let name = format!("place_{}", self.var_name(v));
                    self.node(name, Op::Locate(used, l), vec![crd, above], outputs)[0]
                }
            });
        }
        let Some(pos) = pos else { return };
        let pos = self.aligned(pos, self.graph.depth(region.val), &loops);
        let chain = levels.len() as u8;
        let op = Op::WriteValues { of: used, chain, skip_empty: false, scatter: Some(s.op) };
        self.node(format!("write_{name}_vals"), op, vec![region.val, pos], vec![]);
    }

    /// `x` repeated along the loops until it has `depth`.
    fn aligned(&mut self, mut x: StreamId, depth: usize, loops: &[StreamId]) -> StreamId {
        while self.graph.depth(x) < depth {
            let crd = loops[self.graph.depth(x)];
            let over = self.graph.stream(crd).over.clone();
            let name = format!("repeat_pos_{}", over.last().map_or(String::new(), |&v| self.var_name(v)));
            let payload = self.graph.stream(x).payload;
            x = self.node(name, Op::Repeat, vec![x, crd], vec![Leaves::sure(payload, over)])[0];
        }
        x
    }
}
