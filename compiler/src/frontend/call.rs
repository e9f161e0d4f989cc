//! The part of the expression parser that begins with a name: tensors, reductions, calls.

use super::expression::{Broken, Parser};
use super::functions;
use super::syntax::{Form, Ident, Index, NodeId};
use super::token::Kind;
use crate::stmt::Fun;

/// Reduction operators that a later version has.
const LATER_REDUCTIONS: [&str; 10] = ["prod", "any", "all", "mul", "or", "and", "lor", "land", "bor", "band"];

/// The reduction operator with this name.
pub(super) fn reduce_op(name: &str) -> Option<Fun> {
    match name {
        "sum" | "add" => Some(Fun::Add),
        "min" => Some(Fun::Min),
        "max" => Some(Fun::Max),
        _ => None,
    }
}

impl Parser<'_> {
    /// A tensor, a reduction or a call.
    pub(super) fn named(&mut self) -> Result<NodeId, Broken> {
        let start = self.position();
        let name = self.ident();
        if self.is("[") {
            return self.reduction(name, start);
        }
        if !self.is("(") {
            return self.node(Form::Access { tensor: name, indices: Vec::new() }, start, &[]);
        }
        if !self.tensors.contains(&name.name) {
            if name.name == "red" {
                return self.red(start);
            }
            if let Some(what) = functions::described(&name.name) {
                return self.call(&name, what, start);
            }
        }
        self.eat("(");
        let form = match self.indices(&name, false)? {
            Some(indices) => Form::Access { tensor: name, indices },
            None => Form::Reported,
        };
        self.node(form, start, &[])
    }

    /// `op[k, l](e)`, after `op`.
    fn reduction(&mut self, op: Ident, start: usize) -> Result<NodeId, Broken> {
        let bracket = self.position();
        self.eat("[");
        let vars = self.vars(bracket, "]")?;
        let open = self.position();
        if !self.eat("(") {
            return Err(self.unexpected("`(` and what is reduced"));
        }
        let body = self.expr(0)?;
        self.close(open, ")")?;
        self.reduce(op, vars, body, start)
    }

    /// `red(op, k, l, e)`, after `red`.
    fn red(&mut self, start: usize) -> Result<NodeId, Broken> {
        let open = self.position();
        self.eat("(");
        if self.kind() != Kind::Name {
            return Err(self.unexpected("a reduction operator"));
        }
        let op = self.ident();
        let mut vars = Vec::new();
        while self.eat(",") {
            let before = self.position();
            if self.kind() == Kind::Name {
                let var = self.ident();
                if self.is(",") {
                    vars.push(var);
                    continue;
                }
                self.rewind(before);
            }
            let body = self.expr(0)?;
            self.close(open, ")")?;
            return self.reduce(op, vars, body, start);
        }
        Err(self.unexpected("`,`, an index and what is reduced, as in `red(min, j, A(i,j))`"))
    }

    fn reduce(&mut self, op: Ident, vars: Vec<Ident>, body: NodeId, start: usize) -> Result<NodeId, Broken> {
        if vars.is_empty() {
            let problem = self.reader.at("E019", self.span_from(start), "a reduction needs an index");
            self.reader.report(problem.help("name what it runs over, as in `sum[k](B(i,k))`"));
            return self.node(Form::Reported, start, &[body]);
        }
        for (n, var) in vars.iter().enumerate() {
            if vars[..n].iter().any(|other| other.name == var.name) {
                let message = format!("`{}` is reduced over twice", var.name);
                let problem = self.reader.at("E019", var.span.clone(), message);
                self.reader.report(problem);
                return self.node(Form::Reported, start, &[body]);
            }
        }
        if let Some(op) = reduce_op(&op.name) {
            return self.node(Form::Reduce(op, vars, body), start, &[body]);
        }
        if LATER_REDUCTIONS.contains(&op.name.as_str()) {
            let help = "reductions so far: `sum`, `min`, `max`";
            self.reader.unsupported("E008", op.span, &format!("reduction `{}` is", op.name), help);
        } else {
            let message = format!("unknown reduction `{}`", op.name);
            self.reader.unknown("E008", op.span, message, &op.name, &["sum", "min", "max"]);
        }
        self.node(Form::Reported, start, &[body])
    }

    /// Names up to `end`, which is taken.
    fn vars(&mut self, open: usize, end: &str) -> Result<Vec<Ident>, Broken> {
        let mut vars = Vec::new();
        while self.kind() == Kind::Name {
            vars.push(self.ident());
            if !self.eat(",") {
                break;
            }
        }
        if self.is(end) || self.kind() == Kind::End {
            self.close(open, end)?;
            return Ok(vars);
        }
        Err(self.unexpected(&format!("an index or `{end}`")))
    }

    /// A call of something that is not a tensor, after its name.
    fn call(&mut self, name: &Ident, what: &str, start: usize) -> Result<NodeId, Broken> {
        self.skip_list()?;
        while self.is("(") {
            self.skip_list()?;
        }
        let so_far = "so far there are `+`, `-`, `*`, and the reductions `sum`, `min`, `max`";
        let help = format!("{so_far}; if it is a tensor, declare it under `[tensors.{}]`", name.name);
        self.reader.unsupported("E007", name.span.clone(), &format!("{what} `{}` is", name.name), &help);
        self.node(Form::Reported, start, &[])
    }

    /// Skips a list in parentheses.
    fn skip_list(&mut self) -> Result<(), Broken> {
        let open = self.position();
        self.eat("(");
        loop {
            self.skip_item();
            if !self.eat(",") {
                return self.close(open, ")");
            }
        }
    }

    /// Index list of `tensor` after its `(`, up to and with the `)`. `None` if it has arithmetic or what cannot be
    /// understood, which is reported.
    pub(super) fn indices(&mut self, tensor: &Ident, written: bool) -> Result<Option<Vec<Index>>, Broken> {
        let open = self.position() - 1;
        let mut indices = Some(Vec::new());
        if self.eat(")") {
            return Ok(indices);
        }
        loop {
            let start = self.position();
            let index = self.index()?.filter(|_| self.is(",") || self.is(")"));
            if let Some(index) = index {
                if let Some(indices) = &mut indices {
                    indices.push(index);
                }
            } else {
                self.rewind(start);
                self.skip_item();
                if self.position() == start {
                    return Err(self.unexpected("an index"));
                }
                self.odd_index(tensor, start, written);
                indices = None;
            }
            if !self.eat(",") {
                self.close(open, ")")?;
                return Ok(indices);
            }
        }
    }

    fn odd_index(&mut self, tensor: &Ident, start: usize, written: bool) {
        let span = self.span_from(start);
        if written || self.tensors.contains(&tensor.name) {
            let help =
                "an index is a variable, a slice or a set of it, or a number, as in `A(i, j[0:8:2], k[{1,3}], 0)`";
            self.reader.unsupported("E009", span, "arithmetic as an index is", help);
        } else {
            let message = format!("`{}` is neither a tensor nor a function", tensor.name);
            let problem = self.reader.at("E007", tensor.span.clone(), message);
            let help = format!("declare it under `[tensors.{}]` if it is a tensor", tensor.name);
            self.reader.report(problem.help(help));
        }
    }
}
