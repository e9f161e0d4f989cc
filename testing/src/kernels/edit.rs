//! Changes of a test case that keep it well-formed.

use super::Case;
use samhw_compiler::levels::{self, LevelKind};
use samhw_compiler::stmt::{Expr, ExprId, Prefix, Statement, TensorId, VarId};
use samhw_compiler::types::Type;
use samhw_sim::tensor::Coo;
use std::collections::BTreeMap;

impl Case {
    /// Returns the only statement.
    pub fn statement(&self) -> &Statement {
        &self.kernel.statements[0]
    }

    /// Writes the loop order into the kernel, by name.
    pub(super) fn name_order(&mut self) {
        self.kernel.order = Some(self.order.iter().map(|&v| self.kernel.var(v).name.clone()).collect());
    }

    /// Removes a variable: accesses are read where it is 0, by a tensor of their own.
    pub(super) fn without_var(mut self, v: VarId) -> Self {
        for e in 0..self.kernel.exprs.len() {
            match self.kernel.exprs[e].clone() {
                Expr::Access(t, indices) if indices.contains(&v) => {
                    let kept: Vec<usize> = (0..indices.len()).filter(|&m| indices[m] != v).collect();
                    let t = self.slice(t, &kept);
                    self.kernel.exprs[e] = Expr::Access(t, kept.iter().map(|&m| indices[m]).collect());
                }
                Expr::Stored(t, indices) if indices.contains(&v) => {
                    let kept: Vec<usize> = (0..indices.len()).filter(|&m| indices[m] != v).collect();
                    let t = self.slice(t, &kept);
                    self.kernel.exprs[e] = Expr::Stored(t, kept.iter().map(|&m| indices[m]).collect());
                }
                Expr::Index(w) if w == v => self.kernel.exprs[e] = Expr::Literal(0),
                Expr::Prefix(Prefix::Fold(..), w, of) if w == v => {
                    self.kernel.exprs[e] = self.kernel.expr(of[0]).clone();
                }
                Expr::Prefix(_, w, _) if w == v => self.kernel.exprs[e] = Expr::Literal(0),
                Expr::Reduce(_, w, body) if w == v => self.kernel.exprs[e] = self.kernel.expr(body).clone(),
                _ => {}
            }
        }
        let statement = &self.kernel.statements[0];
        if statement.indices.contains(&v) {
            let kept: Vec<usize> = (0..statement.indices.len()).filter(|&m| statement.indices[m] != v).collect();
            let (result, indices) = (statement.result, statement.indices.clone());
            let x = &mut self.kernel.tensors[result.0];
            keep_modes(x, &kept);
            self.kernel.statements[0].indices = kept.iter().map(|&m| indices[m]).collect();
        }
        self.compact()
    }

    /// A new tensor: `t` where all modes but `kept` are 0.
    fn slice(&mut self, t: TensorId, kept: &[usize]) -> TensorId {
        let mut tensor = self.kernel.tensor(t).clone();
        keep_modes(&mut tensor, kept);
        tensor.name = (0..)
            .map(|n| format!("S{n}"))
            .find(|name| self.kernel.tensors.iter().all(|t| t.name != *name))
            .unwrap_or_default();
        self.kernel.tensors.push(tensor);
        let new = TensorId(self.kernel.tensors.len() - 1);
        let old = &self.data[&t];
        let inside = |coord: &[u64]| (0..coord.len()).all(|m| kept.contains(&m) || coord[m] == 0);
        let rows: Vec<_> = old.iter().filter(|r| inside(r.0)).collect();
        let shape: Vec<u64> = kept.iter().map(|&m| old.shape()[m]).collect();
        let coords = rows.iter().flat_map(|r| kept.iter().map(|&m| r.0[m])).collect();
        self.data.insert(new, coo(shape, coords, rows.iter().map(|r| r.1).collect()));
        new
    }

    /// Sets the sizes of every variable in `vars` (which agree) to `dim`, dropping what is beyond.
    pub(super) fn with_dim(mut self, vars: &[VarId], dim: u64) -> Self {
        vars.iter().for_each(|v| self.dims[v.0] = dim);
        for (t, indices) in self.kernel.accesses(self.statement().value) {
            let old = &self.data[&t];
            let shape: Vec<u64> = indices.iter().map(|v| self.dims[v.0]).collect();
            if old.shape() != shape {
                let rows: Vec<_> = old.iter().filter(|r| r.0.iter().zip(&shape).all(|(c, d)| c < d)).collect();
                let coords = rows.iter().flat_map(|r| r.0.iter().copied()).collect();
                let new = coo(shape, coords, rows.iter().map(|r| r.1).collect());
                self.data.insert(t, new);
            }
        }
        self
    }

    /// Variables whose sizes must agree with that of `v`, itself included.
    pub(super) fn same_size(&self, v: VarId) -> Vec<VarId> {
        let mut class = vec![v];
        let accesses = self.kernel.accesses(self.statement().value);
        loop {
            let before = class.len();
            for (t, a) in &accesses {
                for (u, b) in &accesses {
                    let modes = a.iter().zip(*b).filter(|_| t == u);
                    let joined: Vec<VarId> = modes.filter(|(x, _)| class.contains(x)).map(|(_, y)| *y).collect();
                    joined.into_iter().for_each(|y| {
                        if !class.contains(&y) {
                            class.push(y);
                        }
                    });
                }
            }
            if class.len() == before {
                return class;
            }
        }
    }

