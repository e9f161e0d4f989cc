//! Symmetric tensors, which store only entries (i, j) with j <= i. An access is the stored triangle where that has the
//! entry, and elsewhere the triangle with its indices changed.
//!
//! A reduction over an index of such an access is split: over the triangle as it is stored, and over
//! it mirrored, without the diagonal. Each part is a statement of its own, of which both go through
//! the triangle in the order in which it is stored. Decision 92.

use super::declaration::Declaration;
use super::reader::Reader;
use crate::facts::{coordinate_bits, identity, open_variables};
use crate::levels;
use crate::stmt::{Expr, ExprId, Fun, Kernel, Settled, Statement, Tensor, TensorId, Var, VarId};
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Fewer bits of an index that is compared would not hold a stop.
const LEAST_BITS: u32 = 8;

/// Has the kernel read the stored triangles of tensors that are declared symmetric.
pub(super) fn apply(reader: &mut Reader, kernel: &mut Kernel, declarations: &[Declaration]) {
    for declaration in declarations {
        let Some(span) = declaration.symmetric.clone() else { continue };
        let tensors = kernel.tensors.iter();
        let Some(t) = tensors.clone().position(|t| t.name == declaration.name).map(TensorId) else { continue };
        match refusal(kernel, t) {
            Some((code, message, help)) => {
                let problem = reader.at(code, span, message);
                reader.report(problem.help(help));
            }
            None => _ = kernel.symmetric.insert(t),
        }
    }
    if kernel.symmetric.is_empty() || !reader.problems.is_empty() {
        return;
    }
    let mut triangles = Triangles { kernel, read: BTreeSet::new() };
    let mut n = 0;
    while n < triangles.kernel.statements.len() {
        n += triangles.split(n) + 1;
    }
    for n in 0..triangles.kernel.statements.len() {
        for e in triangles.below(triangles.kernel.statements[n].value) {
            triangles.select(n, e);
        }
    }
    kernel.settle();
}

/// Refuses symmetric tensors that rounds carry, which are written as a whole: reports operands of which a
/// triangle would be read.
pub(super) fn carried(reader: &mut Reader, kernel: &Kernel, declarations: &[Declaration]) {
    for declaration in declarations {
        let named = |t: &&TensorId| kernel.tensor(**t).name == declaration.name;
        let carried = kernel.symmetric.iter().find(named).is_some_and(|&t| kernel.carried(t).is_some());
        if let Some(span) = declaration.symmetric.clone().filter(|_| carried) {
            let message = format!("`{}` is carried from a result, and declared symmetric", declaration.name);
            let problem = reader.at("E035", span, message);
            reader.report(problem.help("the result is written as a whole: leave `symmetric` out"));
        }
    }
}

/// Why a tensor cannot be stored as a triangle.
fn refusal(kernel: &Kernel, t: TensorId) -> Option<(&'static str, String, &'static str)> {
    let tensor = kernel.tensor(t);
    let name = &tensor.name;
    if !matches!(tensor.shape[..], [rows, columns] if rows == columns) {
        let sizes: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
        let found = format!("`{name}` is symmetric, and has modes of sizes {}", sizes.join(", "));
        return Some(("E034", found, "a symmetric tensor has two modes of one size"));
    }
    if kernel.statements.iter().any(|s| kernel.base(s.result) == t) {
        let message = format!("`{name}` is written, and declared symmetric");
        return Some(("E035", message, "operands can be stored as a triangle: leave `symmetric` out of a result"));
    }
    let computed = |e: &Expr| matches!(e, Expr::Read { tensor, .. } if kernel.base(*tensor) == t);
    let view = kernel.tensors.iter().any(|v| v.view.as_ref().is_some_and(|view| view.base == t));
    (view || kernel.exprs.iter().any(computed)).then(|| {
        let message = format!("a part of `{name}` is read, or computed coordinates of it, and it is symmetric");
        ("E036", message, "read it at two indices, or leave `symmetric` out")
    })
}

/// A kernel whose accesses become those of stored triangles.
struct Triangles<'k> {
    kernel: &'k mut Kernel,
    /// Accesses that are of the triangle already.
    read: BTreeSet<ExprId>,
}

