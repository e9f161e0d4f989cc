//! Shape operators: `split(T, d, m)(i0, i1)`, `concat(0, A, B)(i, j)` and the like, of tensors by their names or of
//! other shape operators. Each is written with the indices of what it makes; here these become index lists of
//! tensors, so that nothing after the parser knows operators.

mod apply;
mod indices;

use super::expression::{Broken, MAX_HEIGHT, Parser};
use super::functions::{Callee, callee};
use super::shape_operators::OPERATORS;
use super::syntax::{Bounds, Form, Ident, Index, Selects, SyntaxId};
use super::token::Kind;
use std::ops::Range;

/// A shape operator, its numbers as the file has them.
#[derive(Debug, Clone)]
enum ShapeOperator {
    Split { mode: i64, inner: i64 },
    Collapse { mode: i64 },
    Reshape { sizes: Vec<i64> },
    Concat { mode: i64 },
    Stack { mode: i64 },
    Transpose { modes: Vec<i64> },
    Slice { mode: i64, bounds: Bounds },
    Pad { mode: i64, before: i64, after: i64 },
    Roll { mode: i64, by: i64 },
    Flip { mode: i64 },
    Diag,
}

/// An operator where it stands.
#[derive(Debug, Clone)]
struct Applied {
    operator: ShapeOperator,
    name: Ident,
    span: Range<usize>,
}

/// What is made of an access: whether it is stored or its value, of the diagonal or of all, and
/// where it begins.
#[derive(Debug, Clone, Copy)]
struct Asked {
    stored: bool,
    diagonal: bool,
    start: usize,
}

/// What an index list follows.
#[derive(Debug, Clone)]
enum Shaped {
    Tensor(Ident),
    Of(Applied, Vec<Shaped>),
}

impl Shaped {
    /// A tensor that it is made of.
    fn first(&self) -> &Ident {
        match self {
            Self::Tensor(ident) => ident,
            Self::Of(_, parts) => parts[0].first(),
        }
    }
}

impl Parser<'_> {
    /// Does a shape operator begin with this name, the one before the token here?
    pub(super) fn is_shape(&self, name: &Ident) -> bool {
        let own = self.tensors.contains(&name.name) || self.functions.contains(&name.name);
        callee(&name.name) == Some(Callee::Shape) && !own && self.is("(")
    }

    /// `concat(0, split(A, 0, 2), B)(i, j, k)`, after the first name; `stored`: whether it is stored, not its value.
    pub(super) fn shape(&mut self, name: &Ident, start: usize, stored: bool) -> Result<SyntaxId, Broken> {
        let nesting = self.nesting;
        let shaped = self.shape_of(name, start)?;
        self.nesting = nesting;
        let Some(shaped) = shaped else {
            self.rewind(start + 1);
            while self.is("(") {
                self.skip_list()?;
            }
            return self.node(Form::Reported, start, &[]);
        };
        if !self.eat("(") {
            return Err(self.unexpected("`(` and indices, as in `split(b, 0, 8)(i0, i1)`"));
        }
        let indices = self.indices(shaped.first())?.filter(|list| self.plain(list));
        let asked = Asked { stored, diagonal: false, start };
        let made = indices.map(|indices| self.apply(&shaped, indices, asked)).transpose()?.flatten();
        made.map_or_else(|| self.node(Form::Reported, start, &[]), Ok)
    }

    /// Has the index list of a shape operator no computed coordinate? One is reported.
    fn plain(&mut self, indices: &[Index]) -> bool {
        let Some(index) = indices.iter().find(|index| matches!(index.selects, Selects::Computed(_))) else {
            return true;
        };
        let help = "write what the operator makes to a tensor of its own, and read that";
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
        if ["concat", "stack"].contains(&name.name.as_str()) {
            numbers.push(self.coordinate().ok_or_else(|| self.unexpected("a mode, a number"))?);
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
                ShapeOperator::Slice { mode, bounds: Bounds::Slice([Some(lo), Some(hi), None]) }
            }
            ("slice", &[mode, lo, hi, step]) => {
                ShapeOperator::Slice { mode, bounds: Bounds::Slice([Some(lo), Some(hi), Some(step)]) }
            }
            ("pad", &[mode, before, after]) => ShapeOperator::Pad { mode, before, after },
            ("roll", &[mode, by]) => ShapeOperator::Roll { mode, by },
            ("flip", &[mode]) => ShapeOperator::Flip { mode },
            ("diag", &[]) => ShapeOperator::Diag,
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
                return self.shape_of(&inner, at);
            }
            if self.is(",") || self.is(")") {
                return Ok(Some(Shaped::Tensor(inner)));
            }
            self.rewind(at);
        }
        self.skip_item();
        let span = if self.position() == at { self.span_here() } else { self.span_from(at) };
        let message = format!("`{0}` is of a tensor by its name, or of a shape operator, not of this", name.name);
        self.wrong(&name.name, span, &message);
        Ok(None)
    }

    /// Reports what is wrong with an operator.
    fn wrong(&mut self, operator: &str, span: Range<usize>, message: &str) {
        let problem = self.reader.at("E028", span, message);
        let meaning = OPERATORS.iter().find(|o| o.0 == operator).map_or("", |o| o.3);
        self.reader.report(problem.help(meaning));
    }

    /// Refuses `split(y, 0, 8)(i0, i1) = ..`, after its first list.
    pub(super) fn no_shape_here(&mut self, target: &Ident) -> Result<(), Broken> {
        if !self.is("(") || callee(&target.name) != Some(Callee::Shape) {
            return Ok(());
        }
        // In what follows it is the operator again.
        self.tensors.remove(&target.name);
        let help = "write a result with a mode for each index";
        self.reader.unsupported("E009", target.span.clone(), &format!("`{}` on the left is", target.name), help);
        Err(Broken)
    }
}
