//! Results that a statement reads in other tiles than they are written in, or of which it reads what shape operators
//! make: tiles are steps of a view, before and after its own.

use super::parts::{SplitPart, split_size};
use super::{Split, refused};
use crate::diag::Diagnostic;
use crate::repeat::Repeat;
use crate::stmt::{Expr, ExprId, Fun, Gives, TensorId, Var, VarId};
use crate::types::Type;
use crate::view::{Moved, ShapeStep, ShapeSteps, View};

impl Split {
    /// The tensor that statement `n` reads at `indices` in place of `t`, of a result that is written before it; `None`
    /// if no statement before it writes it.
    ///
    /// # Errors
    ///
    /// S042, where a view shows single coordinates of a result.
    pub(super) fn result_read(
        &mut self,
        n: usize,
        t: TensorId,
        indices: &[VarId],
    ) -> Result<Option<(TensorId, Vec<VarId>)>, Diagnostic> {
        let base = self.kernel.base(t);
        let Some((w, written)) = self.written(n, base)? else { return Ok(None) };
        let tiles: Vec<Vec<u64>> = indices.iter().map(|v| self.sizes(*v)).collect();
        let written_in = self.parts.get(&written).map(|part| part.tiles.clone()).unwrap_or_default();
        let view = self.kernel.tensor(t).view.clone();
        let same = match &view {
            None => written_in.iter().chain(std::iter::repeat(&vec![])).zip(&tiles).all(|(a, b)| a == b),
            Some(_) => written_in.is_empty() && tiles.iter().all(Vec::is_empty),
        };
        let wide = self.in_parts(indices);
        if same {
            return Ok((view.is_none() && self.kernel.carried(base).is_some()).then_some((written, wide)));
        }
        let shape = self.kernel.tensor(base).shape.clone();
        let mut steps = ShapeSteps::begin(self.kernel.tensor(written).shape.clone());
        let lies = SplitPart { of: base, tiles: written_in };
        for (m, sizes) in lies.tiles.iter().enumerate().rev().filter(|(_, sizes)| !sizes.is_empty()) {
            let first = lies.first(m);
            let of = steps.shape[first..=first + sizes.len()].to_vec();
            let whole = of.iter().product();
            steps.push(ShapeStep::Recount { mode: first, of, sizes: vec![whole] });
            resize(&mut steps, first, shape[m]);
        }
        if let Some(view) = &view {
            let Some(own) = view.steps(&shape) else {
                // If it is none of the reader's, it is one of the writer's.
                let all = indices.iter().chain(&self.kernel.statements[w].indices);
                let split = all.copied().find(|v| self.index(*v).is_some());
                let (name, span) = split.map_or_else(Default::default, |v| self.asked(v));
                let result = &self.kernel.tensor(base).name;
                let what = format!("{name} cannot be split: single coordinates of {result} are read");
                return Err(refused(what, span, "leave it out of `split`"));
            };
            own.steps.into_iter().for_each(|step| steps.push(step));
        }
        for (m, sizes) in tiles.iter().enumerate().rev() {
            let Some(&tile) = sizes.first() else { continue };
            let whole = steps.shape[m].next_multiple_of(tile);
            resize(&mut steps, m, whole);
            steps.push(ShapeStep::Recount { mode: m, of: vec![whole], sizes: split_size(whole, sizes) });
        }
        let steps = steps.finish();
        if steps.steps.is_empty() {
            return Ok(Some((written, wide)));
        }
        let dims = self.mode_variables(w, written);
        let view = View::through(steps, written, dims.into_iter().map(Some));
        let known = self.kernel.tensors.iter().position(|t| t.view.as_ref() == Some(&view));
        let seen = known.unwrap_or_else(|| {
            let tensor = view.tensor(self.kernel.tensor(written));
            self.kernel.tensors.push(tensor);
            self.kernel.tensors.len() - 1
        });
        Ok(Some((TensorId(seen), wide)))
    }

    /// The statement that writes what statement `n` reads of `base` on the chip, before it or in the round before, and
    /// the tensor as it lies there.
    fn written(&mut self, n: usize, base: TensorId) -> Result<Option<(usize, TensorId)>, Diagnostic> {
        if let Some(w) = self.kernel.statements[..n].iter().position(|s| self.base(s.result) == base) {
            return Ok(Some((w, self.kernel.statements[w].result)));
        }
        let Some(result) = self.kernel.carried(base) else { return Ok(None) };
        let Some(w) = self.kernel.statements.iter().position(|s| self.base(s.result) == result) else {
            return Ok(None);
        };
        // The operand of the first round lies as the result of a round does.
        let indices = self.whole_indices(w);
        Ok(Some((w, self.tensor(w, base, &indices)?.0)))
    }

    /// The indices of what statement `w` writes, before they are split.
    fn whole_indices(&self, w: usize) -> Vec<VarId> {
        let inside = |v: &VarId| self.indices.iter().any(|index| index.inner().contains(v));
        self.kernel.statements[w].indices.iter().copied().filter(|v| !inside(v)).collect()
    }

