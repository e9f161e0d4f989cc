//! Fills of results: the values of expressions where nothing is stored, computed once each.
//!
//! An operand that stores every coordinate is never absent, so its fill is nobody's business: where
//! such operands alone decide what an expression is, the expression is there everywhere; where what
//! is absent decides it, that is its fill. So `t / s * c(i)` is 0 where c has nothing, though t / s
//! of fills is 0 / 0. docs/decisions/0067-fills.md.

use super::identity;
use crate::stmt::{Expr, ExprId, Kernel, Operator, Statement, Tensor, TensorId, VarId};
use samhw_values::{Args, convert};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The value of an expression where all sparse operands are absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fill {
    /// The fill, if it is constant. `None`: it is there at every coordinate, since it depends on them or counts absent
    /// entries.
    pub value: Option<u64>,
    /// The fill if it does not depend on the values of operands that store every coordinate. `None` with a value: they
    /// make it be there everywhere, and nobody reads the value.
    pub known: Option<u64>,
}

impl Fill {
    /// One that is the same whatever is there.
    pub(crate) fn of(value: Option<u64>) -> Self {
        Self { value, known: value }
    }

    /// ... of a function whose arguments' values and what is known of them give these.
    pub(crate) fn either(known: Option<u64>, value: Option<u64>) -> Self {
        Self { value: known.or(value), known }
    }

    /// One that `change` makes another value of.
    pub(crate) fn mapped(self, change: impl Fn(u64) -> u64) -> Self {
        Self { value: self.value.map(&change), known: self.known.map(&change) }
    }
}

/// The values of `fills`, and what is known of each.
pub(crate) fn columns(fills: &[Fill]) -> (Args<Option<u64>>, Args<Option<u64>>) {
    fills.iter().map(|f| (f.value, f.known)).unzip()
}

/// Properties of a statement that later statements use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settled {
    /// Fill of the expression alone; see [`Fill::value`].
    pub fill: Option<u64>,
    /// Whether the result has a value at every coordinate, whatever its format.
    pub everywhere: bool,
    /// Whether the result's fill differs from the expression's, so that every coordinate is visited.
    pub forced: bool,
}

impl Kernel {
    /// Computes the properties of each statement. To be called when statements, tensors or the algebra have changed.
    pub fn settle(&mut self) {
        for n in 0..self.statements.len() {
            self.settle_statement(n);
        }
    }

    /// Computes the properties of statement `n`, whose operands have not changed.
    pub fn settle_statement(&mut self, n: usize) {
        let Statement { result, value, .. } = self.statements[n];
        let (fill, grows) = facts(self, n, value);
        // A value everywhere leaves no fill to prune; that of operands does.
        let pruned = fill.value.is_none() && prunes(self.tensor(result));
        if pruned && self.tensor(result).fill.is_none() {
            self.tensors[result.0].fill = Some(0);
        }
        let (statement, tensor) = (&self.statements[n], self.tensor(result));
        let covers = fill.known.is_none() && grows;
        // A reduction of dense operands has nothing where it is over nothing.
        let surely = covers && !reduces(self, statement.value);
        let other = matches!((tensor.fill, fill.value), (Some(a), Some(b)) if !tensor.ty.same(a, b));
        // What a reduction of anything is over nothing depends on the sizes of a run.
        let over_nothing = tensor.fill.is_some() && fill.value.is_none() && covers;
        let forced = (other || over_nothing) && !surely && tensor.levels.iter().any(|l| !l.is_dense());
        let everywhere = (covers || forced) && !tensor.prune;
        self.statements[n].settled = Settled { fill: fill.value, everywhere, forced };
    }
}

/// Does a result leave out values that equal its fill?
fn prunes(tensor: &Tensor) -> bool {
    tensor.prune && tensor.levels.iter().any(|l| !l.is_dense())
}

/// Returns the declared fill of a result that does not store every coordinate.
pub fn declared_fill(kernel: &Kernel, statement: &Statement) -> Option<u64> {
    let tensor = kernel.tensor(statement.result);
    tensor.fill.filter(|_| tensor.levels.iter().any(|l| !l.is_dense()))
}

/// Returns the constant fill of expression `e` in statement `n`; `None` if it depends on run-time sizes or coordinates,
/// or if a reduction counts absent entries.
pub fn constant_fill(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    fill(kernel, n, e).value
}

/// Returns the fill of expression `e` in statement `n`.
pub fn fill(kernel: &Kernel, n: usize, e: ExprId) -> Fill {
    facts(kernel, n, e).0
}

/// Calls `visit` with each expression in `e`, innermost first, and with its fill.
pub fn each_fill(kernel: &Kernel, n: usize, e: ExprId, visit: &mut dyn FnMut(ExprId, Fill)) {
    facts_of_each(kernel, n, e, visit);
}

