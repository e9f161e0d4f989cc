//! The iteration algebra: what is known of an expression, given which operands are there. Where it is known to have
//! its fill, nothing happens. Its values over all sets of operands are the iteration lattice, which becomes the
//! joiner's truth table. "Compilation of Sparse Array Programming Models", section 4; docs/decisions/0010-functions.md.

use super::Lowering;
use super::tree::{LeafId, Tree};
use crate::stmt::{Expr, ExprId, Fun, Function, Kernel, LevelKind, Operator, TensorId, VarId};
use crate::types::Type;
use samhw_primitives::value::convert;
use std::collections::BTreeSet;

/// Whether an operand is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    /// No: it reads as its fill.
    No,
    /// It has levels still to come, or may have been dropped.
    Maybe,
    /// Yes.
    Yes,
}

/// What holds of operands, by number.
pub(super) type Holds<'h> = dyn Fn(LeafId) -> There + 'h;

/// Identity of a reduction.
pub(crate) fn identity(op: Operator, ty: Type) -> u64 {
    op.identity(ty).unwrap_or(0)
}

/// Value of expression `e` of statement `n` where nothing is there, if that does not depend on run-time sizes or
/// coordinates: `None` for what holds a reduction that counts absent entries.
pub fn constant_fill(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    let ty = kernel.type_of(n, e);
    let constant = |a: ExprId| constant_fill(kernel, n, a);
    let all = |args: &[ExprId]| -> Vec<Option<u64>> { args.iter().map(|&a| constant(a)).collect() };
    match kernel.expr(e) {
        Expr::Literal(v) => Some(*v),
        Expr::Access(t, _) => tensor_fill(kernel, n, *t),
        Expr::Stored(t, _) => tensor_fill(kernel, n, *t).map(|_| 0),
        Expr::Index(_) | Expr::Read { .. } => None,
        Expr::At(..) => Some(0),
        Expr::Map(f, args) => f.partial(&all(args), ty),
        Expr::Call(f, args) => kernel.function(*f).partial(&all(args), &all(args)),
        Expr::Reduce(op, _, body) => constant(*body).filter(|&f| f == identity(*op, ty)),
        Expr::Convert(body) => constant(*body).map(|v| convert(v, kernel.type_of(n, *body), ty)),
    }
}

/// True if a reduction over `k` of `body` in statement `n` also folds coordinates at which no operand with `k` holds
/// anything: the body is not known to be the identity then. Dense levels have all coordinates, with the fill.
pub fn counts_without(kernel: &Kernel, n: usize, op: Operator, k: VarId, body: ExprId) -> bool {
    known_without(kernel, n, k, body) != Some(identity(op, kernel.type_of(n, body)))
}

/// Value of `e` where no operand with `k` holds anything, if it follows from that alone.
fn known_without(kernel: &Kernel, n: usize, k: VarId, e: ExprId) -> Option<u64> {
    let ty = kernel.type_of(n, e);
    let all = |args: &[ExprId]| -> Vec<Option<u64>> { args.iter().map(|&a| known_without(kernel, n, k, a)).collect() };
    match kernel.expr(e) {
        Expr::Literal(v) => Some(*v),
        Expr::Access(t, i) => tensor_fill(kernel, n, *t).filter(|_| i.contains(&k)),
        Expr::Stored(t, i) => {
            let tensor = kernel.tensor(*t);
            let mode = |l: &usize| i[tensor.mode_order[*l]] == k;
            let holds = (0..tensor.levels.len()).filter(mode).any(|l| tensor.levels[l] != LevelKind::Dense);
            tensor_fill(kernel, n, *t).filter(|_| holds).map(|_| 0)
        }
        Expr::Index(_) | Expr::Read { .. } => None,
        Expr::At(v, _) => (*v == k).then_some(0),
        Expr::Map(f, args) => f.partial(&all(args), ty),
        Expr::Call(f, args) => {
            let fills: Vec<Option<u64>> = args.iter().map(|&a| constant_fill(kernel, n, a)).collect();
            kernel.function(*f).partial_of(&all(args), &fills, always(&fills))
        }
        Expr::Reduce(op, _, body) => known_without(kernel, n, k, *body).filter(|&f| f == identity(*op, ty)),
        Expr::Convert(body) => known_without(kernel, n, k, *body).map(|v| convert(v, kernel.type_of(n, *body), ty)),
    }
}

