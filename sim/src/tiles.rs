//! Data of split tensors: what the host does where the schedule splits an index.

use crate::tensor::{Coo, pack, unpack};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::passes::split::{Part, Split};
use samhw_compiler::stmt::{Kernel, Tensor, TensorId};
use std::collections::BTreeMap;

/// `data` with the split tensors' added. Each holds what its original's format stores.
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
        let Some(coo) = data.get(&part.of) else { continue };
        let tensor = original.tensor(part.of);
        let full = complete(tensor, coo, tensor.fill.unwrap_or(0))?;
        out.insert(t, inside(part, &full));
    }
    Ok(out)
}

/// A tensor's entries with those that its format stores besides.
fn complete(tensor: &Tensor, coo: &Coo, fill: u64) -> Result<Coo, Diagnostic> {
    unpack(&pack(coo, &tensor.levels, &tensor.mode_order, fill)?, &tensor.mode_order)
}

fn moved(shape: Vec<u64>, coo: &Coo, to: impl Fn(&[u64]) -> Vec<u64>) -> Coo {
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (coord, value) in coo.iter() {
        let coord = to(&coord);
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
fn inside(part: &Part, coo: &Coo) -> Coo {
    let pair = |(&n, tile): (&u64, &Option<u64>)| tile.map_or(vec![n], |size| vec![n.div_ceil(size), size]);
    let shape = coo.shape().iter().zip(&part.tiles).flat_map(pair).collect();
    moved(shape, coo, |c| part.inside(c))
}

/// A result from the split tensor's entries, with all that the original's format stores. `shape`: its size.
///
/// # Errors
///
/// What packing refuses.
pub fn joined(part: &Part, tensor: &Tensor, shape: Vec<u64>, coo: &Coo, fill: u64) -> Result<Coo, Diagnostic> {
    complete(tensor, &moved(shape, coo, |c| part.outside(c)), fill)
}
