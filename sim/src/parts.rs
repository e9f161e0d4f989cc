//! Parts of tensors: slices for lanes, and results that several copies of the graph have written, as one tensor.

use crate::tensor::Coo;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::graph::{Chunk, Slice};
use samhw_compiler::lower::Lowered;

/// Run-time sizes of all variables, those of slices included, from `dims` of the kernel's.
pub fn dimensions(lowered: &Lowered, mut dims: Vec<u64>) -> Vec<u64> {
    // Variables of slices come last, in the order of the slices.
    dims.truncate(lowered.kernel.vars.len() - lowered.slices.len());
    for slice in &lowered.slices {
        dims.push(slice.size(dims[slice.of.0]));
    }
    dims
}

/// The entries of `whole` that are in `slice`, at its coordinates.
pub fn sliced(whole: &Coo, slice: &Slice) -> Coo {
    let mut shape = whole.shape().to_vec();
    shape[slice.mode] = slice.size(shape[slice.mode]);
    moved(whole, shape, |coord| {
        let mine = coord[slice.mode] % slice.lanes == slice.lane;
        coord[slice.mode] /= slice.lanes;
        mine
    })
}

/// The entries of `whole` that are in the run `chunk`, in storage order.
pub fn run(whole: &Coo, mode_order: &[usize], chunk: &Chunk) -> Result<Coo, Diagnostic> {
    let wrong = || Diagnostic::new("R011", format!("{mode_order:?} is no storage order"));
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

/// The entries of a slice at their coordinates in the whole.
pub fn spread(part: &Coo, slice: &Slice, dims: &[u64]) -> Coo {
    let mut shape = part.shape().to_vec();
    shape[slice.mode] = dims[slice.of.0];
    moved(part, shape, |coord| {
        coord[slice.mode] = coord[slice.mode] * slice.lanes + slice.lane;
        true
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

/// Adds `part` to what is there of the result called `name`.
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
