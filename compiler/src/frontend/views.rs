//! Translation of slices, index sets and constants to accesses of views, and of results that fill a part of a tensor.
//! `c(i[2:4]) = a(i)` becomes a statement over all of `c`: what the right-hand side reads with `i` is seen at 2 and 3
//! and has nothing elsewhere.

use super::builder::Builder;
use super::computed::bits;
use super::names::Views;
use super::reader::Reader;
use super::reshape::{run, seen_sizes};
use super::sizes::Dimension;
use super::syntax::{Assignment, Ident, Index, Piece, Selects, SyntaxId};
use super::uses::index_names;
use super::windows::placed;
use crate::facts::{constant_fill, known_from, tensor_fill};
use crate::stmt::{Expr, ExprId, Fun, Gives, Kernel, TensorId, Var, VarId};
use crate::types::Type;
use crate::view::{Mode, Points, Seen, ShapeSteps, View, Window};
use samhw_values::convert;
use std::ops::Range;

impl Views {
    /// Adds the views to the kernel, which already has all other tensors.
    pub fn finish(&mut self, kernel: &mut Kernel) {
        for view in std::mem::take(&mut self.views) {
            let base = kernel.tensor(view.base).clone();
            kernel.tensors.push(view.tensor(&base));
        }
    }

    /// Checks that the right-hand side is the fill at coordinates outside of a slice on the left.
    pub fn check(&self, reader: &mut Reader, kernel: &Kernel) {
        for (n, span, parts) in &self.joined {
            let [own, other] = parts.map(|part| nowhere(kernel, *n, part));
            let ty = kernel.type_of(*n, parts[0]);
            if own.zip(other).is_none_or(|(own, other)| !ty.same(own, other)) {
                let problem =
                    reader.at("E028", span.clone(), "parts have different fills, or one whose fill is not known");
                reader.report(problem.help("tensors that are put together need one fill: give them the same `fill`"));
            }
        }
        for (_, n, span, pieces) in &self.pieces {
            let fills: Vec<_> = pieces.iter().map(|&t| tensor_fill(kernel, *n, t)).collect();
            if let Some(other) = fills.iter().position(|fill| fill.is_none() || *fill != fills[0]) {
                let name = |k: usize| &kernel.tensor(pieces[k]).name;
                let message = match (fills[0], fills[other]) {
                    (Some(_), Some(_)) => format!("`{}` and `{}` have different fills", name(0), name(other)),
                    _ => format!("the fill of `{}` is not known", name(other)),
                };
                let problem = reader.at("E028", span.clone(), message);
                reader.report(problem.help("tensors that are put together need one fill: give them the same `fill`"));
            }
        }
        for (n, vars, span) in &self.parts {
            let statement = &kernel.statements[*n];
            let tensor = kernel.tensor(statement.result);
            let same = |fill: u64| statement.settled.fill.is_some_and(|own| tensor.ty.same(own, fill));
            let declared = tensor.fill.is_none_or(same);
            if declared && vars.iter().all(|&v| vanishes(kernel, *n, statement.value, v)) {
                continue;
            }
            let message = format!("the right-hand side has a value also outside of the slice of `{}`", tensor.name);
            let problem = reader.at("E018", span.clone(), message);
            let fill = tensor.ty.show(tensor.fill.unwrap_or(0));
            let indices: Vec<_> = statement.indices.iter().map(|&v| kernel.var(v).name.as_str()).collect();
            let all = format!("{}({}) = {fill}", tensor.name, indices.join(","));
            reader.report(
                problem
                    .help(format!("write all of it before: `{all}; ..`, and this statement leaves the rest as it is"))
                    .help("or let every term have a tensor with the sliced index that is the result's fill elsewhere"),
            );
        }
    }
}

