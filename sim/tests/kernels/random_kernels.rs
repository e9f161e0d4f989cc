//! Random kernels, data, formats and orders: the native engine against the reference, in two
//! runs back to back and under random back-pressure. SAMHW_CASES and SAMHW_SEED choose them.

use samhw_compiler::passes::PASSES;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::native::Pressure;
use samhw_testing::kernels::{Case, Functions, Limits, generate, shrink};
use samhw_testing::verify::{compiled, legal_order, netlist, problem, problem_of, run_pressed, run_twice};
use samhw_values::Rng;

/// Runs a case; an error says what went wrong. `Ok(false)`: refused.
fn run(case: &Case, seed: u64) -> Result<bool, String> {
    // Orders and sizes that are refused are not this test's matter.
    let problem = match problem(&case.kernel, &legal_order(&case.kernel, case.order.clone()), &case.dims, &case.data) {
        Ok(p) => p,
        Err(d) if matches!(d.code, "T012" | "S009") => return Ok(false),
        Err(d) => return Err(format!("{d:?}")),
    };
    let net = netlist(&problem, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(&problem, &net)?;
    let mut rng = Rng::new(seed);
    let percent = 5 + rng.below(70);
    run_pressed(&problem, &net, Pressure { rng, percent })?;
    Ok(true)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Seeds that failed once: two operands that each decide a function's value alone; an operand whose
/// case gives the fill, dropped from a join as if it could change nothing.
const ONCE: [u64; 4] = [13026, 7_005_422, 7_013_023, 7_014_195];

#[test]
fn seeds_that_failed_once() {
    let limits = Limits { functions: Functions::Hardware, types: false, ..Limits::default() };
    for seed in ONCE {
        let case = generate(seed, &limits);
        assert!(run(&case, seed).unwrap_or_else(|e| panic!("seed {seed}:\n{case}\n{e}")), "seed {seed} is refused");
    }
}

#[test]
fn native_engine_equals_reference() {
    agree(number("SAMHW_CASES", 1000), &Limits { functions: Functions::Hardware, ..Limits::default() });
}

#[test]
fn scans_equal_the_reference() {
    let limits = Limits { functions: Functions::Hardware, scans: true, ..Limits::default() };
    agree(number("SAMHW_CASES", 300), &limits);
}

fn agree(count: u64, limits: &Limits) {
    let base = number("SAMHW_SEED", 1);
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut failed, mut refused) = (0, 0);
    for seed in base..base + count {
        let case = generate(seed, limits);
        let fails = |c: &Case| match std::panic::catch_unwind(|| run(c, seed)) {
            Ok(result) => result.err(),
            Err(_) => Some("panic".into()),
        };
        match std::panic::catch_unwind(|| run(&case, seed)) {
            Ok(Ok(ran)) => refused += u64::from(!ran),
            _ => {
                failed += 1;
                if failed <= 3 {
                    println!("seed {seed}, as it was drawn:\n{case}\n{}\n", fails(&case).unwrap_or_default());
                    let small = shrink(case, |c| fails(c).is_some());
                    println!("seed {seed}, made smaller:\n{small}\n{}\n", fails(&small).unwrap_or_default());
                }
            }
        }
    }
    println!("{} right, {refused} refused, {failed} failed", count - refused - failed);
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
    assert!(refused * 2 < count, "{refused} of {count} cases refused");
}

#[test]
fn any_optional_passes_may_be_left_out() {
    let limits = Limits { functions: Functions::Hardware, ..Limits::default() };
    let (mut rng, mut ran) = (Rng::new(number("SAMHW_SEED", 1)), 0);
    for seed in 0..number("SAMHW_CASES", 150) {
        let Case { kernel, dims, order, data } = generate(seed, &limits);
        let mut optional = PASSES.iter().filter(|p| p.optional).map(|p| p.name).collect::<Vec<_>>();
        optional.retain(|_| rng.chance(60));
        let made = compiled(&kernel, &legal_order(&kernel, order), &optional);
        let problem = match made.and_then(|made| problem_of(&kernel, made, &dims, &data)) {
            Err(d) if matches!(d.code, "T012" | "S009") => continue,
            other => other.unwrap_or_else(|d| panic!("seed {seed} without {optional:?}: {d:?}")),
        };
        let net = netlist(&problem, Depths::Auto).expect("a sound graph").expect("a netlist");
        run_twice(&problem, &net).unwrap_or_else(|e| panic!("seed {seed} without {optional:?}: {e}"));
        ran += 1;
    }
    assert!(ran > 50, "only {ran} ran");
}
