//! Shape operators on the left: `collapse(x, 0)(i) = b(i)` applies the inverse operators to the right-hand side.

use super::Asked;
use crate::frontend::expression::{Broken, Parser};
use crate::frontend::functions::{Callee, callee};
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::syntax::{Assignment, Form, Ident, Index, Selects, SyntaxId};
use crate::frontend::token::Kind;
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
        let here = self.position();
        let whole = self.shape_on_right(&names)?;
        let value = if whole.is_some() { None } else { Some(self.expr(0)?) };
        let (target, span) = (target.clone(), self.span_from(token));
        // A value that has no index is the same at each coordinate of what stands on the left.
        let direct = match (whole, value) {
            (None, Some(value)) if self.is_at(value, &names) && self.has_indices(value) => {
                self.at_names(value);
                Some(self.of_expression(value).ok_or(Broken)?)
            }
            (whole, _) => whole,
        };
        // Operators that keep modes leave the indices their names, for schedules.
        let named = direct.as_ref().and_then(|_| modes_seen(&shaped, names.iter().cloned().map(Some).collect()));
        let value = match (direct, value) {
            (Some(direct), _) => direct,
            (None, Some(value)) => self.written_before(&target, indices, (first, value), span.clone()),
            (None, None) => return Err(Broken),
        };
        let first = self.syntax.statements.last().map_or(first, |s| s.nodes.end.max(first));
        let operator = ShapeOperator::Inverse(Box::new(shaped));
        let turned = Shaped::Of(Applied { operator, name: name.clone(), span: span.clone() }, vec![value]);
        let turned = self.with_products(turned, token)?;
        let mut left = self.plain_indices(&target, order);
        for (index, name) in left.iter_mut().zip(named.into_iter().flatten()) {
            if let Some(name) = name {
                index.selects = Selects::All(name);
            }
        }
        let asked = Asked { stored: false, selects: false, diagonal: false, start: here };
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
            Form::Access { indices, .. } => !indices.is_empty(),
            Form::Map(_, args) | Form::Call(_, args) => args.iter().any(|&arg| self.has_indices(arg)),
            Form::Convert(_, of) => self.has_indices(*of),
            _ => false,
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
        self.tensors.insert(whole.name.clone());
        self.syntax.seen.insert(whole.name.clone(), target.name.clone());
        self.orders.insert(whole.name.clone(), indices.len());
        let (called, nodes) = (whole.name.clone(), first..self.syntax.nodes.len());
        let indices = Some(indices);
        let statement = Assignment { target: whole.clone(), called, keeps: None, indices, value, nodes, span };
        self.syntax.statements.push(statement);
        Shaped::Tensor(whole)
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
