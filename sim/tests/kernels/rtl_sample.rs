//! Many small kernels under Verilator: rows of the public corpora, and random kernels of one and
//! several statements with coordinate lists, in chosen and random loop orders. Verilog and native
//! engine do the same in every cycle, and both leave what the reference executor does.
//!
//! SAMHW_SEED draws the sample; SAMHW_FULL runs every row and more random kernels; SAMHW_ROWS=N,M
//! runs these rows alone.

use crate::array;
use crate::taco;
use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::order::choose;
use samhw_compiler::pipeline::declared_netlist;
use samhw_compiler::stmt::{Kernel, VarId};
use samhw_rtlsim::Error as ToolError;
use samhw_sim::run::Problem;
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::kernels::{Functions, Limits, generate};
use samhw_testing::verify::{compiled, problem, run_on_verilog, shuffled};
use samhw_values::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Rows and random kernels of a default run, and random kernels of a full one.
const ROWS: usize = 6;
/// Rows of the corpus of array programs of a default run.
const ARRAY_ROWS: usize = 3;
const RANDOM: usize = 3;
const RANDOM_FULL: usize = 200;
/// Rows of the website, and random kernels, from which the sample is drawn.
const TACO_DRAWN: usize = 250;
const DRAWN: u64 = 120;
/// A default run builds no larger netlists.
const MOST_CELLS: usize = 90;
/// Steps of all loops of a row together.
const MOST_STEPS: u64 = 600;
/// Data sets per kernel; the first is empty.
const DATA_SETS: u64 = 4;

/// A kernel in a loop order, with a netlist that takes any data.
struct Candidate {
    name: String,
    text: String,
    kernel: Kernel,
    order: Vec<VarId>,
    net: Netlist,
    seed: u64,
}

impl Candidate {
    /// `None` for what is refused: `taco_corpus` and `random_kernels` see to that.
    fn new(name: String, text: String, seed: u64) -> Option<Self> {
        let file = parse(Arc::new(Source { path: PathBuf::from("sample.toml"), text: text.clone() })).ok()?;
        let kernel = file.kernel;
        let mut rng = Rng::new(seed);
        let chosen = choose(&kernel, &Density::default()).ok()?.order;
        let other = shuffled(&kernel, chosen.clone(), &mut rng);
        let orders = if rng.chance(50) { [chosen, other] } else { [other, chosen] };
        let (order, made) = orders.into_iter().find_map(|o| compiled(&kernel, &o, &[]).ok().map(|c| (o, c)))?;
        let net = declared_netlist(&made.lowered).ok()?;
        Some(Self { name, text, kernel, order, net, seed })
    }

    /// The Verilog modules of its cells.
    fn modules(&self) -> BTreeSet<&str> {
        self.net.cells.iter().map(|c| c.primitive.instance().module).collect()
    }

    /// Random data; sizes are at most those of the netlist, and equal where those are.
    fn problems(&self) -> Vec<Problem> {
        let mut rng = Rng::new(self.seed);
        // What windows show of a tensor is said for its declared sizes.
        let windows = self.kernel.tensors.iter().any(|t| t.view.is_some());
        let set = |n| {
            let most = if n < 2 || windows { u64::MAX } else { 1 + rng.below(5) };
            let dims: Vec<u64> = self.kernel.vars.iter().map(|v| v.max.min(most)).collect();
            let density = if n == 0 { 0 } else { rng.pick(&[10, 30, 60, 100]) };
            let data = taco::random_data(&self.kernel, &dims, density, &mut rng);
            problem(&self.kernel, &self.order, &dims, &data).ok()
        };
        (0..DATA_SETS).filter_map(set).collect()
    }

    /// Runs it; returns cycles. What is wrong is an error of the inner result.
    fn run(&self) -> Result<Result<u64, String>, ToolError> {
        let problems = self.problems();
        let Some(first) = problems.first() else { return Ok(Err("no data set could be used".into())) };
        if let Err(e) = self.net.check() {
            return Ok(Err(e));
        }
        let options = Options { assertions: true, quick: true, ..Options::default() };
        match Built::new(&self.net, &emit(&first.lowered, &self.net), options, &cache()) {
            Err(Error::Tools(e @ ToolError::ToolMissing { .. })) => Err(e),
            Err(e) => Ok(Err(e.to_string())),
            Ok(built) => Ok(run_on_verilog(&problems, &self.net, &built)),
        }
    }
}

