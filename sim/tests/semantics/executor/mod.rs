//! The executor against the dense evaluator, on random kernels and on known traps.

mod build;
mod scale;
mod traps;

use samhw_compiler::stmt::{Statement, TensorId, VarId};
use samhw_sim::reference::{Near, TOO_LARGE, execute, execute_within};
use samhw_sim::tensor::Coo;
use samhw_testing::dense::{Point, dense};
use samhw_testing::drawn::drawn;
use samhw_testing::kernels::{Case, Limits, generate, shrink};
use samhw_values::Rng;
use std::collections::BTreeMap;

/// Where the executor in this order (or its own) differs from the dense evaluator.
fn difference(case: &Case, order: Option<&[VarId]>) -> Option<String> {
    let statement = case.statement();
    let got = match execute(&case.kernel, &case.dims, &case.data, order) {
        Ok(mut results) => results.remove(&statement.result)?,
        Err(e) => return Some(format!("{e:?}")),
    };
    for Point { coord, value, stored, .. } in dense(&case.kernel, statement, &case.dims, &case.data) {
        let entry = got.stored.get(&coord);
        if entry.is_some() != stored {
            return Some(format!("{coord:?}: stored {entry:?}, expected {stored}"));
        }
        let near = match &got.bounds {
            Some(bounds) => bounds.values[bounds.places.get(&coord).unwrap_or(0) as usize],
            None => Near::exact(entry.unwrap_or(got.fill)),
        };
        if near.allows(statement.ty, value) == Some(false) {
            return Some(format!("{coord:?}: {entry:?} or fill {}, {near:?}, expected {value}", got.fill));
        }
    }
    None
}

/// The kernels of a third of these seeds, drawn, or of all with `SAMHW_FULL`.
fn check(seeds: u64, limits: &Limits) {
    for seed in drawn(0..seeds, seeds as usize / 3) {
        let mut case = generate(seed, limits);
        let mut rng = Rng::new(seed);
        for _ in 0..3 {
            rng.shuffle(&mut case.order);
            if difference(&case, Some(&case.order)).is_some() {
                let small = shrink(case, |c| difference(c, Some(&c.order)).is_some());
                panic!("seed {seed}: {:?}\n{small}", difference(&small, Some(&small.order)));
            }
        }
        if difference(&case, None).is_some() {
            let small = shrink(case, |c| difference(c, None).is_some());
            panic!("seed {seed}, chosen order: {:?}\n{small}", difference(&small, None));
        }
    }
}

#[test]
fn random_kernels_in_random_orders() {
    check(4000, &Limits::default());
}

#[test]
fn random_kernels_with_scans() {
    check(800, &Limits { scans: true, ..Limits::default() });
}

#[test]
fn random_kernels_with_larger_dimensions() {
    check(600, &Limits { dim: 12, vars: 3, fills: false, ..Limits::default() });
}
