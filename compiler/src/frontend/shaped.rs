//! Accesses of nested shape operators: sizes of their indices, and reads of earlier results at computed coordinates.

use super::builder::Builder;
use super::computed::bits;
use super::names::FileNames;
use super::reader::Reader;
use super::shape::{MadeShape, Misshapen};
use super::shape_operators::OPERATORS;
use super::sizes::Dimension;
use super::syntax::{Ident, Index, Selects, SyntaxId};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{Expr, ExprId, Fun, Gives, TensorId, VarId};
use crate::types::Type;
use crate::view::{Moved, ShapeStep, ShapeSteps};
use std::ops::Range;

impl FileNames<'_> {
    /// What is made of the tensors of shape number `number`, and how tensor `leaf` comes to it.
    fn made(&mut self, number: usize, leaf: usize) -> Result<MadeShape, Misshapen> {
        let (shapes, by_name, tensors, sizes) = (self.shapes, &self.by_name, &self.tensors, &mut self.sizes);
        shapes[number].made(leaf, &mut |ident| {
            let tensor = *by_name.get(&ident.name)?;
            (0..tensors[tensor].order?).map(|mode| sizes.size(&Dimension::Mode(tensor, mode))).collect()
        })
    }

    /// What is written through operators on the left has the sizes that these make, where nothing else says
    /// them.
    fn written_sizes(&mut self, shape: usize) {
        let (shapes, by_name, tensors, sizes) = (self.shapes, &self.by_name, &self.tensors, &mut self.sizes);
        let written = shapes[shape].written(&mut |ident| {
            let tensor = *by_name.get(&ident.name)?;
            (0..tensors[tensor].order?).map(|mode| sizes.size(&Dimension::Mode(tensor, mode))).collect()
        });
        let Some((whole, made)) = written else { return };
        let Some(&tensor) = self.by_name.get(&whole.name) else { return };
        for (mode, size) in made.into_iter().enumerate() {
            let dimension = Dimension::Mode(tensor, mode);
            if self.tensors[tensor].order.is_some_and(|order| mode < order) && self.sizes.size(&dimension).is_none() {
                self.sizes.say(&dimension, size, 0..0);
            }
        }
    }

    /// Gives the indices of what is made their sizes; false as long as sizes are missing.
    pub(super) fn shaped_sizes(
        &mut self,
        reader: &mut Reader,
        number: usize,
        (idents, shape, leaf): (&[Ident], usize, usize),
        span: &Range<usize>,
    ) -> bool {
        self.written_sizes(shape);
        let made = match self.made(shape, leaf) {
            Ok(made) => made,
            Err(Misshapen { message: None, .. }) => return false,
            Err(Misshapen { name, span, message: Some(message) }) => {
                // It is said once, not of every tensor.
                if self.views.misshapen.insert(shape) {
                    let meaning = OPERATORS.iter().find(|o| o.0 == name).map_or("", |o| o.3);
                    let problem = reader.at("E028", span, message);
                    reader.report(if meaning.is_empty() { problem } else { problem.help(meaning) });
                }
                // Nothing follows from what is wrong.
                for ident in idents {
                    let dimension = Dimension::Index(number, ident.name.clone());
                    if self.sizes.size(&dimension).is_none() {
                        self.sizes.say(&dimension, 1, 0..0);
                    }
                }
                return true;
            }
        };
        if made.shape.len() != idents.len() {
            if self.views.misshapen.insert(shape) {
                let message = format!("the result has {} modes, here are {} indices", made.shape.len(), idents.len());
                let problem = reader.at("E010", span.clone(), message);
                reader.report(problem.help("give it an index for each mode"));
            }
            return true;
        }
        self.shaped_as(reader, number, idents, &made.shape);
        true
    }

    fn shaped_as(&mut self, reader: &mut Reader, number: usize, idents: &[Ident], sizes: &[u64]) {
        for (ident, size) in idents.iter().zip(sizes) {
            self.seen_size(reader, number, "the result of shape operators", ident, *size);
        }
    }

    /// The step to the diagonal of a matrix that is no square, of which one mode is not seen as a whole.
    fn shorter_diagonal(&mut self, tensor: usize) -> Option<ShapeSteps> {
        let sizes: Vec<u64> =
            (0..2).map(|mode| self.sizes.size(&Dimension::Mode(tensor, mode))).collect::<Option<_>>()?;
        let size = sizes[0].min(sizes[1]);
        let mut steps = ShapeSteps::begin(sizes);
        steps.push(ShapeStep::Diagonal { offset: 0, size });
        (steps.of[0] != steps.of[1]).then_some(steps)
    }

    /// The steps from the tensor's coordinates to those of what is made, in their normal form.
    pub(super) fn shape_steps(&mut self, number: usize, leaf: usize) -> Option<ShapeSteps> {
        self.made(number, leaf).ok()?.steps.map(ShapeSteps::finish)
    }
}