/// What is known of `e` where nothing of what it is made of stands; a read is outside there.
fn nowhere(kernel: &Kernel, n: usize, e: ExprId) -> Option<u64> {
    let all = |args: &[ExprId]| -> Vec<Option<u64>> { args.iter().map(|&a| nowhere(kernel, n, a)).collect() };
    let ty = kernel.type_of(n, e);
    let read = match kernel.expr(e) {
        Expr::Read { tensor, gives, .. } => match gives {
            Gives::Value => tensor_fill(kernel, n, *tensor),
            Gives::ValueOr(raw) => Some(*raw),
            Gives::Inside => Some(0),
        },
        Expr::Map(Fun::Where, args) => match all(&args[1..])[..] {
            [Some(a), Some(b)] if kernel.algebra.same(ty, a, b) => Some(a),
            _ => None,
        },
        Expr::Map(f, args) => kernel.partial(*f, &all(args), ty),
        Expr::Convert(body) => nowhere(kernel, n, *body).map(|x| convert(x, kernel.type_of(n, *body), ty)),
        _ => None,
    };
    read.or_else(|| constant_fill(kernel, n, e))
}

/// Is `e` at its fill wherever no tensor has anything at the coordinate of `v`?
fn vanishes(kernel: &Kernel, n: usize, e: ExprId, v: VarId) -> bool {
    let same = |(known, fill): (u64, u64)| kernel.algebra.same(kernel.type_of(n, e), known, fill);
    let nowhere = |e: ExprId| match kernel.expr(e) {
        Expr::Access(_, indices) | Expr::Stored(_, indices) if indices.contains(&v) => constant_fill(kernel, n, e),
        _ => None,
    };
    without(kernel, n, e, v, &nowhere).zip(constant_fill(kernel, n, e)).is_some_and(same)
}

/// What is known of `e` where tensors have nothing at the coordinate of `v`; `nowhere`: what an access or a
/// read gives there.
pub(super) fn without(
    kernel: &Kernel,
    n: usize,
    e: ExprId,
    v: VarId,
    nowhere: &dyn Fn(ExprId) -> Option<u64>,
) -> Option<u64> {
    let leaf = |e: ExprId| match kernel.expr(e) {
        Expr::Reduce(_, _, body) => constant_fill(kernel, n, e).filter(|_| vanishes(kernel, n, *body, v)),
        _ => nowhere(e),
    };
    known_from(kernel, n, v, e, &leaf)
}

impl Builder<'_, '_> {
    /// Binds the indices of the left-hand side.
    pub(super) fn left(&mut self, target: &Ident, indices: &[Index]) -> Vec<VarId> {
        let parts = placed(indices);
        let result = self.names.by_name.get(&target.name).copied();
        let mut vars = Vec::new();
        for (mode, index) in indices.iter().enumerate() {
            let Some(ident) = index.ident() else { continue };
            let var = self.bind(&ident.name);
            vars.push(var);
            let selection = result.and_then(|tensor| self.names.selection(tensor, mode, index));
            let size = result.and_then(|tensor| self.names.sizes.size(&Dimension::Mode(tensor, mode)));
            if let (true, Some(selection), Some(size)) = (parts.contains(ident.name.as_str()), selection, size)
                && selection.points != Points::all(size)
            {
                self.kernel.vars[var.0].max = size;
                self.placed.insert(var, (selection.points, size));
            }
        }
        vars
    }

    /// Remembers a statement that fills a part of its result, and leaves the rest at its fill.
    pub(super) fn remember_part(&mut self, statement: &Assignment) {
        // No coordinate stands twice on the left: as many as there are are all of them, in whatever order.
        let part = |(points, size): &(Points, u64)| points.count() < *size;
        let mut vars: Vec<VarId> = self.placed.iter().filter(|(_, at)| part(at)).map(|(&var, _)| var).collect();
        if !vars.is_empty() && statement.keeps.is_none() {
            vars.sort_unstable();
            self.names.views.parts.push((self.kernel.statements.len(), vars, statement.span.clone()));
        }
    }