/// The arguments that are there wherever it is, having no fill.
pub(crate) fn always(fills: &[Option<u64>]) -> u64 {
    fills.iter().enumerate().filter(|(_, v)| v.is_none()).fold(0, |p, (k, _)| p | 1 << k)
}

/// Is expression `e` of statement `n` there at every coordinate, because dense operands are?
pub(crate) fn covers(kernel: &Kernel, n: usize, e: ExprId) -> bool {
    let known = by_dense(kernel, n, e);
    grows(kernel, e) && (known.is_none() || known != constant_fill(kernel, n, e))
}

/// Does more of operands never make `e` absent? Omitters are made of `pres`, explicit algebra and special cases.
fn grows(kernel: &Kernel, e: ExprId) -> bool {
    match kernel.expr(e) {
        Expr::Literal(_) | Expr::Access(..) | Expr::Index(_) | Expr::Read { .. } | Expr::At(..) => true,
        Expr::Stored(..) => false,
        Expr::Map(_, args) => args.iter().all(|&a| grows(kernel, a)),
        Expr::Call(f, args) => {
            let f = kernel.function(*f);
            f.iterate.is_none() && f.cases.is_empty() && args.iter().all(|&a| grows(kernel, a))
        }
        Expr::Reduce(_, _, body) | Expr::Convert(body) => grows(kernel, *body),
    }
}

/// What is known of `e` where dense operands are there and others are not.
fn by_dense(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    let all = |args: &[ExprId]| -> Vec<Option<u64>> { args.iter().map(|&a| by_dense(kernel, n, a)).collect() };
    match kernel.expr(e) {
        Expr::Literal(v) => Some(*v),
        Expr::Access(t, _) => {
            let dense = kernel.tensor(*t).levels.iter().all(|l| *l == LevelKind::Dense);
            tensor_fill(kernel, n, *t).filter(|_| !dense)
        }
        Expr::Stored(..) => constant_fill(kernel, n, e),
        Expr::Index(_) | Expr::Read { .. } | Expr::At(..) => None,
        Expr::Map(f, args) => f.partial(&all(args), kernel.type_of(n, e)),
        Expr::Call(f, args) => {
            let fills: Vec<_> = args.iter().map(|&a| constant_fill(kernel, n, a)).collect();
            kernel.function(*f).partial(&all(args), &fills)
        }
        Expr::Reduce(_, _, body) => constant_fill(kernel, n, e).filter(|_| !covers(kernel, n, *body)),
        Expr::Convert(body) => {
            by_dense(kernel, n, *body).map(|v| convert(v, kernel.type_of(n, *body), kernel.type_of(n, e)))
        }
    }
}

/// Fill of a tensor as statement `n` reads it: declared, else that of the expression an earlier
/// statement gave it, else 0. `None`: it is there at every coordinate.
pub(crate) fn tensor_fill(kernel: &Kernel, n: usize, t: TensorId) -> Option<u64> {
    match (kernel.tensor(t).fill, kernel.written_before(n, t)) {
        (Some(f), _) => Some(f),
        (None, Some(w)) => constant_fill(kernel, w, kernel.statements[w].value),
        (None, None) => Some(0),
    }
}