    /// Drops nodes, tensors and variables that nothing uses, and numbers the rest again.
    pub(super) fn compact(self) -> Self {
        let (mut exprs, mut types) = (Vec::new(), BTreeMap::new());
        let mut vars: Vec<VarId> = self.statement().indices.clone();
        let mut tensors = vec![self.statement().result];
        let value = self.copy(self.statement().value, (&mut exprs, &mut types), &mut vars, &mut tensors);
        let mut case = Self { dims: vars.iter().map(|v| self.dims[v.0]).collect(), ..self.clone() };
        let place = |v: &VarId| vars.iter().position(|w| w == v).map(VarId);
        (case.kernel.exprs, case.kernel.types) = (exprs, types);
        case.kernel.vars = vars.iter().map(|&v| self.kernel.var(v).clone()).collect();
        case.kernel.tensors = tensors.iter().map(|&t| self.kernel.tensor(t).clone()).collect();
        case.kernel.statements[0].indices = self.statement().indices.iter().filter_map(place).collect();
        case.kernel.statements[0].result = TensorId(0);
        case.kernel.statements[0].value = value;
        case.order = self.order.iter().filter_map(place).collect();
        let kept = tensors.iter().enumerate().filter_map(|(n, t)| Some((TensorId(n), self.data.get(t)?.clone())));
        case.data = kept.collect::<BTreeMap<_, _>>();
        case.name_order();
        case
    }

    fn copy(
        &self,
        e: ExprId,
        (to, types): (&mut Vec<Expr>, &mut BTreeMap<ExprId, Type>),
        vars: &mut Vec<VarId>,
        tensors: &mut Vec<TensorId>,
    ) -> ExprId {
        let new = match self.kernel.expr(e).clone() {
            Expr::Literal(v) => Expr::Literal(v),
            Expr::Access(t, i) => {
                Expr::Access(TensorId(number(t, tensors)), i.iter().map(|&v| VarId(number(v, vars))).collect())
            }
            Expr::Stored(t, i) => {
                Expr::Stored(TensorId(number(t, tensors)), i.iter().map(|&v| VarId(number(v, vars))).collect())
            }
            Expr::Index(v) => Expr::Index(VarId(number(v, vars))),
            Expr::Map(f, args) => {
                Expr::Map(f, args.iter().map(|&a| self.copy(a, (to, types), vars, tensors)).collect())
            }
            Expr::Call(f, args) => {
                Expr::Call(f, args.iter().map(|&a| self.copy(a, (to, types), vars, tensors)).collect())
            }
            Expr::Reduce(op, v, body) => {
                let v = VarId(number(v, vars));
                Expr::Reduce(op, v, self.copy(body, (to, types), vars, tensors))
            }
            Expr::Prefix(how, v, of) => {
                let v = VarId(number(v, vars));
                Expr::Prefix(how, v, of.iter().map(|&a| self.copy(a, (to, types), vars, tensors)).collect())
            }
            Expr::At(v, at) => Expr::At(VarId(number(v, vars)), self.copy(at, (to, types), vars, tensors)),
            Expr::Convert(body) => Expr::Convert(self.copy(body, (to, types), vars, tensors)),
            Expr::Read { tensor, at, sizes, gives } => Expr::Read {
                tensor: TensorId(number(tensor, tensors)),
                at: at.iter().map(|&a| self.copy(a, (to, types), vars, tensors)).collect(),
                sizes: sizes.iter().map(|&v| VarId(number(v, vars))).collect(),
                gives,
            },
        };
        types.extend(self.kernel.types.get(&e).map(|&ty| (ExprId(to.len()), ty)));
        to.push(new);
        ExprId(to.len() - 1)
    }
}

/// The place of `x` in `seen`, where it is put if new.
fn number<T: PartialEq>(x: T, seen: &mut Vec<T>) -> usize {
    seen.iter().position(|y| *y == x).unwrap_or_else(|| {
        seen.push(x);
        seen.len() - 1
    })
}

/// Restricts a tensor's declaration to some of its modes. Levels that make no sense alone
/// become compressed.
fn keep_modes(tensor: &mut samhw_compiler::stmt::Tensor, kept: &[usize]) {
    let place = |m: usize| kept.iter().position(|&k| k == m);
    let levels = tensor.levels.iter().zip(&tensor.mode_order);
    let (kinds, modes): (Vec<_>, Vec<_>) = levels.filter_map(|(&l, &m)| Some((l, place(m)?))).unzip();
    let plain = |l: LevelKind| if l.is_unique() { l } else { levels::COMPRESSED };
    tensor.levels = kinds.into_iter().map(plain).collect();
    levels::settle(&mut tensor.levels);
    tensor.mode_order = modes;
    tensor.shape = kept.iter().map(|&m| tensor.shape[m]).collect();
}

/// Entries known to be unique and inside.
pub(super) fn coo(shape: Vec<u64>, coords: Vec<u64>, values: Vec<u64>) -> Coo {
    Coo::new(shape.clone(), coords, values).unwrap_or_else(|_| Coo::empty(shape))
}
