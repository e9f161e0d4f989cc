//! Random kernels with copies of the graph below random variables, and with lanes: the native
//! engine against the reference, twice back to back and under random back-pressure. SAMHW_CASES and
//! SAMHW_SEED choose them.

use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::{Spanned, parse};
use samhw_compiler::graph::Op;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::pipeline::compile_file;
use samhw_compiler::schedule::{Balance, Copies, Sharing};
use samhw_compiler::stmt::TensorId;
use samhw_sim::native::Pressure;
use samhw_testing::kernels::{Case, Functions, Limits, generate, shrink};
use samhw_testing::verify::{legal_order, netlist, problem, run_pressed, run_twice};
use samhw_values::Rng;
use std::sync::Arc;

/// Codes of what copies are refused with.
const REFUSED: [&str; 9] = ["T012", "S009", "S012", "S014", "S015", "S017", "S018", "S019", "S020"];

/// What became of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ran {
    Refused,
    WithoutCopies,
    WithCopies,
}

/// The case with copies below one or two of its variables.
fn with_copies(mut case: Case, seed: u64, lanes: bool) -> Case {
    let (mut rng, mut balances) = (Rng::new(seed), Rng::new(!seed));
    for _ in 0..1 + rng.below(2) {
        let Some(var) = case.kernel.vars.get(rng.below(case.kernel.vars.len().max(1) as u64) as usize) else { break };
        let (name, number) = (Spanned::new(0..0, var.name.clone()), Spanned::new(0..0, rng.pick(&[2, 2, 3, 4])));
        let schedule = &mut case.kernel.schedule;
        let named = |other: &Spanned<String>| other.get_ref() == name.get_ref();
        let laned = lanes && rng.chance(70);
        let taken = match laned {
            true => schedule.lanes.iter().any(|(other, _)| named(other)),
            false => schedule.parallel.iter().any(|(other, _)| named(other)),
        };
        if taken {
            continue;
        }
        let sharing = rng.pick(&[None, Some(Sharing::Shared), Some(Sharing::Banked)]);
        let balance = balances.pick(&[None, Some(Balance::Elements), Some(Balance::Fibers), Some(Balance::Fibers)]);
        let balance = balance.map(|b| Spanned::new(0..0, b));
        match laned {
            true => schedule.lanes.push((name, number)),
            false => schedule.parallel.push((name, Copies { number, sharing, balance })),
        }
    }
    case
}

/// The case without a word on who gets what.
fn unbalanced(mut case: Case) -> Case {
    case.kernel.schedule.parallel.iter_mut().for_each(|(_, copies)| copies.balance = None);
    case
}

fn run(case: &Case, seed: u64) -> Result<Ran, String> {
    let order = legal_order(&case.kernel, case.order.clone());
    let problem = match problem(&case.kernel, &order, &case.dims, &case.data) {
        Ok(p) => p,
        Err(d) if d.code == "S021" => return run(&unbalanced(case.clone()), seed),
        Err(d) if REFUSED.contains(&d.code) => return Ok(Ran::Refused),
        Err(d) => return Err(format!("{d:?}")),
    };
    let net = netlist(&problem, Depths::Auto)?.map_err(|d| format!("{d:?}"))?;
    run_twice(&problem, &net)?;
    let mut rng = Rng::new(seed);
    let percent = 5 + rng.below(70);
    run_pressed(&problem, &net, Pressure { rng, percent })?;
    let dealt = net.cells.iter().any(|c| c.primitive.kind() == "parallelizer");
    let runs = problem.lowered.graph.uses.iter().any(|u| u.chunk.is_some());
    let copied = dealt || runs || !problem.lowered.slices.is_empty();
    Ok(if copied { Ran::WithCopies } else { Ran::WithoutCopies })
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn copies() -> Limits {
    Limits { functions: Functions::Arithmetic, accesses: 4, ..Limits::default() }
}

/// Kernels for lanes: runs of entries need levels that do not repeat coordinates.
fn lanes() -> Limits {
    Limits { coordinate_lists: false, ..copies() }
}

fn check(lanes: bool, limits: &Limits, least: u64) {
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 300));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut failed, mut copied, mut refused) = (0, 0, 0);
    for seed in base..base + count {
        let case = with_copies(generate(seed, limits), seed, lanes);
        let outcome = |c: &Case| std::panic::catch_unwind(|| run(c, seed)).unwrap_or_else(|_| Err("panic".into()));
        match outcome(&case) {
            Ok(ran) => {
                copied += u64::from(ran == Ran::WithCopies);
                refused += u64::from(ran == Ran::Refused);
            }
            Err(_) => {
                failed += 1;
                if failed <= 3 {
                    let small = shrink(case, |c| outcome(c).is_err());
                    let why = outcome(&small).err().unwrap_or_default();
                    println!("seed {seed}:\n{small}\n{:?}\n{why}\n", small.kernel.schedule);
                }
            }
        }
    }
    println!("{copied} with copies, {refused} refused, {failed} failed");
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
    assert!(copied * least > count, "only {copied} of {count} cases have copies");
}

