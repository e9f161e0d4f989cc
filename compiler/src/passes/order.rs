//! Loop order: legality and an asymptotic cost model.
//!
//! An order is legal if it reads every stored tensor outermost level first. The result's
//! storage always binds. Where the operands' storage orders contradict each other or the
//! result (`A(i,j) * A(j,i)`), as few operands as possible are packed again.
//!
//! Cost of scanning variable v after the set S of variables: for every operand with v, the
//! expected number of iteration points of S times the expected length of the operand's fiber
//! at v. Points multiply by dimension and density: densities multiply under intersection and
//! add under union. Both depend on S as a set only, so the best order is found by dynamic
//! programming over sets, or by a beam where there are many variables.

use crate::diag::Diagnostic;
use crate::lower;
use crate::stmt::{Expr, ExprId, Fun, Kernel, LevelKind, TensorId, VarId};
use std::collections::HashMap;

/// What is known of the data: expected stored values per tensor.
#[derive(Debug, Clone, Default)]
pub struct Density {
    /// Stored values, where measured.
    pub stored: HashMap<TensorId, u64>,
}

/// The chosen order and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// All variables, outermost first.
    pub order: Vec<VarId>,
    /// Estimated scanner cycles.
    pub cost: f64,
    /// Sentences for `samhw graph`.
    pub reasons: Vec<String>,
}

/// A tensor's storage order as it reads in one access: each variable before the next.
struct Constraint {
    tensor: TensorId,
    vars: Vec<VarId>,
    result: bool,
}

const BEAM: usize = 400;
/// Workspaces of more words than this weigh as much as they hold.
const LARGE_WORKSPACE: f64 = 65536.0;

/// The order the kernel file gives, checked; or the cheapest legal one.
pub fn choose(kernel: &Kernel, density: &Density) -> Result<Choice, Diagnostic> {
    let all: Vec<VarId> = (0..kernel.vars.len()).map(VarId).collect();
    let used: Vec<VarId> = {
        let mut v: Vec<VarId> = kernel.statements.iter().flat_map(|s| lower::variables(kernel, s)).collect();
        v.sort_unstable();
        v.dedup();
        v
    };
    let constraints = constraints(kernel);
    let model = Model { kernel, density };
    if let Some(names) = &kernel.order {
        let order = expand(kernel, names, &used);
        let broken: Vec<&Constraint> = constraints.iter().filter(|c| !respects(c, &order)).collect();
        let relaxed = satisfiable(&constraints, &used);
        if let Some(c) = broken.iter().find(|c| c.result || relaxed.iter().all(|r| *r)) {
            return Err(contradiction(kernel, c, &order));
        }
        let mut reasons = vec!["the kernel file gives the order".to_string()];
        reasons.extend(repacks(kernel, &broken));
        let cost = model.total(&order);
        return Ok(Choice { order: with_rest(order, &all), cost, reasons });
    }
    let bind = satisfiable(&constraints, &used);
    let binding: Vec<&Constraint> = constraints.iter().zip(&bind).filter(|(_, b)| **b).map(|(c, _)| c).collect();
    let (order, cost) = search(&model, &used, &binding);
    let names: Vec<&str> = order.iter().map(|&v| kernel.var(v).name.as_str()).collect();
    let mut reasons = vec![format!(
        "order {} has the least estimated cost of the legal ones: about {cost:.0} scanner cycles",
        names.join(", ")
    )];
    let broken: Vec<&Constraint> = constraints.iter().filter(|c| !respects(c, &order)).collect();
    reasons.extend(repacks(kernel, &broken));
    Ok(Choice { order: with_rest(order, &all), cost, reasons })
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
    broken.iter().map(text).collect()
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
        // What an earlier statement wrote lies on the chip as it was written.
        let fixed = |t: TensorId| kernel.written_before(n, t).is_some();
        let mut add = |t: TensorId, indices: &[VarId], result: bool| {
            let tensor = kernel.tensor(t);
            // A dense operand is read at random; nothing binds its order.
            if !result && tensor.levels.iter().all(|l| *l == LevelKind::Dense) {
                return;
            }
            let mut vars: Vec<VarId> = tensor.mode_order.iter().map(|&m| indices[m]).collect();
            vars.dedup();
            let diagonal = (1..vars.len()).any(|k| vars[..k].contains(&vars[k]));
            if vars.len() > 1 && !diagonal && !out.iter().any(|c| c.vars == vars && c.result == result && c.tensor == t)
            {
                out.push(Constraint { tensor: t, vars, result });
            }
        };
        // What is scattered into is written in any order.
        let scattered = |name: &&toml::Spanned<String>| *name.get_ref() == kernel.tensor(s.result).name;
        if !kernel.schedule.scatter.iter().flatten().any(|name| scattered(&name)) {
            add(s.result, &s.indices, true);
        }
        for (t, i) in kernel.accesses(s.value) {
            add(t, i, fixed(t));
        }
    }
    out
}

