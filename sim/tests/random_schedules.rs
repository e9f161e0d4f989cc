//! Random kernels under random schedules: the native engine against the reference, in two runs back to back
//! and under random back-pressure. SAMHW_CASES and SAMHW_SEED choose them.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::Spanned;
use samhw_compiler::graph::Op;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::native::Pressure;
use samhw_sim::random::{Case, Limits, Rng, generate, shrink};
use samhw_sim::run::Problem;
use samhw_sim::verify::{legal_order, netlist, problem, run_pressed, run_twice};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn planned(case: &Case) -> Result<Problem, Diagnostic> {
    problem(&case.kernel, &legal_order(&case.kernel, case.order.clone()), &case.dims, &case.data)
}

/// Asks to locate in some operands: in all of a random choice that can be.
fn locate(case: &mut Case, rng: &mut Rng) -> Result<Option<Problem>, String> {
    let names = case.data.keys().map(|&t| case.kernel.tensor(t).name.clone());
    let mut asked: Vec<Spanned<String>> = names.filter(|_| rng.chance(60)).map(|n| Spanned::new(0..0, n)).collect();
    loop {
        case.kernel.schedule.locate = Some(asked.clone());
        match planned(case) {
            Ok(p) => return Ok(Some(p)),
            // The first word of these messages is the tensor.
            Err(d) if d.code == "S106" || d.code == "S107" => {
                let before = asked.len();
                asked.retain(|n| Some(n.get_ref().as_str()) != d.message.split(' ').next());
                if asked.len() == before {
                    return Err(format!("{d:?} names no tensor that was asked for"));
                }
            }
            // Sizes that are refused are not this test's matter.
            Err(d) if d.code == "T012" => return Ok(None),
            Err(d) => return Err(format!("{d:?}")),
        }
    }
}

/// Runs a case; gives the number of its locators that read a compressed level, and of all.
fn run(case: &mut Case, seed: u64) -> Result<(usize, usize), String> {
    let mut rng = Rng::new(seed);
    let Some(problem) = locate(case, &mut rng)? else { return Ok((0, 0)) };
    let net = netlist(&problem, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(&problem, &net)?;
    let percent = 5 + rng.below(70);
    run_pressed(&problem, &net, Pressure { rng, percent })?;
    let graph = &problem.lowered.graph;
    let locators = graph.nodes.iter().filter(|n| matches!(n.op, Op::Locate(..))).count();
    let searching = problem.lowered.notes.iter().filter(|n| n.contains("binary search")).count();
    Ok((searching, locators))
}

#[test]
fn located_operands_give_what_coiterated_ones_give() {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 700));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let limits = Limits { fills: false, ..Limits::default() };
    let (mut failed, mut searching, mut locators) = (0, 0, 0);
    for seed in base..base + count {
        let attempt = |c: &Case| std::panic::catch_unwind(|| run(&mut c.clone(), seed)).unwrap_or(Err("panic".into()));
        let case = generate(seed, &limits);
        match attempt(&case) {
            Ok((s, l)) => (searching, locators) = (searching + s, locators + l),
            Err(_) => {
                failed += 1;
                if failed <= 3 {
                    let small = shrink(case, |c| attempt(c).is_err());
                    println!("seed {seed}:\n{small}\n{}\n", attempt(&small).err().unwrap_or_default());
                }
            }
        }
    }
    println!("{searching} levels searched, {locators} locators");
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
    assert!(searching as u64 * 5 > count, "only {searching} levels were searched");
}