/// ... and whether more of operands never makes `e` absent. Omitters are made of `pres`, explicit
/// algebra and special cases.
fn facts(kernel: &Kernel, n: usize, e: ExprId) -> (Fill, bool) {
    facts_of_each(kernel, n, e, &mut |_, _| ())
}

fn facts_of_each(kernel: &Kernel, n: usize, e: ExprId, visit: &mut dyn FnMut(ExprId, Fill)) -> (Fill, bool) {
    let ty = kernel.type_of(n, e);
    let mut all = |args: &[ExprId]| -> (Args<Fill>, bool) {
        let (fills, grow): (Args<Fill>, Args<bool>) = args.iter().map(|&a| facts_of_each(kernel, n, a, visit)).unzip();
        (fills, grow.into_iter().all(|g| g))
    };
    let facts = match kernel.expr(e) {
        Expr::Literal(v) => (Fill::of(Some(*v)), true),
        Expr::Access(t, _) => {
            let value = tensor_fill(kernel, n, *t);
            (Fill { value, known: value.filter(|_| !stored_everywhere(kernel, n, *t)) }, true)
        }
        Expr::Stored(t, _) => (Fill::of(tensor_fill(kernel, n, *t).map(|_| 0)), false),
        Expr::Index(_) | Expr::Read { .. } | Expr::Prefix(..) => (Fill::of(None), all(kernel.expr(e).children()).1),
        Expr::At(..) => (Fill::of(Some(0)), all(kernel.expr(e).children()).1),
        Expr::Map(f, args) => {
            let (fills, grows) = all(args);
            let (values, known) = columns(&fills);
            (Fill::either(kernel.partial(*f, &known, ty), kernel.partial(*f, &values, ty)), grows)
        }
        Expr::Call(f, args) => {
            let ((fills, grow), f) = (all(args), kernel.function(*f));
            let (values, known) = columns(&fills);
            let fill = Fill::either(f.partial(&known, &values), f.partial(&values, &values));
            (fill, grow && f.iterate.is_none() && f.cases.is_empty())
        }
        Expr::Reduce(op, _, body) => {
            let (of, grows) = facts_of_each(kernel, n, *body, visit);
            let value = of.value.filter(|&f| kernel.algebra.same(ty, f, identity(*op, ty))).map(|_| identity(*op, ty));
            (Fill { value, known: value.filter(|_| of.known.is_some() || !grows) }, grows)
        }
        Expr::Convert(body) => {
            let (of, grows) = facts_of_each(kernel, n, *body, visit);
            let from = kernel.type_of(n, *body);
            (of.mapped(|v| convert(v, from, ty)), grows)
        }
    };
    visit(e, facts.0);
    facts
}

/// Fill of a tensor as statement `n` reads it: declared, else that of the expression an earlier
/// statement gave it, else 0. `None`: it is there at every coordinate.
pub(crate) fn tensor_fill(kernel: &Kernel, n: usize, t: TensorId) -> Option<u64> {
    // A view has that of its base, which a pruned result may have got since.
    match (kernel.tensor(kernel.base(t)).fill, kernel.written_before(n, t)) {
        (Some(f), _) => Some(f),
        (None, Some(w)) => kernel.statements[w].settled.fill,
        (None, None) => Some(0),
    }
}

/// Has a tensor a value at every coordinate, as statement `n` reads it: because it is dense, or
/// because an earlier statement gives it one there?
pub(crate) fn stored_everywhere(kernel: &Kernel, n: usize, t: TensorId) -> bool {
    let whole = kernel.tensor(t).view.as_ref().is_none_or(crate::view::View::sees_all);
    // Of a view without indices nobody can see by its levels that it may show a gap.
    let dense = kernel.tensor(kernel.base(t)).levels.iter().all(|l| l.is_dense());
    let written = || kernel.written_before(n, t).is_some_and(|w| kernel.statements[w].settled.everywhere);
    whole && (dense || written())
}

/// Is expression `e` of statement `n` there at every coordinate, because operands are?
pub(crate) fn covers(kernel: &Kernel, n: usize, e: ExprId) -> bool {
    let (fill, grows) = facts(kernel, n, e);
    fill.known.is_none() && grows
}

/// Is there a reduction in `e`?
fn reduces(kernel: &Kernel, e: ExprId) -> bool {
    matches!(kernel.expr(e), Expr::Reduce(..)) || kernel.expr(e).children().iter().any(|&a| reduces(kernel, a))
}

/// Returns true if a reduction over `k` of `body` in statement `n` also folds coordinates at which every operand with
/// `k` is absent, because the body may differ from the identity there. Dense levels have all coordinates, with the
/// fill.
pub fn counts_without(kernel: &Kernel, n: usize, op: Operator, k: VarId, body: ExprId) -> bool {
    let ty = kernel.type_of(n, body);
    !known_without(kernel, n, k, body).is_some_and(|v| kernel.algebra.same(ty, v, identity(op, ty)))
}

