//! Copies that are done before the next item comes: a parallelizer deals one item a cycle, so of
//! items that take less than a cycle for each copy some copies have nothing to do. Lanes of the
//! same index each deal their own.

use super::{made, others};
use crate::cycles::estimate;
use crate::facts::Density;
use crate::passes::{joins, parallel};
use crate::schedule::ScheduleScope;
use crate::stmt::{Kernel, VarId};
use std::collections::HashMap;
use toml::Spanned;

/// Most lanes that copies are shared out to.
const MOST: u64 = 8;
/// Part of the cycles that lanes must take at most: below it they are worth their scanners.
const WORTH: f64 = 0.8;

/// Shares copies out to lanes of the same index where that is expected to take fewer cycles, in the
/// loop order `order`, and says so. Copies with a balance or with memories of their own choice stay
/// as they are.
pub(super) fn copies(kernel: &mut Kernel, order: &[VarId], density: &Density) -> Vec<String> {
    let mut said = Vec::new();
    for (scope, n) in open(kernel) {
        let (name, number) = entry(kernel, scope, n);
        let Some(plain) = cycles(kernel, order, density) else { return said };
        let ways = (1..).map(|log2| 1 << log2).take_while(|lanes| *lanes <= MOST.min(number));
        let ways = ways.filter(|lanes| number % lanes == 0).filter_map(|lanes| {
            let way = shared(kernel, (scope, n), lanes);
            Some((cycles(&way, order, density)?, lanes, way))
        });
        let best = ways.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, lanes, way)) = best.filter(|(cycles, ..)| *cycles < WORTH * plain) {
            let each = if lanes < number { format!(" with {} each", number / lanes) } else { String::new() };
            said.push(format!(
                "{number} copies of {name}: {lanes} lanes{each}, since a parallelizer deals one item a cycle"
            ));
            *kernel = way;
        }
    }
    said
}

/// The entries of `parallel` that leave the choice to the compiler, of indices without lanes.
fn open(kernel: &Kernel) -> Vec<(ScheduleScope, usize)> {
    let all = kernel.schedules().into_iter();
    all.flat_map(|(scope, schedule, _)| {
        let open = |n: &usize| {
            let (name, copies) = &schedule.parallel[*n];
            let lanes = schedule.lanes.iter().any(|(of, _)| of.get_ref() == name.get_ref());
            copies.several() && copies.sharing.is_none() && copies.balance.is_none() && !lanes
        };
        (0..schedule.parallel.len()).filter(open).map(|n| (scope, n)).collect::<Vec<_>>()
    })
    .collect()
}

/// The name and number of copies of entry `n`.
fn entry(kernel: &mut Kernel, scope: ScheduleScope, n: usize) -> (String, u64) {
    let (name, copies) = &kernel.schedule_mut(scope).parallel[n];
    (name.get_ref().clone(), *copies.number.get_ref())
}

/// The kernel with the copies of entry `n` in that many lanes.
fn shared(kernel: &Kernel, (scope, n): (ScheduleScope, usize), lanes: u64) -> Kernel {
    let mut shared = kernel.clone();
    let schedule = shared.schedule_mut(scope);
    let (name, copies) = &mut schedule.parallel[n];
    let span = copies.number.span();
    copies.number = Spanned::new(span.clone(), *copies.number.get_ref() / lanes);
    schedule.lanes.push((name.clone(), Spanned::new(span, lanes)));
    shared
}

/// The cycles that are expected of the kernel with its lanes and copies; `None` if they are refused.
fn cycles(kernel: &Kernel, order: &[VarId], density: &Density) -> Option<f64> {
    let mut lowered = others::lowered(kernel, order).ok()?;
    made(&mut lowered, true).ok()?;
    parallel::apply(&mut lowered).ok()?;
    joins::decide(&mut lowered);
    Some(estimate(&lowered, density, &HashMap::new()).total)
}
