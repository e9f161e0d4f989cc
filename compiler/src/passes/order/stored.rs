//! Mode orders of results without a table: the order with the fewest expected cycles. What reads them on the chip goes
//! through them as they lie.

use super::OrderBounds;
use super::search::{Effort, cheapest};
use crate::facts::Density;
use crate::stmt::{Expr, Kernel, TensorId};

/// Part of the cycles that another order of modes must leave at most: it changes who can follow
/// whom.
const LESS: f64 = 0.9;
/// Most modes of a result of which every order is tried.
const MODES: usize = 3;
/// Most results that are tried.
const RESULTS: usize = 8;

/// A result that is stored otherwise than in the order of its indices.
pub(super) struct Stored {
    /// The result.
    pub tensor: TensorId,
    /// The mode of each level.
    pub mode_order: Vec<usize>,
    /// A sentence for `samhw graph`.
    pub reason: String,
}

/// Orders of modes that are worth it.
pub(super) fn chosen(kernel: &Kernel, density: &Density) -> Vec<Stored> {
    let free: Vec<TensorId> = free(kernel).into_iter().take(RESULTS).collect();
    if free.is_empty() || kernel.order.is_some() {
        return Vec::new();
    }
    let mut kernel = kernel.clone();
    let Some(mut least) = cycles(&kernel, density) else { return Vec::new() };
    let mut out = Vec::new();
    for t in free {
        let plain = kernel.tensor(t).mode_order.clone();
        let mut best = plain.clone();
        for other in orders(plain.len()).into_iter().filter(|other| *other != plain) {
            kernel.tensors[t.0].mode_order.clone_from(&other);
            if let Some(found) = cycles(&kernel, density).filter(|found| *found < LESS * least) {
                (least, best) = (found, other);
            }
        }
        kernel.tensors[t.0].mode_order.clone_from(&best);
        if best != plain {
            let name = &kernel.tensor(t).name;
            let modes: Vec<String> = best.iter().map(usize::to_string).collect();
            let reason = format!(
                "{name} is stored with its modes in the order {}: no table says how, and its readers take fewer cycles",
                modes.join(", ")
            );
            out.push(Stored { tensor: t, mode_order: best, reason });
        }
    }
    out
}

/// Results of several modes of which no table says how they are stored, and that only statements
/// read, all of them by indices.
fn free(kernel: &Kernel) -> Vec<TensorId> {
    let carried = kernel.repeat.iter().flat_map(|r| &r.carry).flat_map(|(a, b)| [*a, *b]);
    let carried: Vec<TensorId> = carried.collect();
    let seen = |t: TensorId| (0..kernel.tensors.len()).map(TensorId).any(|view| view != t && kernel.base(view) == t);
    let computed = |t: TensorId| kernel.exprs.iter().any(|e| matches!(e, Expr::Read { tensor, .. } if *tensor == t));
    let order = |t: TensorId| kernel.tensor(t).mode_order.len();
    let fits = |&(n, t): &(usize, TensorId)| {
        let plain = !carried.contains(&t) && !seen(t) && !computed(t) && kernel.read_again(n);
        (2..=MODES).contains(&order(t)) && kernel.undeclared.contains(&t) && plain
    };
    kernel.statements.iter().map(|s| s.result).enumerate().filter(fits).map(|(_, t)| t).collect()
}

/// Cycles that all statements are expected to take, in the orders that are the cheapest.
fn cycles(kernel: &Kernel, density: &Density) -> Option<f64> {
    let bounds = OrderBounds::of(kernel).ok()?;
    Some(cheapest(kernel, density, bounds.legal(), Effort::All).cycles).filter(|all| all.is_finite())
}

/// All orders of this number of modes.
fn orders(modes: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..modes {
        let longer = |head: &Vec<usize>| {
            let rest: Vec<usize> = (0..modes).filter(|m| !head.contains(m)).collect();
            rest.into_iter().map(|m| [head.as_slice(), &[m]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
