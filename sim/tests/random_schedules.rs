//! Random kernels under random schedules: the native engine against the reference, in two runs back to back
//! and under random back-pressure. SAMHW_CASES and SAMHW_SEED choose them.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::Spanned;
use samhw_compiler::graph::Op;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::native::Pressure;
use samhw_sim::random::{Case, Functions, Limits, Rng, generate, shrink};
use samhw_sim::run::Problem;
use samhw_sim::verify::{legal_order, netlist, problem, run_pressed, run_twice};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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

/// Splits some indices, and puts the halves anywhere into the order.
fn split(case: &mut Case, rng: &mut Rng) -> Result<Option<Problem>, String> {
    let names: Vec<String> = case.order.iter().map(|&v| case.kernel.var(v).name.clone()).collect();
    let mut chosen: Vec<(String, u64)> = names
        .iter()
        .filter(|_| rng.chance(50))
        .cloned()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|n| (n, 1 + rng.below(4)))
        .collect();
    let seed = rng.below(1 << 32);
    loop {
        case.kernel.schedule.split =
            chosen.iter().map(|(n, size)| (Spanned::new(0..0, n.clone()), Spanned::new(0..0, *size))).collect();
        let halves = |n: &String| match chosen.iter().any(|(m, _)| m == n) {
            true => vec![format!("{n}0"), format!("{n}1")],
            false => vec![n.clone()],
        };
        let mut order: Vec<String> = names.iter().flat_map(halves).collect();
        Rng::new(seed).shuffle(&mut order);
        case.kernel.order = Some(order);
        match planned(case) {
            Ok(p) => return Ok(Some(p)),
            // The first word of the message is the index.
            Err(d) if d.code == "S108" => {
                let before = chosen.len();
                chosen.retain(|(n, _)| Some(n.as_str()) != d.message.split(' ').next());
                if chosen.len() == before {
                    return Err(format!("{d:?} names no index that was asked for"));
                }
            }
            Err(d) if d.code == "T012" => return Ok(None),
            Err(d) => return Err(format!("{d:?}")),
        }
    }
}

fn simulate(problem: &Problem, mut rng: Rng) -> Result<(), String> {
    let net = netlist(problem, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(problem, &net)?;
    let percent = 5 + rng.below(70);
    run_pressed(problem, &net, Pressure { rng, percent }).map(|_| ())
}

/// Runs a case; gives the number of its locators that read a compressed level, and of all.
fn run(case: &mut Case, seed: u64) -> Result<(usize, usize), String> {
    let mut rng = Rng::new(seed);
    let Some(problem) = locate(case, &mut rng)? else { return Ok((0, 0)) };
    simulate(&problem, rng)?;
    let graph = &problem.lowered.graph;
    let locators = graph.nodes.iter().filter(|n| matches!(n.op, Op::Locate(..))).count();
    let searching = problem.lowered.notes.iter().filter(|n| n.contains("binary search")).count();
    Ok((searching, locators))
}

/// Runs `run` on the cases of many seeds; prints the smallest that fail.
fn cases(run: impl Fn(&mut Case, u64) -> Result<(), String> + std::panic::RefUnwindSafe) {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 700));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let limits = Limits { functions: Functions::Arithmetic, ..Limits::default() };
    let mut failed = 0;
    for seed in base..base + count {
        let attempt = |c: &Case| std::panic::catch_unwind(|| run(&mut c.clone(), seed)).unwrap_or(Err("panic".into()));
        let case = generate(seed, &limits);
        if attempt(&case).is_err() {
            failed += 1;
            if failed <= 3 {
                let small = shrink(case, |c| attempt(c).is_err());
                println!("seed {seed}:\n{small}\n{}\n", attempt(&small).err().unwrap_or_default());
            }
        }
    }
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
}

#[test]
fn located_operands_give_what_coiterated_ones_give() {
    let (searching, locators) = (AtomicUsize::new(0), AtomicUsize::new(0));
    cases(|case, seed| {
        let (s, l) = run(case, seed)?;
        searching.fetch_add(s, Relaxed);
        locators.fetch_add(l, Relaxed);
        Ok(())
    });
    println!("{} levels searched, {} locators", searching.load(Relaxed), locators.load(Relaxed));
    assert!(searching.load(Relaxed) as u64 * 5 > number("SAMHW_CASES", 700), "too few levels were searched");
}

#[test]
fn split_indices_give_what_whole_ones_give() {
    let split_ones = AtomicUsize::new(0);
    cases(|case, seed| {
        let mut rng = Rng::new(seed);
        let Some(problem) = split(case, &mut rng)? else { return Ok(()) };
        split_ones.fetch_add(problem.tiles.iter().map(|t| t.split.pairs.len()).sum(), Relaxed);
        simulate(&problem, rng)
    });
    println!("{} indices split", split_ones.load(Relaxed));
    assert!(split_ones.load(Relaxed) as u64 * 2 > number("SAMHW_CASES", 700), "too few indices were split");
}
