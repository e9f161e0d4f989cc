//! Reduction operators and their effect on a single value.

use super::builder::Builder;
use super::properties;
use super::syntax::{Ident, Reducer, SyntaxId};
use crate::stmt::{Expr, ExprId, Fun, Operator, Shared};
use crate::types::Type;
use samhw_values::Alone;

impl Builder<'_, '_> {
    /// The reduction, in the type that is wanted here.
    pub(super) fn reduction(&mut self, op: &Reducer, names: &[String], body: SyntaxId) -> Option<ExprId> {
        let op = match op {
            Reducer::Fun(f) => Operator::Fun(*f),
            Reducer::Call(name) if !names.is_empty() => self.operator(name)?,
            Reducer::Call(_) | Reducer::Place(_) | Reducer::Softmax | Reducer::Top(_) => return self.expr(body),
        };
        let outside = self.scope.len();
        let vars: Vec<_> = names.iter().map(|name| self.bind(name)).collect();
        let node = body;
        let truth = op.fun().is_some_and(Fun::is_truth) && !names.is_empty();
        let mut body = if truth { self.truth(body)? } else { self.expr(body)? };
        self.scope.truncate(outside);
        if let (Some(op), false) = (op.fun(), vars.is_empty()) {
            body = self.reduced(op, node, body)?;
        }
        let settles = op.fun().filter(|_| !vars.is_empty());
        let made = vars.into_iter().rev().try_fold(body, |body, var| self.push(Expr::Reduce(op, var, body)))?;
        settles.map_or(Some(made), |fun| self.settled(fun, made))
    }

    /// Reduces `body` with `op`.
    pub(super) fn reduced(&mut self, op: Fun, node: SyntaxId, body: ExprId) -> Option<ExprId> {
        let ty = self.ty;
        let Some(identity) = op.identity(ty) else {
            let message = format!("an empty product is 1, which `{ty}` does not have");
            let problem = self.reader.at("E026", self.syntax.nodes[node].span.clone(), message);
            let help = "give `acc` a type with bits before the point, such as `acc = \"fx32.16\"`: products are computed in that type";
            self.reader.report(problem.help(help));
            return None;
        };
        match op.alone(ty) {
            Alone::Itself => Some(body),
            Alone::Of(Fun::ToBool) if self.logical(body) => Some(body),
            Alone::Of(f) => self.push(Expr::Map(f, vec![body])),
            Alone::WithIdentity => {
                let identity = self.push(Expr::Literal(identity))?;
                self.push(Expr::Map(op, vec![body, identity]))
            }
        }
    }

    /// Converts the result of `fun` to the type of the statement.
    pub(super) fn settled(&mut self, fun: Fun, made: ExprId) -> Option<ExprId> {
        match fun.settled_by(self.ty) {
            Some(by) => self.push(Expr::Map(by, vec![made])),
            None => Some(made),
        }
    }

    /// Converts `arg` to the type that `fun` takes: what `fun` gave it takes as it was.
    pub(super) fn unsettled(&self, fun: Fun, arg: ExprId) -> ExprId {
        let Some(by) = fun.settled_by(self.ty) else { return arg };
        let Expr::Map(last, of) = self.kernel.expr(arg) else { return arg };
        let gave = match self.kernel.expr(of[0]) {
            Expr::Map(made, _) => *made == fun,
            Expr::Reduce(op, ..) => op.fun() == Some(fun),
            _ => false,
        };
        if *last == by && gave { of[0] } else { arg }
    }

    /// Are its values 0 and 1 only?
    fn logical(&self, e: ExprId) -> bool {
        match self.kernel.expr(e) {
            Expr::Map(f, _) => f.is_logical(),
            Expr::Reduce(op, ..) => op.fun().is_some_and(Fun::is_truth),
            Expr::Stored(..) => true,
            Expr::Literal(v) => *v == 0 || *v == self.ty.one(),
            Expr::Convert(of) => *self.kernel.types.get(of).unwrap_or(&self.statement_ty) == Type::Bool,
            _ => false,
        }
    }

    /// The function of the kernel file that reduces, if it may.
    fn operator(&mut self, name: &Ident) -> Option<Operator> {
        let id = self.instance(name)?;
        let declared = self.names.functions.get(&name.name)?;
        let function = &self.kernel.functions[id.0];
        if let Some(lacks) = properties::reduces(declared, function, self.kernel.algebra) {
            let message = format!("`{}` cannot reduce: {lacks}", name.name);
            let problem = self.reader.at("E026", name.span.clone(), message);
            self.reader.report(problem.help(
                "the hardware chooses the order of a reduction: declare \
                `properties = [\"associative\", \"commutative\"]` and `identity`, the result of an empty reduction",
            ));
            return None;
        }
        Some(Operator::Call(Shared::new(function)))
    }
}
