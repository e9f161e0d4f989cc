//! What scanning costs: points of the loops outside times the length of the fibers scanned in each.

use super::Density;
use crate::lower;
use crate::stmt::{Expr, ExprId, Fun, Kernel, LevelKind, TensorId, VarId};
use std::collections::HashMap;

/// Workspaces of more words than this weigh as much as they hold.
const LARGE_WORKSPACE: f64 = 65536.0;

/// The cost model.
pub(super) struct Model<'a> {
    kernel: &'a Kernel,
    density: &'a Density,
    /// The right-hand sides of the statements that have each variable.
    values: HashMap<VarId, Vec<ExprId>>,
    /// Per expression the variables of the accesses in it.
    ranges: Vec<Variables>,
    /// ... and those that it binds or computes, too: any other variable costs nothing in it.
    touched: Vec<Variables>,
}

/// Which variables; by number.
#[derive(Debug, Clone, Default)]
struct Variables(Vec<u64>);

impl Variables {
    fn add(&mut self, v: VarId) {
        if self.0.len() <= v.0 / 64 {
            self.0.resize(v.0 / 64 + 1, 0);
        }
        self.0[v.0 / 64] |= 1 << (v.0 % 64);
    }
    fn add_all(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    fn has(&self, v: VarId) -> bool {
        self.0.get(v.0 / 64).is_some_and(|word| word >> (v.0 % 64) & 1 == 1)
    }
}

/// The variables of the loops outside, outermost first, and as a set.
struct Outside<'a> {
    order: &'a [VarId],
    set: Variables,
}

impl<'a> Outside<'a> {
    fn new(order: &'a [VarId]) -> Self {
        let mut set = Variables::default();
        order.iter().for_each(|&v| set.add(v));
        Self { order, set }
    }
    fn contains(&self, v: &VarId) -> bool {
        self.set.has(*v)
    }
}

impl<'a> Model<'a> {
    pub(super) fn new(kernel: &'a Kernel, density: &'a Density) -> Self {
        let mut values: HashMap<VarId, Vec<ExprId>> = HashMap::new();
        for s in &kernel.statements {
            for v in lower::variables(kernel, s) {
                values.entry(v).or_default().push(s.value);
            }
        }
        let mut model = Self {
            kernel,
            density,
            values,
            ranges: vec![Variables::default(); kernel.exprs.len()],
            touched: vec![Variables::default(); kernel.exprs.len()],
        };
        kernel.statements.iter().for_each(|s| model.note(s.value));
        model
    }

    /// Notes the variables of `e` and of all below it.
    fn note(&mut self, e: ExprId) {
        let (mut ranges, mut touched) = (Variables::default(), Variables::default());
        for &a in self.kernel.expr(e).children() {
            self.note(a);
            ranges.add_all(&self.ranges[a.0]);
            touched.add_all(&self.touched[a.0]);
        }
        match self.kernel.expr(e) {
            Expr::Access(_, i) | Expr::Stored(_, i) => i.iter().for_each(|&v| ranges.add(v)),
            Expr::At(v, _) | Expr::Reduce(_, v, _) => touched.add(*v),
            _ => {}
        }
        touched.add_all(&ranges);
        (self.ranges[e.0], self.touched[e.0]) = (ranges, touched);
    }

    pub(super) fn total(&self, order: &[VarId]) -> f64 {
        (0..order.len()).map(|k| self.step(&order[..k], order[k])).sum()
    }

    fn dim(&self, v: VarId) -> f64 {
        self.kernel.var(v).max.max(1) as f64
    }

    /// Cost of putting `v` after the variables `set`.
    pub(super) fn step(&self, set: &[VarId], v: VarId) -> f64 {
        let outside = Outside::new(set);
        self.values.get(&v).into_iter().flatten().map(|&e| self.step_in(e, &outside, v)).sum()
    }

    /// ... in expression `e`.
    fn step_in(&self, e: ExprId, set: &Outside, v: VarId) -> f64 {
        if !self.touched[e.0].has(v) {
            return 0.0;
        }
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
                let points = || self.loops(e, set) * self.here(e, set);
                let scanned = |a: &&ExprId| !self.is_located(**a, args, v);
                args.iter()
                    .filter(scanned)
                    .map(|&a| match self.kernel.expr(a) {
                        Expr::Access(_, i) | Expr::Stored(_, i) if i.contains(&v) => {
                            points().max(1.0) * self.fiber(a, set, v)
                        }
                        _ => self.step_in(a, set, v),
                    })
                    .sum()
            }
            Expr::At(at, body) if *at == v => {
                let open = lower::open(self.kernel, *body);
                let points: f64 = open.iter().map(|&x| self.dim(x)).product();
                points * if open.iter().all(|x| set.contains(x)) { 1.0 } else { self.dim(v) }
            }
            Expr::Map(..) | Expr::Call(..) | Expr::Convert(_) | Expr::Read { .. } | Expr::At(..) => {
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
    fn workspace(&self, e: ExprId, set: &Outside) -> f64 {
        let open = lower::open(self.kernel, e);
        let words: f64 = open.iter().filter(|v| !set.contains(v)).map(|&v| self.dim(v)).product();
        let runs: f64 = open.iter().filter(|v| set.contains(v)).map(|&v| self.dim(v)).product();
        if open.iter().all(|v| set.contains(v)) {
            0.0
        } else {
            runs.min(words) * 0.25 + if words > LARGE_WORKSPACE { words } else { 0.0 }
        }
    }

    /// Points of the loops outside over which `e` ranges.
    fn loops(&self, e: ExprId, set: &Outside) -> f64 {
        set.order.iter().filter(|v| self.ranges[e.0].has(**v)).map(|&v| self.dim(v)).product()
    }

    /// Expected points of the loops over `set` at which access `e` is there.
    fn points(&self, e: ExprId, set: &Outside) -> f64 {
        (self.loops(e, set) * self.here(e, set)).max(1.0)
    }

    /// Probability that `e` is there at a point of `set`.
    fn here(&self, e: ExprId, set: &Outside) -> f64 {
        match self.kernel.expr(e) {
            Expr::Literal(_) | Expr::Index(_) | Expr::Read { .. } => 1.0,
            Expr::At(v, _) => {
                if set.contains(v) {
                    1.0 / self.dim(*v)
                } else {
                    1.0
                }
            }
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
    fn fiber(&self, e: ExprId, set: &Outside, v: VarId) -> f64 {
        let (Expr::Access(t, indices) | Expr::Stored(t, indices)) = self.kernel.expr(e) else { return 1.0 };
        let with = [set.order, &[v]].concat();
        (self.positions(*t, indices, &Outside::new(&with)) / self.positions(*t, indices, set)).max(1.0)
    }

    /// Expected number of distinct prefixes of a tensor over the variables in `set`.
    fn positions(&self, t: TensorId, indices: &[VarId], set: &Outside) -> f64 {
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
