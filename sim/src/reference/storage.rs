//! The coordinates that a format stores: innermost dense levels store every coordinate below each stored coordinate
//! above them.

use samhw_compiler::stmt::Tensor;

/// Determines for every mode whether the format stores all its coordinates: the modes of the dense levels
/// below the last one that is not dense.
pub(super) fn filled_modes(tensor: &Tensor) -> Vec<bool> {
    let mut filled = vec![false; tensor.shape.len()];
    for (level, &mode) in tensor.levels.iter().zip(&tensor.mode_order).rev() {
        if !level.is_dense() {
            break;
        }
        filled[mode] = true;
    }
    filled
}

/// Returns whether the format stores every coordinate.
pub(super) fn is_dense(tensor: &Tensor) -> bool {
    tensor.levels.iter().all(|l| l.is_dense())
}

/// Calls `visit` for every coordinate that agrees with `coord` outside the `filled` modes.
pub(super) fn each_filled(filled: &[bool], shape: &[u64], coord: &mut [u64], visit: &mut dyn FnMut(&[u64])) {
    let Some(mode) = filled.iter().position(|&f| f) else { return visit(coord) };
    let before = coord[mode];
    let rest: Vec<bool> = filled.iter().enumerate().map(|(m, &f)| f && m != mode).collect();
    for c in 0..shape[mode] {
        coord[mode] = c;
        each_filled(&rest, shape, coord, visit);
    }
    coord[mode] = before;
}
