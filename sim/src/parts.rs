//! Parts of tensors: slices for lanes, and the merging of results that several copies of the graph wrote.

use crate::tensor::Coo;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::graph::{Chunk, Slice};
use samhw_compiler::levels::LevelKind;
use samhw_compiler::lower::Lowered;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the run-time sizes of all variables, including those that lowering added and those of slices,
/// from `dims` of the kernel's.
pub fn dimensions(lowered: &Lowered, mut dims: Vec<u64>) -> Vec<u64> {
    // Variables of slices come last, in the order of the slices; even slices share one.
    let mut slices = lowered.slices.clone();
    slices.dedup_by_key(|slice| slice.var);
    dims.truncate(lowered.kernel.vars.len() - slices.len() - lowered.again.len());
    for (v, of) in &lowered.again {
        dims.push(of.map_or(lowered.kernel.var(*v).max, |of| dims[of.0]));
    }
    for slice in slices {
        dims.push(slice.size(dims[slice.of.0]));
    }
    dims
}

/// Returns the entries of `whole` in `slice`, at the slice's coordinates.
pub fn sliced(whole: &Coo, slice: &Slice) -> Coo {
    let mut shape = whole.shape().to_vec();
    shape[slice.mode] = slice.size(shape[slice.mode]);
    moved(whole, shape, |coord| {
        let mine = coord[slice.mode] % slice.lanes == slice.lane;
        coord[slice.mode] /= slice.lanes;
        mine
    })
}

/// Returns the entries of `whole` in the run `chunk`, in storage order.
pub fn run(whole: &Coo, mode_order: &[usize], chunk: &Chunk) -> Result<Coo, Diagnostic> {
    let wrong = || Diagnostic::new("R011", format!("{mode_order:?} is not a storage order"));
    let stored = whole.permuted(mode_order).ok_or_else(wrong)?;
    let range = chunk.range(stored.len() as u64);
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in (range.start as usize..range.end as usize).map(|n| (stored.coord(n), stored.values()[n])) {
        let mut back = vec![0; coord.len()];
        mode_order.iter().zip(coord).for_each(|(&m, &c)| back[m] = c);
        coords.extend(back);
        values.push(value);
    }
    Coo::new(whole.shape().to_vec(), coords, values).map_err(|_| wrong())
}

/// Moves the entries of a slice to their coordinates in the whole tensor.
pub fn spread(part: &Coo, slice: &Slice, dims: &[u64]) -> Coo {
    let (mut shape, size) = (part.shape().to_vec(), dims[slice.of.0]);
    shape[slice.mode] = size;
    moved(part, shape, |coord| {
        coord[slice.mode] = coord[slice.mode] * slice.lanes + slice.lane;
        coord[slice.mode] < size
    })
}

/// The entries that `change` keeps, at the coordinates it gives them.
fn moved(from: &Coo, shape: Vec<u64>, change: impl Fn(&mut [u64]) -> bool) -> Coo {
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in from.iter() {
        let mut coord = coord.to_vec();
        if change(&mut coord) {
            coords.extend(coord);
            values.push(value);
        }
    }
    let empty = Coo::empty(shape.clone());
    Coo::new(shape, coords, values).unwrap_or(empty)
}

/// Adds `part` to the entries that exist of the result called `name`.
pub fn joined(there: Option<Coo>, part: Coo, name: &str) -> Result<Coo, Diagnostic> {
    let Some(there) = there else { return Ok(part) };
    let shape = there.shape().to_vec();
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in there.iter().chain(part.iter()) {
        coords.extend_from_slice(coord);
        values.push(value);
    }
    Coo::new(shape, coords, values).map_err(|clash| {
        Diagnostic::new("R011", format!("two copies of the graph wrote the same entry of {name}: {clash:?}"))
            .help("this is a fault of samhw, not of your kernel: please report it with the kernel file and its data")
    })
}

/// Completes a result of several lanes with all coordinates that its format stores: a lane without entries of a fiber
/// omits coordinates of dense levels, and lanes over runs always do. They hold the fill.
pub fn completed(there: &Coo, levels: &[LevelKind], mode_order: &[usize], fill: u64) -> Result<Coo, Diagnostic> {
    let dense = levels.iter().rev().take_while(|l| l.is_dense()).count();
    let (above, below) = mode_order.split_at(levels.len() - dense);
    let mut entries: BTreeMap<Vec<u64>, u64> = there.iter().map(|(coord, value)| (coord.to_vec(), value)).collect();
    let mut fibers: BTreeSet<Vec<u64>> = entries.keys().map(|c| above.iter().map(|&m| c[m]).collect()).collect();
    if above.is_empty() {
        fibers.insert(vec![]);
    }
    for fiber in fibers {
        let mut coord = vec![0; levels.len()];
        above.iter().zip(&fiber).for_each(|(&m, &c)| coord[m] = c);
        let size: u64 = below.iter().map(|&m| there.shape()[m]).product();
        for n in 0..size {
            below.iter().rev().fold(n, |n, &m| {
                coord[m] = n % there.shape()[m];
                n / there.shape()[m]
            });
            entries.entry(coord.clone()).or_insert(fill);
        }
    }
    let (coords, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
    Coo::new(there.shape().to_vec(), coords.concat(), values)
        .map_err(|clash| Diagnostic::new("R011", format!("a result with dense levels is not one tensor: {clash:?}")))
}