impl Triangles<'_> {
    /// Splits reductions of statement `n` into statements before it; how many there are.
    fn split(&mut self, n: usize) -> usize {
        let mut added = 0;
        for e in self.below(self.kernel.statements[n + added].value) {
            if let Some(pair) = self.pair(n + added, e) {
                self.halves(n + added, e, pair);
                added += 2;
            }
        }
        added
    }

    /// All expressions in `e`, those that have others first.
    fn below(&self, e: ExprId) -> Vec<ExprId> {
        let mut all = vec![e];
        let mut next = 0;
        while let Some(&at) = all.get(next) {
            all.extend(self.kernel.expr(at).children());
            next += 1;
        }
        all
    }

    /// The indices of an access of a triangle that is still to be chosen.
    fn indices(&self, e: ExprId) -> Option<[VarId; 2]> {
        let (Expr::Access(t, indices) | Expr::Stored(t, indices)) = self.kernel.expr(e) else { return None };
        let &[a, b] = &indices[..] else { return None };
        (self.kernel.symmetric.contains(t) && a != b && !self.read.contains(&e)).then_some([a, b])
    }

    /// The indices that all accesses of symmetric tensors in reduction `e` have, if it reduces over
    /// one of them, by a function of the library, to a value or a vector.
    fn pair(&self, n: usize, e: ExprId) -> Option<[VarId; 2]> {
        let (bound, body) = self.chain(e);
        let Expr::Reduce(op, ..) = self.kernel.expr(e) else { return None };
        op.fun()?;
        let inside = self.below(body);
        let mut pairs = inside.iter().filter_map(|&x| self.indices(x));
        let [a, b] = pairs.next()?;
        let nested = inside.iter().any(|&x| match self.kernel.expr(x) {
            Expr::Reduce(..) => self.below(x).iter().any(|&y| self.indices(y).is_some()),
            // A scan sees both triangles.
            Expr::At(..) | Expr::Prefix(..) => true,
            _ => false,
        });
        let other = pairs.any(|p| p != [a, b] && p != [b, a]);
        let free = open_variables(self.kernel, e);
        let around = free.iter().all(|v| self.kernel.statements[n].indices.contains(v));
        let split = !nested && !other && around && free.len() <= 1;
        (split && (bound.contains(&a) || bound.contains(&b))).then_some([a, b])
    }

    /// The variables of reductions that stand directly in each other, and what they reduce.
    fn chain(&self, e: ExprId) -> (Vec<VarId>, ExprId) {
        let (mut bound, mut at) = (Vec::new(), e);
        while let Expr::Reduce(op, k, body) = self.kernel.expr(at)
            && matches!(self.kernel.expr(e), Expr::Reduce(first, ..) if first == op)
        {
            bound.push(*k);
            at = *body;
        }
        (bound, at)
    }

    /// Makes two statements before statement `n` of reduction `e`; what they write takes its place.
    fn halves(&mut self, n: usize, e: ExprId, [a, b]: [VarId; 2]) {
        let (ty, span) = (self.kernel.type_of(n, e), self.kernel.statements[n].span.clone());
        let Expr::Reduce(op, ..) = *self.kernel.expr(e) else { return };
        let free: Vec<VarId> = open_variables(self.kernel, e).into_iter().collect();
        let results = [("lower", Fun::Le), ("upper", Fun::Lt)].map(|(part, fun)| {
            let all: BTreeSet<VarId> = self.chain(e).0.into_iter().chain(free.iter().copied()).collect();
            let vars: BTreeMap<VarId, VarId> = all.into_iter().map(|v| (v, self.variable(v))).collect();
            let whole = self.copied(n, e, &vars);
            let (_, body) = self.chain(whole);
            let [row, column] = [vars[&a], vars[&b]];
            if fun == Fun::Lt {
                // Orders and schedules name the loops of the triangle as it is stored.
                let names = [b, a].map(|v| self.kernel.var(v).name.clone());
                [row, column].into_iter().zip(names).for_each(|(v, name)| self.kernel.vars[v.0].name = name);
            }
            for x in self.below(body) {
                self.stored(x, [row, column], fun == Fun::Lt);
            }
            let sides = if fun == Fun::Lt { [row, column] } else { [column, row] };
            self.masked(body, (fun, sides), identity(op, self.type_now(body)));
            let result = self.result(n, part, ty, &free);
            let (settled, own) = (Settled::default(), self.kernel.statements[n].own.clone());
            let indices = free.iter().map(|v| vars[v]).collect();
            let statement = Statement { result, indices, value: whole, ty, span: span.clone(), settled, own };
            (result, statement)
        });
        let args = results.each_ref().map(|(t, _)| self.push(Expr::Access(*t, free.clone()), ty)).to_vec();
        if let Some(fun) = op.fun() {
            self.kernel.exprs[e.0] = Expr::Map(fun, args);
            self.kernel.types.insert(e, ty);
        }
        let [lower, upper] = results.map(|(_, statement)| statement);
        self.kernel.statements.splice(n..n, [lower, upper]);
    }

    /// Access `x` is one of the triangle, if it is of a symmetric tensor: of row and column, or `mirrored`.
    fn stored(&mut self, x: ExprId, [row, column]: [VarId; 2], mirrored: bool) {
        if self.indices(x).is_none() {
            return;
        }
        let order = if mirrored { vec![column, row] } else { vec![row, column] };
        if let Expr::Access(_, indices) | Expr::Stored(_, indices) = &mut self.kernel.exprs[x.0] {
            *indices = order;
        }
        self.read.insert(x);
    }

    /// `e` where `left fun right` holds, and `elsewhere` where it does not.
    fn masked(&mut self, e: ExprId, (fun, sides): (Fun, [VarId; 2]), elsewhere: u64) {
        let ty = self.type_now(e);
        let own = self.kernel.expr(e).clone();
        let moved = self.push(own, ty);
        if self.read.remove(&e) {
            self.read.insert(moved);
        }
        let (condition, elsewhere) = (self.condition(fun, sides, ty), self.push(Expr::Literal(elsewhere), ty));
        self.kernel.exprs[e.0] = Expr::Map(Fun::Where, vec![condition, moved, elsewhere]);
    }

    /// Access `e` of statement `n`, if it is still to be chosen: of the triangle as it is stored, or mirrored.
    fn select(&mut self, n: usize, e: ExprId) {
        let Some([a, b]) = self.indices(e) else { return };
        let ty = self.kernel.type_of(n, e);
        let own = self.kernel.expr(e).clone();
        let both = [[a, b], [b, a]].map(|order| {
            let mut access = own.clone();
            if let Expr::Access(_, indices) | Expr::Stored(_, indices) = &mut access {
                *indices = order.to_vec();
            }
            let x = self.push(access, ty);
            self.read.insert(x);
            x
        });
        let condition = self.condition(Fun::Le, [b, a], ty);
        self.kernel.exprs[e.0] = Expr::Map(Fun::Where, vec![condition, both[0], both[1]]);
        self.kernel.types.insert(e, ty);
    }

    /// `left fun right` of two indices, as a value of type `ty`.
    fn condition(&mut self, fun: Fun, sides: [VarId; 2], ty: Type) -> ExprId {
        let most = sides.iter().map(|&v| self.kernel.var(v).max).max().unwrap_or(1);
        let number = Type::int(coordinate_bits(most).max(LEAST_BITS), false);
        let sides = sides.map(|v| self.push(Expr::Index(v), number)).to_vec();
        let holds = self.push(Expr::Map(fun, sides), number);
        if number == ty { holds } else { self.push(Expr::Convert(holds), ty) }
    }

    /// `e` of statement `n` once more, with other variables.
    fn copied(&mut self, n: usize, e: ExprId, vars: &BTreeMap<VarId, VarId>) -> ExprId {
        let (mut expr, ty) = (self.kernel.expr(e).clone(), self.kernel.type_of(n, e));
        let now = |v: &mut VarId| *v = vars.get(v).copied().unwrap_or(*v);
        let own = |me: &mut Self, x: &mut ExprId| *x = me.copied(n, *x, vars);
        match &mut expr {
            Expr::Literal(_) => {}
            Expr::Access(_, indices) | Expr::Stored(_, indices) => indices.iter_mut().for_each(now),
            Expr::Index(v) => now(v),
            Expr::Map(_, args) | Expr::Call(_, args) | Expr::Read { at: args, .. } => {
                args.iter_mut().for_each(|x| own(self, x));
            }
            Expr::Convert(body) => own(self, body),
            Expr::Prefix(_, v, of) => {
                now(v);
                of.iter_mut().for_each(|x| own(self, x));
            }
            Expr::Reduce(_, v, body) | Expr::At(v, body) => {
                let mut inner = vars.clone();
                let new = vars.get(v).copied().unwrap_or_else(|| self.variable(*v));
                inner.insert(*v, new);
                *v = new;
                *body = self.copied(n, *body, &inner);
            }
        }
        self.push(expr, ty)
    }

    /// Another variable like this one.
    fn variable(&mut self, v: VarId) -> VarId {
        let like: Var = self.kernel.var(v).clone();
        self.kernel.vars.push(like);
        VarId(self.kernel.vars.len() - 1)
    }

    /// What a half of a reduction of statement `n` writes, over `free`.
    fn result(&mut self, n: usize, part: &str, ty: Type, free: &[VarId]) -> TensorId {
        let of = self.kernel.statements[n].result;
        let number = self.kernel.tensors.len();
        let span = self.kernel.tensor(of).span.clone();
        self.kernel.tensors.push(Tensor {
            name: format!("{part}{number}"),
            ty,
            shape: free.iter().map(|&v| self.kernel.var(v).max).collect(),
            levels: vec![levels::DENSE; free.len()],
            mode_order: (0..free.len()).collect(),
            fill: None,
            nnz: None,
            runs: None,
            prune: false,
            span,
            view: None,
        });
        self.kernel.temporaries.push(TensorId(number));
        TensorId(number)
    }

    fn type_now(&self, e: ExprId) -> Type {
        // Everything here has been copied, with its type.
        self.kernel.types[&e]
    }

    fn push(&mut self, expr: Expr, ty: Type) -> ExprId {
        let e = ExprId(self.kernel.exprs.len());
        self.kernel.exprs.push(expr);
        self.kernel.types.insert(e, ty);
        e
    }
}
