//! Memory needed by a run, computed from the number of entries in advance, so that runs that do not fit are refused
//! with a remedy. `docs/data-files.md` states the numbers.

use crate::reference::{MOST_STORED, too_many};
use crate::tensor::{Coo, MAX_POSITIONS, codes};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::stmt::{Kernel, TensorId};
use samhw_system::memory;
use std::collections::BTreeMap;

/// Bytes below which nobody is asked.
const SMALL: u64 = 1 << 25;

/// Bytes that an entry of a tensor of this order takes while it is read, sorting included.
pub(crate) fn reading(order: usize) -> u64 {
    72 + 24 * order as u64
}

/// Bytes that a stored entry of an operand, or of a result, takes in a run: as data, packed, in the
/// reference, in the engine and in the comparison.
pub(crate) fn running(order: usize, bounded: bool) -> u64 {
    let value = if bounded { 320 } else { 96 };
    value + 32 * order as u64
}

/// An error unless memory for `entries` of `bytes` each is left.
pub(crate) fn fits(what: impl FnOnce() -> String, entries: u64, bytes: u64) -> Result<(), Diagnostic> {
    needs(u128::from(entries) * u128::from(bytes), || format!("{}: {entries} entries of {bytes} bytes", what()))
}

/// Returns the number of entries of `bytes` each that memory is left for, at most `most`.
pub(crate) fn room(most: usize, bytes: u64) -> usize {
    let held = memory::available().map_or(u64::MAX, |left| left.max(SMALL) / bytes);
    most.min(usize::try_from(held).unwrap_or(usize::MAX))
}

/// Estimates the memory of a run before it begins: its operands, and results of which the format stores every
/// coordinate.
pub(crate) fn run(
    kernel: &Kernel,
    dims: &[u64],
    data: &BTreeMap<TensorId, Coo>,
    bounded: bool,
) -> Result<(), Diagnostic> {
    let dense = |t: TensorId| {
        let levels = &kernel.tensor(t).levels;
        levels.iter().take_while(|l| l.is_dense()).count()
    };
    let mut needed = 0u128;
    let mut largest = (0, String::new());
    let mut add = |t: TensorId, entries: u64, order: usize, bounded: bool| {
        let bytes = u128::from(entries) * u128::from(running(order, bounded));
        needed += bytes;
        if bytes > largest.0 {
            largest = (bytes, format!("{} with {entries} entries", kernel.tensor(t).name));
        }
    };
    let product = |sizes: &mut dyn Iterator<Item = u64>| sizes.fold(1u64, u64::saturating_mul);
    for (&t, coo) in data {
        let order = &kernel.tensor(t).mode_order;
        let held = product(&mut order.iter().take(dense(t)).map(|&m| coo.shape()[m])).max(coo.len() as u64);
        // Where there are more, packing has its own words for it.
        if held <= MAX_POSITIONS {
            add(t, held, coo.order(), false);
        }
    }
    for s in kernel.statements.iter().filter(|s| dense(s.result) == s.indices.len()) {
        let held = product(&mut s.indices.iter().map(|v| dims[v.0]));
        if held > MOST_STORED as u64 {
            return Err(too_many(&format!("tensor {}", kernel.tensor(s.result).name), MOST_STORED));
        }
        add(s.result, held, s.indices.len(), bounded);
    }
    needs(needed, || format!("this run, most of all {}", largest.1))
}

/// The netlist, unless its arrays and workspaces are larger than memory: all of what is declared or needed
/// is allocated, and arrays with a word for every few coordinates are used as a whole, however few entries
/// there are. Those `on_a_bus` are copied into the memory behind it.
pub(crate) fn held(net: &Netlist, on_a_bus: bool) -> Result<&Netlist, Diagnostic> {
    let bytes = |words: u64| u128::from(words) * size_of::<u64>() as u128;
    let workspaces = net.cells.iter().map(|c| (bytes(c.primitive.workspace()), c)).filter(|(bytes, _)| *bytes > 0);
    let spread: u128 = workspaces.clone().map(|(bytes, _)| bytes).sum();
    let named = net.arrays.iter().map(|a| (bytes(a.words), format!("array {}", a.name)));
    let named = named.chain(workspaces.map(|(bytes, c)| (bytes, format!("the workspace of {}", c.name))));
    let (widest, name) = named.max_by_key(|(bytes, _)| *bytes).unwrap_or_default();
    let what = || format!("this run, most of all {name}");
    let [full, other] = [true, false].map(|full| {
        let arrays = net.arrays.iter().filter(|a| a.part.spans_coordinates() == full);
        arrays.map(|a| bytes(a.words)).sum::<u128>()
    });
    // In the hardware; as packed; on a bus also as the host lays them out, and as they are read back. Of most
    // of these copies as much is used as there are entries.
    let [allocated, of_full, of_other] = if on_a_bus { [3, 4, 1] } else { [1, 2, 0] };
    // Workspaces are spread over their coordinates, and as much is used as has values.
    enough(allocated * (full + other) + spread, memory::allocatable, what)?;
    enough(widest, memory::whole, what)?;
    enough(of_full * full + of_other * other, memory::available, what)?;
    Ok(net)
}

fn needs(bytes: u128, what: impl FnOnce() -> String) -> Result<(), Diagnostic> {
    enough(bytes, memory::available, what)
}

fn enough(bytes: u128, left: fn() -> Option<u64>, what: impl FnOnce() -> String) -> Result<(), Diagnostic> {
    let left = Some(left).filter(|_| bytes > SMALL.into()).and_then(|left| left());
    match left.filter(|&left| bytes > left.into()) {
        None => Ok(()),
        Some(left) => {
            let gigabytes = |bytes: u128| format!("{:.2} GB", bytes as f64 / 1e9);
            let (needed, left) = (gigabytes(bytes), gigabytes(left.into()));
            let message = format!("there is not enough memory for {}: it needs {needed}, and {left} are free", what());
            Err(Diagnostic::new(codes::MEMORY, message)
                .help("choose smaller sizes, or store less: compressed levels, reductions over what is stored")
                .help("or give it more memory: `ulimit -v`, the limit of the container, a larger machine"))
        }
    }
}
