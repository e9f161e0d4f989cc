//! Uniformly random tensors. Cost follows the number of entries, not the size: the gaps between
//! entries in row-major order are drawn, they are geometrically distributed.

use samhw_compiler::diag::Diagnostic;

use super::gaps::Gaps;
use super::{Places, affordable, wrong};
use samhw_values::Rng;

/// Every coordinate with probability `density`.
pub(super) fn uniform(shape: &[u64], density: f64, rng: &mut Rng) -> Result<Places, Diagnostic> {
    let mut places = Places::default();
    each(shape, density, rng, 1.0, |coord| places.push(coord))?;
    Ok(places)
}

/// Every tile of side `size` with probability `density`, full.
pub(super) fn blocks(shape: &[u64], size: u64, density: f64, rng: &mut Rng) -> Result<Places, Diagnostic> {
    if size == 0 {
        return Err(wrong("blocks of size 0 are empty").help("choose a size of at least 1"));
    }
    let tiles: Vec<u64> = shape.iter().map(|dim| dim.div_ceil(size)).collect();
    let volume = shape.iter().map(|&dim| size.min(dim) as f64).product();
    let mut places = Places::default();
    each(&tiles, density, rng, volume, |tile| {
        let begin: Vec<u64> = tile.iter().map(|t| t * size).collect();
        let end: Vec<u64> = begin.iter().zip(shape).map(|(b, &dim)| b.saturating_add(size).min(dim)).collect();
        let mut coord = begin.clone();
        loop {
            places.push(&coord);
            let Some(m) = (0..coord.len()).rev().find(|&m| coord[m] + 1 < end[m]) else { return };
            coord[m] += 1;
            coord[m + 1..].copy_from_slice(&begin[m + 1..]);
        }
    })?;
    Ok(places)
}

/// Visits each coordinate of `shape` with probability `p`; a visit makes up to `cost` entries.
fn each(shape: &[u64], p: f64, rng: &mut Rng, cost: f64, mut visit: impl FnMut(&[u64])) -> Result<(), Diagnostic> {
    let all = shape
        .iter()
        .try_fold(1u128, |n, &size| n.checked_mul(size.into()))
        .ok_or_else(|| wrong("the tensor has more than 2^128 coordinates").help("choose smaller sizes in `[dims]`"))?;
    affordable(all as f64 * p * cost, shape.len())?;
    let gaps = Gaps::new(p);
    let mut coord = vec![0; shape.len()];
    let mut position = gaps.draw(rng);
    while position < all {
        let mut rest = position;
        for (c, &size) in coord.iter_mut().zip(shape).rev() {
            *c = (rest % u128::from(size)) as u64;
            rest /= u128::from(size);
        }
        visit(&coord);
        position = position.saturating_add(1).saturating_add(gaps.draw(rng));
    }
    Ok(())
}