/// Variables of `e` that it does not bind itself.
pub(crate) fn open_variables(kernel: &Kernel, e: ExprId) -> BTreeSet<VarId> {
    let mut open: BTreeSet<VarId> = match kernel.expr(e) {
        Expr::At(v, at) => open_variables(kernel, *at).into_iter().chain([*v]).collect(),
        Expr::Access(_, i) | Expr::Stored(_, i) => i.iter().copied().collect(),
        Expr::Index(v) => [*v].into(),
        Expr::Literal(_) | Expr::Map(..) | Expr::Call(..) | Expr::Reduce(..) | Expr::Convert(_) | Expr::Read { .. } => {
            kernel.expr(e).children().iter().flat_map(|&a| open_variables(kernel, a)).collect()
        }
    };
    if let Expr::Reduce(_, k, _) = kernel.expr(e) {
        open.remove(k);
    }
    open
}

impl Lowering<'_> {
    /// Value of `t` where no operand is there. `None`: it is always there, because it counts absent entries or
    /// depends on coordinates.
    pub(super) fn fill(&self, t: &Tree) -> Option<u64> {
        // What `known` says where nothing is there, without its question for the fill at every level.
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) if self.leaves[*l].always => None,
            Tree::Read(..) => None,
            Tree::Leaf(l) => Some(self.leaves[*l].fill),
            Tree::Stored(..) | Tree::At(..) => Some(0),
            Tree::Literal(v, _) => Some(*v),
            Tree::Reduce(op, _, body, e) => self.fill(body).filter(|&v| v == identity(*op, self.type_of(*e))),
            Tree::Map(f, ty, args) => f.partial(&self.fills(args), *ty),
            Tree::Convert(body, from, to) => self.fill(body).map(|v| convert(v, *from, *to)),
            Tree::Call(f, args) => {
                let fills = self.fills(args);
                let known = self.function(*f).partial_of(&fills, &fills, always(&fills))?;
                (self.function(*f).partial(&fills, &fills) == Some(known)).then_some(known)
            }
        }
    }

    /// What an N of `t` stands for: its fill, or, of what is there everywhere, its value where a reduction in it has gone over no
    /// coordinates: nothing else leaves it out.
    pub(super) fn absent(&self, t: &Tree) -> u64 {
        if let Some(fill) = self.fill(t) {
            return fill;
        }
        let all = |args: &[Tree]| -> Vec<u64> { args.iter().map(|a| self.absent(a)).collect() };
        match t {
            Tree::Leaf(l) => self.leaves[*l].fill,
            Tree::Reduce(op, _, _, e) => identity(*op, self.type_of(*e)),
            Tree::Map(f, ty, args) => f.apply(&all(args), *ty),
            Tree::Convert(body, from, to) => convert(self.absent(body), *from, *to),
            Tree::Call(f, args) => self.function(*f).apply_where(&all(args), always(&self.fills(args))),
            Tree::Stored(..) | Tree::Literal(..) | Tree::Read(..) | Tree::At(..) => 0,
        }
    }

    /// True if absent entries take part in the reduction: the body's fill is not the identity.
    pub(super) fn counts(&self, op: Operator, body: &Tree, e: ExprId) -> bool {
        self.fill(body) != Some(identity(op, self.type_of(e)))
    }

    /// Type of an expression of the statement.
    pub(super) fn type_of(&self, e: ExprId) -> Type {
        self.kernel.type_in(self.statement, e)
    }

    /// Value of `t`, as far as it follows from which operands are there.
    pub(super) fn known(&self, t: &Tree, there: &Holds) -> Option<u64> {
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) if self.leaves[*l].always => None,
            Tree::Read(..) | Tree::At(..) => None,
            Tree::Leaf(l) => (there(*l) == There::No).then_some(self.leaves[*l].fill),
            Tree::Stored(l, ty) => match there(*l) {
                There::No => Some(0),
                There::Maybe => None,
                There::Yes => Some(ty.one()),
            },
            Tree::Literal(v, _) => Some(*v),
            Tree::Reduce(op, _, body, e) => {
                (!self.counts(*op, body, *e) && !self.algebra(body, there)).then(|| identity(*op, self.type_of(*e)))
            }
            Tree::Convert(body, from, to) => {
                let known = convert(self.known(body, there)?, *from, *to);
                (t.is_structure() || self.fill(t) == Some(known)).then_some(known)
            }
            Tree::Map(f, ty, args) => {
                let known = f.partial(&self.all_known(args, there), *ty)?;
                let fill = || f.partial(&self.fills(args), *ty);
                // Of a value that is there hardware only knows that, unless it is one of structure alone.
                (t.is_structure() || fill() == Some(known)).then_some(known)
            }
            Tree::Call(f, args) => {
                let surely = |o: LeafId| if there(o) == There::Maybe { There::No } else { there(o) };
                let sure = args.iter().enumerate().filter(|(_, a)| self.algebra(a, &surely));
                let sure = sure.fold(0, |p, (k, _)| p | 1 << k);
                let fills = self.fills(args);
                let known = self.function(*f).partial_of(&self.all_known(args, there), &fills, sure)?;
                (self.function(*f).partial(&fills, &fills) == Some(known)).then_some(known)
            }
        }
    }

    fn all_known(&self, args: &[Tree], there: &Holds) -> Vec<Option<u64>> {
        args.iter().map(|a| self.known(a, there)).collect()
    }

    pub(super) fn fills(&self, args: &[Tree]) -> Vec<Option<u64>> {
        args.iter().map(|a| self.fill(a)).collect()
    }

    pub(super) fn function(&self, f: crate::stmt::FunctionId) -> &Function {
        self.kernel.function(f)
    }

    /// Can `t` differ from its fill where operands are there as `there` says?
    pub(super) fn algebra(&self, t: &Tree, there: &Holds) -> bool {
        let known = self.known(t, there);
        known.is_none() || known != self.fill(t)
    }

    /// Given who is there, can leaf `o` still change `t`?
    pub(super) fn matters(&self, t: &Tree, o: LeafId, there: &Holds) -> bool {
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) => *l == o,
            Tree::Literal(..) => false,
            Tree::Reduce(_, _, body, _) | Tree::Convert(body, ..) | Tree::At(_, _, body) => {
                self.matters(body, o, there)
            }
            Tree::Read(_, at) => at.iter().any(|a| self.matters(a, o, there)),
            Tree::Map(f, ty, args) => {
                let known = self.all_known(args, there);
                let fills = self.fills(args);
                (0..args.len()).any(|k| self.matters(&args[k], o, there) && !ignores(*f, &known, &fills, k, *ty))
            }
            // The body is not looked into. That `o` is there may be why the value is the fill: a case can say so.
            Tree::Call(_, args) => {
                let without = |x: LeafId| if x == o { There::No } else { there(x) };
                args.iter().any(|a| self.matters(a, o, there)) && (self.algebra(t, there) || self.algebra(t, &without))
            }
        }
    }

    /// Variables that `t` still ranges over, bound ones excluded.
    pub(super) fn variables(&self, t: &Tree) -> BTreeSet<VarId> {
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) => self.leaves[*l].levels.iter().map(|(v, _)| *v).collect(),
            Tree::Literal(..) => BTreeSet::new(),
            Tree::Convert(body, ..) => self.variables(body),
            Tree::At(_, v, at) => self.variables(at).into_iter().chain([*v]).collect(),
            Tree::Map(_, _, args) | Tree::Call(_, args) | Tree::Read(_, args) => {
                args.iter().flat_map(|a| self.variables(a)).collect()
            }
            Tree::Reduce(_, k, body, _) => {
                let mut v = self.variables(body);
                v.remove(k);
                v
            }
        }
    }
}

/// Is the result the same whatever argument `k` is, also as hardware computes it where `k` reads as its fill?
fn ignores(f: Fun, known: &[Option<u64>], fills: &[Option<u64>], k: usize, ty: Type) -> bool {
    if !f.ignores(known, k, ty) {
        return false;
    }
    let (mut unknown, mut absent) = (known.to_vec(), known.to_vec());
    (unknown[k], absent[k]) = (None, fills[k]);
    f.partial(&unknown, ty) == f.partial(&absent, ty)
}