    /// The tensor or view that an access reads, and the variables of its modes.
    pub(super) fn access(&mut self, tensor: &Ident, indices: &[Index]) -> Option<(TensorId, Vec<VarId>)> {
        let base = *self.names.by_name.get(&tensor.name)?;
        let (mut modes, mut vars) = (Vec::new(), Vec::new());
        if let [Index { selects: Selects::Shaped(idents, shape, leaf), span }, ..] = indices {
            vars = idents.iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<_>>>()?;
            if vars.iter().any(|var| self.placed.contains_key(var)) {
                return self.not_placed(span);
            }
            let steps = self.names.shape_steps(*shape, *leaf)?;
            (modes, vars) = self.shaped_modes((base, &tensor.name), steps, vars);
            return Some((self.view_of(base, modes), vars));
        }
        for (mode, index) in indices.iter().enumerate() {
            let own = index.idents().iter().map(|ident| self.lookup(ident)).collect::<Option<Vec<_>>>()?;
            vars.extend(&own);
            let shaped = match &index.selects {
                Selects::Reshaped(_, sizes) => {
                    let total = self.names.total(base, run(indices, mode))?;
                    Some(Seen::Reshaped(seen_sizes(total, sizes)?))
                }
                Selects::Within => Some(Seen::Within),
                Selects::Placed(_, placement, piece, _) => {
                    self.remember_pieces(*placement, &index.span);
                    let from = self.names.selection(base, mode, index)?.points;
                    let (_, first, size) = self.names.placed_piece(*placement, *piece)?;
                    let to = Points::Steps { first, step: 1, count: from.count() };
                    Some(Seen::Part(Window { from, to, size }))
                }
                _ => None,
            };
            if let Some(seen) = shaped {
                if own.iter().any(|var| self.placed.contains_key(var)) {
                    return self.not_placed(&index.span);
                }
                modes.push(Mode { seen, dim: Some(self.mode_dim(base, mode, &tensor.name)), exact: true });
                continue;
            }
            let var = own.first().copied();
            let at = var.and_then(|var| self.placed.get(&var).cloned());
            let size = self.names.sizes.size(&Dimension::Mode(base, mode));
            let all = match index.selects {
                Selects::All(_) => true,
                Selects::Diagonal(_) => self.names.selection(base, mode, index)?.points.count() == size?,
                _ => false,
            };
            if all && at.is_none() {
                modes.push(Mode { seen: Seen::Whole, dim: None, exact: false });
                continue;
            }
            let selection = self.names.selection(base, mode, index)?;
            let from = selection.points;
            let seen = match (&index.selects, at) {
                (Selects::At(_), _) => Seen::At(from.at(0)?),
                (_, Some((to, size))) => Seen::Part(Window { from, to, size }),
                (_, None) => {
                    let size = from.count();
                    Seen::Part(Window { from, to: Points::all(size), size })
                }
            };
            modes.push(Mode { seen, dim: Some(self.mode_dim(base, mode, &tensor.name)), exact: selection.exact });
        }
        Some((self.view_of(base, modes), vars))
    }

    /// Is it a view at numbers only, at which no coordinate of its base stands?
    pub(super) fn shows_nothing(&self, t: TensorId) -> bool {
        let view = t.0.checked_sub(self.names.tensors.len()).and_then(|number| self.names.views.views.get(number));
        let nowhere =
            |mode: &Mode| matches!(&mode.seen, Seen::Steps(s) if s.shape.is_empty() && s.source(&[]).is_none());
        view.is_some_and(|view| view.modes.iter().any(nowhere))
    }

    /// The tensor, or the view, of which these modes are seen.
    pub(super) fn view_of(&mut self, base: usize, modes: Vec<Mode>) -> TensorId {
        if modes.iter().all(|m| m.seen == Seen::Whole) {
            return TensorId(base);
        }
        let view = View { base: TensorId(base), modes };
        let views = &mut self.names.views.views;
        let number = views.iter().position(|v| *v == view).unwrap_or_else(|| {
            views.push(view);
            views.len() - 1
        });
        TensorId(self.names.tensors.len() + number)
    }

