//! Translation of shape operators with indices to accesses of tensors.

use super::Asked;
use crate::frontend::expression::{Broken, Parser};
use crate::frontend::syntax::shape::{Applied, ShapeOperator, Shaped};
use crate::frontend::syntax::{Bounds, Form, Ident, Index, Piece, Selects, SyntaxId};
use crate::stmt::Fun;

/// Most modes of one tensor that are put together: each makes up to twice as many accesses.
const MOST_PLACED: usize = 4;

impl Parser<'_> {
    /// Applies `shaped` to these indices; `None` if that is reported.
    pub(super) fn apply(
        &mut self,
        shaped: &Shaped,
        indices: Vec<Index>,
        asked: Asked,
    ) -> Result<Option<SyntaxId>, Broken> {
        let (applied, parts) = match shaped {
            Shaped::Tensor(tensor) => return self.tensor(tensor, indices, asked).map(Some),
            Shaped::Of(applied, parts) => (applied, parts),
            Shaped::Number(_) | Shaped::Pointwise(..) => return Ok(self.not_plain()),
        };
        let asked =
            Asked { diagonal: asked.diagonal || matches!(applied.operator, ShapeOperator::Diag { .. }), ..asked };
        let inside = match &applied.operator {
            ShapeOperator::Split { mode, inner } => self.split(applied, (*mode, *inner), indices),
            ShapeOperator::Collapse { mode } => self.collapse(applied, *mode, indices),
            ShapeOperator::Reshape { sizes } => self.reshape(applied, sizes, &parts[0], &indices),
            ShapeOperator::Transpose { modes } => self.transpose(applied, modes, &indices),
            ShapeOperator::Diag { offset: 0 } if indices.len() == 1 && parts[0].is_transposed() => {
                self.diagonal(&indices)
            }
            ShapeOperator::Stack { mode } => return self.stack(applied, *mode, parts, indices, asked),
            _ => {
                let Some(pieces) = self.pieces(applied, parts.len()) else { return Ok(None) };
                return self.place(applied, pieces, parts, indices, asked);
            }
        };
        inside.map(|inside| self.apply(&parts[0], inside, asked)).transpose().map(Option::flatten)
    }

    /// The mode of an operator that puts one together, and its pieces.
    fn pieces(&mut self, applied: &Applied, parts: usize) -> Option<(i64, Vec<Piece>)> {
        let all = || Piece::of(Bounds::ALL);
        Some(match &applied.operator {
            ShapeOperator::Slice { mode, bounds } => (*mode, vec![Piece::of(*bounds)]),
            ShapeOperator::Flip { mode } => (*mode, vec![Piece::of(Bounds::Slice([None, None, Some(-1)]))]),
            ShapeOperator::Concat { mode } => (*mode, vec![all(); parts]),
            ShapeOperator::Pad { mode, before, after } => {
                let gap = |n: &i64| u64::try_from(*n).ok().map(Piece::Gap);
                let (Some(before), Some(after)) = (gap(before), gap(after)) else {
                    self.wrong("pad", applied.span.clone(), "`pad` adds a negative number of coordinates");
                    return None;
                };
                (*mode, vec![before, all(), after])
            }
            ShapeOperator::Roll { mode, by: 0 } => (*mode, vec![all()]),
            ShapeOperator::Roll { mode, by } => {
                (*mode, vec![Piece::of(Bounds::Last(*by)), Piece::of(Bounds::ButLast(*by))])
            }
            _ => return self.not_plain(),
        })
    }

    /// Coordinates of `pieces`, one after the other, at mode `mode`: each is of the part in its turn, or of the only one.
    fn place(
        &mut self,
        applied: &Applied,
        (mode, pieces): (i64, Vec<Piece>),
        parts: &[Shaped],
        mut indices: Vec<Index>,
        asked: Asked,
    ) -> Result<Option<SyntaxId>, Broken> {
        let Some(mode) = self.mode(applied, mode, &indices, 1) else { return Ok(None) };
        if let [Piece::Of { bounds, .. }] = pieces[..] {
            // All that there is: a slice as any other, or of a piece that is not sliced yet.
            let sliced = match (indices[mode].selects.clone(), bounds) {
                (all, Bounds::ALL) => all,
                (Selects::All(ident), _) => Selects::Slice(ident, bounds),
                (Selects::Placed(ident, placement, piece, Bounds::ALL), _) => {
                    Selects::Placed(ident, placement, piece, bounds)
                }
                _ => return Ok(self.not_plain()),
            };
            indices[mode].selects = sliced;
            return self.apply(&parts[0], indices, asked);
        }
        let Selects::All(ident) = indices[mode].selects.clone() else { return Ok(self.not_plain()) };
        if indices.iter().filter(|index| matches!(index.selects, Selects::Placed(..))).count() == MOST_PLACED {
            return Ok(self.not_plain());
        }
        let placement = self.syntax.placements.len();
        let count = pieces.len();
        self.syntax.placements.push(pieces);
        let mut all = None;
        let mut turn = 0;
        for piece in (0..count).rev() {
            let Piece::Of { bounds, .. } = self.syntax.placements[placement][piece] else { continue };
            turn += 1;
            let part = &parts[parts.len().saturating_sub(turn)];
            indices[mode].selects = Selects::Placed(ident.clone(), placement, piece, bounds);
            let Some(value) = self.apply(part, indices.clone(), asked)? else { return Ok(None) };
            all = Some(match (all, asked.stored) {
                (None, _) => value,
                (Some(rest), true) => self.node(Form::Map(Fun::Or, vec![value, rest]), asked.start, &[value, rest])?,
                (Some(rest), false) => {
                    let Some(there) =
                        self.apply(part, indices.clone(), Asked { stored: true, selects: true, ..asked })?
                    else {
                        return Ok(None);
                    };
                    let args = vec![there, value, rest];
                    self.node(Form::Map(Fun::Where, args.clone()), asked.start, &args)?
                }
            });
        }
        Ok(all)
    }

    /// The part whose turn it is at mode `mode`.
    fn stack(
        &mut self,
        applied: &Applied,
        mode: i64,
        parts: &[Shaped],
        mut indices: Vec<Index>,
        asked: Asked,
    ) -> Result<Option<SyntaxId>, Broken> {
        let Some(mode) = self.mode(applied, mode, &indices, 1) else { return Ok(None) };
        let turn = indices.remove(mode);
        let of = parts.len() as u64;
        let index = match turn.selects {
            Selects::All(ident) => ident,
            Selects::At(at) => {
                let Some(part) = usize::try_from(at).ok().and_then(|at| parts.get(at)) else {
                    let message = format!("`stack` has {of} tensors, so there is none at {at}");
                    self.wrong("stack", turn.span, &message);
                    return Ok(None);
                };
                return self.apply(part, indices, asked);
            }
            _ => return Ok(self.not_plain()),
        };
        let mut all = None;
        for (at, part) in parts.iter().enumerate().rev() {
            let Some(value) = self.apply(part, indices.clone(), asked)? else { return Ok(None) };
            let here = self.node(Form::Turn { index: index.clone(), at: at as u64, of }, asked.start, &[])?;
            let args = vec![here, value, all.unwrap_or(value)];
            all = Some(self.node(Form::Map(Fun::Where, args.clone()), asked.start, &args)?);
        }
        Ok(all)
    }

    /// An access of a tensor: what pieces are of is known now. Of a piece that several tensors have it is the first one;
    /// what the others have there has its size.
    fn tensor(&mut self, tensor: &Ident, mut indices: Vec<Index>, asked: Asked) -> Result<SyntaxId, Broken> {
        let whole = |index: &Index| if let Selects::All(ident) = &index.selects { Some(ident.clone()) } else { None };
        if let (true, [row, column]) = (asked.diagonal, &mut indices[..])
            && let (Some(ident), Some(other)) = (whole(row), whole(column))
            && ident.name == other.name
        {
            row.selects = Selects::Diagonal(ident);
            column.selects = row.selects.clone();
        }
        for (mode, index) in indices.iter().enumerate() {
            if let Selects::Placed(_, placement, piece, bounds) = index.selects
                && let piece @ Piece::Of { at: None, .. } = &mut self.syntax.placements[placement][piece]
            {
                *piece = Piece::Of { bounds, at: Some((tensor.clone(), mode)) };
            }
        }
        let tensor = tensor.clone();
        let form = if asked.stored { Form::Stored { tensor, indices } } else { Form::Access { tensor, indices } };
        let node = self.node(form, asked.start, &[])?;
        self.syntax.selections.extend(asked.selects.then_some(node));
        Ok(node)
    }
}
