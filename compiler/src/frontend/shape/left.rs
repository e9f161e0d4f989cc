//! Shape operators on the left: `collapse(x, 0)(i) = b(i)` applies the inverse operators to the right-hand side.

use super::Asked;
use crate::frontend::expression::{Broken, Parser};
use crate::frontend::functions::{Callee, callee};
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::syntax::{Assignment, Form, Ident, Index, Selects, SyntaxId};
use crate::frontend::token::Kind;
use crate::levels;
use crate::stmt::Fun;
use crate::view::{Moved, ShapeStep, ShapeSteps};

impl Parser<'_> {
    /// Returns whether the statement begins with a shape operator, after its name.
    pub(in crate::frontend) fn is_shape_on_left(&self, target: &str) -> bool {
        let declared = self.declared.iter().any(|d| d.name == target) || self.functions.contains(target);
        if declared || !self.is("(") || callee(target) != Some(Callee::Shape) {
            return false;
        }
        let mut open = 0;
        let end = (0..).find(|&by| {
            let here = self.beside(by);
            open += i32::from(here == "(") - i32::from(here == ")");
            open == 0 || matches!(here, ";" | "")
        });
        end.is_some_and(|by| self.beside(by) == ")" && self.beside(by + 1) == "(")
    }

    /// The statement, after the operator's name.
    pub(in crate::frontend) fn shape_on_left(
        &mut self,
        name: &Ident,
        (start, token): (usize, usize),
    ) -> Result<Assignment, Broken> {
        let first = self.syntax.nodes.len();
        let shaped = self.shape_of(name, token)?.ok_or(Broken)?;
        let mut tensors = Vec::new();
        shaped.clone().each_tensor(&mut |tensor| tensors.push(tensor.clone()));
        let [target] = &tensors[..] else {
            let what = "an operator of several tensors on the left is";
            self.reader.unsupported("E009", name.span.clone(), what, "write each of them by a statement");
            return Err(Broken);
        };
        self.eat("(");
        let indices = self.indices(target)?.ok_or(Broken)?;
        let names: Option<Vec<Ident>> = indices.iter().map(plain).collect();
        let Some(names) = names else {
            let what = "a slice or a computed index of a shape operator on the left is";
            self.reader.unsupported("E009", name.span.clone(), what, "slice the tensor: `x(i[2:4]) = ..`");
            return Err(Broken);
        };
        if self.assign((start, token))?.is_some() {
            let what = "an update through a shape operator is";
            self.reader.unsupported("E009", name.span.clone(), what, "write its value to a tensor of its own first");
            return Err(Broken);
        }
        let Some(order) = self.order_of(target) else {
            self.wrong(&name.name, target.span.clone(), &format!("`{}` is not declared", target.name));
            return Err(Broken);
        };
        self.tensors.insert(target.name.clone());
        // Operators that keep modes leave the indices their names, for schedules.
        let named = modes_seen(&shaped, names.iter().cloned().map(Some).collect()).unwrap_or_default();
        let own = |name: &Ident| named.iter().flatten().any(|kept| kept.name == name.name);
        let kept = names.iter().all(|name| own(name) || !self.syntax.asked.contains(&name.name));
        let here = self.position();
        let asked = Asked { stored: false, selects: false, diagonal: false, start: here };
        let whole = self.shape_on_right(&names)?;
        let value = match &whole {
            Some(_) if kept => None,
            Some(whole) => Some(self.at_indices(whole, indices.clone(), asked)?.ok_or(Broken)?),
            None => Some(self.expr(0)?),
        };
        let (target, span) = (target.clone(), self.span_from(token));
        // A value that has no index is the same at each coordinate of what stands on the left.
        let (value, named) = match (whole, value) {
            (_, Some(value)) if kept && self.is_at(value, &names) && self.has_indices(value) => {
                self.at_names(value);
                (self.of_expression(value).ok_or(Broken)?, named)
            }
            (_, Some(value)) => (self.written_before(&target, indices, (first, value), span.clone()), Vec::new()),
            (Some(whole), None) => (whole, named),
            (None, None) => return Err(Broken),
        };
        let first = self.syntax.statements.last().map_or(first, |s| s.nodes.end.max(first));
        let operator = ShapeOperator::Inverse(Box::new(shaped));
        let turned = Shaped::Of(Applied { operator, name: name.clone(), span: span.clone() }, vec![value]);
        let turned = self.with_products(turned, token)?;
        let mut left = self.plain_indices(&target, order);
        for (index, name) in left.iter_mut().zip(named) {
            if let Some(name) = name {
                index.selects = Selects::All(name);
            }
        }
        let value = self.nested(&turned, left.clone(), asked)?.ok_or(Broken)?;
        let (called, nodes) = (target.name.clone(), first..self.syntax.nodes.len());
        Ok(Assignment { target, called, keeps: None, indices: Some(left), value, nodes, span })
    }

    /// The right-hand side, if it is a shape operator at just these indices.
    fn shape_on_right(&mut self, names: &[Ident]) -> Result<Option<Shaped>, Broken> {
        let here = self.position();
        let mut open = 0;
        let end = (1..).find(|&by| {
            let token = self.beside(by);
            open += i32::from(token == "(") - i32::from(token == ")");
            open == 0 || matches!(token, ";" | "")
        });
        let Some(end) = end.filter(|_| self.kind() == Kind::Name && self.beside(1) == "(") else { return Ok(None) };
        let list = names.iter().enumerate().flat_map(|(n, name)| [if n == 0 { "(" } else { "," }, name.name.as_str()]);
        let follows = (end + 1..).zip(list.chain([")"])).all(|(by, token)| self.beside(by) == token);
        if !follows || !matches!(self.beside(end + 2 * names.len() as isize + 2), ";" | "") {
            return Ok(None);
        }
        let name = self.ident();
        if !self.is_shape(&name) {
            self.rewind(here);
            return Ok(None);
        }
        let mut shaped = self.shape_of(&name, here)?.ok_or(Broken)?;
        shaped.each_tensor(&mut |tensor| _ = self.syntax.shaped.insert(tensor.name.clone()));
        self.skip_list()?;
        Ok(Some(shaped))
    }

    /// Is it an expression of tensors at just these indices, of scalars and numbers?
    fn is_at(&self, node: SyntaxId, names: &[Ident]) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Number(_) => true,
            Form::Access { tensor, indices } if indices.is_empty() => names.iter().all(|n| n.name != tensor.name),
            Form::Access { indices, .. } => {
                indices.len() == names.len()
                    && indices.iter().zip(names).all(|(index, name)| plain(index).is_some_and(|i| i.name == name.name))
            }
            Form::Map(_, args) | Form::Call(_, args) => args.iter().all(|&arg| self.is_at(arg, names)),
            Form::Convert(_, of) => self.is_at(*of, names),
            _ => false,
        }
    }

    /// Does an access in it have an index?
    fn has_indices(&self, node: SyntaxId) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Access { indices, .. } | Form::Stored { indices, .. } if !indices.is_empty() => true,
            form => form.children().into_iter().any(|part| self.has_indices(part)),
        }
    }

    /// Such an expression, of tensors by their names.
    fn at_names(&mut self, node: SyntaxId) {
        let inside = match &mut self.syntax.nodes[node].form {
            Form::Access { indices, .. } => {
                indices.clear();
                Vec::new()
            }
            Form::Map(_, args) | Form::Call(_, args) => args.clone(),
            Form::Convert(_, of) => vec![*of],
            _ => Vec::new(),
        };
        inside.into_iter().for_each(|node| self.at_names(node));
    }

    /// The right-hand side as a tensor that a statement before writes.
    fn written_before(
        &mut self,
        target: &Ident,
        indices: Vec<Index>,
        (first, value): (SyntaxId, SyntaxId),
        span: std::ops::Range<usize>,
    ) -> Shaped {
        let whole = Ident { name: self.unused(format!("seen_of_{}", target.name)), span: target.span.clone() };
        self.syntax.seen.insert(whole.name.clone(), target.name.clone());
        let level = |index: &Index| match index.ident() {
            Some(ident) if self.leaves_out(value, &ident.name) => levels::COMPRESSED,
            _ => levels::DENSE,
        };
        let levels = indices.iter().map(level).collect();
        self.compute_before(whole.clone(), levels, (indices, value, first..self.syntax.nodes.len()), span);
        Shaped::Tensor(whole)
    }

    /// Whether the value has no entry at some coordinates of index `name`, because tensors list what they store.
    fn leaves_out(&self, node: SyntaxId, name: &str) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Access { tensor, indices } | Form::Stored { tensor, indices } => {
                let at = |index: &Index| index.idents().iter().any(|ident| ident.name == name);
                indices.iter().position(at).is_some_and(|mode| self.lists_at(tensor, mode))
            }
            Form::Map(Fun::Mul | Fun::And, args) => args.iter().any(|&arg| self.leaves_out(arg, name)),
            // A number is a part of the fill.
            form => {
                let mut parts = form.children().into_iter().filter(|&part| self.has_indices(part)).peekable();
                parts.peek().is_some() && parts.all(|part| self.leaves_out(part, name))
            }
        }
    }
}

