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

/// An expression with what holds of it whichever operands are there.
pub(super) struct Settled<'t> {
    tree: &'t Tree,
    /// Its value where no operand is there.
    fill: Option<u64>,
    /// Fills of its parts.
    fills: Vec<Option<u64>>,
    is_structure: bool,
    parts: Vec<Settled<'t>>,
}

impl Settled<'_> {
    /// Can it differ from its fill, if this is known of its value?
    pub(super) fn differs(&self, known: Option<u64>) -> bool {
        known.is_none() || known != self.fill
    }
}

/// What follows for an expression from which operands are there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// Its value.
    pub known: Option<u64>,
    /// The operands that can still change it, a bit each.
    pub matter: u64,
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
        self.fill_of(t, &self.fills(t.children()))
    }

    /// ... whose parts have these fills.
    fn fill_of(&self, t: &Tree, fills: &[Option<u64>]) -> Option<u64> {
        // What is known where nothing is there, without the question for the fill at every level.
        match t {
            Tree::Leaf(l) | Tree::Stored(l, _) if self.leaves[*l].always => None,
            Tree::Read(..) => None,
            Tree::Leaf(l) => Some(self.leaves[*l].fill),
            Tree::Stored(..) | Tree::At(..) => Some(0),
            Tree::Literal(v, _) => Some(*v),
            Tree::Reduce(op, _, _, e) => fills[0].filter(|&v| v == identity(*op, self.type_of(*e))),
            Tree::Map(f, ty, _) => f.partial(fills, *ty),
            Tree::Convert(_, from, to) => fills[0].map(|v| convert(v, *from, *to)),
            Tree::Call(f, _) => {
                let known = self.function(*f).partial_of(fills, fills, always(fills))?;
                (self.function(*f).partial(fills, fills) == Some(known)).then_some(known)
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
        self.facts(&self.settled(t), there, &|_| None).known
    }

    /// `t` with what holds of it whichever operands are there.
    pub(super) fn settled<'t>(&self, t: &'t Tree) -> Settled<'t> {
        let parts: Vec<Settled<'t>> = t.children().iter().map(|c| self.settled(c)).collect();
        let fills: Vec<Option<u64>> = parts.iter().map(|p| p.fill).collect();
        Settled { tree: t, fill: self.fill_of(t, &fills), fills, is_structure: t.is_structure(), parts }
    }

    /// What follows for `t` from which operands are there; `number` gives the bits of the operands that are asked for.
    pub(super) fn facts(&self, t: &Settled, there: &Holds, number: &dyn Fn(LeafId) -> Option<usize>) -> Facts {
        let parts: Vec<Facts> = t.parts.iter().map(|p| self.facts(p, there, number)).collect();
        let known: Vec<Option<u64>> = parts.iter().map(|p| p.known).collect();
        let value = self.value(t, &known, there);
        let all = parts.iter().fold(0, |m, p| m | p.matter);
        let matter = match t.tree {
            Tree::Leaf(l) | Tree::Stored(l, _) => number(*l).map_or(0, |k| 1 << k),
            Tree::Map(f, ty, _) => (0..parts.len())
                .filter(|&k| parts[k].matter != 0 && !ignores(*f, &known, &t.fills, k, *ty))
                .fold(0, |m, k| m | parts[k].matter),
            // The body is not looked into. That an operand is there may be why the value is the fill: a case can say so.
            Tree::Call(..) if !t.differs(value) => {
                let still = |k: &u32| {
                    let without = |x: LeafId| if number(x) == Some(*k as usize) { There::No } else { there(x) };
                    all >> *k & 1 == 1 && t.differs(self.facts(t, &without, &|_| None).known)
                };
                (0..u64::BITS).filter(still).fold(0, |m, k| m | 1 << k)
            }
            Tree::Literal(..)
            | Tree::Call(..)
            | Tree::Reduce(..)
            | Tree::Convert(..)
            | Tree::At(..)
            | Tree::Read(..) => all,
        };
        Facts { known: value, matter }
    }

    /// Value of `t`, whose parts have the values `known`.
    fn value(&self, t: &Settled, known: &[Option<u64>], there: &Holds) -> Option<u64> {
        match t.tree {
            Tree::Leaf(l) | Tree::Stored(l, _) if self.leaves[*l].always => None,
            Tree::Read(..) | Tree::At(..) => None,
            Tree::Leaf(l) => (there(*l) == There::No).then_some(self.leaves[*l].fill),
            Tree::Stored(l, ty) => match there(*l) {
                There::No => Some(0),
                There::Maybe => None,
                There::Yes => Some(ty.one()),
            },
            Tree::Literal(v, _) => Some(*v),
            Tree::Reduce(op, _, _, e) => {
                let one = identity(*op, self.type_of(*e));
                (t.parts[0].fill == Some(one) && !t.parts[0].differs(known[0])).then_some(one)
            }
            // Of a value that is there hardware only knows that, unless it is one of structure alone.
            Tree::Convert(_, from, to) => {
                known[0].map(|v| convert(v, *from, *to)).filter(|&v| t.is_structure || t.fill == Some(v))
            }
            Tree::Map(f, ty, _) => f.partial(known, *ty).filter(|&v| t.is_structure || t.fill == Some(v)),
            Tree::Call(f, _) => {
                let surely = |o: LeafId| if there(o) == There::Maybe { There::No } else { there(o) };
                let is_sure = |p: &Settled| p.differs(self.facts(p, &surely, &|_| None).known);
                let sure = t.parts.iter().enumerate().filter(|(_, p)| is_sure(p));
                let sure = sure.fold(0, |p, (k, _)| p | 1 << k);
                let value = self.function(*f).partial_of(known, &t.fills, sure)?;
                (self.function(*f).partial(&t.fills, &t.fills) == Some(value)).then_some(value)
            }
        }
    }

    pub(super) fn fills(&self, args: &[Tree]) -> Vec<Option<u64>> {
        args.iter().map(|a| self.fill(a)).collect()
    }

    pub(super) fn function(&self, f: crate::stmt::FunctionId) -> &Function {
        self.kernel.function(f)
    }

    /// Can `t` differ from its fill where operands are there as `there` says?
    pub(super) fn algebra(&self, t: &Tree, there: &Holds) -> bool {
        let settled = self.settled(t);
        settled.differs(self.facts(&settled, there, &|_| None).known)
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
