//! The iteration algebra: given which operands are there, can an expression differ from its
//! fill? Its values over all sets of operands are the iteration lattice, which becomes the
//! joiner's truth table. "Compilation of Sparse Array Programming Models", section 4.

use super::Lowering;
use super::tree::{LeafId, Tree};
use crate::stmt::{Expr, ExprId, Fun, Kernel, ReduceOp, TensorId, VarId};
use crate::types::Type;
use std::collections::BTreeSet;

/// `f` on raw values, wrapping.
pub fn apply(f: Fun, args: &[u64], ty: Type) -> u64 {
    let v = |k: usize| args.get(k).copied().unwrap_or(0);
    ty.mask()
        & match f {
            Fun::Add => v(0).wrapping_add(v(1)),
            Fun::Sub => v(0).wrapping_sub(v(1)),
            Fun::Mul => v(0).wrapping_mul(v(1)),
            Fun::Neg => v(0).wrapping_neg(),
        }
}

/// The value that, alone at argument `k`, decides the result of `f`.
pub(crate) fn annihilator(f: Fun, k: usize) -> Option<u64> {
    (f == Fun::Mul && k < 2).then_some(0)
}

/// Identity of a reduction.
pub(crate) fn identity(op: ReduceOp, ty: Type) -> u64 {
    let (lo, hi) = ty.range();
    match op {
        ReduceOp::Add => 0,
        ReduceOp::Min => ty.wrap(hi),
        ReduceOp::Max => ty.wrap(lo),
    }
}

/// A reduction of `n` values that are all `fill`.
pub fn fold_fill(op: ReduceOp, fill: u64, n: u64, ty: Type) -> u64 {
    match op {
        ReduceOp::Add => fill.wrapping_mul(n) & ty.mask(),
        _ if n == 0 => identity(op, ty),
        _ => fill,
    }
}

/// Value of expression `e` of statement `n` where nothing is there, if that does not depend on
/// run-time sizes: `None` for what holds a reduction that counts absent entries.
pub(crate) fn constant_fill(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    let ty = kernel.statements[n].ty;
    match kernel.expr(e) {
        Expr::Literal(v) => Some(*v),
        Expr::Access(t, _) => tensor_fill(kernel, n, *t),
        Expr::Map(f, args) => {
            let fills: Vec<Option<u64>> = args.iter().map(|&a| constant_fill(kernel, n, a)).collect();
            if let Some(v) = fills.iter().enumerate().find_map(|(k, v)| v.filter(|&v| annihilator(*f, k) == Some(v))) {
                return Some(v);
            }
            let values: Option<Vec<u64>> = fills.into_iter().collect();
            values.map(|v| apply(*f, &v, ty))
        }
        Expr::Reduce(op, _, body) => constant_fill(kernel, n, *body).filter(|&f| f == identity(*op, ty)),
    }
}

/// True if a reduction over `k` of `body` in statement `n` also folds coordinates at which no operand with `k` is
/// there: the body's fill is not constantly the identity, or the operands without `k` alone can make a value.
pub fn counts_without(kernel: &Kernel, n: usize, op: ReduceOp, k: VarId, body: ExprId) -> bool {
    counts_absent(kernel, n, op, body) || differs_without(kernel, n, k, body)
}

fn counts_absent(kernel: &Kernel, n: usize, op: ReduceOp, body: ExprId) -> bool {
    constant_fill(kernel, n, body) != Some(identity(op, kernel.statements[n].ty))
}

/// Can `e` differ from its fill where exactly the operands without `k` are there?
fn differs_without(kernel: &Kernel, n: usize, k: VarId, e: ExprId) -> bool {
    match kernel.expr(e) {
        Expr::Literal(_) => false,
        Expr::Access(t, indices) => !indices.contains(&k) || tensor_fill(kernel, n, *t).is_none(),
        Expr::Reduce(op, _, body) => counts_absent(kernel, n, *op, *body) || differs_without(kernel, n, k, *body),
        Expr::Map(f, args) => {
            let here: Vec<bool> = args.iter().map(|&a| differs_without(kernel, n, k, a)).collect();
            let hidden = |(j, &a): (usize, &ExprId)| {
                let fill = constant_fill(kernel, n, a);
                !here[j] && fill.is_some() && annihilator(*f, j) == fill
            };
            here.contains(&true) && !args.iter().enumerate().any(hidden)
        }
    }
}