/// Most parts that a join puts together of what streams make.
const MOST_PARTS: usize = 4;

/// A coordinate of an earlier result, computed from the indices of what is made of it.
struct ReadBack {
    /// The coordinates.
    at: Vec<ExprId>,
    /// What must hold for anything to stand there.
    there: Vec<ExprId>,
    /// The type of all of it.
    ty: Type,
}

impl Builder<'_, '_> {
    /// The value, or whether it is stored (`stored`), of an earlier result that is seen through steps of
    /// which no view on the chip can be made, or of a tensor that is seen at a slice on the left; `None` if
    /// this access is none of that kind.
    pub(super) fn shaped_result(
        &mut self,
        node: SyntaxId,
        (tensor, indices): (&Ident, &[Index]),
        stored: bool,
    ) -> Option<Option<ExprId>> {
        let base = *self.names.by_name.get(&tensor.name)?;
        let (idents, steps) = match indices {
            [Index { selects: Selects::Shaped(idents, shape, leaf), .. }, ..] => {
                (&idents[..], self.names.shape_steps(*shape, *leaf))
            }
            [Index { selects: Selects::Diagonal(ident), .. }, _] => {
                (std::slice::from_ref(ident), self.names.shorter_diagonal(base))
            }
            _ => return None,
        };
        let result = self.kernel.statements.iter().any(|s| s.result == TensorId(base));
        let vars = idents.iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<_>>>()?;
        // An index that is at a slice on the left counts in that.
        let placed = vars.iter().any(|var| self.placed.contains_key(var));
        let kept = self.names.kept_reads;
        let target = &self.syntax.statements[self.number].target.name;
        let chip = result || kept.on_chip(self.syntax.seen.get(target).unwrap_or(target));
        let plain = matches!(indices[0].selects, Selects::Diagonal(_));
        let steps = steps.filter(|_| if plain { chip && !placed } else { chip || placed })?;
        if !placed && steps.windows().is_some_and(|(_, modes)| modes.is_sorted()) {
            return None;
        }
        // What is dense is looked up anywhere; of other levels streams make the steps.
        let dense = self.names.tensors[base].is_dense();
        let once = (1..vars.len()).all(|m| !vars[..m].contains(&vars[m]));
        let streams = |steps: &ShapeSteps| steps.streams(MAX_WORKSPACE);
        let parts = steps.by_piece(MOST_PARTS).filter(|parts| parts.iter().all(streams));
        if let Some(parts) = parts.filter(|_| !placed && !dense && once) {
            let own = self.own(node).unwrap_or(self.ty);
            if !stored && !self.fits(node, own, &format!("`{}`", tensor.name)) {
                return Some(None);
            }
            return Some(self.of_type(own, |me| me.streamed((base, &tensor.name), parts, &vars, stored)));
        }
        if stored && !dense && !placed && !self.syntax.selections.contains(&node) {
            let what = "`pres` of what these operators make of an earlier result that is not dense is";
            let help = format!("ask it in a statement of its own: `P(..) = pres({}(..))`, and reshape P", tensor.name);
            self.reader.unsupported("E009", tensor.span.clone(), what, &help);
            return Some(None);
        }
        let own = self.own(node).unwrap_or(self.ty);
        Some(if stored {
            self.source_stored(&steps, &vars)
        } else if self.fits(node, own, &format!("`{}`", tensor.name)) {
            let sizes = (0..indices.len()).map(|mode| self.mode_dim(base, mode, &tensor.name)).collect();
            self.of_type(own, |me| {
                let (at, inside) = me.source_read(&steps, &vars)?;
                let gives = if inside { Gives::ValueOr(0) } else { Gives::Value };
                me.push(Expr::Read { tensor: TensorId(base), at, sizes, gives })
            })
        } else {
            None
        })
    }

