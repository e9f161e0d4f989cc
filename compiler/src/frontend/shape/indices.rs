//! Translation of index lists of shape operators to index lists of their operands.

use crate::frontend::expression::Parser;
use crate::frontend::reshape::product;
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::syntax::{Ident, Index, Selects};

impl Parser<'_> {
    /// One item for the two that stand for the mode that is split.
    pub(super) fn split(
        &mut self,
        applied: &Applied,
        (mode, inner): (i64, i64),
        mut indices: Vec<Index>,
    ) -> Option<Vec<Index>> {
        let Ok(inner @ 1..) = u64::try_from(inner) else {
            self.wrong("split", applied.span.clone(), &format!("the inner size of `split` is {inner}"));
            return None;
        };
        let mode = self.mode(applied, mode, &indices, 2)?;
        let second = indices[mode + 1].clone();
        let first = indices[mode].clone();
        let beyond = indices.get(mode + 2).is_some_and(|i| matches!(i.selects, Selects::Within));
        let span = first.span.start..second.span.end;
        let (Some((mut idents, mut sizes)), Some((more, rest)), false) =
            (items(first.selects), items(second.selects), beyond)
        else {
            return self.not_plain();
        };
        let known: Vec<u64> = rest.iter().skip(1).copied().flatten().collect();
        let outer = match rest.first() {
            // A `reshape` around it says all sizes.
            Some(Some(_)) => {
                let all = rest.iter().copied().flatten().try_fold(1_u64, u64::checked_mul);
                (all == Some(inner)).then_some(rest[0]).flatten()
            }
            _ => known
                .iter()
                .try_fold(1_u64, |all, m| all.checked_mul(*m))
                .filter(|all| inner % all == 0)
                .map(|all| inner / all),
        };
        let Some(outer) = outer else {
            let message = format!("the inner size of `split` is {inner}, not a multiple of {}", product(&known));
            self.wrong("split", applied.span.clone(), &message);
            return None;
        };
        idents.extend(more);
        sizes.push(Some(outer));
        sizes.extend(known.into_iter().map(Some));
        indices.remove(mode + 1);
        indices[mode] = Index { selects: Selects::Reshaped(idents, sizes), span };
        Some(indices)
    }

    /// Two items for the one that stands for both modes.
    pub(super) fn collapse(&mut self, applied: &Applied, mode: i64, mut indices: Vec<Index>) -> Option<Vec<Index>> {
        let from_end = if mode < 0 { mode + 1 } else { mode };
        let mode = if mode == -1 { i64::MAX } else { from_end };
        let mode = self.mode(applied, mode, &indices, 1)?;
        let index = &mut indices[mode];
        let span = index.span.clone();
        match &index.selects {
            Selects::All(ident) => index.selects = Selects::Reshaped(vec![ident.clone()], vec![None]),
            Selects::Reshaped(..) | Selects::Within => {}
            _ => return self.not_plain(),
        }
        indices.insert(mode + 1, Index { selects: Selects::Within, span });
        Some(indices)
    }

    /// The items in the order of the modes that `modes` names.
    pub(super) fn transpose(&mut self, applied: &Applied, modes: &[i64], indices: &[Index]) -> Option<Vec<Index>> {
        let place = |m: usize| modes.iter().position(|&p| usize::try_from(p) == Ok(m));
        let order: Option<Vec<usize>> = (0..modes.len()).map(place).collect();
        let Some(order) = order.filter(|order| order.len() == indices.len()) else {
            let message = format!("`transpose` names other modes than the {} of its indices", indices.len());
            self.wrong("transpose", applied.span.clone(), &message);
            return None;
        };
        if indices.iter().any(|i| matches!(i.selects, Selects::Within)) {
            return self.not_plain();
        }
        Some(order.into_iter().map(|k| indices[k].clone()).collect())
    }

    /// The index of a diagonal, twice.
    pub(super) fn diagonal(&mut self, indices: &[Index]) -> Option<Vec<Index>> {
        let [index] = indices else {
            return self.not_plain();
        };
        match index.selects {
            Selects::All(_) => Some(vec![index.clone(), index.clone()]),
            _ => self.not_plain(),
        }
    }

    /// The index list of what is reshaped to `sizes`.
    pub(super) fn reshape(
        &mut self,
        applied: &Applied,
        sizes: &[i64],
        part: &Shaped,
        indices: &[Index],
    ) -> Option<Vec<Index>> {
        let name = &applied.name.name;
        if sizes.contains(&-1) {
            return self.not_plain();
        }
        let known: Option<Vec<u64>> = sizes.iter().map(|&s| u64::try_from(s).ok().filter(|s| *s > 0)).collect();
        let Some(known) = known else {
            self.wrong(name, applied.span.clone(), "`reshape` has a size that is not positive");
            return None;
        };
        if known.len() != indices.len() {
            let message = format!("`reshape` makes {} modes, here are {} indices", known.len(), indices.len());
            self.wrong(name, applied.span.clone(), &message);
            return None;
        }
        let plain = |index: &Index| match &index.selects {
            Selects::All(ident) => Some(ident.clone()),
            _ => None,
        };
        if indices.iter().any(|index| plain(index).is_none()) {
            return self.not_plain();
        }
        let order = self.order(part).filter(|order| *order > 0);
        let (Some(order), [first, .., last] | [first @ last]) = (order, indices) else {
            let message = format!(
                "`{}` has no modes to reshape, or is not declared",
                part.first().map_or("", |tensor| &tensor.name)
            );
            self.wrong(name, part.first().unwrap_or(&applied.name).span.clone(), &message);
            return None;
        };
        let span = first.span.start..last.span.end;
        let idents = indices.iter().filter_map(plain).collect();
        let all = Selects::Reshaped(idents, known.into_iter().map(Some).collect());
        let within = Index { selects: Selects::Within, span: span.clone() };
        let rest = std::iter::repeat_n(within, order - 1);
        Some(std::iter::once(Index { selects: all, span }).chain(rest).collect())
    }

    /// Number of modes, where declarations say it.
    fn order(&self, shaped: &Shaped) -> Option<usize> {
        let (applied, parts) = match shaped {
            Shaped::Tensor(tensor) => return self.orders.get(&tensor.name).copied(),
            Shaped::Of(applied, parts) => (applied, parts),
            Shaped::Number(_) | Shaped::Pointwise(..) => return None,
        };
        let order = self.order(&parts[0])?;
        match &applied.operator {
            ShapeOperator::Split { .. } | ShapeOperator::Stack { .. } => Some(order + 1),
            ShapeOperator::Collapse { .. } => order.checked_sub(1),
            ShapeOperator::Reshape { sizes } => Some(sizes.len()),
            ShapeOperator::Diag { .. } => Some(1),
            _ => Some(order),
        }
    }

    /// The mode that an operator names, or an error if there is no such mode.
    pub(super) fn mode(&mut self, applied: &Applied, mode: i64, indices: &[Index], needs: usize) -> Option<usize> {
        // Below 0 numpy counts from the end: of `split` among the modes of what it is of.
        let order = i64::try_from(indices.len() + 1 - needs.min(indices.len() + 1)).unwrap_or(i64::MAX);
        let counted = if mode < 0 { mode.saturating_add(order) } else { mode };
        let found = usize::try_from(counted).ok().filter(|mode| mode + needs <= indices.len());
        if found.is_none() {
            let name = &applied.name.name;
            let message = match (needs, indices.len()) {
                (2, one @ (0 | 1)) => format!("`{name}` makes two modes of one, here are indices of {one}"),
                (_, 0) => format!("`{name}` is of mode {mode}, but it has no indices here"),
                (needs, n) => format!("`{name}` is of mode {mode}, and with {n} indices the last one is {}", n - needs),
            };
            self.wrong(name, applied.span.clone(), &message);
        }
        found
    }

    /// Index lists alone cannot say what is made here: `nested` does.
    pub(super) fn not_plain<T>(&mut self) -> Option<T> {
        self.conflict = true;
        None
    }
}

/// The indices of an item that stands for all of a mode, and their sizes as far as operators say them.
fn items(selects: Selects) -> Option<(Vec<Ident>, Vec<Option<u64>>)> {
    match selects {
        Selects::All(ident) => Some((vec![ident], vec![None])),
        Selects::Reshaped(idents, sizes) => Some((idents, sizes)),
        _ => None,
    }
}
