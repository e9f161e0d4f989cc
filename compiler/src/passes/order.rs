//! Loop order: which are legal, and which of them is cheapest.
//!
//! An order is legal if it reads every stored tensor outermost level first. The result's storage
//! always binds. Where the operands' storage orders contradict each other or the result (`A(i,j) *
//! A(j,i)`), operands bind nothing: those that do not fit are packed again, of orders that cost the
//! same the fewest.
//!
//! The cheapest is the one whose graph takes the fewest cycles by the estimate of
//! [`crate::cycles`], which sees what lowering makes of masks, located levels, reducers and
//! results. Statements have variables of their own, so each is ordered by itself.

mod contradiction;
mod search;
mod stored;

use crate::compiled::{Compiled, Options};
use crate::diag::{Diagnostic, Place};
use crate::facts::{self, Density};
use crate::lower;
use crate::stmt::{Expr, ExprId, Kernel, Statement, TensorId, VarId};
use contradiction::{contradiction, fitting};
use search::{Cheapest, Effort, Legal, cheapest};
use std::collections::{HashMap, HashSet};

/// The chosen order and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// All variables, outermost first.
    pub order: Vec<VarId>,
    /// Sentences for `samhw graph`.
    pub reasons: Vec<String>,
    /// Whether lowering may refuse the order: it was not tried, since nothing was to be compared with it.
    pub untried: bool,
}

/// Each variable before the next.
struct Constraint {
    tensor: TensorId,
    vars: Vec<VarId>,
    why: Why,
}

/// Why variables have an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The tensor is written so.
    Result,
    /// The tensor lies on the chip so; it can be stored once more, in another order.
    OnChip,
    /// The kernel file gives the statement this order.
    Asked,
    /// The tensor's storage order as it reads in one access.
    Operand,
    /// The last one's coordinate is computed of the others.
    Computed,
    /// What ranges over the others, too, is scanned along the last one.
    Scanned,
    /// The tensor is written in lists below which the last one's fibers lie.
    Listed,
}

impl Why {
    /// Whether an order that others need may break it: the tensor is packed, or stored, once more.
    fn yields(self) -> bool {
        matches!(self, Self::Operand | Self::OnChip)
    }
}

/// Gives the kernel its loop order, and nested reductions their variables in it.
pub(super) fn apply(compiled: &mut Compiled, options: &Options<'_>) -> Result<(), Diagnostic> {
    let density = density(&compiled.split.kernel, compiled.split.density(&options.density));
    let mut said = Vec::new();
    if options.order.is_none() {
        for stored in stored::chosen(&compiled.split.kernel, &density) {
            for kernel in [&mut compiled.split.kernel, &mut compiled.lowered.kernel] {
                kernel.tensors[stored.tensor.0].mode_order.clone_from(&stored.mode_order);
            }
            said.push(stored.reason);
        }
    }
    let (split, kernel) = (&compiled.split, &mut compiled.lowered.kernel);
    compiled.choice = match options.order {
        Some(order) => Choice { order: order(split), reasons: vec![], untried: false },
        None => chosen(&split.kernel, &density, options.careful).map_err(|d| match &options.order_at {
            Some(span) => d.at(Place::Kernel(span.clone())),
            None => d,
        })?,
    };
    if let (Some(why), Some(reason)) = (&split.ordered, compiled.choice.reasons.first_mut()) {
        reason.clone_from(why);
    }
    compiled.choice.reasons.extend(split.followed.iter().cloned().chain(said));
    kernel.settle();
    let all = 0..kernel.exprs.len();
    lower::nest(kernel, all.map(ExprId), &compiled.choice.order);
    Ok(())
}

/// What is known of the data that a lane of a program has.
fn density(kernel: &Kernel, mut known: Density) -> Density {
    if kernel.statements.len() < 2 {
        return known;
    }
    for ((name, lanes), statements) in kernel.asked(|s| &s.lanes) {
        let (lanes, vars) = ((*lanes.get_ref()).max(1), kernel.named_in(name.get_ref(), &statements));
        for &v in &vars {
            let size = known.sizes.entry(v).or_insert(kernel.var(v).max);
            *size = size.div_ceil(lanes);
        }
        let reads = statements.iter().flat_map(|&n| kernel.reads(kernel.statements[n].value));
        let cut: HashSet<TensorId> =
            reads.filter(|(_, i)| i.iter().any(|v| vars.contains(v))).map(|(t, _)| kernel.base(t)).collect();
        for t in cut {
            known.stored.entry(t).and_modify(|n| *n = n.div_ceil(lanes));
        }
    }
    known
}

