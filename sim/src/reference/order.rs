//! The choice of a loop order by local search, with a cost model of uniformly distributed entries.

use super::program::{Gather, Kind, NodeId, Origin, Program, Step, StepId};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Statement, TensorId, VarId};

/// Variables of the statement, in the order in which they appear: the left side first.
pub(super) fn variables(kernel: &Kernel, statement: &Statement) -> Vec<VarId> {
    let mut found = Vec::new();
    let mut add = |v: VarId| {
        if !found.contains(&v) {
            found.push(v);
        }
    };
    statement.indices.iter().copied().for_each(&mut add);
    walk(kernel, statement.value, &mut add);
    found
}

fn walk(kernel: &Kernel, e: ExprId, add: &mut dyn FnMut(VarId)) {
    match kernel.expr(e) {
        Expr::Index(v) | Expr::Reduce(_, v, _) | Expr::At(v, _) | Expr::Prefix(_, v, _) => add(*v),
        Expr::Access(_, indices) | Expr::Stored(_, indices) => indices.iter().copied().for_each(&mut *add),
        Expr::Literal(_) | Expr::Map(..) | Expr::Call(..) | Expr::Convert(_) | Expr::Read { .. } => {}
    }
    kernel.expr(e).children().iter().for_each(|&a| walk(kernel, a, add));
}

/// The cheapest program found by moving one variable at a time, starting from `order`. A result
/// that does not come in the order of its `indices` costs sorting.
pub(super) fn cheapest(
    mut order: Vec<VarId>,
    indices: &[VarId],
    dims: &[u64],
    stored: &dyn Fn(TensorId) -> usize,
    plan: impl Fn(&[VarId]) -> Result<Program, Diagnostic>,
) -> Result<Program, Diagnostic> {
    let priced = |order: &[VarId]| plan(order).map(|p| (Model::new(&p, dims, stored).cost(indices), p));
    let (mut cost, mut best) = priced(&order)?;
    loop {
        let mut better = None;
        for from in 0..order.len() {
            for to in (0..order.len()).filter(|&to| to != from) {
                let mut moved = order.clone();
                let v = moved.remove(from);
                moved.insert(to, v);
                let (c, program) = priced(&moved)?;
                if c < cost * 0.99 {
                    (cost, best, better) = (c, program, Some(moved));
                }
            }
        }
        match better {
            Some(moved) => order = moved,
            None => return Ok(best),
        }
    }
}

/// Expected work of a program.
struct Model<'a> {
    program: &'a Program,
    dims: &'a [u64],
    /// Expected stored values of each slot.
    stored: Vec<f64>,
    /// Bound levels of each slot.
    bound: Vec<usize>,
}

impl<'a> Model<'a> {
    fn new(program: &'a Program, dims: &'a [u64], stored: &dyn Fn(TensorId) -> usize) -> Self {
        let size = |origin: &Origin| match origin {
            Origin::Access(t, _) => stored(*t) as f64,
            Origin::Produced => 0.0,
        };
        let stored: Vec<f64> = program.slots.iter().map(|s| size(&s.origin)).collect();
        Self { program, dims, bound: vec![0; stored.len()], stored }
    }

    fn cost(mut self, indices: &[VarId]) -> f64 {
        let (work, values) = self.step(self.program.start, 1.0);
        let sorted = indices.iter().copied().eq(self.program.key.vars());
        if sorted { work } else { work + values }
    }

    fn dim(&self, v: VarId) -> f64 {
        self.dims[v.0] as f64
    }

    /// (work, values emitted) of running a step `times` times.
    fn step(&mut self, step: StepId, times: f64) -> (f64, f64) {
        let program = self.program;
        match &program.steps[step] {
            Step::Value { expr, .. } => (times + self.nested(*expr, times), times),
            Step::Gather { gather, .. } => self.gather(gather, times),
            Step::Single { .. } => (times, times),
            Step::Loop(l) => {
                let mut work = times;
                for &(step, slot) in &l.produced {
                    match &program.steps[step] {
                        Step::Gather { gather, .. } => {
                            let (w, n) = self.gather(gather, times);
                            work += w;
                            self.stored[slot] = n / times.max(1.0);
                        }
                        Step::Single { at, .. } => {
                            work += times + self.nested(*at, times);
                            self.stored[slot] = 1.0;
                        }
                        Step::Value { .. } | Step::Loop(_) => {}
                    }
                }
                let before = self.presence(l.expr);
                l.scanned.iter().for_each(|&(slot, level)| self.bound[slot] = level + 1);
                let after = self.presence(l.expr);
                l.scanned.iter().for_each(|&(slot, level)| self.bound[slot] = level);
                let scanned: Vec<_> = l.scanned.iter().map(|s| s.0).collect();
                let visited = times * self.dim(l.var) * self.driven(l.expr, &scanned).unwrap_or(1.0);
                let entered = if before > 0.0 { times * self.dim(l.var) * (after / before).min(1.0) } else { 0.0 };
                l.scanned.iter().for_each(|&(slot, level)| self.bound[slot] = level + 1);
                let (w, n) = self.step(l.next, entered);
                l.scanned.iter().for_each(|&(slot, level)| self.bound[slot] = level);
                (work + visited + w, n)
            }
        }
    }

