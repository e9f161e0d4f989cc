//! The dense evaluator: brute force over every coordinate. Slow, short, and independent of
//! everything else, so that it can judge the reference executor and the hardware on small data.

use crate::tensor::Coo;
use samhw_compiler::stmt::{Expr, ExprId, Fun, Kernel, LevelKind, ReduceOp, Statement, Tensor, TensorId};
use samhw_compiler::types::Type;
use samhw_compiler::view::{Mode, Seen};
use std::collections::BTreeMap;

/// One coordinate of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// One number per mode.
    pub coord: Vec<u64>,
    /// Raw value.
    pub value: u64,
    /// Whether the right-hand side is present there.
    pub present: bool,
    /// Whether the result's format stores it.
    pub stored: bool,
}

/// Evaluates one statement at every coordinate of its result, in row-major order. `dims` by
/// variable; `data` must hold every operand.
pub fn dense(kernel: &Kernel, statement: &Statement, dims: &[u64], data: &BTreeMap<TensorId, Coo>) -> Vec<Point> {
    let eval = Eval { kernel, dims, data, ty: statement.ty };
    let shape: Vec<u64> = statement.indices.iter().map(|v| dims[v.0]).collect();
    let mut points = Vec::new();
    let mut coords = vec![Vec::new()];
    for size in shape {
        coords = coords.iter().flat_map(|c| (0..size).map(move |x| [&c[..], &[x]].concat())).collect();
    }
    for coord in coords {
        let mut env = vec![0; dims.len()];
        statement.indices.iter().zip(&coord).for_each(|(v, &c)| env[v.0] = c);
        let bound = statement.indices.iter().zip(&coord).all(|(v, &c)| env[v.0] == c);
        let at = if bound { eval.at(statement.value, &mut env) } else { None };
        let value = at.unwrap_or_else(|| eval.fill(statement.value).0);
        points.push(Point { coord, value: statement.ty.wrap(value), present: at.is_some(), stored: false });
    }
    let held: Vec<Vec<u64>> = points.iter().filter(|p| p.present).map(|p| p.coord.clone()).collect();
    let result = kernel.tensor(statement.result);
    points.iter_mut().for_each(|p| p.stored = stores(result, held.iter().map(|c| &c[..]), &p.coord));
    points
}

/// Does `tensor`'s format store `coord` when it is given entries at `held`?
fn stores<'c>(tensor: &Tensor, mut held: impl Iterator<Item = &'c [u64]>, coord: &[u64]) -> bool {
    match tensor.levels.iter().rposition(|&l| l != LevelKind::Dense) {
        None => true,
        last => held.any(|h| tensor.mode_order[..last.map_or(0, |l| l + 1)].iter().all(|&m| h[m] == coord[m])),
    }
}

struct Eval<'a> {
    kernel: &'a Kernel,
    dims: &'a [u64],
    data: &'a BTreeMap<TensorId, Coo>,
    ty: Type,
}

impl Eval<'_> {
    /// Value of `e`, or `None` where it is absent.
    fn at(&self, e: ExprId, env: &mut Vec<u64>) -> Option<i128> {
        match self.kernel.expr(e) {
            Expr::Literal(_) => None,
            Expr::Access(t, indices) => {
                let coord: Vec<u64> = indices.iter().map(|v| env[v.0]).collect();
                let (t, coord) = self.in_base(*t, coord)?;
                let coo = &self.data[&t];
                let value = coo.get(&coord).map(|raw| self.ty.value(raw));
                let stored = stores(self.kernel.tensor(t), coo.iter().map(|e| e.0), &coord);
                value.or_else(|| stored.then(|| self.fill(e).0))
            }
            Expr::Map(f, args) => {
                let at: Vec<_> = args.iter().map(|&a| self.at(a, env)).collect();
                let hidden = at.iter().zip(args).any(|(v, &a)| v.is_none() && self.fill(a) == (0, true));
                let or_fill = |(v, &a): (&Option<i128>, &ExprId)| v.unwrap_or_else(|| self.fill(a).0);
                let values: Vec<i128> = at.iter().zip(args).map(or_fill).collect();
                let present = at.iter().any(Option::is_some) && !(*f == Fun::Mul && hidden);
                present.then(|| self.map(*f, &values))
            }
            &Expr::Reduce(op, v, body) => {
                let fill = self.fill(body);
                let counts = fill != (self.identity(op), true);
                let outer = env[v.0];
                let mut values = Vec::new();
                for c in 0..self.dims[v.0] {
                    env[v.0] = c;
                    let value = self.at(body, env);
                    values.extend(if counts { value.or(Some(fill.0)) } else { value });
                }
                env[v.0] = outer;
                (counts || !values.is_empty()).then(|| self.fold(op, &values))
            }
        }
    }

    /// The coordinate of `t`'s data that `coord` of it is; `None` where a view has nothing.
    fn in_base(&self, t: TensorId, coord: Vec<u64>) -> Option<(TensorId, Vec<u64>)> {
        let Some(view) = &self.kernel.tensor(t).view else { return Some((t, coord)) };
        let mut coord = coord.into_iter();
        let of = |mode: &Mode| match &mode.seen {
            Seen::Whole => coord.next(),
            Seen::At(at) => Some(*at),
            Seen::Part(window) => {
                let at = coord.next()?;
                let k = (0..window.to.count()).find(|&k| window.to.at(k) == Some(at))?;
                window.from.at(k)
            }
        };
        Some((view.base, view.modes.iter().map(of).collect::<Option<Vec<_>>>()?))
    }

    /// Value of `e` where it is absent, and whether that is known without the dimensions.
    fn fill(&self, e: ExprId) -> (i128, bool) {
        match self.kernel.expr(e) {
            Expr::Literal(raw) => (self.ty.value(*raw), true),
            Expr::Access(t, _) => (self.ty.value(self.kernel.tensor(*t).fill.unwrap_or(0)), true),
            Expr::Map(f, args) => {
                let (values, known): (Vec<_>, Vec<_>) = args.iter().map(|&a| self.fill(a)).unzip();
                let zero = *f == Fun::Mul && values.iter().zip(&known).any(|v| v == (&0, &true));
                (self.map(*f, &values), zero || !known.contains(&false))
            }
            &Expr::Reduce(op, v, body) => match self.fill(body) {
                (value, true) if value == self.identity(op) => (value, true),
                (value, _) => (self.fold(op, &vec![value; self.dims[v.0] as usize]), false),
            },
        }
    }

    fn map(&self, f: Fun, args: &[i128]) -> i128 {
        let wrap = |x: i128| self.ty.value(self.ty.wrap(x));
        match (f, args) {
            (Fun::Neg, [a]) => wrap(-a),
            (_, [first, rest @ ..]) => rest.iter().fold(*first, |a, &b| match f {
                Fun::Add => wrap(a + b),
                Fun::Sub | Fun::Neg => wrap(a - b),
                Fun::Mul => wrap(a.wrapping_mul(b)),
            }),
            (_, []) => 0,
        }
    }

    fn identity(&self, op: ReduceOp) -> i128 {
        match op {
            ReduceOp::Add => 0,
            ReduceOp::Min => self.ty.range().1,
            ReduceOp::Max => self.ty.range().0,
        }
    }

    fn fold(&self, op: ReduceOp, values: &[i128]) -> i128 {
        values.iter().fold(self.identity(op), |a, &b| match op {
            ReduceOp::Add => self.map(Fun::Add, &[a, b]),
            ReduceOp::Min => a.min(b),
            ReduceOp::Max => a.max(b),
        })
    }
}
