//! Types inside a statement: what type an expression has by itself, explicit conversions such as `f32(e)`, and the
//! types in which sums are accumulated (`acc`).

use super::builder::Builder;
use super::names::FileNames;
use super::syntax::{Form, Reducer, Syntax, SyntaxId};
use super::whole::Kinds;
use crate::stmt::{Expr, ExprId, Fun};
use crate::types::Type;

/// The type that an expression has by itself: that of its tensors. `None` of numbers, coordinates,
/// `pres` and comparisons, which take the type that is wanted of them.
pub(super) fn own_type(names: &FileNames<'_>, syntax: &Syntax, acc: Option<Type>, node: SyntaxId) -> Option<Type> {
    let of = |n: SyntaxId| own_type(names, syntax, acc, n);
    match &syntax.nodes[node].form {
        Form::Number(_) | Form::Identity(_) | Form::Stored { .. } | Form::Turn { .. } | Form::Reported => None,
        Form::Inside(_) | Form::Turned(_) | Form::Taken(_) | Form::Part(..) => None,
        Form::Access { tensor, .. } | Form::FillOf(tensor) => {
            names.by_name.get(&tensor.name).and_then(|&number| names.tensors[number].ty)
        }
        Form::Map(fun, _) if fun.tests() => None,
        Form::Map(_, args) | Form::Call(_, args) => args.iter().find_map(|&a| of(a)),
        Form::Landing(_, _, value, _) | Form::IsLast(_, _, value) => of(*value),
        Form::Update(_, old, value) => old.and_then(of).or_else(|| of(*value)),
        Form::Reduce(Reducer::Place(_), ..) => None,
        Form::Reduce(op, _, body) | Form::Scan(op, _, body) => acc.filter(|_| accumulates(op)).or_else(|| of(*body)),
        Form::Convert(ty, _) => Some(*ty),
        Form::Coalesce(read, _) => of(*read),
    }
}

/// Returns whether `acc` applies to reductions with `op`.
pub(super) fn accumulates(op: &Reducer) -> bool {
    matches!(op, Reducer::Fun(Fun::Add | Fun::Mul))
}

impl Builder<'_, '_> {
    /// Runs `make` for an expression of type `ty`.
    pub(super) fn of_type(&mut self, ty: Type, make: impl FnOnce(&mut Self) -> Option<ExprId>) -> Option<ExprId> {
        let around = std::mem::replace(&mut self.ty, ty);
        let made = make(self);
        self.ty = around;
        self.converted(ty, made?)
    }

    /// `e`, of type `from`, as an expression of the type wanted here.
    pub(super) fn converted(&mut self, from: Type, e: ExprId) -> Option<ExprId> {
        if from == self.ty { Some(e) } else { self.push(Expr::Convert(e)) }
    }

    /// `f32(e)` and the like.
    pub(super) fn conversion(&mut self, node: SyntaxId, to: Type, body: SyntaxId) -> Option<ExprId> {
        if !self.fits(node, to, &format!("`{to}(..)`")) {
            return None;
        }
        let accumulates = self.accumulates.take();
        let from = match self.own(body) {
            Some(own) => own,
            // Indices are whole numbers.
            None => {
                let whole = self.whole_range(body, Kinds { tensors: false, quotients: true });
                whole.filter(|whole| whole.counts && !whole.is_of(to)).map_or(to, |whole| whole.ty())
            }
        };
        let made = self.of_type(to, |me| me.of_type(from, |me| me.expr(body)));
        self.accumulates = accumulates;
        made
    }

    /// The type of `node` by itself.
    pub(super) fn own(&self, node: SyntaxId) -> Option<Type> {
        own_type(self.names, self.syntax, self.acc, node)
    }

    /// Reports what is of another type than is wanted here, unless it goes into a sum with an accumulator, which
    /// takes all types.
    pub(super) fn fits(&mut self, node: SyntaxId, ty: Type, what: &str) -> bool {
        if ty == self.ty || self.accumulates.is_some() {
            return true;
        }
        let span = self.syntax.nodes[node].span.clone();
        let message = format!("{what} is of type `{ty}`, but type `{}` is needed here", self.ty);
        let text = self.reader.source.text.get(span.clone()).unwrap_or("..").to_owned();
        let problem = self.reader.at("E014", span, message);
        self.reader.report(problem.help(format!(
            "convert it: `{}({text})`, or give all tensors of the statement one type; samhw never converts types by itself",
            self.ty
        )));
        false
    }
}