    /// Work of a reduction, and how many values its workspace ends with.
    fn gather(&mut self, gather: &Gather, times: f64) -> (f64, f64) {
        let (work, values) = self.step(gather.body, times);
        let cells = times * gather.kept.vars().map(|v| self.dim(v)).product::<f64>();
        // A workspace costs more than a scalar, and a large one more than a small one.
        let touch = if gather.kept.len() == 0 { 0.0 } else { 1.0 + (values / times.max(1.0)).max(1.0).log2() / 8.0 };
        let kept = if gather.counts.is_some() { cells } else { values.min(cells) };
        (work + values * touch, kept)
    }

    /// Work of the scalar reductions inside an expression.
    fn nested(&mut self, e: NodeId, times: f64) -> f64 {
        let program = self.program;
        match &program.nodes[e].kind {
            Kind::Nested(step) => self.step(*step, times).0,
            Kind::Map(_, args) | Kind::Call(_, args) | Kind::Read(_, args) => {
                args.iter().map(|&a| self.nested(a, times)).sum()
            }
            Kind::Convert(_, body) | Kind::At(_, body) => self.nested(*body, times),
            Kind::Slot(_) | Kind::Stored(_) | Kind::Literal | Kind::Index(_) | Kind::Reduce(..) => 0.0,
        }
    }

    /// Probability that a slot has something at given coordinates of its bound levels.
    fn there(&self, slot: usize, bound: usize) -> f64 {
        let cells: f64 = self.program.slots[slot].key.vars().take(bound).map(|v| self.dim(v)).product();
        (self.stored[slot] / cells.max(1.0)).min(1.0)
    }

    /// Probability that `e` is possible at given coordinates of what is bound.
    fn presence(&self, e: NodeId) -> f64 {
        let node = &self.program.nodes[e];
        match &node.kind {
            _ if node.always => 1.0,
            Kind::Slot(s) | Kind::Stored(s) => self.there(*s, self.bound[*s]),
            Kind::Literal | Kind::Nested(_) | Kind::Index(_) => 0.0,
            Kind::At(..) => 1.0,
            Kind::Reduce(_, _, body) | Kind::Convert(_, body) => self.presence(*body),
            Kind::Map(_, args) | Kind::Call(_, args) | Kind::Read(_, args) => {
                let needed: Vec<f64> = self.needed(e).into_iter().map(|a| self.presence(a)).collect();
                if needed.is_empty() {
                    1.0 - args.iter().map(|&a| 1.0 - self.presence(a)).product::<f64>()
                } else {
                    needed.iter().product()
                }
            }
        }
    }

    /// Share of the dimension that the fibers walked by a loop take; `None`: none is walked.
    fn driven(&self, e: NodeId, scanned: &[usize]) -> Option<f64> {
        let node = &self.program.nodes[e];
        match &node.kind {
            _ if node.always => Some(1.0),
            Kind::Slot(s) | Kind::Stored(s) if scanned.contains(s) => {
                Some(self.there(*s, self.bound[*s] + 1) / self.there(*s, self.bound[*s]).max(1e-300))
            }
            Kind::Slot(_) | Kind::Stored(_) | Kind::Literal | Kind::Index(_) | Kind::Nested(_) => None,
            Kind::At(..) => Some(1.0),
            Kind::Reduce(_, _, body) | Kind::Convert(_, body) => self.driven(*body, scanned),
            Kind::Map(_, args) | Kind::Call(_, args) | Kind::Read(_, args) => {
                let shares = |of: &[NodeId]| of.iter().filter_map(|&a| self.driven(a, scanned)).collect::<Vec<f64>>();
                let least = shares(&self.needed(e)).into_iter().reduce(f64::min);
                least.or_else(|| shares(args).into_iter().reduce(|p, q| (p + q).min(1.0)))
            }
        }
    }

    /// The arguments of a function without which it is absent.
    fn needed(&self, e: NodeId) -> Vec<NodeId> {
        let node = &self.program.nodes[e];
        match &node.kind {
            Kind::Map(_, args) => {
                args.iter().enumerate().filter(|(k, _)| node.needed >> k & 1 == 1).map(|(_, &a)| a).collect()
            }
            _ => Vec::new(),
        }
    }
}