    /// What streams make of a tensor, or whether it is stored: these parts, of which one at most is there.
    fn streamed(
        &mut self,
        (base, name): (usize, &str),
        parts: Vec<ShapeSteps>,
        vars: &[VarId],
        stored: bool,
    ) -> Option<ExprId> {
        let mut whole = None;
        for steps in parts {
            let (modes, vars) = self.shaped_modes((base, name), steps, vars.to_vec());
            let part = self.view_of(base, modes);
            let there = Expr::Stored(part, vars.clone());
            let value = if stored { there.clone() } else { Expr::Access(part, vars) };
            let value = self.push(value)?;
            whole = Some(match whole {
                None => value,
                Some(others) if stored => self.push(Expr::Map(Fun::Or, vec![others, value]))?,
                Some(others) => {
                    let there = self.push(there)?;
                    self.push(Expr::Map(Fun::Where, vec![there, value, others]))?
                }
            });
        }
        whole
    }

    /// Whether something is there.
    fn source_stored(&mut self, steps: &ShapeSteps, vars: &[VarId]) -> Option<ExprId> {
        let ReadBack { there, ty, .. } = self.source(steps, vars)?;
        if there.is_empty() {
            return self.push(Expr::Literal(self.ty.one()));
        }
        let all = self.as_index(ty, |me| me.all_hold(&there))?;
        self.converted(ty, all)
    }

    /// The coordinates, the first of which is outside where nothing stands; and whether all are inside.
    fn source_read(&mut self, steps: &ShapeSteps, vars: &[VarId]) -> Option<(Vec<ExprId>, bool)> {
        let ReadBack { mut at, there, ty } = self.source(steps, vars)?;
        if let (Some(first), false) = (at.first_mut(), there.is_empty()) {
            *first = self.as_index(ty, |me| {
                let (all, outside) = (me.all_hold(&there)?, me.push(Expr::Literal(ty.mask()))?);
                me.push(Expr::Map(Fun::Where, vec![all, *first, outside]))
            })?;
        }
        Some((at, there.is_empty()))
    }

    /// All of these, of which there is one at least.
    fn all_hold(&mut self, there: &[ExprId]) -> Option<ExprId> {
        let (&first, rest) = there.split_first()?;
        rest.iter().try_fold(first, |all, &next| self.push(Expr::Map(Fun::And, vec![all, next])))
    }

    fn source(&mut self, steps: &ShapeSteps, vars: &[VarId]) -> Option<ReadBack> {
        let largest = |shape: &[u64]| shape.iter().map(|&size| i128::from(size)).product::<i128>();
        let (mut most, mut shape) = (largest(&steps.of), steps.of.clone());
        for step in &steps.steps {
            step.resize(&mut shape);
            most = most.max(largest(&shape));
        }
        most = vars.iter().map(|v| i128::from(self.kernel.var(*v).max)).fold(most, i128::max);
        let ty = Type::int(bits(-2 * most, 2 * most), true);
        let mut source = ReadBack { at: Vec::new(), there: Vec::new(), ty };
        self.as_index(ty, |me| {
            for &var in vars {
                source.at.push(me.coordinate_of(var)?);
            }
            for step in steps.steps.iter().rev() {
                me.step_back(step, &mut source)?;
            }
            me.push(Expr::Literal(0))
        })?;
        Some(source)
    }

    /// `e fun number`, in whole numbers.
    pub(super) fn with_number(&mut self, fun: Fun, e: ExprId, number: i64) -> Option<ExprId> {
        let raw = number as u64 & self.ty.mask();
        let number = self.push(Expr::Literal(raw))?;
        self.push(Expr::Map(fun, vec![e, number]))
    }

