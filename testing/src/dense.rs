//! The dense evaluator, which computes every coordinate by brute force. Slow, short, and independent of everything
//! else, so that it can judge the reference executor and the hardware on small data.

use samhw_compiler::stmt::{Expr, ExprId, Fun, Gives, Kernel, Operator, Prefix, Statement, Tensor, TensorId, VarId};
use samhw_compiler::types::Type;
use samhw_compiler::view::{Seen, digits, row_by_row};
use samhw_sim::tensor::Coo;
use samhw_values::convert;
use std::collections::BTreeMap;

/// One coordinate of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The coordinate, one number per mode.
    pub coord: Vec<u64>,
    /// Raw value at the coordinate.
    pub value: u64,
    /// Whether the right-hand side is present at the coordinate.
    pub present: bool,
    /// Whether the result's format stores the coordinate.
    pub stored: bool,
}

/// Evaluates one statement at every coordinate of its result, in row-major order. `dims` by
/// variable; `data` must hold every operand.
pub fn dense(kernel: &Kernel, statement: &Statement, dims: &[u64], data: &BTreeMap<TensorId, Coo>) -> Vec<Point> {
    let eval = Eval { kernel, statement, dims, data };
    let shape: Vec<u64> = statement.indices.iter().map(|v| dims[v.0]).collect();
    let result = kernel.tensor(statement.result);
    // A fill that is declared and not the expression's leaves out none of its values.
    let declared = result.fill.filter(|_| !is_dense(result));
    let forced = declared.zip(eval.constant(statement.value)).is_some_and(|(a, b)| !result.ty.same(a, b));
    let mut points = Vec::new();
    let mut coords = vec![Vec::new()];
    for size in shape {
        coords = coords.iter().flat_map(|c| (0..size).map(move |x| [&c[..], &[x]].concat())).collect();
    }
    for coord in coords {
        let mut env = vec![0; dims.len()];
        statement.indices.iter().zip(&coord).for_each(|(v, &c)| env[v.0] = c);
        let bound = statement.indices.iter().zip(&coord).all(|(v, &c)| env[v.0] == c);
        let at = if bound { eval.at(statement.value, &mut env).1 } else { None };
        let value = at.unwrap_or_else(|| eval.fill(statement.value));
        points.push(Point { coord, value, present: at.is_some() || forced, stored: false });
    }
    if result.prune {
        let fill = result.fill.unwrap_or_else(|| eval.fill(statement.value));
        points.iter_mut().for_each(|p| p.present &= !result.ty.same(p.value, fill));
    }
    let held: Vec<Vec<u64>> = points.iter().filter(|p| p.present).map(|p| p.coord.clone()).collect();
    points.iter_mut().for_each(|p| p.stored = stores(result, held.iter().map(|c| &c[..]), &p.coord));
    points
}

/// Does `tensor`'s format store `coord` when it is given entries at `held`?
fn stores<'c>(tensor: &Tensor, mut held: impl Iterator<Item = &'c [u64]>, coord: &[u64]) -> bool {
    match tensor.levels.iter().rposition(|&l| !l.is_dense()) {
        None => true,
        last => held.any(|h| tensor.mode_order[..last.map_or(0, |l| l + 1)].iter().all(|&m| h[m] == coord[m])),
    }
}

fn is_dense(tensor: &Tensor) -> bool {
    tensor.levels.iter().all(|&l| l.is_dense())
}

struct Eval<'a> {
    kernel: &'a Kernel,
    statement: &'a Statement,
    dims: &'a [u64],
    data: &'a BTreeMap<TensorId, Coo>,
}

