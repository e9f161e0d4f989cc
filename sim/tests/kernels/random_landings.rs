//! Random kernels whose values land at computed coordinates, against the dense evaluator and on
//! both engines. SAMHW_CASES and SAMHW_SEED choose them.

use crate::engines::engines_agree_on;
use crate::landings::landed;
use crate::reads::computed;
use crate::seeds::{self, prepare};
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::native::Pressure;
use samhw_testing::kernels::{Case, Functions, Limits, generate};
use samhw_testing::verify::{against_dense, netlist, run_pressed, run_twice};
use samhw_values::Rng;

fn case(seed: u64, limits: &Limits) -> Option<Case> {
    let mut rng = Rng::new(seed);
    let case = generate(seed, limits);
    let case = if rng.chance(30) { computed(&case, &mut rng) } else { case };
    landed(&case, &mut rng)
}

/// Runs a case natively; `Ok(false)`: refused, or without an index on the left.
fn run(seed: u64, limits: &Limits) -> Result<bool, String> {
    let Some(case) = case(seed, limits) else { return Ok(false) };
    let text = |e: String| format!("{}{e}", case.kernel);
    let Some(p) = prepare(&case).map_err(text)? else { return Ok(false) };
    if let Some(e) = against_dense(&p) {
        return Err(text(e));
    }
    let net = netlist(&p, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(&p, &net).map_err(text)?;
    let mut rng = Rng::new(seed);
    let percent = 5 + rng.below(70);
    run_pressed(&p, &net, Pressure { rng, percent }).map_err(text)?;
    Ok(true)
}

#[test]
fn values_land_where_they_shall() {
    let (count, ran) = seeds::all(400, |seed| {
        let functions = if seed % 2 == 0 { Functions::Arithmetic } else { Functions::Hardware };
        run(seed, &Limits { functions, vars: 3, ..Limits::default() })
    });
    assert!(ran * 4 > count, "only {ran} of {count} cases land anywhere");
}

/// Some of them on both engines, beat for beat: two, or thirty with SAMHW_FULL.
#[test]
fn verilog_does_the_same() {
    let most = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 };
    engines_agree_on(most, |seed| {
        let limits = Limits { accesses: 3, vars: 3, depth: 3, functions: Functions::Arithmetic, ..Limits::default() };
        let case = case(seed, &limits)?;
        let p = prepare(&case).ok()??;
        let net = netlist(&p, Depths::Auto).ok()?.ok()?;
        Some((case.kernel.to_string(), p, net))
    });
}
