//! Shape operators that index lists cannot express: several at one index, and operators on expressions or earlier
//! results. Each tensor is accessed by the indices of what is made; which of its coordinates these are follows once
//! sizes are known.

use super::Asked;
use crate::frontend::expression::{Broken, Parser};
use crate::frontend::syntax::shape::{Applied, Pointwise, ShapeOperator, Shaped};
use crate::frontend::syntax::{Form, Ident, Index, Selects, SyntaxId};
use crate::stmt::{Algebra, Fun};
use crate::types::Type;
use std::ops::Range;

impl Parser<'_> {
    /// Returns whether an operator cannot be written as index lists, or cannot read an earlier statement's
    /// result.
    pub(super) fn needs_steps(&self, shaped: &Shaped) -> bool {
        let own = match shaped {
            Shaped::Tensor(_) => false,
            Shaped::Number(_) | Shaped::Pointwise(..) => true,
            Shaped::Of(applied, parts) => match &applied.operator {
                // How many modes there are before is not known from the indices.
                ShapeOperator::Reshape { .. } => {
                    parts.iter().any(|part| self.has_result(part) || !matches!(part, Shaped::Tensor(_)))
                }
                ShapeOperator::Split { .. } | ShapeOperator::Collapse { .. } => {
                    parts.iter().any(|part| self.has_result(part))
                }
                _ => false,
            },
        };
        own || shaped.parts().iter().any(|part| self.needs_steps(part))
    }

    /// Is there a result of an earlier statement in it?
    fn has_result(&self, shaped: &Shaped) -> bool {
        match shaped {
            Shaped::Tensor(tensor) => self.is_result(tensor),
            _ => shaped.parts().iter().any(|part| self.has_result(part)),
        }
    }

    fn is_result(&self, tensor: &Ident) -> bool {
        self.syntax.statements.iter().any(|statement| statement.called == tensor.name)
    }

    /// Applies `shaped`, which has nested operators, to these indices.
    pub(super) fn nested(
        &mut self,
        shaped: &Shaped,
        indices: Vec<Index>,
        asked: Asked,
    ) -> Result<Option<SyntaxId>, Broken> {
        let mut whole = shaped.clone();
        let mut idents = Vec::new();
        // The last ones first: those before keep their numbers.
        for (mode, index) in indices.into_iter().enumerate().rev() {
            let mode = i64::try_from(mode).unwrap_or(i64::MAX);
            let operator = match index.selects {
                Selects::All(ident) => {
                    idents.push(ident);
                    continue;
                }
                Selects::Slice(ident, bounds) => {
                    idents.push(ident);
                    ShapeOperator::Slice { mode, bounds }
                }
                Selects::Set(ident, set) => {
                    idents.push(ident);
                    ShapeOperator::Take { mode, set }
                }
                Selects::At(at) => ShapeOperator::Pick { mode, at },
                _ => continue,
            };
            let name = Ident { name: "slice".into(), span: index.span.clone() };
            whole = Shaped::Of(Applied { operator, name, span: index.span }, vec![whole]);
        }
        idents.reverse();
        if !self.has_modes(shaped) {
            let name = if let Shaped::Of(applied, _) = shaped { &applied.name.name } else { "" };
            let message = format!("`{name}` needs an operand with modes, and here are only scalars and numbers");
            self.wrong(name, self.span_from(asked.start), &message);
            return Ok(None);
        }
        let number = self.syntax.shapes.len();
        self.syntax.shapes.push(whole.clone());
        let at = ShapedAt { number, idents, span: self.span_from(asked.start), asked };
        self.made_of(&whole, 0, &at)
    }

    /// Is there a tensor in it that is no scalar?
    fn has_modes(&self, shaped: &Shaped) -> bool {
        match shaped {
            Shaped::Tensor(tensor) => self.order_of(tensor) != Some(0),
            _ => shaped.parts().iter().any(|part| self.has_modes(part)),
        }
    }

    /// Indices that are not in the file, one for each mode.
    pub(super) fn plain_indices(&mut self, target: &Ident, order: usize) -> Vec<Index> {
        let index = |mode: usize| {
            let ident = Ident { name: self.unused(format!("i{mode}_of_{}", target.name)), span: target.span.clone() };
            self.syntax.unnamed.insert(ident.name.clone());
            Index { selects: Selects::All(ident), span: target.span.clone() }
        };
        (0..order).map(index).collect()
    }

    /// Returns the number of modes of a tensor, if its table or the statement that writes it says so.
    pub(super) fn order_of(&self, tensor: &Ident) -> Option<usize> {
        let written = self.syntax.statements.iter().rev().find(|statement| statement.called == tensor.name);
        let written = || written?.indices.as_ref().map(Vec::len);
        self.orders.get(&tensor.name).copied().or_else(written)
    }

    /// The value of a part, the tensors of which are counted from `first` on.
    fn made_of(&mut self, shaped: &Shaped, first: usize, at: &ShapedAt) -> Result<Option<SyntaxId>, Broken> {
        let start = at.asked.start;
        match shaped {
            Shaped::Number(text) => self.node(Form::Number(text.clone()), start, &[]).map(Some),
            Shaped::Tensor(tensor) => {
                let Some(order) = self.order_of(tensor) else {
                    let message = format!("`{}` is not declared: nothing says how many modes it has", tensor.name);
                    self.wrong("reshape", tensor.span.clone(), &message);
                    return Ok(None);
                };
                let indices = at.list(order, first);
                let tensor = tensor.clone();
                let form = match at.asked.stored {
                    true => Form::Stored { tensor, indices },
                    false => Form::Access { tensor, indices },
                };
                let node = self.node(form, start, &[])?;
                self.syntax.selections.extend(at.asked.selects.then_some(node));
                Ok(Some(node))
            }
            Shaped::Pointwise(of, span, parts) => {
                let Some(args) = self.all_of(parts, first, at)? else { return Ok(None) };
                if at.asked.stored {
                    return self.any_of(&args, start);
                }
                let form = match of {
                    Pointwise::Map(fun) => Form::Map(*fun, args.clone()),
                    Pointwise::Call(name) => Form::Call(name.clone(), args.clone()),
                    Pointwise::Convert(ty) => Form::Convert(*ty, args[0]),
                };
                self.push(form, span.clone(), &args).map(Some)
            }
            Shaped::Of(Applied { operator: ShapeOperator::Kron, .. }, parts) => {
                if at.asked.stored {
                    return self.product_is_stored(parts, first, at);
                }
                let Some(args) = self.all_of(parts, first, at)? else { return Ok(None) };
                self.node(Form::Map(Fun::Mul, args.clone()), start, &args).map(Some)
            }
            Shaped::Of(applied, parts) => {
                let Some(values) = self.all_of(parts, first, at)? else { return Ok(None) };
                if at.asked.stored {
                    return self.any_of(&values, start);
                }
                let mut all = values.last().copied();
                let mut end = first + shaped.tensors();
                for (n, part) in parts.iter().enumerate().rev() {
                    end -= part.tensors();
                    let Some(rest) = all.filter(|_| n + 1 < parts.len()) else { continue };
                    let stored = ShapedAt { asked: Asked { stored: true, selects: true, ..at.asked }, ..at.clone() };
                    let Some(there) = self.made_of(part, end, &stored)? else { return Ok(None) };
                    let args = vec![there, values[n], rest];
                    let node = self.push(Form::Map(Fun::Where, args.clone()), applied.span.clone(), &args)?;
                    self.syntax.joined.insert(node);
                    all = Some(node);
                }
                Ok(all)
            }
        }
    }

    /// Whether a product of parts is stored: where each of those is that is 0 elsewhere, or any if none is.
    fn product_is_stored(&mut self, parts: &[Shaped], first: usize, at: &ShapedAt) -> Result<Option<SyntaxId>, Broken> {
        let (mut next, mut zeros) = (first, Vec::new());
        for part in parts {
            if self.is_zero_elsewhere(part) {
                let Some(there) = self.made_of(part, next, at)? else { return Ok(None) };
                zeros.push(there);
            }
            next += part.tensors();
        }
        let Some((&there, rest)) = zeros.split_first() else {
            let Some(there) = self.all_of(parts, first, at)? else { return Ok(None) };
            return self.any_of(&there, at.asked.start);
        };
        let and = |all, &next| self.node(Form::Map(Fun::And, vec![all, next]), at.asked.start, &[all, next]);
        rest.iter().try_fold(there, and).map(Some)
    }

    /// Is a product with `shaped` 0 wherever nothing of `shaped` is stored? `false` where that is not known
    /// here.
    fn is_zero_elsewhere(&self, shaped: &Shaped) -> bool {
        match shaped {
            Shaped::Tensor(tensor) => {
                let declared = self.declared.iter().find(|d| d.name == tensor.name);
                let finite = |ty: Type| self.syntax.algebra == Algebra::Finite || !ty.is_float();
                !self.is_result(tensor)
                    && declared.is_some_and(|d| d.fill.is_none_or(|f| f == 0) && d.ty.is_some_and(finite))
            }
            Shaped::Of(Applied { operator: ShapeOperator::Kron, .. }, parts) => {
                parts.iter().any(|part| self.is_zero_elsewhere(part))
            }
            Shaped::Of(_, parts) => parts.iter().all(|part| self.is_zero_elsewhere(part)),
            Shaped::Number(_) | Shaped::Pointwise(..) => false,
        }
    }

    /// The values of parts, one after the other.
    fn all_of(&mut self, parts: &[Shaped], first: usize, at: &ShapedAt) -> Result<Option<Vec<SyntaxId>>, Broken> {
        let mut next = first;
        let mut all = Vec::new();
        for part in parts {
            // Numbers are stored nowhere.
            if !(at.asked.stored && part.tensors() == 0) {
                let Some(made) = self.made_of(part, next, at)? else { return Ok(None) };
                all.push(made);
            }
            next += part.tensors();
        }
        Ok(Some(all))
    }

    fn any_of(&mut self, there: &[SyntaxId], start: usize) -> Result<Option<SyntaxId>, Broken> {
        let Some((&first, rest)) = there.split_first() else {
            return self.node(Form::Number("0".into()), start, &[]).map(Some);
        };
        let or = |all, &next| self.node(Form::Map(Fun::Or, vec![all, next]), start, &[all, next]);
        rest.iter().try_fold(first, or).map(Some)
    }

    /// An expression of tensors by their names, which shape operators take; `None` if there is
    /// something else in it. Its nodes are taken out.
    pub(super) fn of_expression(&mut self, node: SyntaxId) -> Option<Shaped> {
        if let Some(shaped) = self.whole_shapes.remove(&node) {
            return Some(shaped);
        }
        let span = self.syntax.nodes[node].span.clone();
        let form = std::mem::replace(&mut self.syntax.nodes[node].form, Form::Reported);
        let (of, args) = match form {
            Form::Number(text) => return Some(Shaped::Number(text)),
            Form::Access { tensor, indices } if indices.is_empty() => return Some(Shaped::Tensor(tensor)),
            Form::Map(fun, args) => (Pointwise::Map(fun), args),
            Form::Call(name, args) => (Pointwise::Call(name), args),
            Form::Convert(ty, of) => (Pointwise::Convert(ty), vec![of]),
            other => {
                self.syntax.nodes[node].form = other;
                return None;
            }
        };
        let parts: Option<Vec<Shaped>> = args.iter().map(|&arg| self.of_expression(arg)).collect();
        Some(Shaped::Pointwise(of, span, parts?))
    }
}

/// Where a part is asked for.
#[derive(Clone)]
struct ShapedAt {
    /// Number of what is made.
    number: usize,
    /// Its indices.
    idents: Vec<Ident>,
    span: Range<usize>,
    asked: Asked,
}

impl ShapedAt {
    /// The index list of tensor `leaf` of it.
    fn list(&self, order: usize, leaf: usize) -> Vec<Index> {
        let index = |selects| Index { selects, span: self.span.clone() };
        let first = || index(Selects::Shaped(self.idents.clone(), self.number, leaf));
        (0..order).map(|mode| if mode == 0 { first() } else { index(Selects::Within) }).collect()
    }
}
