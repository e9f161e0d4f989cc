//! Lanes and copies of an index that goes by intervals, of runs or of what is absent. Lanes take coordinates,
//! and so do copies; the loop alone takes one step for each piece between breakpoints, which is fewer. So the
//! index around it has them, and where there is none, none has.

use super::others::{lowered, rows};
use super::{LanesEntry, made};
use crate::facts::variables;
use crate::passes::{joins::intervals, parallel};
use crate::schedule::{Copies, ScheduleScope};
use crate::stmt::{Kernel, TensorId, VarId};
use toml::Spanned;

/// So many lanes take no more steps than there are pieces, of runs of this length.
const LENGTH: u64 = 16;

/// What the schedule asks for an index.
enum WidthAsked {
    Lanes(LanesEntry),
    Copies((Spanned<String>, Copies)),
}

/// Takes lanes and copies from indices that go by intervals of runs in the loop order `order`; says so.
pub(super) fn keep(kernel: &mut Kernel, order: &[VarId]) -> Vec<String> {
    let mut said = Vec::new();
    for (scope, asked, statements) in entries(kernel) {
        let (name, what) = match &asked {
            WidthAsked::Lanes((name, _)) => (name.get_ref(), "lanes"),
            WidthAsked::Copies((name, _)) => (name.get_ref(), "copies"),
        };
        let vars = kernel.named_in(name, &statements);
        // Lanes may be worth more than intervals of what is absent. Copies of what has nothing inside gain
        // nothing.
        let runs = vars.iter().all(|&v| in_runs(kernel, v));
        if vars.is_empty() || !runs && matches!(asked, WidthAsked::Lanes(_)) {
            continue;
        }
        let none = given(kernel, scope, &asked, None);
        if !lowered(&none, order).is_ok_and(|l| vars.iter().all(|&v| intervals::goes(&l, v))) {
            continue;
        }
        let around = rows(kernel, &vars, &statements, order).into_iter().find_map(|row| {
            let row = &kernel.var(row).name;
            let other = given(kernel, scope, &asked, Some(row));
            let mut graph = lowered(&other, order).ok()?;
            let possible = made(&mut graph, false).is_ok() && parallel::apply(&mut graph).is_ok();
            possible.then(|| (other, format!("{row} has {what} instead")))
        });
        // More lanes may be worth it, and too many copies are refused.
        let few = match &asked {
            WidthAsked::Lanes((_, lanes)) => *lanes.get_ref() <= LENGTH,
            WidthAsked::Copies((_, copies)) => *copies.number.get_ref() <= parallel::MAX_COPIES,
        };
        let otherwise = few.then(|| (none, format!("it has no {what}")));
        if let Some((changed, then)) = around.or(otherwise) {
            let of = if runs { " of runs" } else { "" };
            said.push(format!("{name} goes by intervals{of}, which are fewer than coordinates: {then}"));
            *kernel = changed;
        }
    }
    said
}

/// The kernel in which the index `row` has what another one was to have, or nothing has it.
fn given(kernel: &Kernel, scope: ScheduleScope, asked: &WidthAsked, row: Option<&String>) -> Kernel {
    let mut given = kernel.clone();
    let schedule = given.schedule_mut(scope);
    match asked {
        WidthAsked::Lanes(entry) => {
            schedule.lanes.retain(|known| known != entry);
            let taken = |row: &&String| schedule.lanes.iter().any(|(name, _)| name.get_ref() == *row);
            if let Some(row) = row.filter(|row| !taken(row)) {
                schedule.lanes.push((Spanned::new(entry.0.span(), row.clone()), entry.1.clone()));
            }
        }
        WidthAsked::Copies(entry) => {
            schedule.parallel.retain(|known| known != entry);
            let taken = |row: &&String| schedule.parallel.iter().any(|(name, _)| name.get_ref() == *row);
            if let Some(row) = row.filter(|row| !taken(row)) {
                schedule.parallel.push((Spanned::new(entry.0.span(), row.clone()), entry.1.clone()));
            }
        }
    }
    given
}

/// The entries that ask for lanes or copies, with the statements for which they stand.
fn entries(kernel: &Kernel) -> Vec<(ScheduleScope, WidthAsked, Vec<usize>)> {
    let mut all = Vec::new();
    for (scope, schedule, statements) in kernel.schedules() {
        let lanes = schedule.lanes.iter().filter(|(_, number)| *number.get_ref() > 1).cloned().map(WidthAsked::Lanes);
        let copies = schedule.parallel.iter().filter(|(_, copies)| copies.several()).cloned().map(WidthAsked::Copies);
        all.extend(lanes.chain(copies).map(|asked| (scope, asked, statements.clone())));
    }
    all
}

/// Whether each statement with index `v` reads something in runs of it, and what it writes with it is
/// stored in runs.
fn in_runs(kernel: &Kernel, v: VarId) -> bool {
    let level = |t: TensorId, mode: usize| {
        // What a view shows of a mode is stored as its base is.
        let (view, tensor) = (&kernel.tensor(t).view, kernel.tensor(kernel.base(t)));
        let shows = |m: usize| view.as_ref().map_or(Some(m), |view| view.shown(m)) == Some(mode);
        let level = tensor.mode_order.iter().position(|&m| shows(m));
        level.is_some_and(|l| tensor.levels[l].shares_positions())
    };
    let along = |t: TensorId, indices: &[VarId]| (0..indices.len()).any(|m| indices[m] == v && level(t, m));
    kernel.statements.iter().filter(|s| variables(kernel, s).contains(&v)).all(|s| {
        let reads = kernel.reads(s.value).into_iter().any(|(t, indices)| along(t, indices));
        reads && (!s.indices.contains(&v) || along(s.result, &s.indices))
    })
}
