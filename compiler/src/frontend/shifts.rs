//! Reads next to an index, `a(i + 1)`, of operands that list what they store. Such a read is an access of a
//! view: what stands at 1 and after it is seen at 0 and after it, and elsewhere is the fill. Its loop goes
//! over what is stored, by intervals where that is runs, as with the shifted looplets of Finch (Ahrens et
//! al., CGO'23); a computed read is looked up at every coordinate. Where another operand leads the loop
//! ([decision 126](../../../docs/decisions/0126-neighbours.md)), looking up is faster.

use super::builder::Builder;
use super::declaration::{Declaration, Storage};
use super::names::{FileNames, Shift};
use super::recurrences::offset;
use super::sizes::Dimension;
use super::syntax::{Index, Selects};
use super::views::without;
use crate::facts::{constant_fill, tensor_fill};
use crate::levels::LevelKind;
use crate::stmt::{Expr, ExprId, Gives, Kernel, TensorId, VarId};
use crate::view::{Mode, Points, Seen, View, Window};

impl Declaration {
    /// The declared levels of a tensor with this many modes.
    fn levels(&self, order: usize) -> Option<Vec<LevelKind>> {
        Some(match self.storage.as_ref()?.get_ref() {
            Storage::Format(named) => named.levels(order),
            Storage::Levels(levels) => levels.clone(),
        })
    }
}

impl Builder<'_, '_> {
    /// Remembers `read`, of operand `base` at the coordinates `at`, if each of these is an index plus a
    /// number, or a number.
    pub(super) fn remember_shift(&mut self, read: ExprId, base: usize, (indices, at): (&[Index], &[ExprId])) {
        let shift = self.shift(read, base, (indices, at));
        self.names.views.shifts.extend(shift);
    }

    fn shift(&mut self, read: ExprId, base: usize, (indices, at): (&[Index], &[ExprId])) -> Option<Shift> {
        let Expr::Read { gives, .. } = *self.kernel.expr(read) else { return None };
        if !self.listed(base, indices.len(), gives) {
            return None;
        }
        let name = self.names.tensors[base].first.name.clone();
        let (mut modes, mut vars) = (Vec::new(), Vec::new());
        for (mode, (index, &at)) in indices.iter().zip(at).enumerate() {
            let size = self.names.sizes.size(&Dimension::Mode(base, mode))?;
            let dim = Some(self.mode_dim(base, mode, &name));
            if let Selects::At(coordinate) = index.selects {
                let there = u64::try_from(coordinate).ok().filter(|c| *c < size)?;
                modes.push(Mode { seen: Seen::At(there), dim, exact: false });
                continue;
            }
            let (v, by) = offset(self.kernel, self.statement_ty, at)?;
            let max = self.kernel.var(v).max;
            if vars.contains(&v) || self.placed.contains_key(&v) {
                return None;
            }
            vars.push(v);
            let window = window(by, size, max)?;
            modes.push(if window.covers() && by == 0 && size == max {
                Mode { seen: Seen::Whole, dim: None, exact: false }
            } else {
                Mode { seen: Seen::Part(window), dim, exact: true }
            });
        }
        Some(Shift { read, view: View { base: TensorId(base), modes }, vars })
    }

    /// Whether it is an operand or an earlier result of which the hardware can see a part as it is stored, and of
    /// which all that is not stored, or is outside, is one value.
    fn listed(&self, base: usize, order: usize, gives: Gives) -> bool {
        let entry = &self.names.tensors[base];
        let Some(declaration) = entry.declaration else { return false };
        let name = entry.first.name.as_str();
        // What is written from here on is no result that lies on the chip as a whole.
        let later = &self.syntax.statements[self.number..];
        let written = |name: &str| later.iter().any(|s| s.called == name || s.target.name == name);
        // A function with cases asks what is stored; what is read is taken to be there.
        let cases = self.names.functions.values().any(|f| !f.cases.is_empty() || f.iterate.is_some());
        if self.names.resized
            || written(name)
            || self.names.kept_reads.carried.contains(name)
            || declaration.symmetric.is_some()
            || cases
        {
            return false;
        }
        let Some(levels) = declaration.levels(order) else { return false };
        let fill = match gives {
            Gives::Value => true,
            Gives::ValueOr(outside) => outside == declaration.fill.unwrap_or(0),
            Gives::Inside => false,
        };
        fill && levels.iter().all(|l| l.shows_parts()) && !levels.iter().all(|l| l.is_dense())
    }
}

impl FileNames<'_> {
    /// Makes accesses of the reads that loops are faster with, in a kernel with all its tensors.
    pub(super) fn shift(&mut self, kernel: &mut Kernel) {
        let shifts = std::mem::take(&mut self.views.shifts);
        if shifts.is_empty() {
            return;
        }
        kernel.settle();
        let leads: Vec<bool> = shifts.iter().map(|shift| Lead { kernel, shifts: &shifts }.is_led(shift)).collect();
        for (shift, _) in shifts.into_iter().zip(leads).filter(|(_, leads)| *leads) {
            let known = kernel.tensors.iter().position(|t| t.view.as_ref() == Some(&shift.view));
            let view = known.unwrap_or_else(|| {
                let base = kernel.tensor(shift.view.base).clone();
                kernel.tensors.push(shift.view.tensor(&base));
                kernel.tensors.len() - 1
            });
            kernel.exprs[shift.read.0] = Expr::Access(TensorId(view), shift.vars);
        }
    }
}

