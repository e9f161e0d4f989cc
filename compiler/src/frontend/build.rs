//! Translation of resolved statements to kernel expressions, with every reduction explicit and its variable unique.

use super::builder::Builder;
use super::domain::outside;
use super::names::FileNames;
use super::reader::Reader;
use super::sizes::Dimension;
use super::syntax::{Assignment, Form, Ident, Reducer, Syntax, SyntaxId, computed};
use super::uses::index_names;
use super::{conversion, properties, user};
use crate::stmt::{Expr, ExprId, Fun, FunctionId, Kernel, Statement, TensorId, Var, VarId};
use crate::types::Type;
use samhw_values::Misfit;
use std::collections::HashMap;

/// Adds one statement, the `number`th, of type `ty`, to the kernel.
pub(super) fn build(
    reader: &mut Reader,
    kernel: &mut Kernel,
    names: &mut FileNames<'_>,
    syntax: &Syntax,
    (number, statement): (usize, &Assignment),
    ty: Type,
) {
    let placed = HashMap::new();
    let indices = index_names(syntax, statement).into_iter().map(str::to_owned).collect();
    let acc = names.accumulators.of(&statement.called);
    let mut builder = Builder {
        reader,
        kernel,
        names,
        syntax,
        number,
        ty,
        statement_ty: ty,
        acc,
        accumulates: None,
        scope: Vec::new(),
        placed,
        before: None,
        indices,
    };
    let left = statement.indices.as_deref().unwrap_or_default();
    let calls = builder.names.calls.len();
    let indices = builder.left(&statement.target, left);
    if let Some(before) = statement.keeps.as_ref().filter(|_| !builder.placed.is_empty()) {
        builder.before = builder.names.by_name.get(before).map(|&before| (TensorId(before), indices.clone()));
    }
    let value = builder.right(statement.value).and_then(|value| builder.kept(statement, value));
    let result = builder.names.by_name.get(&statement.target.name).map(|&number| TensorId(number));
    let value = value.zip(result).and_then(|(value, result)| builder.recurrence(statement, (result, &indices), value));
    if let (Some(value), Some(result)) = (value, result) {
        builder.remember_part(statement);
        let (settled, own) = Default::default();
        kernel.statements.push(Statement { result, indices, value, ty, span: statement.span.clone(), settled, own });
    } else {
        // Its calls are part of no statement.
        names.calls.truncate(calls);
    }
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
        let e = ExprId(self.kernel.exprs.len());
        if self.ty != self.statement_ty {
            self.kernel.types.insert(e, self.ty);
        }
        self.kernel.exprs.push(expr);
        Some(e)
    }

    /// The body reduced over these indices, in the type in which such reductions are accumulated.
    pub(super) fn reduce(&mut self, op: &Reducer, names: &[String], body: SyntaxId) -> Option<ExprId> {
        if let (Reducer::Place(place), [var]) = (op, names) {
            return self.place(*place, var, body);
        }
        match self.acc.filter(|_| conversion::accumulates(op) && !names.is_empty()) {
            Some(acc) => {
                let around = self.accumulates.replace(acc);
                let made = self.of_type(acc, |me| me.reduction(op, names, body));
                self.accumulates = around;
                made
            }
            None => {
                let around = if names.is_empty() { self.accumulates } else { None };
                let around = std::mem::replace(&mut self.accumulates, around);
                let own = self.own(body).filter(|_| around.is_some() && !names.is_empty()).unwrap_or(self.ty);
                let made = self.of_type(own, |me| me.reduction(op, names, body));
                self.accumulates = around;
                made
            }
        }
    }

    pub(super) fn expr(&mut self, node: SyntaxId) -> Option<ExprId> {
        if let Some(own) = self.counted_type(node) {
            return self.of_type(own, |me| me.expr(node));
        }
        if let Some(text) = self.number_text(node) {
            return self.literal(node, &text);
        }
        let syntax = self.syntax;
        match &syntax.nodes[node].form {
            Form::Access { tensor, indices } => {
                if indices.is_empty() && !self.names.by_name.contains_key(&tensor.name) {
                    return self.index_value(node, tensor);
                }
                if computed(indices).next().is_some() {
                    return self.read(node, None);
                }
                if let Some(read) = self.shaped_result(node, (tensor, indices), false) {
                    return read;
                }
                let own = self.own(node).unwrap_or(self.ty);
                if !self.fits(node, own, &format!("`{}`", tensor.name)) {
                    return None;
                }
                self.of_type(own, |me| {
                    let (tensor, vars) = me.access(tensor, indices)?;
                    me.push(Expr::Access(tensor, vars))
                })
            }
            Form::Stored { tensor, indices } => {
                if let Some(there) = self.shaped_result(node, (tensor, indices), true) {
                    return there;
                }
                let (tensor, vars) = self.access(tensor, indices)?;
                // Nothing of it is there, so nothing of it is stored; the one value that the host packs would
                // be.
                if vars.is_empty() && self.shows_nothing(tensor) {
                    return self.literal(node, "0");
                }
                let there = self.push(Expr::Stored(tensor, vars))?;
                if !self.syntax.selections.contains(&node) {
                    self.kernel.presence.insert(there);
                }
                Some(there)
            }
            Form::FillOf(tensor) => {
                let own = self.own(node).unwrap_or(self.ty);
                let fits = self.fits(node, own, &format!("the fill of `{}`", tensor.name));
                fits.then(|| self.of_type(own, |me| me.fill_of(tensor))).flatten()
            }
            Form::Turn { index, at, of } => self.turn(index, *at, *of),
            Form::Convert(to, body) => self.conversion(node, *to, *body),
            Form::Coalesce(read, outside) => self.read(*read, Some(*outside)),
            Form::Inside(read) => self.inside(*read),
            Form::Map(Fun::ToBool, args) if self.ty == Type::Bool && self.own(args[0]) != Some(Type::Bool) => {
                self.conversion(node, Type::Bool, args[0])
            }
            Form::Map(fun, args) if fun.tests() => self.comparison(node, *fun, args),
            Form::Map(fun, args) => {
                let truths = if *fun == Fun::Where {
                    1
                } else if fun.is_logical() {
                    args.len()
                } else {
                    0
                };
                let (truths, others) = args.split_at(truths);
                let mut args: Vec<_> = truths.iter().map(|&n| self.truth(n)).collect();
                args.extend(others.iter().map(|&n| self.expr(n)));
                let args: Vec<ExprId> = args.into_iter().collect::<Option<_>>()?;
                if let (true, [_, own, rest]) = (syntax.joined.contains(&node), &args[..]) {
                    let span = syntax.nodes[node].span.clone();
                    self.names.views.joined.push((self.kernel.statements.len(), span, [*own, *rest]));
                }
                self.map(node, *fun, args)
            }
            Form::Call(name, args) => self.call(node, name, args),
            Form::Reduce(op, vars, body) => {
                let names: Vec<_> = vars.iter().map(|var| var.name.clone()).collect();
                self.reduce(op, &names, *body)
            }
            Form::Scan(op, var, body) => self.scan_expr(op, var, *body),
            Form::Landing(at, fun, value, elsewhere) => self.landing(at, *fun, *value, *elsewhere),
            Form::Turned(vars) => self.turned(node, vars),
            Form::Taken(number) => self.is_taken(*number),
            Form::Part(number, vars, n) => self.part(*number, vars, *n),
            // Only functions that have one reduce.
            Form::Identity(fun) => self.push(Expr::Literal(fun.identity(self.ty).unwrap_or(0))),
            Form::Number(_) | Form::Update(..) | Form::IsLast(..) | Form::Reported => None,
        }
    }

    /// All of them, unless something is wrong with one; all that is wrong is reported.
    fn all(&mut self, nodes: &[SyntaxId]) -> Option<Vec<ExprId>> {
        let all: Vec<_> = nodes.iter().map(|&n| self.expr(n)).collect();
        all.into_iter().collect()
    }

    /// A library function, if the type has it.
    pub(super) fn map(&mut self, node: SyntaxId, fun: Fun, args: Vec<ExprId>) -> Option<ExprId> {
        if fun.needs_float() && !self.ty.is_float() {
            let message =
                format!("`{}` is a function of real numbers, the statement is of type `{}`", fun.name(), self.ty);
            let problem = self.reader.at("E023", self.syntax.nodes[node].span.clone(), message);
            self.reader.report(problem.help("give the tensors a real type: `f64`, `f32`, `bf16` or `f16`"));
            return None;
        }
        let constant = |&a: &ExprId| if let Expr::Literal(raw) = *self.kernel.expr(a) { Some(raw) } else { None };
        let constants: Vec<_> = args.iter().map(constant).collect();
        if let Some((message, help)) = outside(fun, self.ty, &constants) {
            let problem = self.reader.at("E023", self.syntax.nodes[node].span.clone(), message);
            self.reader.report(problem.help(help));
            return None;
        }
        let args = args.into_iter().map(|arg| self.unsettled(fun, arg)).collect();
        let made = self.push(Expr::Map(fun, args))?;
        self.settled(fun, made)
    }

    /// The fill that a tensor is declared with.
    fn fill_of(&mut self, tensor: &Ident) -> Option<ExprId> {
        let entry = self.names.by_name.get(&tensor.name).map(|&number| &self.names.tensors[number]);
        let Some(entry) = entry else {
            let problem =
                self.reader.at("K013", tensor.span.clone(), format!("tensor `{}` is not declared", tensor.name));
            self.reader.report(problem);
            return None;
        };
        let fill = entry.declaration.and_then(|d| d.fill).unwrap_or(0);
        self.push(Expr::Literal(fill))
    }

    /// A function of the kernel file.
    fn call(&mut self, node: SyntaxId, name: &Ident, args: &[SyntaxId]) -> Option<ExprId> {
        let function = self.names.functions.get(&name.name)?;
        let span = self.syntax.nodes[node].span.clone();
        if function.args.len() != args.len() {
            let message = format!("`{}` takes {} arguments, not {}", name.name, function.args.len(), args.len());
            let problem = self.reader.at("E022", span, message);
            self.reader.report(problem);
            return None;
        }
        let f = self.instance(name)?;
        let args = self.all(args)?;
        let call = self.push(Expr::Call(f, args))?;
        self.names.calls.push((self.kernel.statements.len(), call, span));
        Some(call)
    }

    /// The function for the statement's type; made, and its properties checked, when first used.
    pub(super) fn instance(&mut self, name: &Ident) -> Option<FunctionId> {
        let known = self.kernel.functions.iter().position(|f| f.name == name.name && f.ty == self.ty);
        if let Some(known) = known {
            return Some(FunctionId(known));
        }
        let declared = self.names.functions.get(&name.name)?;
        let function = user::instance(self.reader, self.names.functions, self.syntax, declared, self.ty);
        let function = match function {
            Ok(function) => function,
            Err(problem) => {
                self.reader.report(problem);
                return None;
            }
        };
        if let Some((property, example)) = properties::refuted(declared, &function, self.kernel.algebra) {
            let message = format!("`{}` does not have the property `{property}` for type `{}`", name.name, self.ty);
            let span = declared.properties.get(&property).cloned().unwrap_or(declared.name.span.clone());
            let problem = self.reader.at("K022", span, message);
            self.reader.report(problem.help(format!("for example: {example}")));
            return None;
        }
        self.kernel.functions.push(function);
        Some(FunctionId(self.kernel.functions.len() - 1))
    }

    pub(super) fn lookup(&self, index: &Ident) -> Option<VarId> {
        self.scope.iter().rev().find(|(name, _)| *name == index.name).map(|(_, var)| *var)
    }

    /// A number of the statement's type.
    pub(super) fn literal(&mut self, node: SyntaxId, text: &str) -> Option<ExprId> {
        let span = self.syntax.nodes[node].span.clone();
        let problem = match self.ty.parse(text) {
            Ok(raw) => return self.push(Expr::Literal(raw)),
            Err(Misfit::OutOfRange) => {
                let problem = self.reader.at("E005", span, format!("{text} does not fit type `{}`", self.ty));
                problem.help(self.ty.values_text())
            }
            Err(Misfit::NotFinite) => {
                let message = format!("type `{}` has no `{text}`", self.ty);
                self.reader.at("E004", span, message).help(
                    "give it a real type; in a saturating type, such as `i32s`, an infinity is the end of the range",
                )
            }
            Err(Misfit::Inexact | Misfit::NotNumber) => {
                let message = format!("`{text}` needs a real type, the statement is of type `{}`", self.ty);
                self.reader
                    .at("E004", span, message)
                    .help("give the tensors a real type: `f64`, `f32`, `bf16` or `f16`")
            }
        };
        self.reader.report(problem);
        None
    }
}