/// Folder of compiled designs: `SAMHW_CACHE`, else `.cache` of the workspace.
fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// A random kernel as a file, with up to two more statements that take the result of the one
/// before.
fn random_text(seed: u64) -> String {
    let limits = Limits {
        accesses: 5,
        functions: if seed.is_multiple_of(2) { Functions::Arithmetic } else { Functions::Hardware },
        vars: 4,
        fills: false,
        empty: false,
        ..Limits::default()
    };
    let case = generate(seed, &limits);
    let mut rng = Rng::new(!seed);
    let kernel = &case.kernel;
    let statement = &kernel.statements[0];
    let result = kernel.tensor(statement.result);
    let mut indices: Vec<&str> = statement.indices.iter().map(|v| kernel.var(*v).name.as_str()).collect();
    let mut modes = result.mode_order.clone();
    let (mut last, mut expr, mut tensors) = (result.name.clone(), String::new(), String::new());
    let access = |t: &str, i: &[&str]| if i.is_empty() { t.to_owned() } else { format!("{t}({})", i.join(",")) };
    // Functions and types of all kinds are in one statement.
    for n in 0..if seed.is_multiple_of(2) { seed / 2 % 3 } else { 0 } {
        let with = format!("with{n}");
        let op = rng.pick(&["+", "-", "*"]);
        let value = format!("{} {op} {}", access(&last, &indices), access(&with, &indices));
        let mut tensor = |name: &str, modes: &[usize], rng: &mut Rng| {
            let levels: Vec<&str> = modes.iter().map(|_| rng.pick(&["dense", "compressed", "compressed"])).collect();
            let (ty, name) = (result.ty, name.to_owned());
            tensors += &format!("\n[tensors.{name}]\ntype = \"{ty}\"\nlevels = {levels:?}\nmode_order = {modes:?}\n");
        };
        tensor(&with, &modes, &mut rng);
        last = format!("step{n}");
        let value = match indices.pop() {
            Some(v) if rng.chance(50) => {
                modes.retain(|m| *m != indices.len());
                format!("sum[{v}]({value})")
            }
            other => {
                indices.extend(other);
                value
            }
        };
        tensor(&last, &modes, &mut rng);
        expr += &format!("; {} = {value}", access(&last, &indices));
    }
    let text = case.to_string();
    let lines = text.lines().filter(|l| !l.starts_with("order = ") && !l.starts_with('#'));
    let lines = lines.map(|l| match l.strip_prefix("expr = ").and_then(|e| e.strip_suffix('"')) {
        Some(e) => format!("expr = {e}{expr}\"\n"),
        None => format!("{l}\n"),
    });
    lines.collect::<String>() + &tensors
}

/// `count` candidates: first for every Verilog module one with few cells that has it, then a third
/// each of small
/// ones, middling ones and any others.
fn sample(mut all: Vec<Candidate>, count: usize, rng: &mut Rng) -> Vec<Candidate> {
    rng.shuffle(&mut all);
    all.retain(|c| c.net.cells.len() <= MOST_CELLS);
    let mut by_size: Vec<usize> = (0..all.len()).collect();
    by_size.sort_by_key(|&n| all[n].net.cells.len());
    // How many have a module: rare ones are covered first, which covers most others.
    let mut users: BTreeMap<&str, usize> = BTreeMap::new();
    all.iter().flat_map(Candidate::modules).for_each(|m| *users.entry(m).or_default() += 1);
    let mut rare: Vec<&str> = users.keys().copied().collect();
    rare.sort_by_key(|m| users[m]);
    let (mut chosen, mut covered) = (BTreeSet::new(), BTreeSet::new());
    for module in rare {
        // Any of the smaller half of those that have it.
        let with: Vec<usize> = by_size.iter().copied().filter(|&n| all[n].modules().contains(module)).collect();
        if !covered.contains(module) && chosen.len() < count {
            let n = with[rng.below(with.len().div_ceil(2) as u64) as usize];
            covered.extend(all[n].modules());
            chosen.insert(n);
        }
    }
    println!("{} of {} Verilog modules covered by {} kernels", covered.len(), users.len(), chosen.len());
    let third = by_size.len().div_ceil(3).max(1);
    let mut strata: Vec<Vec<usize>> = by_size.chunks(third).map(<[usize]>::to_vec).collect();
    strata.iter_mut().for_each(|s| rng.shuffle(s));
    for k in 0.. {
        if chosen.len() >= count.min(all.len()) {
            break;
        }
        let many = strata.len();
        chosen.extend(strata[k % many].pop());
    }
    let mut number = 0..;
    all.retain(|_| number.next().is_some_and(|n| chosen.contains(&n)));
    all
}