impl Eval<'_> {
    fn ty(&self, e: ExprId) -> Type {
        self.kernel.type_in(self.statement, e)
    }

    /// A value of `e` as one of `to`.
    fn converted(&self, e: ExprId, raw: u64, to: ExprId) -> u64 {
        convert(raw, self.ty(e), self.ty(to))
    }

    /// What is known of `e` from structure alone, and its value: `None` where it is absent.
    fn at(&self, e: ExprId, env: &mut Vec<u64>) -> (Option<u64>, Option<u64>) {
        let found = |value: Option<u64>| (if value.is_some() { None } else { self.constant(e) }, value);
        match self.kernel.expr(e) {
            Expr::Literal(raw) => (Some(*raw), None),
            Expr::Index(v) => (None, Some(convert(env[v.0], Type::int(64, false), self.ty(e)))),
            &Expr::At(v, at) => {
                let number = self.at(at, env).1.unwrap_or_else(|| self.fill(at));
                let here = self.ty(at).value(number) == i128::from(env[v.0]);
                found(here.then(|| self.ty(e).one()))
            }
            Expr::Access(t, indices) => found(self.entry(*t, indices, env)),
            Expr::Read { tensor, at, gives, .. } => {
                let at = at.iter().map(|&a| (a, self.at(a, env).1.unwrap_or_else(|| self.fill(a))));
                let at = at.map(|(a, value)| self.ty(a).value(value)).collect::<Vec<i128>>();
                (None, Some(self.read(*tensor, &at, *gives, self.ty(e))))
            }
            Expr::Stored(t, indices) => match self.entry(*t, indices, env) {
                Some(_) => (Some(self.ty(e).one()), Some(self.ty(e).one())),
                None => (Some(0), None),
            },
            Expr::Map(f, args) => {
                let at: Vec<_> = args.iter().map(|&a| self.at(a, env)).collect();
                let known: Vec<_> = at.iter().map(|a| a.0).collect();
                self.function(e, self.kernel.partial(*f, &known, self.ty(e)), args, &at, &|v| f.apply(v, self.ty(e)))
            }
            Expr::Call(f, args) => {
                let f = self.kernel.function(*f);
                let at: Vec<_> = args.iter().map(|&a| self.at(a, env)).collect();
                let known: Vec<_> = at.iter().map(|a| a.0).collect();
                let constants: Vec<_> = args.iter().map(|&a| self.constant(a)).collect();
                let there = at.iter().enumerate().map(|(k, a)| u64::from(a.1.is_some()) << k).sum();
                self.function(e, f.partial(&known, &constants), args, &at, &|v| f.apply_where(v, there))
            }
            &Expr::Convert(body) => {
                let at = self.at(body, env);
                let known = at.0.map(|v| self.converted(body, v, e));
                self.function(e, known, &[body], &[at], &|v| self.converted(body, v[0], e))
            }
            Expr::Prefix(how, v, of) => (None, Some(self.scan(e, (*how, *v), of, env))),
            &Expr::Reduce(op, v, body) => {
                let skips = |c: u64| op.identity(self.ty(e)).is_some_and(|i| self.same(e, c, i));
                let counts = !self.constant(body).is_some_and(skips);
                let outer = env[v.0];
                let mut values = Vec::new();
                for c in 0..self.dims[v.0] {
                    env[v.0] = c;
                    let value = self.at(body, env).1;
                    values.extend(if counts { value.or(Some(self.fill(body))) } else { value });
                }
                env[v.0] = outer;
                found((counts || !values.is_empty()).then(|| self.fold(e, op, &values)))
            }
        }
    }

    /// What a scan along `v` gives at the coordinate in `env`: all before it again.
    fn scan(&self, e: ExprId, (how, v): (Prefix, VarId), bodies: &[ExprId], env: &mut Vec<u64>) -> u64 {
        let here = env[v.0];
        let mut rows: Vec<Vec<u64>> = Vec::new();
        for c in 0..=here {
            env[v.0] = c;
            rows.push(bodies.iter().map(|&e| self.at(e, env).1.unwrap_or_else(|| self.fill(e))).collect());
        }
        env[v.0] = here;
        let values: Vec<u64> = rows.iter().map(|row| row[0]).collect();
        let (of, ty) = (self.ty(bodies[0]), self.ty(e));
        let nan = |v: u64| of.is_nan(v);
        let extreme = |f: Fun| {
            let best = values.iter().copied().reduce(|a, b| f.apply(&[a, b], of)).unwrap_or(0);
            let is = |v: &u64| if nan(best) { nan(*v) } else { !nan(*v) && Fun::Eq.apply(&[*v, best], of) != 0 };
            values.iter().position(is).unwrap_or(0) as u64
        };
        match how {
            Prefix::Least => extreme(Fun::Min),
            Prefix::Greatest => extreme(Fun::Max),
            Prefix::Fold(op, begin) => {
                let next = |before, row: &Vec<u64>| op.apply(&[&[before], &row[..]].concat(), ty);
                let (first, rest) = begin.map_or((values[0], &rows[1..]), |begin| (begin, &rows[..]));
                rest.iter().fold(first, next)
            }
        }
    }

    fn same(&self, e: ExprId, a: u64, b: u64) -> bool {
        self.kernel.algebra.same(self.ty(e), a, b)
    }

    /// Where `e` is not known to have its fill, and something of it is there, its value.
    fn function(
        &self,
        e: ExprId,
        known: Option<u64>,
        args: &[ExprId],
        at: &[(Option<u64>, Option<u64>)],
        f: &dyn Fn(&[u64]) -> u64,
    ) -> (Option<u64>, Option<u64>) {
        let fill = self.constant(e);
        let is_fill = known.zip(fill).is_some_and(|(a, b)| self.same(e, a, b));
        let present = fill.is_none() || !is_fill && at.iter().any(|a| a.1.is_some());
        let values: Vec<u64> = at.iter().zip(args).map(|(v, &a)| v.1.unwrap_or_else(|| self.fill(a))).collect();
        // Of a value that is there only that is known, unless it is one of structure alone.
        let known = if present { known.filter(|_| self.structure(e).is_some()) } else { fill };
        (known, present.then(|| f(&values)))
    }

    /// The accesses that `e` is made of, if it is made of whether one is there, and literals.
    fn structure(&self, e: ExprId) -> Option<Option<(TensorId, &[VarId])>> {
        match self.kernel.expr(e) {
            Expr::Literal(_) => Some(None),
            Expr::Stored(t, indices) => Some(Some((*t, indices))),
            Expr::Map(_, args) => args.iter().map(|&a| self.structure(a)).try_fold(None, |all, of| match (all, of?) {
                (Some(a), Some(b)) => (a == b).then_some(Some(a)),
                (a, b) => Some(a.or(b)),
            }),
            Expr::Convert(body) => self.structure(*body),
            _ => None,
        }
    }

    /// The value of `t` at these coordinates, some of which may be outside.
    fn read(&self, t: TensorId, at: &[i128], gives: Gives, ty: Type) -> u64 {
        let (coo, fill) = (&self.data[&t], self.kernel.tensor(t).fill.unwrap_or(0));
        let inside = at.iter().zip(coo.shape()).all(|(c, n)| (0..i128::from(*n)).contains(c));
        let coord: Vec<u64> = at.iter().map(|&c| c as u64).collect();
        match gives {
            Gives::Inside => u64::from(inside) * ty.one(),
            _ if inside => coo.get(&coord).unwrap_or(fill),
            Gives::ValueOr(outside) => outside,
            Gives::Value => fill,
        }
    }

    /// What the format of `t` stores at these coordinates.
    fn entry(&self, t: TensorId, indices: &[VarId], env: &[u64]) -> Option<u64> {
        let coord: Vec<u64> = indices.iter().map(|v| env[v.0]).collect();
        let (t, coord) = self.in_base(t, coord)?;
        let (coo, tensor) = (&self.data[&t], self.kernel.tensor(t));
        let stored = stores(tensor, coo.iter().map(|e| e.0), &coord);
        coo.get(&coord).or_else(|| stored.then(|| tensor.fill.unwrap_or(0)))
    }

    /// The coordinate of `t`'s data that `coord` of it is; `None` where a view has nothing.
    fn in_base(&self, t: TensorId, coord: Vec<u64>) -> Option<(TensorId, Vec<u64>)> {
        let Some(view) = &self.kernel.tensor(t).view else { return Some((t, coord)) };
        let shape = self.data[&view.base].shape();
        let mut coord = coord.into_iter();
        let mut inside = Vec::with_capacity(shape.len());
        for (m, mode) in view.modes.iter().enumerate() {
            match &mode.seen {
                Seen::Whole => inside.push(coord.next()?),
                Seen::At(at) => inside.push(*at),
                Seen::Reshaped(sizes) => {
                    let seen: Vec<u64> = coord.by_ref().take(sizes.len()).collect();
                    inside.extend(digits(row_by_row(&seen, sizes), &shape[view.reshaped(m)]));
                }
                Seen::Within => {}
                Seen::Steps(steps) => {
                    let seen: Vec<u64> = coord.by_ref().take(steps.shape.len()).collect();
                    inside.extend(steps.source(&seen)?);
                }
                Seen::Part(window) => {
                    let at = coord.next()?;
                    let k = (0..window.to.count()).find(|&k| window.to.at(k) == Some(at))?;
                    inside.push(window.from.at(k)?);
                }
            }
        }
        Some((view.base, inside))
    }

    /// Value of `e` where it is absent, at the dimensions of the run.
    fn fill(&self, e: ExprId) -> u64 {
        let all = |args: &[ExprId]| -> Vec<u64> { args.iter().map(|&a| self.fill(a)).collect() };
        let sized = || match self.kernel.expr(e) {
            Expr::Literal(raw) => *raw,
            Expr::Access(t, _) => self.kernel.tensor(*t).fill.unwrap_or(0),
            Expr::Stored(..) | Expr::Index(_) | Expr::Read { .. } | Expr::At(..) | Expr::Prefix(..) => 0,
            Expr::Map(f, args) => f.apply(&all(args), self.ty(e)),
            Expr::Call(f, args) => {
                let there = |(k, &a): (usize, &ExprId)| u64::from(self.constant(a).is_none()) << k;
                self.kernel.function(*f).apply_where(&all(args), args.iter().enumerate().map(there).sum())
            }
            &Expr::Reduce(op, v, body) => self.fold(e, op, &vec![self.fill(body); self.dims[v.0] as usize]),
            &Expr::Convert(body) => self.converted(body, self.fill(body), e),
        };
        self.constant(e).unwrap_or_else(sized)
    }

    /// Value of `e` where it is absent, if it is the same for all dimensions and coordinates.
    fn constant(&self, e: ExprId) -> Option<u64> {
        self.constants(e).0
    }

    /// The same value, also if operands that are stored everywhere may have any values.
    fn constants(&self, e: ExprId) -> (Option<u64>, Option<u64>) {
        let both = |c: Option<u64>| (c, c);
        let ty = self.ty(e);
        let all = |args: &[ExprId]| -> (Vec<_>, Vec<_>) { args.iter().map(|&a| self.constants(a)).unzip() };
        match self.kernel.expr(e) {
            Expr::Literal(raw) => both(Some(*raw)),
            Expr::Access(t, _) => {
                let tensor = self.kernel.tensor(*t);
                let fill = Some(tensor.fill.unwrap_or(0));
                (fill, fill.filter(|_| !is_dense(tensor)))
            }
            Expr::Stored(..) | Expr::At(..) => both(Some(0)),
            Expr::Index(_) | Expr::Read { .. } | Expr::Prefix(..) => both(None),
            Expr::Map(f, args) => {
                let (constants, settled) = all(args);
                let settled = self.kernel.partial(*f, &settled, ty);
                (settled.or(self.kernel.partial(*f, &constants, ty)), settled)
            }
            Expr::Call(f, args) => {
                let ((constants, settled), f) = (all(args), self.kernel.function(*f));
                let settled = f.partial(&settled, &constants);
                (settled.or(f.partial(&constants, &constants)), settled)
            }
            Expr::Reduce(op, _, body) => {
                let (constant, settled) = self.constants(*body);
                let skipped = op.identity(ty).filter(|&i| constant.is_some_and(|c| self.same(e, c, i)));
                (skipped, skipped.filter(|_| settled.is_some() || !self.grows(*body)))
            }
            &Expr::Convert(body) => {
                let (constant, settled) = self.constants(body);
                let converted = |c: Option<u64>| Some(self.converted(body, c?, e));
                (converted(constant), converted(settled))
            }
        }
    }

    /// Does more of operands never make `e` absent?
    fn grows(&self, e: ExprId) -> bool {
        let own = match self.kernel.expr(e) {
            Expr::Stored(..) => false,
            Expr::Call(f, _) => {
                let f = self.kernel.function(*f);
                f.iterate.is_none() && f.cases.is_empty()
            }
            _ => true,
        };
        own && self.kernel.expr(e).children().iter().all(|&a| self.grows(a))
    }

    /// Reduction `e`, with `op`.
    fn fold(&self, e: ExprId, op: Operator, values: &[u64]) -> u64 {
        let ty = self.ty(e);
        let mut values = values.iter().copied();
        let first = values.next().or(op.identity(ty)).unwrap_or(0);
        values.fold(first, |a, b| op.apply(&[a, b], ty))
    }
}
