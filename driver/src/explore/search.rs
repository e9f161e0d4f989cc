//! The search: it changes one choice of each variant on the Pareto front until no new variant appears or the limit is
//! reached.

use super::measure::{Bench, Goal, Outcome, Point};
use super::variant::Variant;
use super::{Axis, space};
use crate::LIMIT;
use samhw_compiler::diag::Diagnostics;
use samhw_compiler::frontend::KernelFile;
use samhw_sim::native::Watched;
use samhw_system::stack;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A variant may take this many times the kernel file's cycles.
const PATIENCE: u64 = 16;

/// The result of a search.
pub struct Found {
    /// Measured variants; the first is the kernel file as written.
    pub all: Vec<(Variant, Point)>,
    /// Indices of the variants on the Pareto front, the fastest first.
    pub front: Vec<usize>,
    /// Number of refused variants, by the code of the first error.
    pub refused: BTreeMap<&'static str, usize>,
    /// Number of variants that exceeded the limit of cycles.
    pub slow: usize,
    /// Whether the search ended at the limit of variants.
    pub cut: bool,
    /// Whether any variant fits the device.
    pub fits: bool,
}

impl Found {
    /// Returns the number of variants that were tried.
    pub fn tried(&self) -> usize {
        self.all.len() + self.slow + self.refused.values().sum::<usize>()
    }

    /// Of equal ones that with the fewest choices is on the front. What does not fit the device is
    /// not, unless nothing does.
    fn judge(&mut self, goal: Goal) {
        let all = &self.all;
        self.fits = all.iter().any(|(_, point)| goal.fits(point));
        let room = |n: usize| !self.fits || goal.fits(&all[n].1);
        let better = |a: usize, b: usize| {
            let same = all[b].1.covers(&all[a].1);
            all[a].1.covers(&all[b].1) && (!same || (all[a].0.0.len(), a) < (all[b].0.0.len(), b))
        };
        self.front = (0..all.len()).filter(|&n| room(n) && !(0..all.len()).any(|m| m != n && better(m, n))).collect();
        self.front.sort_by(|&a, &b| all[a].1.worth.time.total_cmp(&all[b].1.worth.time));
    }
}

/// Searches from the kernel file as written and measures `most` variants.
pub fn search(
    bench: &Bench<'_>,
    file: &KernelFile,
    axes: &[Axis],
    most: usize,
    watched: &Watched,
) -> Result<Found, Diagnostics> {
    let text = &file.source.text;
    let first = bench.point(text.clone(), LIMIT)?;
    let limit = first.cycles.saturating_mul(PATIENCE).max(10_000);
    let own = first.order.clone();
    let mut found = Found {
        all: vec![(Variant::default(), first)],
        front: vec![0],
        refused: BTreeMap::new(),
        slow: 0,
        cut: false,
        fits: true,
    };
    let mut seen = BTreeSet::from([Variant::default()]);
    let mut looked_at = BTreeSet::new();
    // The fastest and the smallest in turn.
    for turn in 0.. {
        found.judge(bench.goal);
        let mut fresh = found.front.iter().copied().filter(|n| !looked_at.contains(n));
        let next = if turn % 2 == 0 { fresh.next() } else { fresh.next_back() };
        let Some(next) = next else { break };
        looked_at.insert(next);
        let (variant, point) = &found.all[next];
        let order = if point.order.is_empty() { &own } else { &point.order };
        let mut new = space::neighbours(file, variant, order, axes);
        new.retain(|v| seen.insert(v.clone()));
        for (variant, outcome) in new.iter().zip(measured(bench, text, &new, limit, watched)?) {
            match outcome {
                Outcome::Works(point) => found.all.push((variant.clone(), *point)),
                Outcome::Refused(code) => *found.refused.entry(code).or_default() += 1,
                Outcome::Slow => found.slow += 1,
            }
        }
        if found.all.len() >= most || watched.cancelled.load(Ordering::Relaxed) {
            found.cut = true;
            break;
        }
    }
    found.judge(bench.goal);
    Ok(found)
}

/// Every variant measured, on all cores.
fn measured(
    bench: &Bench<'_>,
    text: &str,
    variants: &[Variant],
    limit: u64,
    watched: &Watched,
) -> Result<Vec<Outcome>, Diagnostics> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<Outcome, Diagnostics>>> = Mutex::default();
    let work = || {
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(variant) = variants.get(n).filter(|_| !watched.cancelled.load(Ordering::Relaxed)) else { break };
            let outcome = match variant.apply(text, None) {
                Ok(text) => bench.measure(text, limit),
                Err(d) => Err(d.into()),
            };
            watched.cycles.fetch_add(1, Ordering::Relaxed);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(n, outcome);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(variants.len());
    stack::all(workers.saturating_sub(1), work);
    done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_values().collect()
}
