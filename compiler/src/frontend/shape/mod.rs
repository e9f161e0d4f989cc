//! Shape operators such as `split(T, d, m)(i0, i1)` and `concat(0, A, B)(i, j)`, applied to named tensors or to other
//! shape operators. Each is written with the indices of what it makes; here these become index lists of tensors
//! (`apply`, `indices`). Where index lists cannot say it, accesses name what is made and which tensor of it they are
//! (`nested`), and steps of views follow once sizes are known (`steps`).

mod apply;
mod before;
mod indices;
mod kron;
mod left;
mod nested;
mod steps;

pub(super) use before::declare_before;
pub(super) use steps::{MadeShape, Misshapen};

use super::expression::{Broken, MAX_HEIGHT, Parser};
use super::functions::{Callee, callee};
use super::shape_operators::OPERATORS;
use super::syntax::shape::{Applied, ShapeOperator, Shaped};
use super::syntax::{Bounds, Form, Ident, Index, Selects, SyntaxId};
use super::token::Kind;
use std::ops::Range;

/// What is made of an access: whether it is stored or its value, of the diagonal or of all, and
/// where it begins.
#[derive(Debug, Clone, Copy)]
struct Asked {
    stored: bool,
    /// Whether a part is selected by that: the file does not ask it.
    selects: bool,
    diagonal: bool,
    start: usize,
}