    /// Names what is carried from round to round as it lies on the chip.
    pub(super) fn carry(&mut self) -> Result<(), Diagnostic> {
        let Some(repeat) = self.kernel.repeat.clone() else { return Ok(()) };
        let mut carry = Vec::new();
        for (operand, result) in repeat.carry {
            let Some((w, lies)) = self.written(0, operand)? else { continue };
            let to = if operand == result { lies } else { self.kernel.statements[w].result };
            carry.push((lies, to));
        }
        self.kernel.repeat = Some(Repeat { carry, ..repeat });
        Ok(())
    }

    /// Reads of statement `n` at computed coordinates of a result that is written in tiles: a
    /// coordinate becomes those of the tiles and the place in the smallest.
    pub(super) fn computed_read(&mut self, n: usize, e: ExprId) -> Result<(), Diagnostic> {
        let Expr::Read { tensor, at, gives, .. } = self.kernel.expr(e).clone() else { return Ok(()) };
        let Some((w, written)) = self.written(n, tensor)? else { return Ok(()) };
        let Some(tiles) = self.parts.get(&written).map(|part| part.tiles.clone()) else { return Ok(()) };
        if gives == Gives::Inside {
            return Ok(());
        }
        let shape = self.kernel.tensor(tensor).shape.clone();
        let mut place = Vec::new();
        for ((coordinate, sizes), size) in at.into_iter().zip(&tiles).zip(shape) {
            let Some(&largest) = sizes.first() else {
                place.push(coordinate);
                continue;
            };
            let whole = self.holding(n, coordinate, size.max(largest));
            let mut rest = whole;
            for &tile in sizes {
                let [tile_of, inside] = [Fun::Idiv, Fun::PyMod].map(|f| self.with_number(f, rest, tile));
                let outermost = rest == whole;
                place.push(if outermost { self.up_to(whole, (size, tile), tile_of) } else { tile_of });
                rest.0 = inside;
            }
            place.push(rest.0);
        }
        let sizes = self.mode_variables(w, written);
        self.kernel.exprs[e.0] = Expr::Read { tensor: written, at: place, sizes, gives };
        Ok(())
    }

    /// A coordinate in a type that holds it with its sign and `most`, and that type.
    fn holding(&mut self, n: usize, coordinate: ExprId, most: u64) -> (ExprId, Type) {
        let ty = self.kernel.type_of(n, coordinate);
        let bits = (ty.bits() + u32::from(!ty.is_signed())).max(u64::BITS - most.leading_zeros() + 1).min(u64::BITS);
        let wide = Type::int(bits, true);
        (if wide == ty { coordinate } else { self.typed(Expr::Convert(coordinate), wide) }, wide)
    }

    /// A tile, or what is none where a coordinate is beyond all of `size` that the last tile has.
    fn up_to(&mut self, coordinate: (ExprId, Type), (size, tile): (u64, u64), tile_of: ExprId) -> ExprId {
        if size % tile == 0 {
            return tile_of;
        }
        let there = self.with_number(Fun::Lt, coordinate, size);
        let ty = coordinate.1;
        let outside = self.typed(Expr::Literal(ty.mask()), ty);
        self.typed(Expr::Map(Fun::Where, vec![there, tile_of, outside]), ty)
    }

    /// `fun(e, number)`, in the type of `e`.
    fn with_number(&mut self, fun: Fun, (e, ty): (ExprId, Type), number: u64) -> ExprId {
        let number = self.typed(Expr::Literal(number & ty.mask()), ty);
        self.typed(Expr::Map(fun, vec![e, number]), ty)
    }

    fn typed(&mut self, expr: Expr, ty: Type) -> ExprId {
        let id = ExprId(self.kernel.exprs.len());
        self.kernel.exprs.push(expr);
        self.kernel.types.insert(id, ty);
        id
    }

    /// Variables that no loop has, with the sizes of the modes of what statement `w` writes.
    fn mode_variables(&mut self, w: usize, written: TensorId) -> Vec<VarId> {
        if let Some((_, known)) = self.modes.iter().find(|(t, _)| *t == written) {
            return known.iter().map(|(v, _)| *v).collect();
        }
        let like = self.in_parts(&self.whole_indices(w));
        let mut own = Vec::new();
        for (mode, of) in like.into_iter().enumerate() {
            let name = format!("mode{mode}_of_{}", self.kernel.tensor(written).name);
            own.push((VarId(self.kernel.vars.len()), of));
            self.kernel.vars.push(Var { name, max: self.kernel.var(of).max });
        }
        let variables = own.iter().map(|(v, _)| *v).collect();
        self.modes.push((written, own));
        variables
    }
}

/// Gives a mode another size: coordinates at its end come or go.
fn resize(steps: &mut ShapeSteps, mode: usize, size: u64) {
    let count = steps.shape[mode].min(size);
    if steps.shape[mode] != size {
        let pieces = vec![Moved { from: 0, step: 1, count, to: 0 }];
        steps.push(ShapeStep::Pieces { mode, pieces, size });
    }
}