/// Fill of a tensor as statement `n` reads it: declared, else that of the expression an earlier
/// statement gave it, else 0.
pub(crate) fn tensor_fill(kernel: &Kernel, n: usize, t: TensorId) -> Option<u64> {
    match (kernel.tensor(t).fill, kernel.written_before(n, t)) {
        (Some(f), _) => Some(f),
        (None, Some(w)) => constant_fill(kernel, w, kernel.statements[w].value),
        (None, None) => Some(0),
    }
}

/// Variables of `e` that it does not bind itself.
pub(crate) fn open_variables(kernel: &Kernel, e: ExprId) -> BTreeSet<VarId> {
    match kernel.expr(e) {
        Expr::Literal(_) => BTreeSet::new(),
        Expr::Access(_, i) => i.iter().copied().collect(),
        Expr::Map(_, args) => args.iter().flat_map(|&a| open_variables(kernel, a)).collect(),
        Expr::Reduce(_, k, body) => {
            let mut v = open_variables(kernel, *body);
            v.remove(k);
            v
        }
    }
}

impl Lowering<'_> {
    /// Value of `t` where no operand is there. (A reduction that counts absent entries is
    /// never absent; its fill is not looked at.)
    pub(super) fn fill(&self, t: &Tree) -> u64 {
        match t {
            Tree::Leaf(l) => self.leaves[*l].fill,
            Tree::Literal(v) => *v,
            Tree::Map(f, args) => {
                let v: Vec<u64> = args.iter().map(|a| self.fill(a)).collect();
                apply(*f, &v, self.statement.ty)
            }
            Tree::Reduce(op, ..) => identity(*op, self.statement.ty),
        }
    }

    /// True if absent entries take part in the reduction: the body's fill is not the identity.
    pub(super) fn counts(&self, op: ReduceOp, body: &Tree) -> bool {
        self.fill(body) != identity(op, self.statement.ty) || self.algebra(body, &|_| false)
    }

    /// Can `t` differ from its fill where exactly the leaves in `there` are?
    pub(super) fn algebra(&self, t: &Tree, there: &dyn Fn(LeafId) -> bool) -> bool {
        match t {
            Tree::Leaf(l) => self.leaves[*l].always || there(*l),
            Tree::Literal(_) => false,
            Tree::Reduce(op, _, body, _) => self.counts(*op, body) || self.algebra(body, there),
            Tree::Map(f, args) => {
                let here: Vec<bool> = args.iter().map(|a| self.algebra(a, there)).collect();
                here.contains(&true)
                    && !args.iter().enumerate().any(|(k, a)| !here[k] && annihilator(*f, k) == Some(self.fill(a)))
            }
        }
    }

    /// Given who is there, can leaf `o` still change `t`? Only an absent annihilator hides it.
    pub(super) fn matters(&self, t: &Tree, o: LeafId, there: &dyn Fn(LeafId) -> bool) -> bool {
        match t {
            Tree::Leaf(l) => *l == o,
            Tree::Literal(_) => false,
            Tree::Reduce(_, _, body, _) => self.matters(body, o, there),
            Tree::Map(f, args) => args.iter().enumerate().any(|(k, a)| {
                self.matters(a, o, there)
                    && !args
                        .iter()
                        .enumerate()
                        .any(|(j, b)| j != k && annihilator(*f, j) == Some(self.fill(b)) && !self.algebra(b, there))
            }),
        }
    }

    /// Variables that `t` still ranges over, bound ones excluded.
    pub(super) fn variables(&self, t: &Tree) -> BTreeSet<VarId> {
        match t {
            Tree::Leaf(l) => self.leaves[*l].levels.iter().map(|(v, _)| *v).collect(),
            Tree::Literal(_) => BTreeSet::new(),
            Tree::Map(_, args) => args.iter().flat_map(|a| self.variables(a)).collect(),
            Tree::Reduce(_, k, body, _) => {
                let mut v = self.variables(body);
                v.remove(k);
                v
            }
        }
    }
}