fn respects(c: &Constraint, order: &[VarId]) -> bool {
    let place = |v: &VarId| order.iter().position(|o| o == v);
    c.vars.is_sorted_by_key(place)
}

/// Which constraints can bind together: results first, then operands as long as no cycle forms.
fn satisfiable(constraints: &[Constraint], used: &[VarId]) -> Vec<bool> {
    let mut bind = vec![false; constraints.len()];
    for pass in [true, false] {
        for k in 0..constraints.len() {
            if constraints[k].result == pass {
                bind[k] = true;
                if cyclic(constraints, &bind, used) {
                    bind[k] = false;
                }
            }
        }
    }
    bind
}

fn cyclic(constraints: &[Constraint], bind: &[bool], used: &[VarId]) -> bool {
    let mut left: Vec<VarId> = used.to_vec();
    loop {
        let free = |v: &VarId| {
            !constraints.iter().zip(bind).any(|(c, b)| {
                *b && c.vars.iter().position(|x| x == v).is_some_and(|p| c.vars[..p].iter().any(|u| left.contains(u)))
            })
        };
        match left.iter().position(free) {
            Some(k) => {
                left.remove(k);
            }
            None => return !left.is_empty(),
        }
    }
}

fn contradiction(kernel: &Kernel, c: &Constraint, order: &[VarId]) -> Diagnostic {
    let names = |v: &[VarId]| v.iter().map(|&x| kernel.var(x).name.clone()).collect::<Vec<_>>().join(", ");
    let tensor = kernel.tensor(c.tensor);
    let mine: Vec<VarId> = order.iter().copied().filter(|v| c.vars.contains(v)).collect();
    let mode_order: Vec<usize> = {
        let place = |m: &usize| {
            order.iter().position(|o| Some(o) == c.vars.get(tensor.mode_order.iter().position(|x| x == m).unwrap_or(0)))
        };
        let mut modes: Vec<usize> = (0..tensor.mode_order.len()).collect();
        modes.sort_by_key(place);
        modes
    };
    Diagnostic::new("S001", format!("loop order {} contradicts the storage of {}", names(order), tensor.name))
        .help(format!("{} is stored {} outermost first, the loops visit {}", tensor.name, names(&c.vars), names(&mine)))
        .help(format!("store it as mode_order = {mode_order:?}, choose another order, or leave `order` out"))
}

