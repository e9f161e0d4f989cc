//! Scans: each is computed as a tensor before its statement.

use super::arith::Arith;
use super::near::Near;
use super::operand::{Held, value};
use super::plan::Fill;
use super::value::Value;
use super::{mismatch, operand, run};
use crate::tensor::Coo;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::facts::open_variables;
use samhw_compiler::levels;
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Operator, Prefix, Settled, Statement, Tensor, TensorId, VarId};
use samhw_compiler::types::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A scan: what is scanned as statements into tensors of one shape, the scanned index last, the
/// first of which holds the scan's values in the end; and what is made of it.
struct Scan {
    of: Vec<Statement>,
    how: Prefix,
    ty: Type,
}

/// A statement whose scans are tensors of a kernel.
pub(super) struct Apart {
    pub(super) kernel: Kernel,
    scans: Vec<Scan>,
}

/// The kernel with tensors for the scans of `statement`, if that has some.
pub(super) fn apart(kernel: &Kernel, statement: &Statement) -> Option<Apart> {
    let mut out = Apart { kernel: Kernel::default(), scans: Vec::new() };
    if !scans(kernel, statement.value) {
        return None;
    }
    out.kernel = kernel.clone();
    out.part(statement, statement.value);
    Some(out)
}

fn scans(kernel: &Kernel, e: ExprId) -> bool {
    matches!(kernel.expr(e), Expr::Prefix(..)) || kernel.expr(e).children().iter().any(|&a| scans(kernel, a))
}

impl Apart {
    fn part(&mut self, around: &Statement, e: ExprId) {
        for a in self.kernel.expr(e).children().to_vec() {
            self.part(around, a);
        }
        let Expr::Prefix(how, v, ref of) = *self.kernel.expr(e) else { return };
        let of = of.clone();
        let outer: BTreeSet<VarId> = of.iter().flat_map(|&body| open_variables(&self.kernel, body)).collect();
        let indices: Vec<_> = outer.into_iter().filter(|u| *u != v).chain([v]).collect();
        let statements = of.into_iter().map(|body| self.apart(around, body, &indices)).collect::<Vec<_>>();
        let Some(first) = statements.first().map(|s| s.result) else { return };
        let ty = self.kernel.type_in(around, e);
        self.kernel.exprs[e.0] = Expr::Access(first, indices);
        self.scans.push(Scan { of: statements, how, ty });
    }

    /// `body` as a statement of its own.
    fn apart(&mut self, around: &Statement, body: ExprId, indices: &[VarId]) -> Statement {
        let mut open = vec![body];
        while let Some(e) = open.pop() {
            let ty = self.kernel.type_in(around, e);
            self.kernel.types.insert(e, ty);
            open.extend(self.kernel.expr(e).children());
        }
        let (result, ty) = (TensorId(self.kernel.tensors.len()), self.kernel.type_in(around, body));
        self.kernel.tensors.push(Tensor {
            name: format!("scan{}", result.0),
            ty,
            shape: indices.iter().map(|&v| self.kernel.var(v).max).collect(),
            levels: vec![levels::DENSE; indices.len()],
            mode_order: (0..indices.len()).collect(),
            fill: None,
            nnz: None,
            runs: None,
            prune: false,
            span: around.span.clone(),
            view: None,
        });
        let (span, settled, own) = (around.span.clone(), Settled::default(), around.own.clone());
        Statement { result, indices: indices.to_vec(), value: body, ty, span, settled, own }
    }