/// What leads the loops of a kernel.
struct Lead<'k> {
    kernel: &'k Kernel,
    shifts: &'k [Shift],
}

impl Lead<'_> {
    /// Whether a loop over an index of `shift` goes over what reads next to it store, and over nothing else
    /// that is less: no other operand leads it, or all are runs.
    fn is_led(&self, shift: &Shift) -> bool {
        let n = self.kernel.statements.iter().position(|s| self.holds(s.value, shift.read));
        let Some(n) = n else { return false };
        // What a result is where nothing is stored is known only now.
        if let Expr::Read { tensor, gives: Gives::ValueOr(outside), .. } = *self.kernel.expr(shift.read)
            && tensor_fill(self.kernel, n, tensor) != Some(outside)
        {
            return false;
        }
        shift.vars.iter().any(|&v| {
            let root = self.body(self.kernel.statements[n].value, v);
            let mut all = Vec::new();
            self.operands(root, v, &mut all);
            let kind = |e: ExprId| self.level(e, v).filter(|level| !level.is_dense());
            if kind(shift.read).is_none() {
                return false;
            }
            if all.iter().all(|&e| kind(e).is_some_and(|level| level.in_runs())) {
                return true;
            }
            let nowhere = |read: bool| {
                move |e: ExprId| match self.kernel.expr(e) {
                    Expr::Read { tensor, .. } if read => kind(e).and_then(|_| tensor_fill(self.kernel, n, *tensor)),
                    Expr::Read { .. } => None,
                    _ => kind(e).and_then(|_| constant_fill(self.kernel, n, e)),
                }
            };
            without(self.kernel, n, root, v, &nowhere(false)).is_none()
                && without(self.kernel, n, root, v, &nowhere(true)).is_some()
        })
    }

    fn holds(&self, e: ExprId, what: ExprId) -> bool {
        e == what || self.kernel.expr(e).children().iter().any(|&a| self.holds(a, what))
    }

    /// What is computed for each coordinate of `v` in `e`: the body of its reduction, or all of it.
    fn body(&self, e: ExprId, v: VarId) -> ExprId {
        fn reduced(kernel: &Kernel, e: ExprId, v: VarId) -> Option<ExprId> {
            match kernel.expr(e) {
                Expr::Reduce(_, over, body) if *over == v => Some(*body),
                other => other.children().iter().find_map(|&a| reduced(kernel, a, v)),
            }
        }
        reduced(self.kernel, e, v).unwrap_or(e)
    }

    /// The accesses and reads next to an index in `e` that have `v`.
    fn operands(&self, e: ExprId, v: VarId, out: &mut Vec<ExprId>) {
        if self.vars(e).is_some_and(|(_, vars)| vars.contains(&v)) {
            out.push(e);
        }
        self.kernel.expr(e).children().iter().for_each(|&a| self.operands(a, v, out));
    }

    /// The tensor that is accessed, or seen next to an index, and the variables of the modes that are seen.
    fn vars(&self, e: ExprId) -> Option<(TensorId, &[VarId])> {
        match self.kernel.expr(e) {
            Expr::Access(t, vars) | Expr::Stored(t, vars) => Some((*t, vars)),
            Expr::Read { tensor, .. } => {
                let shift = self.shifts.iter().find(|shift| shift.read == e)?;
                Some((*tensor, &shift.vars))
            }
            _ => None,
        }
    }

    /// The level that the loop over `v` goes over, of an access or a read next to an index.
    fn level(&self, e: ExprId, v: VarId) -> Option<LevelKind> {
        let (t, vars) = self.vars(e)?;
        let at = vars.iter().position(|w| *w == v)?;
        let tensor = self.kernel.tensor(t);
        let shift = self.shifts.iter().find(|shift| shift.read == e);
        let mode =
            shift.map_or(Some(at), |shift| (0..shift.view.modes.len()).find(|&m| shift.view.shown(m) == Some(at)))?;
        let level = tensor.mode_order.iter().position(|&m| m == mode)?;
        tensor.levels.get(level).copied()
    }
}

/// What is seen of a mode of `size` at `v + by`, for all coordinates of v below `max`; `None` if that is
/// nothing.
fn window(by: i128, size: u64, max: u64) -> Option<Window> {
    let (first, end) = (by.max(0), i128::from(size).min(i128::from(max) + by));
    let count = u64::try_from(end - first).ok().filter(|count| *count > 0)?;
    let steps = |first: i128| Some(Points::Steps { first: u64::try_from(first).ok()?, step: 1, count });
    Some(Window { from: steps(first)?, to: steps(first - by)?, size: max })
}