/// The names of the tensor's modes, where `names` are those of what operators make of it; none of a mode that
/// they divide or join.
fn modes_seen(shaped: &Shaped, mut names: Vec<Option<Ident>>) -> Option<Vec<Option<Ident>>> {
    let (applied, part) = match shaped {
        Shaped::Tensor(_) => return Some(names),
        Shaped::Of(applied, parts) => (applied, parts.first()?),
        Shaped::Number(_) | Shaped::Pointwise(..) => return None,
    };
    let at = |mode: i64| usize::try_from(mode).ok();
    let inner = match &applied.operator {
        ShapeOperator::Roll { .. } | ShapeOperator::Flip { .. } => names,
        ShapeOperator::Transpose { modes } => {
            let place = |mode: usize| names.get(modes.iter().position(|&m| at(m) == Some(mode))?)?.clone();
            (0..names.len()).map(place).collect()
        }
        ShapeOperator::Split { mode, .. } => {
            let mode = at(*mode).filter(|mode| mode + 1 < names.len())?;
            names.splice(mode..mode + 2, [None]);
            names
        }
        ShapeOperator::Collapse { mode } => {
            let mode = at(*mode).filter(|mode| *mode < names.len())?;
            names.splice(mode..=mode, [None, None]);
            names
        }
        _ => return None,
    };
    modes_seen(part, inner)
}

