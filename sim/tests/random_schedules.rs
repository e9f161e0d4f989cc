//! Random kernels under random schedules: the native engine against the reference, in two runs back to back
//! and under random back-pressure. SAMHW_CASES and SAMHW_SEED choose them.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::frontend::Spanned;
use samhw_compiler::graph::Op;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::schedule::Schedule;
use samhw_compiler::stmt::LevelKind;
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
            Err(d) if d.code == "S040" || d.code == "S041" => {
                let before = asked.len();
                asked.retain(|n| Some(n.get_ref().as_str()) != d.message.split(' ').next());
                if asked.len() == before {
                    return Err(format!("{d:?} names no tensor that was asked for"));
                }
            }
            // Sizes and pruned results that are refused are not this test's matter.
            Err(d) if matches!(d.code, "T012" | "S009") => return Ok(None),
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
            Err(d) if d.code == "S042" => {
                let before = chosen.len();
                chosen.retain(|(n, _)| Some(n.as_str()) != d.message.split(' ').next());
                if chosen.len() == before {
                    return Err(format!("{d:?} names no index that was asked for"));
                }
            }
            Err(d) if matches!(d.code, "T012" | "S009") => return Ok(None),
            Err(d) => return Err(format!("{d:?}")),
        }
    }
}

/// Has values scattered into the result, in any order of the loops, if that is possible.
fn scatter(case: &mut Case) -> Result<Option<Problem>, String> {
    for n in 0..case.kernel.statements.len() {
        let result = case.kernel.statements[n].result;
        case.kernel.tensors[result.0].levels.fill(LevelKind::Dense);
        let name = case.kernel.tensor(result).name.clone();
        case.kernel.schedule.scatter.get_or_insert_default().push(Spanned::new(0..0, name));
    }
    match planned(case) {
        Ok(p) => Ok(Some(p)),
        Err(d) if matches!(d.code, "S043" | "T012" | "S009") => Ok(None),
        Err(d) => Err(format!("{d:?}")),
    }
}

/// A schedule of anything at any index and tensor.
fn anything(case: &mut Case, rng: &mut Rng) {
    let vars: Vec<String> = case.order.iter().map(|&v| case.kernel.var(v).name.clone()).collect();
    let tensors: Vec<String> = case.kernel.tensors.iter().map(|t| t.name.clone()).collect();
    let name = |n: &String| Spanned::new(0..0, n.clone());
    let mut some = |names: &[String], percent: u64| -> Vec<Spanned<String>> {
        names.iter().filter(|_| rng.chance(percent)).map(name).collect()
    };
    let schedule = Schedule {
        locate: Some(some(&tensors, 30)).filter(|l| !l.is_empty()),
        scatter: Some(some(&tensors[..1], 50)).filter(|l| !l.is_empty()),
        skip: Some(some(&vars, 50)).filter(|l| !l.is_empty()),
        ..Schedule::default()
    };
    let mut numbers = |percent: u64, of: &[u64]| -> Vec<(Spanned<String>, Spanned<u64>)> {
        let chosen: Vec<&String> = vars.iter().filter(|_| rng.chance(percent)).collect();
        chosen.into_iter().map(|v| (name(v), Spanned::new(0..0, rng.pick(of)))).collect()
    };
    case.kernel.schedule = Schedule {
        parallel: numbers(20, &[2, 3, 4]),
        lanes: numbers(20, &[2, 3]),
        split: numbers(20, &[1, 2, 3]),
        bitvector: numbers(20, &[8, 16, 32, 64]),
        wide: numbers(40, &[2, 4]),
        ..schedule
    };
    let (statements, dense) = (&case.kernel.statements, rng.chance(50));
    for result in statements.iter().map(|s| s.result).filter(|_| dense) {
        case.kernel.tensors[result.0].levels.fill(LevelKind::Dense);
    }
}

/// Leaves out of the schedule what a message refuses; false if it refuses none of it.
fn give_way(schedule: &mut Schedule, d: &Diagnostic) -> bool {
    let before = schedule.clone();
    match d.code {
        "S040" | "S041" => schedule.locate = None,
        "S043" => schedule.scatter = None,
        "S042" => schedule.split.clear(),
        "S011" | "S012" => schedule.parallel.clear(),
        "S031" => schedule.bitvector.clear(),
        "S013" | "S014" | "S015" | "S016" | "S017" | "S018" | "S019" | "S020" => schedule.lanes.clear(),
        _ => {}
    }
    *schedule != before
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

#[test]
fn scattered_results_are_those_of_reducers() {
    let scattered = AtomicUsize::new(0);
    cases(|case, seed| {
        let Some(problem) = scatter(case)? else { return Ok(()) };
        scattered.fetch_add(1, Relaxed);
        simulate(&problem, Rng::new(seed))
    });
    println!("{} scattered", scattered.load(Relaxed));
    assert!(scattered.load(Relaxed) as u64 * 5 > number("SAMHW_CASES", 700), "too few results were scattered into");
}

/// Locating, scattering, skipping, splits, copies, lanes and bit vectors, all at once. What is refused says what to do instead, and without it the rest
/// works.
#[test]
fn any_combination_gives_what_none_gives() {
    let (ran, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    cases(|case, seed| {
        let mut rng = Rng::new(seed);
        anything(case, &mut rng);
        let problem = loop {
            match planned(case) {
                Ok(problem) => break problem,
                Err(d) if matches!(d.code, "T012" | "S009") => return Ok(()),
                Err(d) if d.help.is_empty() => return Err(format!("{d:?} tells no way out")),
                Err(d) => {
                    refused.fetch_add(1, Relaxed);
                    if !give_way(&mut case.kernel.schedule, &d) {
                        return Err(format!("{d:?} refuses nothing that was asked for"));
                    }
                }
            }
        };
        ran.fetch_add(usize::from(case.kernel.schedule != Schedule::default()), Relaxed);
        simulate(&problem, rng)
    });
    println!("{} with a schedule, {} entries refused", ran.load(Relaxed), refused.load(Relaxed));
    assert!(ran.load(Relaxed) as u64 * 3 > number("SAMHW_CASES", 700), "too few have a schedule");
}
