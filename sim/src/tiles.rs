//! Data of split tensors, which the host prepares where the schedule splits an index.

use crate::reference::{self, Output};
use crate::tensor::{Coo, pack, unpack};
use crate::views;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::passes::split::{Split, SplitPart, split_size};
use samhw_compiler::stmt::{Kernel, Tensor, TensorId};
use std::collections::BTreeMap;

/// A problem before its indices were split. The hardware's kernel has further tensors; of the others and of indices the
/// numbers are the same.
#[derive(Debug, Clone)]
pub struct Tiles {
    /// The result of splitting the kernel.
    pub split: Split,
    /// The original kernel.
    pub original: Kernel,
    /// Sizes of the original indices.
    pub dims: Vec<u64>,
    /// Expected results of the original kernel.
    pub reference: BTreeMap<TensorId, Output>,
}

/// The original problem if an index is split, with sizes and operands for the hardware.
pub type Inside = (Option<Tiles>, Vec<u64>, BTreeMap<TensorId, Coo>);

/// Converts sizes and operands for the hardware where indices are split, and returns the original problem too.
///
/// # Errors
///
/// What packing and the reference executor refuse.
pub fn split_data(
    kernel: &Kernel,
    split: Split,
    dims: Vec<u64>,
    data: BTreeMap<TensorId, Coo>,
) -> Result<Inside, Diagnostic> {
    if split.indices.is_empty() {
        return Ok((None, dims, data));
    }
    let (reference, _) = reference::execute_rounds(kernel, &dims, &data, None, &mut |_| Ok(()))?;
    let inside = (split.dims(&dims), tiled(&split, kernel, &data)?);
    let tiles = Tiles { split, original: kernel.clone(), dims, reference };
    Ok((Some(tiles), inside.0, inside.1))
}

/// Returns `data` with the split tensors added. Each holds what its original's format stores.
///
/// # Errors
///
/// What packing refuses.
pub fn tiled(
    split: &Split,
    original: &Kernel,
    data: &BTreeMap<TensorId, Coo>,
) -> Result<BTreeMap<TensorId, Coo>, Diagnostic> {
    let mut out = data.clone();
    for (&t, part) in &split.parts {
        let base = original.base(part.of);
        let Some(coo) = data.get(&base) else { continue };
        let tensor = original.tensor(base);
        let full = complete(tensor, coo, tensor.fill.unwrap_or(0))?;
        let seen = original.tensor(part.of).view.as_ref().map(|view| views::seen(view, &full));
        out.insert(t, inside(part, seen.as_ref().unwrap_or(&full)));
    }
    Ok(out)
}

/// A tensor's entries with those that its format stores besides.
pub(crate) fn complete(tensor: &Tensor, coo: &Coo, fill: u64) -> Result<Coo, Diagnostic> {
    unpack(&pack(coo, &tensor.levels, &tensor.mode_order, fill)?, &tensor.mode_order)
}

/// The entries that are `kept` at other coordinates.
fn moved(shape: Vec<u64>, coo: &Coo, to: impl Fn(&[u64]) -> Vec<u64>, kept: impl Fn(u64) -> bool) -> Coo {
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in coo.iter().filter(|(_, value)| kept(*value)) {
        let coord = to(coord);
        // Beyond the original's size lie fills of the last tile.
        if coord.iter().zip(&shape).all(|(c, size)| c < size) {
            coords.extend(coord);
            values.push(value);
        }
    }
    let empty = Coo::empty(shape.clone());
    Coo::new(shape, coords, values).unwrap_or(empty)
}

/// The entries of an original, as the split tensor has them.
fn inside(part: &SplitPart, coo: &Coo) -> Coo {
    let shape = coo.shape().iter().zip(&part.tiles).flat_map(|(&n, tiles)| split_size(n, tiles)).collect();
    moved(shape, coo, |c| part.inside(c), |_| true)
}

/// Converts the entries of a split tensor to the original result, with all entries that its format stores. `shape`: its
/// size.
///
/// # Errors
///
/// What packing refuses.
pub fn joined(part: &SplitPart, tensor: &Tensor, shape: Vec<u64>, coo: &Coo, fill: u64) -> Result<Coo, Diagnostic> {
    // Of a list that is there for values beyond the original's size alone, a pruned result stores nothing.
    let kept = |value| !tensor.prune || !tensor.ty.same(value, fill);
    complete(tensor, &moved(shape, coo, |c| part.outside(c), kept), fill)
}