/// The order the kernel file gives, checked; or the cheapest legal one.
pub fn choose(kernel: &Kernel, density: &Density) -> Result<Choice, Diagnostic> {
    chosen(kernel, density, true)
}

/// `careful`: an order is lowered before it is chosen, also one that nothing is compared with.
fn chosen(kernel: &Kernel, density: &Density, careful: bool) -> Result<Choice, Diagnostic> {
    let all: Vec<VarId> = (0..kernel.vars.len()).map(VarId).collect();
    let bounds = OrderBounds::of(kernel)?;
    let OrderBounds { used, constraints, groups } = &bounds;
    if let Some(names) = &kernel.order {
        let order = expand(kernel, names, used);
        let broken: Vec<&Constraint> = constraints.iter().filter(|c| !respects(&c.vars, &order)).collect();
        let relaxed = satisfiable(constraints, groups);
        if let Some(c) = broken.iter().find(|c| !c.why.yields() || relaxed.iter().all(|r| *r)) {
            let other = fitting(kernel, constraints, groups, used);
            return Err(contradiction(kernel, (c, constraints), &order, other.as_deref()));
        }
        let mut reasons = vec!["the kernel file gives the order".to_string()];
        reasons.extend(repacks(kernel, &broken));
        return Ok(Choice { order: with_rest(order, &all), reasons, untried: false });
    }
    let effort = if careful { Effort::Careful } else { Effort::Least };
    let Cheapest { order, untried, .. } = cheapest(kernel, density, bounds.legal(), effort);
    let mut reasons = vec![reason(kernel, &order)];
    let broken: Vec<&Constraint> = constraints.iter().filter(|c| !respects(&c.vars, &order)).collect();
    reasons.extend(repacks(kernel, &broken));
    Ok(Choice { order: with_rest(order, &all), reasons, untried })
}

/// What binds the orders of a kernel.
struct OrderBounds {
    /// All variables of statements.
    used: Vec<VarId>,
    constraints: Vec<Constraint>,
    /// Variables that are ordered together.
    groups: Vec<Vec<VarId>>,
}

impl OrderBounds {
    fn of(kernel: &Kernel) -> Result<Self, Diagnostic> {
        let mut used: Vec<VarId> = kernel.statements.iter().flat_map(|s| facts::variables(kernel, s)).collect();
        used.sort_unstable();
        used.dedup();
        let mut constraints = constraints(kernel);
        let groups = groups(kernel, &used);
        let own = own_orders(kernel, &constraints, &groups)?;
        constraints.extend(own);
        Ok(Self { used, constraints, groups })
    }

    /// The orders that each group may have.
    fn legal(&self) -> Vec<Legal<'_>> {
        let Self { constraints, groups, .. } = self;
        let bind = satisfiable(constraints, groups);
        let chains = |group: &[VarId], binds: bool| -> Vec<Vec<VarId>> {
            let own = constraints.iter().zip(&bind).filter(|(c, _)| group.contains(&c.vars[0]));
            let own: Vec<(&Constraint, bool)> = own.map(|(c, b)| (c, *b)).collect();
            // Where operands cannot all have their orders, none of them is sure of its own.
            let all = own.iter().all(|(_, b)| *b);
            let chosen = own.into_iter().filter(|(c, b)| *b && (all || c.why != Why::Operand) == binds);
            chosen.map(|(c, _)| c.vars.clone()).collect()
        };
        groups.iter().map(|group| Legal::new(group, &chains(group, true), chains(group, false))).collect()
    }
}

/// Why the order is this one, of statements whose orders the kernel file does not give.
fn reason(kernel: &Kernel, order: &[VarId]) -> String {
    let given = |s: &&Statement| s.own.order.is_some();
    let own: Vec<&str> =
        kernel.statements.iter().filter(given).map(|s| kernel.tensor(s.result).name.as_str()).collect();
    let of = |s: &&Statement| !given(s);
    let open: HashSet<VarId> = kernel.statements.iter().filter(of).flat_map(|s| facts::variables(kernel, s)).collect();
    let names: Vec<&str> = order.iter().filter(|v| open.contains(v)).map(|&v| kernel.var(v).name.as_str()).collect();
    let given = format!("the kernel file gives the order of {}", own.join(", "));
    let chosen = format!("order {} is estimated to take the fewest cycles of the legal ones", names.join(", "));
    match (own.is_empty(), names.is_empty()) {
        (true, _) => chosen,
        (false, true) => given,
        (false, false) => format!("{given}; of what is open {chosen}"),
    }
}

