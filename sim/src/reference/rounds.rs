//! Programs with rounds, where a round reads results of the previous one.

use super::operand::Held;
use super::plan::Fill;
use super::{Output, storage};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::repeat::Repeat;
use samhw_compiler::stmt::{Kernel, TensorId};
use std::collections::BTreeMap;

/// The number of rounds, and how they ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rounds {
    /// Number of rounds.
    pub count: u64,
    /// Whether the scalar that requests another round was not 0 in the last one.
    pub open: bool,
}

/// A callback for the results of every round.
pub type EachRound<'a> = dyn FnMut(&BTreeMap<TensorId, Output>) -> Result<(), Diagnostic> + 'a;

/// Whether `results` ask for a round after `count`, of which there are `wanted` if that is known.
pub(super) fn after(
    kernel: &Kernel,
    repeat: &Repeat,
    results: &BTreeMap<TensorId, Output>,
    count: u64,
    wanted: Option<u64>,
) -> (bool, Rounds) {
    let ty = kernel.tensor(repeat.condition).ty;
    let zero = |o: &Output| ty.is_zero(o.stored.values().first().copied().unwrap_or(o.fill));
    let more = results.get(&repeat.condition).is_some_and(|o| !zero(o));
    let again = wanted.map_or(more && count < u64::from(repeat.at_most), |wanted| count < wanted);
    (again, Rounds { count, open: more })
}

/// Gives the operands that are carried what the round has left.
pub(super) fn carry(kernel: &Kernel, repeat: &Repeat, held: &mut BTreeMap<TensorId, Held>) {
    let next = repeat.carry.iter().filter_map(|(operand, result)| {
        let (tensor, written) = (kernel.tensor(*operand), held.get(result)?);
        let fill = Fill::of(tensor.fill.unwrap_or(0), storage::is_dense(tensor));
        Some((*operand, Held { stored: written.stored.clone(), bounds: written.bounds.clone(), fill }))
    });
    let next: Vec<(TensorId, Held)> = next.collect();
    held.extend(next);
}
