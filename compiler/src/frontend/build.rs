//! Resolved statements to the kernel's expressions, with every reduction explicit and with a variable of its own.

use super::reader::Reader;
use super::resolve::Names;
use super::sizes::Dimension;
use super::syntax::{Assignment, Binary, Form, Ident, NodeId, Syntax, idents};
use crate::stmt::{Expr, ExprId, Fun, Kernel, Statement, TensorId, Var, VarId};
use crate::types::Type;
use crate::view::Points;
use std::collections::{HashMap, HashSet};

/// Adds one statement, the `number`th, of type `ty`, to the kernel.
pub(super) fn build(
    reader: &mut Reader,
    kernel: &mut Kernel,
    names: &mut Names<'_>,
    syntax: &Syntax,
    (number, statement): (usize, &Assignment),
    ty: Type,
) {
    let placed = HashMap::new();
    let mut builder = Builder { reader, kernel, names, syntax, number, ty, scope: Vec::new(), placed };
    let left = statement.indices.as_deref().unwrap_or_default();
    let indices = builder.left(&statement.target, left);
    let value = match builder.names.reduce {
        Some(op) => builder.term(statement.value, op),
        None => builder.terms(statement.value),
    };
    let result = builder.names.by_name.get(&statement.target.name).map(|&number| TensorId(number));
    if let (Some(value), Some(result)) = (value, result) {
        builder.remember_part(statement);
        kernel.statements.push(Statement { result, indices, value, ty, span: statement.span.clone() });
    }
}

pub(super) struct Builder<'b, 's> {
    pub reader: &'b mut Reader,
    pub kernel: &'b mut Kernel,
    pub names: &'b mut Names<'s>,
    pub syntax: &'b Syntax,
    /// Number of the statement.
    pub number: usize,
    ty: Type,
    /// Variables in scope, innermost last.
    pub scope: Vec<(String, VarId)>,
    /// Variables that stand at a part of their mode on the left: where, and the mode's size.
    pub placed: HashMap<VarId, (Points, u64)>,
}

impl Builder<'_, '_> {
    /// A new variable, in scope from here.
    pub(super) fn bind(&mut self, name: &str) -> VarId {
        let size = self.names.sizes.size(&Dimension::Index(self.number, name.to_owned()));
        let var = VarId(self.kernel.vars.len());
        self.kernel.vars.push(Var { name: name.to_owned(), max: size.unwrap_or(1) });
        self.scope.push((name.to_owned(), var));
        var
    }

    pub(super) fn push(&mut self, expr: Expr) -> Option<ExprId> {
        self.kernel.exprs.push(expr);
        Some(ExprId(self.kernel.exprs.len() - 1))
    }

    /// The right-hand side, split at its outermost + and -: every term sums its own variables.
    fn terms(&mut self, node: NodeId) -> Option<ExprId> {
        match self.syntax.nodes[node].form {
            Form::Binary(operator @ (Binary::Add | Binary::Sub), left, right) => {
                let args = vec![self.terms(left)?, self.terms(right)?];
                self.push(Expr::Map(function(operator), args))
            }
            Form::Neg(inner) if !matches!(self.syntax.nodes[inner].form, Form::Number(_)) => {
                let args = vec![self.terms(inner)?];
                self.push(Expr::Map(Fun::Neg, args))
            }
            _ => self.term(node, Fun::Add),
        }
    }

    /// One term, reduced over those of its variables that nothing binds.
    fn term(&mut self, node: NodeId, op: Fun) -> Option<ExprId> {
        let mut free = Free { names: Vec::new(), seen: HashSet::new(), bound: Vec::new() };
        free.seen.extend(self.scope.iter().map(|(name, _)| name.clone()));
        free.collect(self.syntax, node);
        self.reduce(op, &free.names, node)
    }

    fn reduce(&mut self, op: Fun, names: &[String], body: NodeId) -> Option<ExprId> {
        let outside = self.scope.len();
        let vars: Vec<_> = names.iter().map(|name| self.bind(name)).collect();
        let body = self.expr(body)?;
        self.scope.truncate(outside);
        vars.into_iter().rev().try_fold(body, |body, var| self.push(Expr::Reduce(op, var, body)))
    }

    fn expr(&mut self, node: NodeId) -> Option<ExprId> {
        let syntax = self.syntax;
        match &syntax.nodes[node].form {
            Form::Number(number) => self.literal(node, *number, false),
            Form::Access { tensor, indices } => {
                let (tensor, vars) = self.access(tensor, indices)?;
                self.push(Expr::Access(tensor, vars))
            }
            Form::Neg(inner) => {
                let arg = match syntax.nodes[*inner].form {
                    Form::Number(number) => self.literal(*inner, number, true)?,
                    _ => self.expr(*inner)?,
                };
                self.push(Expr::Map(Fun::Neg, vec![arg]))
            }
            Form::Binary(operator, left, right) => {
                let args = vec![self.expr(*left)?, self.expr(*right)?];
                self.push(Expr::Map(function(*operator), args))
            }
            Form::Reduce(op, vars, body) => {
                let names: Vec<_> = vars.iter().map(|var| var.name.clone()).collect();
                self.reduce(*op, &names, *body)
            }
            Form::Reported => None,
        }
    }

    pub(super) fn lookup(&self, index: &Ident) -> Option<VarId> {
        self.scope.iter().rev().find(|(name, _)| *name == index.name).map(|(_, var)| *var)
    }

    /// A number of the statement's type. Under a minus it may be one larger: `-128` is an `i8`.
    fn literal(&mut self, node: NodeId, number: i128, negated: bool) -> Option<ExprId> {
        let fits = self.ty.raw(number).is_some() || negated && self.ty.raw(-number).is_some();
        if !fits {
            let (lo, hi) = self.ty.range();
            let message = format!("{number} does not fit type `{}`", self.ty);
            let problem = self.reader.at("E005", self.syntax.nodes[node].span.clone(), message);
            self.reader.report(problem.help(format!("its values are {lo} to {hi}")));
            return None;
        }
        let raw = self.ty.wrap(number);
        self.push(Expr::Literal(raw))
    }
}

fn function(operator: Binary) -> Fun {
    match operator {
        Binary::Add => Fun::Add,
        Binary::Sub => Fun::Sub,
        Binary::Mul => Fun::Mul,
    }
}

/// Index names of an expression that nothing binds, first appearance first.
struct Free {
    names: Vec<String>,
    seen: HashSet<String>,
    bound: Vec<String>,
}

impl Free {
    fn collect(&mut self, syntax: &Syntax, node: NodeId) {
        match &syntax.nodes[node].form {
            Form::Number(_) | Form::Reported => {}
            Form::Access { indices, .. } => {
                for index in idents(indices) {
                    if !self.bound.contains(&index.name) && self.seen.insert(index.name.clone()) {
                        self.names.push(index.name.clone());
                    }
                }
            }
            Form::Neg(inner) => self.collect(syntax, *inner),
            Form::Binary(_, left, right) => {
                self.collect(syntax, *left);
                self.collect(syntax, *right);
            }
            Form::Reduce(_, vars, body) => {
                let outside = self.bound.len();
                self.bound.extend(vars.iter().map(|var| var.name.clone()));
                self.collect(syntax, *body);
                self.bound.truncate(outside);
            }
        }
    }
}