/// Orders that the kernel file gives single statements, as constraints.
///
/// # Errors
///
/// S001: one that contradicts the storage of a tensor.
fn own_orders(
    kernel: &Kernel,
    constraints: &[Constraint],
    groups: &[Vec<VarId>],
) -> Result<Vec<Constraint>, Diagnostic> {
    let relaxed = satisfiable(constraints, groups);
    let mut out = Vec::new();
    for s in &kernel.statements {
        let Some(names) = &s.own.order else { continue };
        let vars = facts::variables(kernel, s);
        let order = expand(kernel, names.get_ref(), &vars);
        let mut broken = constraints.iter().filter(|c| vars.contains(&c.vars[0]) && !respects(&c.vars, &order));
        if let Some(c) = broken.find(|c| !c.why.yields() || relaxed.iter().all(|r| *r)) {
            return Err(contradiction(kernel, (c, constraints), &order, None).at(Place::Kernel(names.span())));
        }
        // A scalar of scalars has no loop whose order there could be.
        if !order.is_empty() {
            out.push(Constraint { tensor: s.result, vars: order, why: Why::Asked });
        }
    }
    Ok(out)
}

/// The variables that are ordered together: those of one statement, and of statements that share some.
fn groups(kernel: &Kernel, used: &[VarId]) -> Vec<Vec<VarId>> {
    let mut group_of: HashMap<VarId, usize> = HashMap::new();
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    for s in &kernel.statements {
        let own = facts::variables(kernel, s);
        let mut joined: Vec<usize> = own.iter().filter_map(|v| group_of.get(v).copied()).collect();
        joined.sort_unstable();
        joined.dedup();
        let mut all = own;
        all.extend(joined.iter().flat_map(|&g| std::mem::take(&mut groups[g])));
        all.sort_unstable();
        all.dedup();
        group_of.extend(all.iter().map(|&v| (v, groups.len())));
        groups.push(all);
    }
    groups.retain(|g| !g.is_empty());
    debug_assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), used.len());
    groups
}

fn with_rest(mut order: Vec<VarId>, all: &[VarId]) -> Vec<VarId> {
    order.extend(all.iter().filter(|v| !order.contains(v)).copied().collect::<Vec<_>>());
    order
}

fn repacks(kernel: &Kernel, broken: &[&Constraint]) -> Vec<String> {
    let text = |c: &&Constraint| {
        let names: Vec<&str> = c.vars.iter().map(|&v| kernel.var(v).name.as_str()).collect();
        format!("{}({}) is packed once more, in loop order", kernel.tensor(c.tensor).name, names.join(","))
    };
    broken.iter().filter(|c| c.why == Why::Operand).map(text).collect()
}

/// Names to variables; several variables of one name stand together, outer reductions first.
fn expand(kernel: &Kernel, names: &[String], used: &[VarId]) -> Vec<VarId> {
    let mut order: Vec<VarId> = Vec::new();
    for name in names {
        let mut same: Vec<VarId> = used.iter().copied().filter(|&v| kernel.var(v).name == *name).collect();
        // The reduction that encloses another has the lower expression depth.
        same.sort_by_key(|&v| nesting(kernel, v));
        order.extend(same);
    }
    // Those of computed coordinates have no names: they come as soon as they can, one after the other. So do those that an assignment
    // to computed coordinates visits.
    let unnamed = |v: &VarId| !names.contains(&kernel.var(*v).name);
    for s in kernel.statements.iter().filter(|s| facts::variables(kernel, s).iter().any(|v| used.contains(v))) {
        let computed = facts::computed(kernel, s.value);
        let stored: Vec<VarId> = kernel.tensor(s.result).mode_order.iter().map(|&m| s.indices[m]).collect();
        let visited = stored.iter().enumerate().filter(|(_, v)| computed.iter().all(|(c, _)| c != *v));
        let visited = visited.map(|(l, &v)| (v, stored[..l].to_vec()));
        let mut least = 0;
        for (v, before) in visited.chain(computed.iter().cloned()).filter(|(v, _)| unnamed(v)) {
            let at = order.iter().rposition(|u| before.contains(u)).map_or(0, |at| at + 1).max(least);
            order.insert(at, v);
            least = at + 1;
        }
    }
    order
}

/// How many reductions enclose the one that binds `v`; 0 for a free variable.
fn nesting(kernel: &Kernel, v: VarId) -> usize {
    fn go(kernel: &Kernel, e: ExprId, v: VarId, depth: usize) -> Option<usize> {
        let depth = match kernel.expr(e) {
            Expr::Reduce(_, k, _) if *k == v => return Some(depth + 1),
            Expr::Reduce(..) => depth + 1,
            _ => depth,
        };
        kernel.expr(e).children().iter().find_map(|&a| go(kernel, a, v, depth))
    }
    kernel.statements.iter().find_map(|s| go(kernel, s.value, v, 0)).unwrap_or(0)
}

