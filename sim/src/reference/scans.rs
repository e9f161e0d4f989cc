//! Scans: each becomes a tensor that holds it at every coordinate, before the statement it is of.

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
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Operator, Prefix, Settled, Statement, Tensor, TensorId};
use samhw_compiler::types::Type;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A scan: what is scanned as a statement, the scanned index last, and what is made of it.
struct Scan {
    statement: Statement,
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
    fn part(&mut self, of: &Statement, e: ExprId) {
        for a in self.kernel.expr(e).children().to_vec() {
            self.part(of, a);
        }
        let Expr::Prefix(how, v, body) = *self.kernel.expr(e) else { return };
        let mut open = vec![body];
        while let Some(e) = open.pop() {
            let ty = self.kernel.type_in(of, e);
            self.kernel.types.insert(e, ty);
            open.extend(self.kernel.expr(e).children());
        }
        let outer = open_variables(&self.kernel, body).into_iter().filter(|u| *u != v);
        let indices: Vec<_> = outer.chain([v]).collect();
        let (result, ty) = (TensorId(self.kernel.tensors.len()), self.kernel.type_in(of, body));
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
            span: of.span.clone(),
            view: None,
        });
        let ty_of_scan = self.kernel.type_in(of, e);
        self.kernel.exprs[e.0] = Expr::Access(result, indices.clone());
        let (span, settled, own) = (of.span.clone(), Settled::default(), of.own.clone());
        let statement = Statement { result, indices, value: body, ty, span, settled, own };
        self.scans.push(Scan { statement, how, ty: ty_of_scan });
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
            operand::see(kernel, &scan.statement, held)?;
            operand::check(kernel, &scan.statement, dims, held)?;
            let (output, fill) = run::<V>(kernel, &scan.statement, dims, held, None, most)?;
            let values = match &output.bounds {
                Some(bounds) => Held { stored: bounds.places.clone(), bounds: Some(bounds.values.clone()), fill },
                None => Held { stored: output.stored, bounds: None, fill },
            };
            held.insert(scan.statement.result, scan.scanned::<V>(&values)?);
        }
        Ok(())
    }

    /// Takes the scans out of `held`.
    pub(super) fn forget(&self, held: &mut BTreeMap<TensorId, Held>) {
        self.scans.iter().for_each(|scan| drop(held.remove(&scan.statement.result)));
    }
}

impl Scan {
    /// What the scan gives of these values, which are all.
    fn scanned<V: Value>(&self, of: &Held) -> Result<Held, Diagnostic> {
        let (mut coords, mut values): (Vec<u64>, Vec<V>) = Default::default();
        let mut state = State::<V>::default();
        for (coord, stored) in of.stored.iter() {
            let at = coord.last().copied().unwrap_or(0);
            if at == 0 {
                state = State::default();
            }
            coords.extend(coord);
            values.push(state.next(self, at, value(of, stored)));
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
    fn next(&mut self, scan: &Scan, at: u64, value: V) -> V {
        let of = scan.statement.ty;
        match scan.how {
            Prefix::Fold(op, begin) => {
                let arith = Arith::new(scan.ty);
                let all = match self.best.or(begin.map(V::exact)) {
                    None => value,
                    Some(before) => match op {
                        Operator::Fun(f) => V::apply(arith, f, &[before, value]),
                        Operator::Call(f) => V::call(f.get(), &[before, value], f.get().all()),
                    },
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
