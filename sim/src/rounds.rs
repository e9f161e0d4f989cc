//! Programs with rounds: the reference of a run, the capacity that all rounds need, and the hardware's number of
//! rounds.

use crate::problem::{Packed, measured, pack_operands};
use crate::reference::{self, EachRound, Output, Rounds};
use crate::run::Problem;
use crate::tensor::Coo;
use crate::tiles::Tiles;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::{Netlist, Sizes};
use samhw_compiler::stmt::TensorId;
use samhw_streams::Tells;
use samhw_system::stack;
use std::collections::BTreeMap;

/// The expected results of a run.
pub struct Referenced {
    /// The expected result of every statement in the last round.
    pub results: BTreeMap<TensorId, Output>,
    /// Expected number of rounds; `None` if the kernel runs once.
    pub rounds: Option<Rounds>,
    /// Capacity that rounds before the last one need.
    pub most: Sizes,
}

/// Runs the reference executor.
///
/// # Errors
///
/// As [`reference::execute`].
pub fn referenced(
    lowered: &Lowered,
    packed: &Packed,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
) -> Result<Referenced, Diagnostic> {
    let mut most = Sizes::default();
    let mut each = |results: &BTreeMap<TensorId, Output>| {
        let stored = results.iter().map(|(t, o)| (*t, o.stored.clone())).collect();
        most = measured(lowered, packed, &stored)?.most(&most);
        Ok(())
    };
    let mut nothing = |_: &BTreeMap<TensorId, Output>| Ok(());
    let each: &mut EachRound<'_> = if lowered.kernel.repeat.is_some() { &mut each } else { &mut nothing };
    let (results, rounds) = reference::execute_rounds(&lowered.kernel, dims, data, None, each)?;
    Ok(Referenced { results, rounds, most })
}

/// Packs the operands and computes the expected results, concurrently if they are independent.
///
/// # Errors
///
/// As [`pack_operands`] and [`reference::execute`].
pub fn prepared(
    lowered: &Lowered,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
) -> Result<(Packed, Referenced), Diagnostic> {
    if lowered.kernel.repeat.is_some() {
        let packed = pack_operands(lowered, dims, data)?;
        let referenced = referenced(lowered, &packed, dims, data)?;
        return Ok((packed, referenced));
    }
    let packing = || pack_operands(lowered, dims, data);
    let (packed, results) = stack::both(packing, || reference::execute(&lowered.kernel, dims, data, None));
    Ok((packed?, Referenced { results: results?, rounds: None, most: Sizes::default() }))
}

/// Returns the rounds of a run; `status` returns the value of the netlist's k-th status output.
pub fn rounds(net: &Netlist, mut status: impl FnMut(usize) -> u64) -> Option<Rounds> {
    let mut of = |what| net.statuses.iter().position(|s| s.tells == what).map(&mut status);
    Some(Rounds { count: of(Tells::Rounds)?, open: of(Tells::Unfinished)? != 0 })
}

impl Problem {
    /// Repeats the reference with the hardware's number of rounds, if rounding of sums can affect that number. Returns
    /// what is wrong with the number otherwise.
    ///
    /// # Errors
    ///
    /// As [`reference::execute`].
    pub fn follow(&mut self, found: Option<Rounds>) -> Result<Option<String>, Diagnostic> {
        let (Some(found), Some(wanted)) = (found, self.rounds) else { return Ok(None) };
        if found == wanted {
            return Ok(None);
        }
        let kernel = &self.lowered.kernel;
        if !reference::bounded(kernel) || found.count == 0 {
            return Ok(Some(format!("{} rounds for {}", found.count, wanted.count)));
        }
        let mut each = |_: &BTreeMap<TensorId, Output>| Ok(());
        let (results, rounds) =
            reference::execute_rounds(kernel, &self.dims, &self.data, Some(found.count), &mut each)?;
        (self.reference, self.rounds) = (results, rounds);
        if let Some(tiles) = &mut self.tiles {
            let Tiles { original, dims, .. } = tiles;
            let whole = reference::execute_rounds(original, dims, &self.data, Some(found.count), &mut each)?;
            tiles.reference = whole.0;
        }
        Ok(None)
    }
}