/// Cheapest order that respects `binding`, with its cost.
fn search(model: &Model, used: &[VarId], binding: &[&Constraint]) -> (Vec<VarId>, f64) {
    let bit = |v: &VarId| used.iter().position(|u| u == v).map_or(0, |p| 1u32 << p);
    // Variables that must come before each one.
    let before: Vec<u32> = used
        .iter()
        .map(|v| {
            let own = |c: &&&Constraint| c.vars.iter().position(|x| x == v);
            binding
                .iter()
                .filter_map(|c| own(&c).map(|p| c.vars[..p].iter().fold(0, |m, u| m | bit(u))))
                .fold(0, |m, b| m | b)
        })
        .collect();
    let mut layer: HashMap<u32, (f64, Vec<VarId>)> = HashMap::from([(0, (0.0, vec![]))]);
    for _ in 0..used.len() {
        let mut next: HashMap<u32, (f64, Vec<VarId>)> = HashMap::new();
        let mut states: Vec<_> = layer.into_iter().collect();
        states.sort_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.1.1.cmp(&b.1.1)));
        states.truncate(BEAM);
        for (set, (cost, order)) in states {
            for (k, &v) in used.iter().enumerate() {
                if set >> k & 1 == 1 || before[k] & !set != 0 {
                    continue;
                }
                let total = cost + model.step(&order, v);
                let entry = next.entry(set | 1 << k);
                let mut longer = order.clone();
                longer.push(v);
                let new = (total, longer);
                let better = |old: &(f64, Vec<VarId>)| new.0.total_cmp(&old.0).then_with(|| new.1.cmp(&old.1)).is_lt();
                match entry {
                    std::collections::hash_map::Entry::Occupied(mut o) if better(o.get()) => {
                        o.insert(new);
                    }
                    std::collections::hash_map::Entry::Occupied(_) => {}
                    std::collections::hash_map::Entry::Vacant(e) => {
                        e.insert(new);
                    }
                }
            }
        }
        layer = next;
    }
    layer.into_values().next().map_or((used.to_vec(), 0.0), |(c, o)| (o, c))
}

/// The cost model.
struct Model<'a> {
    kernel: &'a Kernel,
    density: &'a Density,
}

