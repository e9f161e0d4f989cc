//! Random kernels under random schedules: the native engine against the reference, in two runs back
//! to back and under random back-pressure, and a sample under Verilator. SAMHW_CASES and SAMHW_SEED
//! choose them.

use crate::engines::{engines_agree_on, number};
use crate::landings::landed;
use crate::reads::computed;
use crate::schedules::{Settled, anything, planned, same_results, settle, tile_sizes, unscheduled};
use crate::taco;
use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{Spanned, parse};
use samhw_compiler::graph::Op;
use samhw_compiler::levels;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::order::choose;
use samhw_compiler::schedule::Schedule;
use samhw_compiler::stmt::Expr;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::kernels::{Case, Functions, Limits, generate, shrink};
use samhw_testing::verify::{netlist, run_pressed, run_twice};
use samhw_values::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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

/// Splits some indices, and puts their loops anywhere into the order, unless that is what computed
/// coordinates need.
fn split(case: &mut Case, rng: &mut Rng) -> Result<Option<Problem>, String> {
    let names: Vec<String> = case.order.iter().map(|&v| case.kernel.var(v).name.clone()).collect();
    let mut chosen: Vec<(String, Vec<u64>)> = names
        .iter()
        .filter(|_| rng.chance(50))
        .cloned()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|n| (n, tile_sizes(rng)))
        .collect();
    let seed = rng.below(1 << 32);
    loop {
        case.kernel.schedule.split =
            chosen.iter().map(|(n, sizes)| (Spanned::new(0..0, n.clone()), sizes.clone())).collect();
        let loops = |n: &String| match chosen.iter().find(|(m, _)| m == n) {
            Some((_, sizes)) => (0..=sizes.len()).map(|part| format!("{n}{part}")).collect(),
            None => vec![n.clone()],
        };
        let mut order: Vec<String> = names.iter().flat_map(loops).collect();
        if !case.kernel.exprs.iter().any(|e| matches!(e, Expr::At(..))) {
            Rng::new(seed).shuffle(&mut order);
        }
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
            // Coordinates as numbers are operands of each of their loops, of which a join has only so many.
            Err(d) if matches!(d.code, "T012" | "S009" | "S005") => return Ok(None),
            Err(d) => return Err(format!("{d:?}")),
        }
    }
}