impl Parser<'_> {
    /// Returns whether this name, the one before the current token, begins a shape operator.
    pub(super) fn is_shape(&self, name: &Ident) -> bool {
        let own = self.tensors.contains(&name.name) || self.functions.contains(&name.name);
        callee(&name.name) == Some(Callee::Shape) && !own && self.is("(")
    }

    /// `concat(0, split(A, 0, 2), B)(i, j, k)`, after the first name; `stored`: whether it is stored, not its value.
    pub(super) fn shape(&mut self, name: &Ident, start: usize, stored: bool) -> Result<SyntaxId, Broken> {
        let nesting = self.nesting;
        let shaped = self.shape_of(name, start)?;
        self.nesting = nesting;
        if let Some(mut shaped) = shaped.clone() {
            shaped.each_tensor(&mut |tensor| _ = self.syntax.shaped.insert(tensor.name.clone()));
        }
        let Some(shaped) = shaped else {
            self.rewind(start + 1);
            while self.is("(") {
                self.skip_list()?;
            }
            return self.node(Form::Reported, start, &[]);
        };
        if self.inside_shape > 0 && !self.is("(") {
            // All of it, at the indices of what it is part of.
            let node = self.node(Form::Reported, start, &[])?;
            self.whole_shapes.insert(node, shaped);
            return Ok(node);
        }
        if !self.eat("(") {
            return Err(self.unexpected("`(` and indices, as in `split(b, 0, 8)(i0, i1)`"));
        }
        let first = shaped.first().unwrap_or(name).clone();
        let indices = self.indices(&first)?.filter(|list| self.plain(list));
        let Some(indices) = indices else { return self.node(Form::Reported, start, &[]) };
        let shaped = self.with_products(shaped, start)?;
        let made = self.at_indices(&shaped, indices, Asked { stored, selects: false, diagonal: false, start })?;
        made.map_or_else(|| self.node(Form::Reported, start, &[]), Ok)
    }

    /// What `shaped` is at these indices: index lists of its tensors if that is enough.
    fn at_indices(&mut self, shaped: &Shaped, indices: Vec<Index>, asked: Asked) -> Result<Option<SyntaxId>, Broken> {
        if !self.needs_steps(shaped) {
            let (nodes, placements) = (self.syntax.nodes.len(), self.syntax.placements.len());
            let problems = self.reader.problems.len();
            self.conflict = false;
            let made = self.apply(shaped, indices.clone(), asked)?;
            if !std::mem::take(&mut self.conflict) {
                return Ok(made);
            }
            self.syntax.nodes.truncate(nodes);
            self.syntax.placements.truncate(placements);
            self.reader.problems.truncate(problems);
        }
        self.nested(shaped, indices, asked)
    }

    /// Has the index list of a shape operator no computed coordinate? One is reported.
    fn plain(&mut self, indices: &[Index]) -> bool {
        let Some(index) = indices.iter().find(|index| matches!(index.selects, Selects::Computed(_))) else {
            return true;
        };
        let help = "write the operator's result to a tensor of its own, and read that";
        self.reader.unsupported("E009", index.span.clone(), "arithmetic as an index of a shape operator is", help);
        false
    }

    /// An operator and what it is of, after its name; `None` if there is something wrong with it, which is reported.
    fn shape_of(&mut self, name: &Ident, start: usize) -> Result<Option<Shaped>, Broken> {
        let Some(&(_, needs, more, _)) = OPERATORS.iter().find(|o| o.0 == name.name) else {
            return Err(self.unexpected("a shape operator"));
        };
        self.nesting += 1;
        if self.nesting > MAX_HEIGHT {
            return Err(self.too_high(name.span.clone()));
        }
        let open = self.position();
        self.eat("(");
        let mut numbers = Vec::new();
        let mut parts = Vec::new();
        let several = ["concat", "stack", "vstack", "hstack", "kron"].contains(&name.name.as_str());
        if several {
            if ["concat", "stack"].contains(&name.name.as_str()) {
                numbers.push(self.coordinate().ok_or_else(|| self.unexpected("a mode, a number"))?);
            } else {
                let Some(part) = self.shaped(name)? else { return Ok(None) };
                parts.push(part);
            }
            while self.eat(",") {
                let Some(part) = self.shaped(name)? else { return Ok(None) };
                parts.push(part);
            }
            if parts.is_empty() {
                return Err(self.unexpected("`,` and a tensor"));
            }
        } else {
            let Some(part) = self.shaped(name)? else { return Ok(None) };
            parts.push(part);
        }
        for what in needs {
            if !self.eat(",") {
                return Err(self.unexpected(&format!("`,` and {what}")));
            }
            numbers.push(self.coordinate().ok_or_else(|| self.unexpected(what))?);
        }
        while more && self.eat(",") {
            numbers.push(self.coordinate().ok_or_else(|| self.unexpected("a number"))?);
        }
        self.close(open, ")")?;
        self.nesting -= 1;
        let operator = match (name.name.as_str(), &numbers[..]) {
            ("split", &[mode, inner]) => ShapeOperator::Split { mode, inner },
            ("collapse", &[mode]) => ShapeOperator::Collapse { mode },
            ("reshape", _) => ShapeOperator::Reshape { sizes: numbers },
            ("concat", &[mode]) => ShapeOperator::Concat { mode },
            ("stack", &[mode]) => ShapeOperator::Stack { mode },
            ("transpose", _) => ShapeOperator::Transpose { modes: numbers },
            ("slice", &[mode, lo, hi]) => {
                ShapeOperator::Slice { mode, bounds: Bounds::Clipped([Some(lo), Some(hi), None]) }
            }
            ("slice", &[mode, lo, hi, step]) => {
                ShapeOperator::Slice { mode, bounds: Bounds::Clipped([Some(lo), Some(hi), Some(step)]) }
            }
            ("pad", &[mode, before, after]) => ShapeOperator::Pad { mode, before, after },
            ("roll", &[mode, by]) => ShapeOperator::Roll { mode, by },
            ("flip", &[mode]) => ShapeOperator::Flip { mode },
            ("diag", &[]) => ShapeOperator::Diag { offset: 0 },
            ("diag", &[offset]) => ShapeOperator::Diag { offset },
            ("repeat", &[mode, times]) => ShapeOperator::Repeat { mode, times },
            ("tile", _) => ShapeOperator::Tile { times: numbers },
            ("kron", _) => ShapeOperator::Kron,
            ("squeeze", _) => ShapeOperator::Squeeze { modes: numbers },
            ("expand", &[mode]) => ShapeOperator::Expand { mode },
            ("triu" | "tril", &[]) => ShapeOperator::Triangle { upper: name.name == "triu", offset: 0 },
            ("triu" | "tril", &[offset]) => ShapeOperator::Triangle { upper: name.name == "triu", offset },
            ("vstack", _) => ShapeOperator::Rows,
            ("hstack", _) => ShapeOperator::Columns,
            _ => return Err(self.unexpected("`(`")),
        };
        let applied = Applied { operator, name: name.clone(), span: self.span_from(start) };
        Ok(Some(Shaped::Of(applied, parts)))
    }

    /// What an operator called `name` is of; `None` if that is reported.
    fn shaped(&mut self, name: &Ident) -> Result<Option<Shaped>, Broken> {
        let at = self.position();
        if self.kind() == Kind::Name {
            let inner = self.ident();
            if self.is_shape(&inner) {
                let shaped = self.shape_of(&inner, at)?;
                if shaped.is_none() || self.is(",") || self.is(")") {
                    return Ok(shaped);
                }
            } else if self.is(",") || self.is(")") {
                return Ok(Some(Shaped::Tensor(inner)));
            }
            self.rewind(at);
        }
        let problems = self.reader.problems.len();
        self.inside_shape += 1;
        let value = self.expr(0);
        self.inside_shape -= 1;
        let value = value?;
        let shaped = self.of_expression(value);
        if shaped.is_none() && self.reader.problems.len() == problems {
            let span = self.span_from(at);
            let message =
                format!("`{0}` takes names of tensors, expressions of these, or shape operators, not this", name.name);
            self.wrong(&name.name, span, &message);
        }
        Ok(shaped)
    }

    /// Reports what is wrong with an operator.
    fn wrong(&mut self, operator: &str, span: Range<usize>, message: &str) {
        let problem = self.reader.at("E028", span, message);
        let meaning = OPERATORS.iter().find(|o| o.0 == operator).map_or("", |o| o.3);
        self.reader.report(problem.help(meaning));
    }
}