    /// The modes of a view through steps, and its variables: the coordinate of each mode if only numbers are
    /// read, a window of each mode if that is enough.
    pub(super) fn shaped_modes(
        &mut self,
        (base, name): (usize, &str),
        steps: ShapeSteps,
        vars: Vec<VarId>,
    ) -> (Vec<Mode>, Vec<VarId>) {
        let order = steps.of.len();
        let only = if steps.shape.is_empty() { steps.source(&[]) } else { None };
        let (seen, vars): (Vec<Seen>, Vec<VarId>) = match (only, steps.windows()) {
            // Looked up, so that it is known whether it is stored: what the host packs of it always is.
            (Some(coordinate), _) => (coordinate.into_iter().map(Seen::At).collect(), vars),
            (None, Some((windows, modes))) => {
                let place = |m: usize| modes.iter().position(|&shown| shown == m).unwrap_or(m);
                let vars = (0..order).map(|m| vars[place(m)]).collect();
                (windows.into_iter().map(|w| w.map_or(Seen::Whole, Seen::Part)).collect(), vars)
            }
            (None, None) => {
                let within = std::iter::repeat_n(Seen::Within, order.saturating_sub(1));
                (std::iter::once(Seen::Steps(steps)).chain(within).collect(), vars)
            }
        };
        let mode = |(mode, seen)| match seen {
            Seen::Whole => Mode { seen, dim: None, exact: false },
            _ => Mode { seen, dim: Some(self.mode_dim(base, mode, name)), exact: true },
        };
        (seen.into_iter().enumerate().map(mode).collect(), vars)
    }

    /// Refuses an operator at an index that is at a slice on the left.
    fn not_placed<T>(&mut self, span: &Range<usize>) -> Option<T> {
        let what = "an index of a shape operator at a slice on the left is";
        let help = "write the result to a tensor of its own, and copy that to the slice";
        self.reader.unsupported("E009", span.clone(), what, help);
        None
    }

    /// The value of an index. One that is at a slice on the left counts in that, its variable in all of the result.
    pub(super) fn index_value(&mut self, node: SyntaxId, index: &Ident) -> Option<ExprId> {
        let var = self.lookup(index)?;
        match self.placed.get(&var).map(|(to, _)| to.clone()) {
            None | Some(Points::Steps { first: 0, step: 1, .. }) => self.push(Expr::Index(var)),
            Some(Points::Steps { first, step, .. }) => {
                let (value, first) = (self.push(Expr::Index(var))?, self.literal(node, &first.to_string())?);
                let args = if step > 0 { vec![value, first] } else { vec![first, value] };
                let from = self.push(Expr::Map(Fun::Sub, args))?;
                if step.unsigned_abs() == 1 {
                    return Some(from);
                }
                // Within the slice the division leaves nothing.
                let step = self.literal(node, &step.unsigned_abs().to_string())?;
                self.push(Expr::Map(Fun::Div, vec![from, step]))
            }
            Some(_) => {
                let count = Type::int(bits(0, self.kernel.var(var).max.into()), true);
                let place = self.as_index(count, |me| me.coordinate_of(var))?;
                self.converted(count, place)
            }
        }
    }

    /// Remembers tensors of which a mode is put together.
    fn remember_pieces(&mut self, placement: usize, span: &Range<usize>) {
        if self.names.views.pieces.iter().any(|p| p.0 == placement) {
            return;
        }
        let tensor = |piece: &Piece| match piece {
            Piece::Of { at: Some((tensor, _)), .. } => self.names.by_name.get(&tensor.name).copied().map(TensorId),
            _ => None,
        };
        let tensors = self.names.placements[placement].iter().filter_map(tensor).collect();
        self.names.views.pieces.push((placement, self.kernel.statements.len(), span.clone(), tensors));
    }

    /// The variable that stands for the size of a mode; no index has its name.
    pub(super) fn mode_dim(&mut self, tensor: usize, mode: usize, name: &str) -> VarId {
        if let Some((_, var)) = self.names.views.dims.iter().find(|(of, _)| *of == (tensor, mode)) {
            return *var;
        }
        let var = VarId(self.kernel.vars.len());
        let max = self.names.sizes.size(&Dimension::Mode(tensor, mode)).unwrap_or(1);
        let mut name = format!("mode{mode}_of_{name}");
        while self.syntax.statements.iter().any(|s| index_names(self.syntax, s).contains(&name.as_str())) {
            name.push('_');
        }
        self.kernel.vars.push(Var { name, max });
        self.names.views.dims.push(((tensor, mode), var));
        var
    }
}