fn constraints(kernel: &Kernel) -> Vec<Constraint> {
    let mut out: Vec<Constraint> = Vec::new();
    for (n, s) in kernel.statements.iter().enumerate() {
        let mut add = |t: TensorId, indices: &[VarId], why: Why| {
            let tensor = kernel.tensor(t);
            // A dense operand is read at random; nothing binds its order.
            if why == Why::Operand && tensor.levels.iter().all(|l| l.is_dense()) {
                return;
            }
            let mut vars: Vec<VarId> = tensor.mode_order.iter().map(|&m| indices[m]).collect();
            vars.dedup();
            let diagonal = (1..vars.len()).any(|k| vars[..k].contains(&vars[k]));
            if vars.len() > 1 && !diagonal && !out.iter().any(|c| c.vars == vars && c.why == why && c.tensor == t) {
                out.push(Constraint { tensor: t, vars, why });
            }
        };
        // What is scattered into is written in any order.
        let scattered = |name: &&toml::Spanned<String>| *name.get_ref() == kernel.tensor(s.result).name;
        let result = kernel.tensor(s.result);
        let list = result.levels.iter().position(|l| l.is_linked());
        if list.is_none() && !kernel.schedule_of(s).scatter.iter().flatten().any(|name| scattered(&name)) {
            add(s.result, &s.indices, Why::Result);
        }
        for (t, i) in kernel.accesses(s.value) {
            add(t, i, if kernel.on_chip(n, t) { Why::OnChip } else { Why::Operand });
        }
        // Lists, and what is above them, are written in any order before what is below them.
        if let Some(l) = list {
            let stored: Vec<VarId> = result.mode_order.iter().map(|&m| s.indices[m]).collect();
            let below = stored.iter().enumerate().skip(l + 1);
            let pairs =
                below.flat_map(|(m, v)| stored[..m].iter().skip(if m == l + 1 { 0 } else { m - 1 }).map(|u| [*u, *v]));
            out.extend(pairs.map(|pair| Constraint { tensor: s.result, vars: pair.to_vec(), why: Why::Listed }));
        }
        let computed = facts::computed(kernel, s.value).into_iter().map(|c| (c, Why::Computed));
        let scanned = facts::scanned(kernel, s.value).into_iter().map(|c| (c, Why::Scanned));
        for ((v, before), why) in computed.chain(scanned) {
            out.extend(before.into_iter().map(|u| Constraint { tensor: s.result, vars: vec![u, v], why }));
        }
    }
    out
}

fn respects(chain: &[VarId], order: &[VarId]) -> bool {
    let place = |v: &VarId| order.iter().position(|o| o == v);
    chain.is_sorted_by_key(place)
}

/// Which constraints can bind together: computed coordinates and results first, then operands as long as no cycle forms.
fn satisfiable(constraints: &[Constraint], groups: &[Vec<VarId>]) -> Vec<bool> {
    let mut bind = vec![false; constraints.len()];
    for group in groups {
        let inside: HashSet<&VarId> = group.iter().collect();
        let own: Vec<usize> = (0..constraints.len()).filter(|&k| inside.contains(&constraints[k].vars[0])).collect();
        let mut bound: Vec<&Constraint> = own.iter().map(|&k| &constraints[k]).collect();
        if !cyclic(&bound, group) {
            own.iter().for_each(|&k| bind[k] = true);
            continue;
        }
        bound.clear();
        for pass in [Why::Computed, Why::Scanned, Why::Listed, Why::Result, Why::Asked, Why::OnChip, Why::Operand] {
            for &k in own.iter().filter(|&&k| constraints[k].why == pass) {
                bound.push(&constraints[k]);
                bind[k] = !cyclic(&bound, group);
                if !bind[k] {
                    bound.pop();
                }
            }
        }
    }
    bind
}

/// Whether no order of `vars` obeys all of them.
fn cyclic(bound: &[&Constraint], vars: &[VarId]) -> bool {
    let mut after: HashMap<VarId, Vec<VarId>> = HashMap::new();
    let mut waits: HashMap<VarId, usize> = HashMap::new();
    for pair in bound.iter().flat_map(|c| c.vars.windows(2)) {
        after.entry(pair[0]).or_default().push(pair[1]);
        *waits.entry(pair[1]).or_default() += 1;
    }
    let mut free: Vec<VarId> = vars.iter().copied().filter(|v| !waits.contains_key(v)).collect();
    let mut done = 0;
    while let Some(v) = free.pop() {
        done += 1;
        for next in after.get(&v).into_iter().flatten() {
            if let Some(left) = waits.get_mut(next) {
                *left -= 1;
                if *left == 0 {
                    free.push(*next);
                }
            }
        }
    }
    done < vars.len()
}