impl Model<'_> {
    fn total(&self, order: &[VarId]) -> f64 {
        (0..order.len()).map(|k| self.step(&order[..k], order[k])).sum()
    }

    fn dim(&self, v: VarId) -> f64 {
        self.kernel.var(v).max.max(1) as f64
    }

    /// Cost of putting `v` after the variables `set`.
    fn step(&self, set: &[VarId], v: VarId) -> f64 {
        self.kernel.statements.iter().map(|s| self.step_in(s.value, set, v)).sum()
    }

    /// ... in expression `e`.
    fn step_in(&self, e: ExprId, set: &[VarId], v: VarId) -> f64 {
        match self.kernel.expr(e) {
            Expr::Literal(_) | Expr::Index(_) => 0.0,
            Expr::Access(_, indices) | Expr::Stored(_, indices) => {
                if !indices.contains(&v) {
                    return 0.0;
                }
                self.points(e, set) * self.fiber(e, set, v)
            }
            // Under a product an operand is only scanned where the others are there.
            Expr::Map(f, args) if intersects(*f) => {
                let points: f64 = set.iter().filter(|x| self.ranges(e, **x)).map(|&x| self.dim(x)).product::<f64>()
                    * self.here(e, set);
                let scanned = |a: &&ExprId| !self.is_located(**a, args, v);
                args.iter()
                    .filter(scanned)
                    .map(|&a| match self.kernel.expr(a) {
                        Expr::Access(_, i) | Expr::Stored(_, i) if i.contains(&v) => {
                            points.max(1.0) * self.fiber(a, set, v)
                        }
                        _ => self.step_in(a, set, v),
                    })
                    .sum()
            }
            Expr::Map(..) | Expr::Call(..) | Expr::Convert(_) | Expr::Read { .. } => {
                self.kernel.expr(e).children().iter().map(|&a| self.step_in(a, set, v)).sum()
            }
            Expr::Reduce(_, k, body) => {
                self.step_in(*body, set, v) + if *k == v { self.workspace(e, set) } else { 0.0 }
            }
        }
    }

    /// True if factor `a` is looked up at `v` and not scanned: it is dense there, and another factor is not.
    fn is_located(&self, a: ExprId, args: &[ExprId], v: VarId) -> bool {
        let dense = |t: TensorId, indices: &[VarId]| {
            let tensor = self.kernel.tensor(t);
            let own = (0..tensor.levels.len()).filter(|&l| indices[tensor.mode_order[l]] == v);
            own.into_iter().all(|l| tensor.levels[l] == LevelKind::Dense)
        };
        let (Expr::Access(t, i) | Expr::Stored(t, i)) = self.kernel.expr(a) else { return false };
        let asked =
            |names: &Vec<_>| names.iter().any(|n: &toml::Spanned<String>| *n.get_ref() == self.kernel.tensor(*t).name);
        let leads = |b: ExprId| self.kernel.accesses(b).iter().any(|(u, j)| j.contains(&v) && !dense(*u, j));
        i.contains(&v)
            && dense(*t, i)
            && self.kernel.schedule.locate.as_ref().is_none_or(asked)
            && args.iter().any(|&b| b != a && leads(b))
    }

    /// What a reduction costs whose kept variables come later: its workspace is drained.
    fn workspace(&self, e: ExprId, set: &[VarId]) -> f64 {
        let open = lower::open(self.kernel, e);
        let words: f64 = open.iter().filter(|v| !set.contains(v)).map(|&v| self.dim(v)).product();
        let runs: f64 = open.iter().filter(|v| set.contains(v)).map(|&v| self.dim(v)).product();
        if open.iter().all(|v| set.contains(v)) {
            0.0
        } else {
            runs.min(words) * 0.25 + if words > LARGE_WORKSPACE { words } else { 0.0 }
        }
    }

    fn ranges(&self, e: ExprId, v: VarId) -> bool {
        self.kernel.accesses(e).iter().any(|(_, i)| i.contains(&v))
    }

    /// Expected points of the loops over `set` at which access `e` is there.
    fn points(&self, e: ExprId, set: &[VarId]) -> f64 {
        (set.iter().filter(|v| self.ranges(e, **v)).map(|&v| self.dim(v)).product::<f64>() * self.here(e, set)).max(1.0)
    }

    /// Probability that `e` is there at a point of `set`.
    fn here(&self, e: ExprId, set: &[VarId]) -> f64 {
        match self.kernel.expr(e) {
            Expr::Literal(_) | Expr::Index(_) | Expr::Read { .. } => 1.0,
            Expr::Access(t, indices) | Expr::Stored(t, indices) => {
                self.positions(*t, indices, set)
                    / indices.iter().filter(|v| set.contains(v)).map(|&v| self.dim(v)).product::<f64>()
            }
            Expr::Map(f, args) if intersects(*f) => args.iter().map(|&a| self.here(a, set)).product(),
            Expr::Map(_, args) | Expr::Call(_, args) => {
                1.0 - args.iter().map(|&a| 1.0 - self.here(a, set)).product::<f64>()
            }
            Expr::Reduce(_, _, body) | Expr::Convert(body) => self.here(*body, set),
        }
    }

    /// Expected length of a fiber of access `e` at `v` below a stored prefix.
    fn fiber(&self, e: ExprId, set: &[VarId], v: VarId) -> f64 {
        let (Expr::Access(t, indices) | Expr::Stored(t, indices)) = self.kernel.expr(e) else { return 1.0 };
        let mut with = set.to_vec();
        with.push(v);
        (self.positions(*t, indices, &with) / self.positions(*t, indices, set)).max(1.0)
    }

    /// Expected number of distinct prefixes of a tensor over the variables in `set`.
    fn positions(&self, t: TensorId, indices: &[VarId], set: &[VarId]) -> f64 {
        let tensor = self.kernel.tensor(t);
        let size =
            |inside: bool| indices.iter().filter(|v| set.contains(v) == inside).map(|&v| self.dim(v)).product::<f64>();
        let (prefix, below) = (size(true), size(false));
        let all = prefix * below;
        let compressed = tensor.levels.iter().any(|l| *l != LevelKind::Dense);
        let stored = match self.density.stored.get(&t).copied().or(tensor.nnz) {
            Some(n) => (n as f64).min(all),
            None if compressed => (all * 0.05).max(1.0),
            None => all,
        };
        let dense_prefix = (0..tensor.levels.len())
            .filter(|&l| set.contains(&indices[tensor.mode_order[l]]))
            .all(|l| tensor.levels[l] == LevelKind::Dense);
        if dense_prefix {
            return prefix.max(1.0);
        }
        // Of `prefix` cells each holds something unless all `below` are absent.
        (prefix * (1.0 - (1.0 - (stored / all).min(1.0)).powf(below))).max(1.0)
    }
}

/// Does 0 annihilate it at both positions, so that its operands meet by intersection?
fn intersects(f: Fun) -> bool {
    matches!(f, Fun::Mul | Fun::And | Fun::BitAnd)
}
