//! Kronecker products of tensors that list what they store. As one product at the indices of the result both operands
//! would be repeated, and joined again; so a statement before computes it at the indices of both, mode by mode, of
//! which pairs are collapsed.

use super::Asked;
use crate::frontend::expression::{Broken, Parser};
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::syntax::{Form, Ident, Index};
use crate::levels;
use crate::stmt::Fun;
use std::ops::Range;

impl Parser<'_> {
    /// `shaped` with a tensor that a statement before writes in place of such products.
    pub(super) fn with_products(&mut self, shaped: Shaped, start: usize) -> Result<Shaped, Broken> {
        let each = |me: &mut Self, parts: Vec<Shaped>| -> Result<Vec<Shaped>, Broken> {
            parts.into_iter().map(|part| me.with_products(part, start)).collect()
        };
        Ok(match shaped {
            Shaped::Pointwise(of, span, parts) => Shaped::Pointwise(of, span, each(self, parts)?),
            Shaped::Of(applied, parts) => {
                let parts = each(self, parts)?;
                match (&applied.operator, &parts[..]) {
                    (ShapeOperator::Kron, [a, b]) if self.lists(a) || self.lists(b) => {
                        self.product(&applied, [a, b], start)?.unwrap_or(Shaped::Of(applied, parts))
                    }
                    _ => Shaped::Of(applied, parts),
                }
            }
            other => other,
        })
    }

    /// Whether a tensor in it is stored in other levels than dense ones.
    fn lists(&self, shaped: &Shaped) -> bool {
        match shaped {
            Shaped::Tensor(tensor) => (0..self.order_of(tensor).unwrap_or(0)).any(|mode| self.lists_at(tensor, mode)),
            _ => shaped.parts().iter().any(|part| self.lists(part)),
        }
    }

    /// Whether it is a tensor whose mode `mode` is dense.
    fn is_dense_at(&self, shaped: &Shaped, mode: usize) -> bool {
        let Shaped::Tensor(tensor) = shaped else { return false };
        self.declared.iter().any(|d| d.name == tensor.name && d.is_dense_at(mode))
    }

    /// The number of modes of what is made, as far as the text says it.
    fn modes_of(&self, shaped: &Shaped) -> Option<usize> {
        let (applied, parts) = match shaped {
            Shaped::Tensor(tensor) => return self.order_of(tensor),
            Shaped::Number(_) => return Some(0),
            Shaped::Pointwise(_, _, parts) => {
                let orders: Option<Vec<usize>> = parts.iter().map(|part| self.modes_of(part)).collect();
                return orders?.into_iter().max();
            }
            Shaped::Of(applied, parts) => (applied, parts),
        };
        let order = self.modes_of(parts.first()?)?;
        match &applied.operator {
            ShapeOperator::Reshape { sizes } => Some(sizes.len()),
            ShapeOperator::Split { .. } | ShapeOperator::Stack { .. } | ShapeOperator::Expand { .. } => Some(order + 1),
            ShapeOperator::Collapse { .. } | ShapeOperator::Pick { .. } => order.checked_sub(1),
            ShapeOperator::Diag { .. } => [1, 2].contains(&order).then_some(3 - order),
            ShapeOperator::Tile { times } => Some(order.max(times.len())),
            ShapeOperator::Squeeze { modes } if !modes.is_empty() => order.checked_sub(modes.len()),
            ShapeOperator::Squeeze { .. } | ShapeOperator::Rows | ShapeOperator::Columns => None,
            ShapeOperator::Inverse(_) => None,
            ShapeOperator::Concat { .. }
            | ShapeOperator::Transpose { .. }
            | ShapeOperator::Slice { .. }
            | ShapeOperator::Pad { .. }
            | ShapeOperator::Roll { .. }
            | ShapeOperator::Flip { .. }
            | ShapeOperator::Repeat { .. }
            | ShapeOperator::Kron
            | ShapeOperator::Triangle { .. }
            | ShapeOperator::Take { .. } => Some(order),
        }
    }

    /// The product of `a` and `b`, which a statement before writes; `None` if they have other numbers of modes.
    fn product(&mut self, applied: &Applied, [a, b]: [&Shaped; 2], start: usize) -> Result<Option<Shaped>, Broken> {
        let Some(order) = self.modes_of(a).filter(|order| *order > 0 && self.modes_of(b) == Some(*order)) else {
            return Ok(None);
        };
        let target = Ident { name: self.unused("kron".into()), span: applied.name.span.clone() };
        let first = self.syntax.nodes.len();
        let all = self.plain_indices(&target, 2 * order);
        let of = |which: usize| -> Vec<Index> { all.iter().skip(which).step_by(2).cloned().collect() };
        let asked = Asked { stored: false, selects: false, diagonal: false, start };
        let mut args = Vec::new();
        for (which, part) in [a, b].into_iter().enumerate() {
            let value = match part {
                Shaped::Tensor(tensor) => {
                    let (tensor, indices) = (tensor.clone(), of(which));
                    Some(self.node(Form::Access { tensor, indices }, start, &[])?)
                }
                _ => self.at_indices(part, of(which), asked)?,
            };
            let Some(value) = value else { return Ok(None) };
            args.push(value);
        }
        let value = self.node(Form::Map(Fun::Mul, args.clone()), start, &args)?;
        // Rows that both have are rows of the product, which its reader can follow.
        let rows = (0..order).take_while(|&mode| [a, b].iter().all(|part| self.is_dense_at(part, mode))).count();
        let level = |mode: usize| if mode / 2 < rows { levels::DENSE } else { levels::COMPRESSED };
        let levels = (0..2 * order).map(level).collect();
        let nodes = first..self.syntax.nodes.len();
        self.compute_before(target.clone(), levels, (all, value, nodes), applied.span.clone());
        let collapsed = |shaped: Shaped, mode: usize| collapse(shaped, mode, &applied.span);
        Ok(Some((0..order).fold(Shaped::Tensor(target), collapsed)))
    }
}

/// Mode `mode` of `shaped` and the next as one.
fn collapse(shaped: Shaped, mode: usize, span: &Range<usize>) -> Shaped {
    let name = Ident { name: "collapse".into(), span: span.clone() };
    let operator = ShapeOperator::Collapse { mode: i64::try_from(mode).unwrap_or(i64::MAX) };
    Shaped::Of(Applied { operator, name, span: span.clone() }, vec![shaped])
}