#[test]
fn copies_change_no_result() {
    check(false, &copies(), 2);
}

#[test]
fn lanes_change_no_result() {
    check(true, &lanes(), 4);
}

/// Runs what failed with these seeds once.
fn once(seeds: &[u64], lanes: bool, limits: &Limits) {
    let limits = Limits { types: false, ..*limits };
    for &seed in seeds {
        let case = with_copies(generate(seed, &limits), seed, lanes);
        let schedule = &case.kernel.schedule;
        let any = if lanes { !schedule.lanes.is_empty() } else { !schedule.parallel.is_empty() };
        assert!(any, "seed {seed}: the generator makes another kernel now");
        let ran = run(&case, seed).unwrap_or_else(|e| panic!("seed {seed}:\n{case}\n{e}"));
        assert_eq!(ran, Ran::WithCopies, "seed {seed}");
    }
}

/// A diagonal `T(j,j)` next to a reduction: each copy looked up the second `j` of all coordinates,
/// not of those dealt to it.
#[test]
fn copies_that_failed_once() {
    once(&[426_202_370], false, &copies());
}

/// Lanes whose results were wrong once: of a run of entries only the first inner lane's parts were
/// stored; a lane that had nothing of a fiber had no position for it, in its bank or in a dense
/// level of the result.
#[test]
fn lanes_that_failed_once() {
    once(&[911_051, 5_000_029, 5_003_170], true, &lanes());
}

/// Numbers of copies that parallelizers deal to, of a product with a matrix of this many entries in
/// 1,000 rows, the rows in `copies`.
fn dealt_to(entries: u64, copies: &str, (result, format): (&str, &str)) -> Vec<u32> {
    let name = &result[..1];
    let text = format!(
        "expr = \"{result} = A(i,j) * x(j)\"\ndims = {{ i = 1000, j = 1000 }}\ntensors.A = {{ format = \"csr\" }}\n\
         tensors.x = {{ format = \"dense\" }}\ntensors.{name} = {{ format = \"{format}\" }}\n[schedule]\nparallel = {{ i = {copies} }}\n"
    );
    let file = parse(Arc::new(Source { path: "dealt.toml".into(), text })).unwrap_or_else(|d| panic!("{d:?}"));
    let a = file.kernel.tensors.iter().position(|t| t.name == "A").expect("a matrix");
    let stored = [(TensorId(a), entries)].into_iter().filter(|_| entries > 0).collect();
    let density = Density { stored, ..Density::default() };
    let compiled = compile_file(&file, &density).unwrap_or_else(|d| panic!("{d:?}"));
    let nodes = &compiled.lowered.graph.nodes;
    nodes.iter().filter_map(|n| if let Op::Deal { copies, .. } = n.op { Some(copies) } else { None }).collect()
}

/// A parallelizer deals a row a cycle: 16 copies of rows with 4 entries would wait for theirs.
#[test]
fn lanes_deal_short_items_where_the_choice_is_open() {
    for result in [("y(i)", "dense"), ("X(i,j)", "csr")] {
        assert_eq!(dealt_to(4_000, "16", result), [4; 4], "{result:?}");
        assert_eq!(dealt_to(9_000, "16", result), [8; 2], "{result:?}");
        assert_eq!(dealt_to(40_000, "16", result), [16], "{result:?}");
        assert_eq!(dealt_to(4_000, "{ copies = 16, balance = \"elements\" }", result), [16], "{result:?}");
        assert_eq!(dealt_to(0, "16", result), [16], "{result:?}, of unknown data");
    }
}
