//! Random data for kernels that are drawn.

use samhw_compiler::stmt::{Kernel, TensorId};
use samhw_sim::tensor::Coo;
use samhw_values::Rng;
use std::collections::BTreeMap;

/// Data of every operand, scattered or in runs; `density`: percent of the entries that are stored.
pub fn random_data(
    kernel: &Kernel,
    dims: &[u64],
    density: impl Fn(&mut Rng) -> u64,
    rng: &mut Rng,
) -> BTreeMap<TensorId, Coo> {
    let mut data = BTreeMap::new();
    let written = |t: TensorId| kernel.statements.iter().any(|s| s.result == t);
    let accesses = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value));
    for (t, indices) in accesses.filter(|(t, _)| !written(*t)) {
        let shape: Vec<u64> = indices.iter().map(|v| dims[v.0]).collect();
        let (run, density) = (rng.pick(&[1, 1, 7, 30]), density(rng));
        let (mut coords, mut values, mut there) = (Vec::new(), Vec::new(), false);
        for n in 0..shape.iter().product::<u64>() {
            if n % run == 0 {
                there = rng.chance(density);
            }
            if there {
                let mut rest = n;
                let mut coord: Vec<u64> = shape.iter().rev().map(|d| (rest % d, rest /= d).0).collect();
                coord.reverse();
                coords.extend(coord);
                values.push(1 + rng.below(9));
            }
        }
        data.insert(t, Coo::new(shape, coords, values).expect("coordinates inside"));
    }
    data
}