/// Has values scattered into the result, in any order of the loops, if that is possible.
fn scatter(case: &mut Case) -> Result<Option<Problem>, String> {
    for n in 0..case.kernel.statements.len() {
        let result = case.kernel.statements[n].result;
        case.kernel.tensors[result.0].levels.fill(levels::DENSE);
        let name = case.kernel.tensor(result).name.clone();
        case.kernel.schedule.scatter.get_or_insert_default().push(Spanned::new(0..0, name));
    }
    match planned(case) {
        Ok(p) => Ok(Some(p)),
        Err(d) if matches!(d.code, "S043" | "T012" | "S009") => Ok(None),
        Err(d) => Err(format!("{d:?}")),
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

/// The case of a seed; every third may read at computed coordinates, of every fifth values land at
/// them.
fn generated(seed: u64, limits: &Limits) -> Case {
    let (case, mut rng) = (generate(seed, limits), Rng::new(seed));
    let case = if seed.is_multiple_of(3) { computed(&case, &mut rng) } else { case };
    let mut case = if seed.is_multiple_of(5) { landed(&case, &mut rng).unwrap_or(case) } else { case };
    case.kernel.settle();
    case
}

/// Runs `run` on the cases of many seeds; prints the smallest that fail.
fn cases(run: impl Fn(&mut Case, u64) -> Result<(), String> + std::panic::RefUnwindSafe) {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 700));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let limits = Limits { functions: Functions::Arithmetic, ..Limits::default() };
    let mut failed = 0;
    for seed in base..base + count {
        let attempt = |c: &Case| std::panic::catch_unwind(|| run(&mut c.clone(), seed)).unwrap_or(Err("panic".into()));
        let case = generated(seed, &limits);
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
        split_ones.fetch_add(problem.tiles.iter().map(|t| t.split.indices.len()).sum(), Relaxed);
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

/// A random schedule for the case, and without it the same results; `None` where the kernel is
/// refused.
fn with_anything(case: &mut Case, rng: &mut Rng) -> Result<Option<(Problem, usize)>, String> {
    anything(case, rng);
    let Settled::Runs(scheduled, refused) = settle(case)? else { return Ok(None) };
    match planned(&Case { kernel: unscheduled(case), ..case.clone() }) {
        Ok(plain) => same_results(&case.kernel, &plain, &scheduled)?,
        // Lanes store a part of a result in levels of their own; its format may not hold it, which
        // is told where it is read.
        Err(_) if case.kernel.statements.iter().any(|s| scheduled.expected(s.result).is_err()) => return Ok(None),
        Err(_) => {}
    }
    Ok(Some((*scheduled, refused)))
}

/// Locating, scattering, skipping, splits, copies, lanes, wide joins and bit vectors, all at once.
/// What is refused says what to do instead, and without it the rest works.
#[test]
fn any_combination_gives_what_none_gives() {
    let (ran, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    cases(|case, seed| {
        let mut rng = Rng::new(seed);
        let Some((problem, left_out)) = with_anything(case, &mut rng)? else { return Ok(()) };
        refused.fetch_add(left_out, Relaxed);
        ran.fetch_add(usize::from(case.kernel.schedule != Schedule::default()), Relaxed);
        simulate(&problem, rng)
    });
    println!("{} with a schedule, {} entries refused", ran.load(Relaxed), refused.load(Relaxed));
    assert!(ran.load(Relaxed) as u64 * 3 > number("SAMHW_CASES", 700), "too few have a schedule");
}

/// The same under Verilator, the native engine next to it in every cycle.
#[test]
fn engines_agree_on_any_combination() {
    let wanted = if std::env::var_os("SAMHW_FULL").is_some() { 60 } else { 2 };
    let limits =
        Limits { functions: Functions::Arithmetic, accesses: 4, vars: 3, dim: 12, fills: false, ..Limits::default() };
    engines_agree_on(wanted, |seed| {
        let (mut case, mut rng) = (generated(seed, &limits), Rng::new(seed));
        let made = with_anything(&mut case, &mut rng).unwrap_or_else(|e| panic!("seed {seed}:\n{case}\n{e}"));
        let (problem, _) = made.filter(|_| entries(&case.kernel.schedule) > 1)?;
        let net = netlist(&problem, Depths::Auto).expect("a netlist").ok()?;
        (net.cells.len() <= 90).then(|| (format!("{case}{:?}", case.kernel.schedule), problem, net))
    });
}

/// How much a schedule says.
fn entries(s: &Schedule) -> usize {
    let named = [&s.locate, &s.scatter, &s.skip].map(|names| names.as_ref().map_or(0, Vec::len));
    let numbers = [&s.bitvector, &s.lanes].map(Vec::len);
    named.iter().chain(&numbers).sum::<usize>() + s.split.len() + s.parallel.len() + s.wide.as_ref().map_or(0, Vec::len)
}

/// Rows of the TACO corpus under random schedules.
#[test]
fn rows_of_the_corpus_give_the_same_under_any_schedule() {
    let Some(rows) = taco::rows() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let full = std::env::var_os("SAMHW_FULL").is_some();
    let (base, wanted) =
        (number("SAMHW_SEED", 1), number("SAMHW_CASES", if full { 2 * rows.len() as u64 } else { 150 }));
    println!("SAMHW_SEED={base} SAMHW_CASES={wanted}");
    let (mut ran, mut plain, mut refused, mut failed) = (0, 0, 0, 0);
    for seed in base * 1_000_003..base * 1_000_003 + wanted {
        let mut rng = Rng::new(seed);
        let row = rng.below(rows.len() as u64) as usize;
        match scheduled_row(&rows[row], &mut rng) {
            Ok(None) => plain += 1,
            Ok(Some(left_out)) => (ran, refused) = (ran + 1, refused + left_out),
            Err(e) => {
                failed += 1;
                println!("seed {seed}, row {}: {}\n{e}\n", row + 1, rows[row]);
            }
        }
    }
    println!(
        "{ran} rows with a schedule, {refused} entries refused; {plain} rows that have none or are refused without"
    );
    assert_eq!(failed, 0, "{failed} rows are wrong");
    assert!(ran > wanted / 3, "too few have a schedule");
}

/// Runs a row under a random schedule; how many entries were left out, `None` where nothing of a
/// schedule is left.
fn scheduled_row(command: &str, rng: &mut Rng) -> Result<Option<usize>, String> {
    let text = taco::kernel_text(command, rng, 5, 2000);
    let source = Source { path: "row.toml".into(), text: text.clone() };
    let Ok(file) = parse(Arc::new(source)) else { return Ok(None) };
    let kernel = file.kernel;
    let Ok(choice) = choose(&kernel, &Density::default()) else { return Ok(None) };
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let density = rng.pick(&[10, 30, 60, 100]);
    let data = taco::random_data(&kernel, &dims, density, rng);
    let mut case = Case { kernel, dims, order: choice.order, data };
    let at = |e: String, case: &Case| format!("{e}\n{text}{:?}", case.kernel.schedule);
    let made = with_anything(&mut case, rng).map_err(|e| at(e, &case))?;
    let Some((problem, left_out)) = made.filter(|_| case.kernel.schedule != Schedule::default()) else {
        return Ok(None);
    };
    simulate(&problem, rng.clone()).map_err(|e| at(e, &case))?;
    Ok(Some(left_out))
}