/// Runs all, largest first, in as many threads as the machine has.
fn run_all(mut all: Vec<Candidate>) {
    let count = all.len();
    all.sort_by_key(|c| std::cmp::Reverse(c.net.cells.len()));
    let (next, missing, failed) = (AtomicUsize::new(0), Mutex::new(None), AtomicUsize::new(0));
    let cycles = AtomicU64::new(0);
    let work = || {
        while let Some(candidate) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let outcome =
                catch_unwind(AssertUnwindSafe(|| candidate.run())).unwrap_or_else(|_| Ok(Err("panic".into())));
            match outcome {
                Ok(Ok(n)) => drop(cycles.fetch_add(n, Ordering::Relaxed)),
                Ok(Err(e)) => {
                    let Candidate { name, text, order, seed, .. } = candidate;
                    println!("{name}, seed {seed}, order {order:?}: {e}\n{text}");
                    failed.fetch_add(1, Ordering::Relaxed);
                }
                Err(e) => drop(missing.lock().map(|mut m| *m = Some(e))),
            }
        }
    };
    let start = std::time::Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|s| (0..threads).for_each(|_| drop(s.spawn(work))));
    if let Some(e) = missing.into_inner().unwrap_or_default() {
        assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{e}");
        eprintln!("skipped: {e}");
        return;
    }
    let (cycles, failed) = (cycles.into_inner(), failed.into_inner());
    println!("{count} kernels, {cycles} cycles on both engines, {failed} wrong, {:?}", start.elapsed());
    assert_eq!(failed, 0, "{failed} of {count} kernels are wrong");
}

/// Seed, and whether everything is run.
fn settings() -> (u64, bool) {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let full = std::env::var_os("SAMHW_FULL").is_some();
    println!("SAMHW_SEED={seed}{}", if full { " SAMHW_FULL=1" } else { "" });
    (seed, full)
}

#[test]
fn rows_of_the_taco_website_run_on_verilog() {
    let Some(commands) = taco::rows() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let (seed, full) = settings();
    let candidate = |(number, command): (u64, String)| {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        let text = taco::kernel_text(&command, &mut Rng::new(seed), 5, MOST_STEPS);
        Candidate::new(format!("row {number}: {}", command.trim()), text, seed)
    };
    let listed = std::env::var("SAMHW_ROWS").ok();
    let listed: Option<Vec<u64>> = listed.map(|l| l.split(',').filter_map(|n| n.trim().parse().ok()).collect());
    let wanted = |n: u64| listed.as_ref().is_none_or(|l| l.contains(&n));
    let start = std::time::Instant::now();
    let mut rows: Vec<(u64, String)> = (1..).zip(commands).filter(|(n, _)| wanted(*n)).collect();
    if listed.is_none() && !full {
        Rng::new(seed).shuffle(&mut rows);
        rows.truncate(TACO_DRAWN);
    }
    let mut all: Vec<Candidate> = rows.into_iter().filter_map(candidate).collect();
    println!("{} rows have a netlist, after {:?}", all.len(), start.elapsed());
    if listed.is_none() && !full {
        all = sample(all, ROWS, &mut Rng::new(seed));
        assert_eq!(all.len(), ROWS);
    }
    run_all(all);
}

#[test]
fn rows_of_the_array_corpus_run_on_verilog() {
    let Some(rows) = array::rows() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let (seed, full) = settings();
    let candidate = |(number, (name, [whole, real])): (u64, (String, [String; 2]))| {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        Candidate::new(name.clone(), whole, seed).or_else(|| Candidate::new(name, real, seed))
    };
    let count = rows.len();
    let mut all: Vec<Candidate> = (1..).zip(rows).filter_map(candidate).collect();
    println!("{} of {count} rows have a netlist", all.len());
    // The others stack, or have windows of results whose sizes the row does not say.
    assert!(all.len() * 6 > count * 5, "{} of {count} rows have a netlist", all.len());
    if !full {
        all = sample(all, ARRAY_ROWS, &mut Rng::new(seed));
    }
    run_all(all);
}

#[test]
fn random_kernels_run_on_verilog() {
    let (seed, full) = settings();
    let first = seed.wrapping_mul(DRAWN);
    let seeds = first..first.saturating_add(DRAWN);
    let candidate = |seed| Candidate::new(format!("random kernel {seed}"), random_text(seed), seed);
    let all: Vec<Candidate> = seeds.filter_map(candidate).collect();
    println!("{} of {DRAWN} random kernels have a netlist", all.len());
    assert!(all.len() as u64 * 2 > DRAWN, "most random kernels are refused");
    let several = all.iter().filter(|c| c.kernel.statements.len() > 1).count();
    assert!(several * 4 > all.len(), "too few have several statements");
    let count = if full { RANDOM_FULL } else { RANDOM };
    run_all(sample(all, count, &mut Rng::new(seed)));
}