    /// Runs the scans, inner ones first; their tensors are in `held` then.
    pub(super) fn run<V: Value>(
        &self,
        dims: &[u64],
        held: &mut BTreeMap<TensorId, Held>,
        most: usize,
    ) -> Result<(), Diagnostic> {
        for scan in &self.scans {
            let kernel = &self.kernel;
            let mut all = Vec::new();
            for statement in &scan.of {
                operand::see(kernel, statement, held)?;
                operand::check(kernel, statement, dims, held)?;
                let (output, fill) = run::<V>(kernel, statement, dims, held, None, most)?;
                all.push(match &output.bounds {
                    Some(bounds) => Held { stored: bounds.places.clone(), bounds: Some(bounds.values.clone()), fill },
                    None => Held { stored: output.stored, bounds: None, fill },
                });
            }
            held.insert(scan.result(), scan.scanned::<V>(&all)?);
        }
        Ok(())
    }

    /// Takes the scans out of `held`.
    pub(super) fn forget(&self, held: &mut BTreeMap<TensorId, Held>) {
        self.scans.iter().for_each(|scan| drop(held.remove(&scan.result())));
    }
}

impl Scan {
    /// What holds its values.
    fn result(&self) -> TensorId {
        self.of[0].result
    }

    /// What the scan gives of these values, which are all.
    fn scanned<V: Value>(&self, all: &[Held]) -> Result<Held, Diagnostic> {
        let (mut coords, mut values): (Vec<u64>, Vec<V>) = Default::default();
        let mut state = State::<V>::default();
        let of = &all[0];
        for (coord, _) in of.stored.iter() {
            let at = coord.last().copied().unwrap_or(0);
            if at == 0 {
                state = State::default();
            }
            coords.extend(coord);
            let here =
                all.iter().map(|of| of.stored.get(coord).map_or(V::of(&of.fill.value), |stored| value(of, stored)));
            values.push(state.next(self, at, &here.collect::<Vec<V>>()));
        }
        let near = Near::exact(self.how.nothing(self.ty));
        let fill = Fill { value: near, constant: false, everywhere: true };
        let coo = |values| {
            let clash = |clash| mismatch(format!("scan: {clash:?}"));
            Coo::new(of.stored.shape().to_vec(), coords, values).map_err(clash)
        };
        Ok(if V::is_bounded() {
            let places = coo((0..values.len() as u64).collect())?;
            Held { stored: places, bounds: Some(Arc::new(values.into_iter().map(V::near).collect())), fill }
        } else {
            Held { stored: coo(values.into_iter().map(|v| v.near().raw).collect())?, bounds: None, fill }
        })
    }
}

/// What is known of a fiber so far.
struct State<V> {
    /// Its fold, or its extreme value.
    best: Option<V>,
    /// Where that came first.
    at: u64,
}

impl<V> Default for State<V> {
    fn default() -> Self {
        Self { best: None, at: 0 }
    }
}

impl<V: Value> State<V> {
    fn next(&mut self, scan: &Scan, at: u64, values: &[V]) -> V {
        let (of, value) = (scan.of[0].ty, values[0]);
        match scan.how {
            Prefix::Fold(op, begin) => {
                let arith = Arith::new(scan.ty);
                let all = match self.best.or(begin.map(V::exact)) {
                    None => value,
                    Some(before) => {
                        let args: Vec<V> = [before].into_iter().chain(values.iter().copied()).collect();
                        match op {
                            Operator::Fun(f) => V::apply(arith, f, &args),
                            Operator::Call(f) => V::call(f.get(), &args, f.get().all()),
                        }
                    }
                };
                self.best = Some(all);
                all
            }
            Prefix::Least | Prefix::Greatest => {
                let order = |v: V| (of.is_nan(v.near().raw), v.near().raw);
                let beyond = |best: V| match (order(best), order(value)) {
                    ((true, _), _) => false,
                    ((false, _), (true, _)) => true,
                    ((_, best), (_, value)) => {
                        let (a, b) = if scan.how == Prefix::Least { (value, best) } else { (best, value) };
                        of.order(a, b) == Some(std::cmp::Ordering::Less)
                    }
                };
                if self.best.is_none_or(beyond) {
                    (self.best, self.at) = (Some(value), at);
                }
                V::exact(self.at)
            }
        }
    }
}