    /// From the coordinates that a step makes to those it is of.
    fn step_back(&mut self, step: &ShapeStep, source: &mut ReadBack) -> Option<()> {
        match step {
            ShapeStep::Recount { mode, of, sizes } => {
                let inner = source.at[*mode..mode + sizes.len()].to_vec();
                let mut place = None;
                for (c, size) in inner.into_iter().zip(sizes) {
                    place = Some(match place {
                        None => c,
                        Some(place) => {
                            let outer = self.with_number(Fun::Mul, place, *size as i64)?;
                            self.push(Expr::Map(Fun::Add, vec![outer, c]))?
                        }
                    });
                }
                let mut place = match place {
                    Some(place) => place,
                    None => self.push(Expr::Literal(0))?,
                };
                let mut digits = Vec::new();
                for (k, size) in of.iter().enumerate().rev() {
                    let digit = if k > 0 { self.with_number(Fun::PyMod, place, *size as i64)? } else { place };
                    digits.push(digit);
                    if k > 0 {
                        place = self.with_number(Fun::Idiv, place, *size as i64)?;
                    }
                }
                digits.reverse();
                source.at.splice(*mode..mode + sizes.len(), digits);
            }
            ShapeStep::Pieces { mode, pieces, size } => {
                let at = source.at[*mode];
                source.at[*mode] = self.piece_back(at, pieces, *size, &mut source.there)?;
            }
            ShapeStep::Repeat { mode, times } => {
                source.at[*mode] = self.with_number(Fun::Idiv, source.at[*mode], (*times).max(1) as i64)?;
            }
            ShapeStep::Transpose { modes } => {
                let made = source.at.clone();
                modes.iter().zip(made).for_each(|(&m, c)| source.at[m] = c);
            }
            ShapeStep::Diagonal { offset, .. } => {
                let near = source.at[0];
                let far = self.with_number(Fun::Add, near, offset.unsigned_abs() as i64)?;
                source.at = if *offset < 0 { vec![far, near] } else { vec![near, far] };
            }
            ShapeStep::OnDiagonal { offset, .. } => {
                let moved = self.with_number(Fun::Add, source.at[0], *offset)?;
                source.there.push(self.push(Expr::Map(Fun::Eq, vec![source.at[1], moved]))?);
                source.at = vec![source.at[usize::from(*offset < 0)]];
            }
            ShapeStep::Triangle { upper, offset } => {
                let [.., row, column] = source.at[..] else { return Some(()) };
                let edge = self.with_number(Fun::Add, row, *offset)?;
                let compare = if *upper { Fun::Ge } else { Fun::Le };
                source.there.push(self.push(Expr::Map(compare, vec![column, edge]))?);
            }
        }
        Some(())
    }

    /// The coordinate of which a piece is at `at`.
    fn piece_back(&mut self, at: ExprId, pieces: &[Moved], size: u64, there: &mut Vec<ExprId>) -> Option<ExprId> {
        let Some((last, before)) = pieces.split_last() else {
            there.push(self.push(Expr::Literal(0))?);
            return Some(at);
        };
        // What is repeated as it is, from the beginning on.
        let (first, count) = (pieces[0].from, pieces[0].count);
        let again =
            |(n, p): (usize, &Moved)| p.step == 1 && (p.from, p.count) == (first, count) && p.to == n as u64 * count;
        if pieces.len() > 2 && size == count * pieces.len() as u64 && pieces.iter().enumerate().all(again) {
            let rest = self.with_number(Fun::PyMod, at, count as i64)?;
            return self.with_number(Fun::Add, rest, first as i64);
        }
        let mut source = self.of_piece(at, last)?;
        for piece in before.iter().rev() {
            let here = self.with_number(Fun::Lt, at, (piece.to + piece.count) as i64)?;
            let own = self.of_piece(at, piece)?;
            source = self.push(Expr::Map(Fun::Where, vec![here, own, source]))?;
        }
        // What is between pieces is nowhere.
        let mut end = 0;
        for piece in pieces {
            if piece.to > end {
                let low = self.with_number(Fun::Ge, at, piece.to as i64)?;
                let outside = if end == 0 {
                    low
                } else {
                    let high = self.with_number(Fun::Lt, at, end as i64)?;
                    self.push(Expr::Map(Fun::Or, vec![low, high]))?
                };
                there.push(outside);
            }
            end = piece.to + piece.count;
        }
        if end < size {
            there.push(self.with_number(Fun::Lt, at, end as i64)?);
        }
        Some(source)
    }

    /// `from + step * (at - to)`
    fn of_piece(&mut self, at: ExprId, piece: &Moved) -> Option<ExprId> {
        let steps = if piece.step == 1 { at } else { self.with_number(Fun::Mul, at, piece.step)? };
        let first = piece.from as i64 - piece.step * piece.to as i64;
        if first == 0 { Some(steps) } else { self.with_number(Fun::Add, steps, first) }
    }
}