/// Value of `e` where no operand with `k` holds anything, if it follows from that alone: of what an earlier
/// statement wrote, too, and of what rounds carry.
pub(crate) fn known_without(kernel: &Kernel, n: usize, k: VarId, e: ExprId) -> Option<u64> {
    let beyond = Beyond { kernel, carried: RefCell::default(), changes: Cell::new(false) };
    beyond.value(n, k, e).filter(|_| !beyond.changes.get())
}

/// What is known of values beyond all that is stored.
struct Beyond<'k> {
    kernel: &'k Kernel,
    /// Operands that rounds carry, which have their fill there in each round if none `changes`.
    carried: RefCell<BTreeSet<TensorId>>,
    /// Whether the next round has another value there.
    changes: Cell<bool>,
}

impl Beyond<'_> {
    /// The value of `e` in statement `n` where no operand with `k` holds anything.
    fn value(&self, n: usize, k: VarId, e: ExprId) -> Option<u64> {
        let kernel = self.kernel;
        let leaf = |e: ExprId| match kernel.expr(e) {
            Expr::Access(t, i) => self.read(n, *t, i.iter().position(|v| *v == k)?),
            Expr::Stored(t, i) => {
                let tensor = kernel.tensor(*t);
                if kernel.written_before(n, *t).is_some_and(|w| kernel.statements[w].settled.everywhere) {
                    return None;
                }
                let mode = |l: &usize| i[tensor.mode_order[*l]] == k;
                let holds = (0..tensor.levels.len()).filter(mode).any(|l| !tensor.levels[l].is_dense());
                tensor_fill(kernel, n, *t).filter(|_| holds).map(|_| 0)
            }
            Expr::Reduce(op, _, body) => {
                let (ty, body) = (kernel.type_of(n, e), self.value(n, k, *body)?);
                kernel.algebra.same(ty, body, identity(*op, ty)).then(|| identity(*op, ty))
            }
            _ => None,
        };
        known_from(kernel, n, k, e, &leaf)
    }

    /// The value that statement `n` reads of `t` beyond its mode `mode`.
    fn read(&self, n: usize, t: TensorId, mode: usize) -> Option<u64> {
        let kernel = self.kernel;
        if let Some(w) = kernel.written_before(n, t).filter(|_| kernel.tensor(t).view.is_none()) {
            return self.value(w, kernel.statements[w].indices[mode], kernel.statements[w].value);
        }
        let fill = tensor_fill(kernel, n, t);
        let carried = kernel.carried(t).filter(|_| self.carried.borrow_mut().insert(t));
        if let Some(s) = carried.and_then(|result| kernel.statements.iter().rposition(|s| s.result == result)) {
            let Statement { indices, value, .. } = &kernel.statements[s];
            let plain = kernel.tensor(t).view.is_none();
            let next = indices.get(mode).filter(|_| plain).and_then(|&v| self.value(s, v, *value));
            let same = |(next, fill)| kernel.algebra.same(kernel.tensor(t).ty, next, fill);
            self.changes.set(self.changes.get() || !next.zip(fill).is_some_and(same));
        }
        fill
    }
}

/// Value of `e` at a coordinate of `v` as it follows from its leaves: tensors, reads and reductions. `leaf`:
/// what is known of one of these there.
pub(crate) fn known_from(
    kernel: &Kernel,
    n: usize,
    v: VarId,
    e: ExprId,
    leaf: &dyn Fn(ExprId) -> Option<u64>,
) -> Option<u64> {
    let one = |e: ExprId| known_from(kernel, n, v, e, leaf);
    let all = |args: &[ExprId]| -> Vec<Option<u64>> { args.iter().map(|&a| one(a)).collect() };
    match kernel.expr(e) {
        Expr::Literal(value) => Some(*value),
        Expr::Access(..) | Expr::Stored(..) | Expr::Read { .. } | Expr::Reduce(..) => leaf(e),
        Expr::Index(_) | Expr::Prefix(..) => None,
        Expr::At(at, _) => (*at == v).then_some(0),
        Expr::Map(f, args) => kernel.partial(*f, &all(args), kernel.type_of(n, e)),
        Expr::Call(f, args) => {
            let fills: Vec<_> = args.iter().map(|&a| constant_fill(kernel, n, a)).collect();
            kernel.function(*f).partial_of(&all(args), &fills, always(&fills))
        }
        Expr::Convert(body) => one(*body).map(|x| convert(x, kernel.type_of(n, *body), kernel.type_of(n, e))),
    }
}

/// The arguments that are there wherever it is, having no fill.
pub(crate) fn always(fills: &[Option<u64>]) -> u64 {
    fills.iter().enumerate().filter(|(_, v)| v.is_none()).fold(0, |p, (k, _)| p | 1 << k)
}