fn plain(index: &Index) -> Option<Ident> {
    if let Selects::All(ident) = &index.selects { Some(ident.clone()) } else { None }
}

/// The steps back, of what has shape `shape`.
pub(super) fn inverse(steps: &ShapeSteps, shape: &[u64]) -> Result<Vec<ShapeStep>, String> {
    if steps.shape != shape {
        return Err(format!("the value to write has shape {shape:?}, the left-hand side {:?}", steps.shape));
    }
    let mut before = steps.of.clone();
    let mut all = Vec::new();
    for step in &steps.steps {
        let sizes = before.clone();
        step.resize(&mut before);
        all.push(match step {
            ShapeStep::Recount { mode, of, sizes } => {
                ShapeStep::Recount { mode: *mode, of: sizes.clone(), sizes: of.clone() }
            }
            ShapeStep::Transpose { modes } => {
                let mut back = vec![0; modes.len()];
                modes.iter().enumerate().for_each(|(k, &m)| back[m] = k);
                ShapeStep::Transpose { modes: back }
            }
            ShapeStep::Pieces { mode, pieces, size }
                if *size == sizes[*mode] && pieces.iter().all(|p| p.step.abs() == 1) && steps.covers() =>
            {
                let back = |p: &Moved| {
                    let (from, to) =
                        if p.step > 0 { (p.to, p.from) } else { (p.to + p.count - 1, p.from + 1 - p.count) };
                    Moved { from, step: p.step, count: p.count, to }
                };
                let mut pieces: Vec<Moved> = pieces.iter().map(back).collect();
                pieces.sort_by_key(|p| p.to);
                if pieces.windows(2).any(|two| two[0].to + two[0].count > two[1].to) {
                    return Err("on the left every coordinate is written once".into());
                }
                ShapeStep::Pieces { mode: *mode, pieces, size: *size }
            }
            _ => return Err("the left-hand side must write every coordinate of the result once".into()),
        });
    }
    all.reverse();
    Ok(all)
}
