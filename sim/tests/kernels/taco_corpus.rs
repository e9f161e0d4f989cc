//! Real expressions: rows of the public TACO corpus through every stage, in several loop orders, on
//! several inputs. How to run it, and what it says: docs/corpus.md.

use crate::taco;
use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::order::choose;
use samhw_testing::verify::{against_dense, netlist, problem, run_twice, shuffled};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Rows of a default run.
const SAMPLE: usize = 300;
/// Steps of all loops of a row together.
const MOST_STEPS: u64 = 4000;
/// Random loop orders per row, next to the chosen one, and inputs per order in a full run.
const FULL: (usize, usize) = (2, 3);

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Outcome {
    /// Right in all runs; their number.
    Right(u64),
    /// Refused with this code and message.
    Diagnosed(String, String),
    /// What differs.
    Wrong(String),
}

/// Runs a row in the chosen order and `orders` random ones, with `inputs` inputs each.
fn run(command: &str, seed: u64, orders: usize, inputs: usize) -> Outcome {
    let mut rng = Rng::new(seed);
    let text = taco::kernel_text(command, &mut rng, 5, MOST_STEPS);
    let source = Source { path: PathBuf::from("row.toml"), text: text.clone() };
    let file = match frontend::parse(Arc::new(source)) {
        Ok(file) => file,
        Err(all) => return Outcome::Diagnosed(all[0].code.into(), all[0].message.clone()),
    };
    let kernel = &file.kernel;
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let mut runs = 0;
    for n in 0..=orders {
        let chosen = match choose(kernel, &Density::default()) {
            Ok(choice) => choice.order,
            Err(d) => return Outcome::Diagnosed(d.code.into(), d.message),
        };
        let order = if n == 0 { chosen } else { shuffled(kernel, chosen, &mut rng) };
        for input in 0..inputs {
            let density = if input == 1 { 0 } else { rng.pick(&[10, 30, 50, 80, 100]) };
            let data = taco::random_data(kernel, &dims, density, &mut rng);
            let fault = |e: String| Outcome::Wrong(format!("order {order:?}, density {density} %: {e}\n{text}"));
            let problem = match problem(kernel, &order, &dims, &data) {
                Ok(p) => p,
                Err(d) if n == 0 => return Outcome::Diagnosed(d.code.into(), d.message),
                Err(d) => return fault(format!("a random order is refused: {d:?}")),
            };
            if let Some(e) = against_dense(&problem) {
                return fault(e);
            }
            match netlist(&problem, Depths::Auto) {
                Err(e) => return fault(e),
                Ok(Err(d)) => return Outcome::Diagnosed(d.code.into(), d.message),
                Ok(Ok(net)) => {
                    if let Err(e) = run_twice(&problem, &net) {
                        return fault(e);
                    }
                }
            }
            runs += 1;
        }
    }
    Outcome::Right(runs)
}

/// Runs the numbered rows in as many threads as the machine has.
fn run_all(rows: &[(usize, String)], seed: u64, orders: usize, inputs: usize) -> Vec<(usize, Outcome)> {
    let (next, out) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, command)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(*number as u64);
            let outcome = catch_unwind(AssertUnwindSafe(|| run(command, seed, orders, inputs)))
                .unwrap_or_else(|_| Outcome::Wrong("panic".into()));
            if let Outcome::Wrong(why) = &outcome {
                println!("row {number}: {command}\n{why}\n");
            }
            if let Ok(mut out) = out.lock() {
                out.push((*number, outcome));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|s| (0..threads).for_each(|_| drop(s.spawn(work))));
    let mut out = out.into_inner().unwrap_or_default();
    out.sort_by_key(|(n, _)| *n);
    out
}

/// The refused rows as docs/corpus.md lists them.
fn table(rows: &[(usize, String)], outcomes: &[(usize, Outcome)]) -> String {
    let mut classes: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for (n, outcome) in outcomes {
        if let Outcome::Diagnosed(code, message) = outcome {
            classes.entry(code).or_default().push((*n, message));
        }
    }
    let mut text = String::from("| code | rows | first message |\n|---|---|---|\n");
    for (code, all) in &classes {
        text.push_str(&format!("| {code} | {} | {} |\n", all.len(), all[0].1.replace('|', "\\|")));
    }
    for (code, all) in &classes {
        text.push_str(&format!("\n{code}:\n\n"));
        for (n, _) in all {
            let command = rows.iter().find(|(m, _)| m == n).map_or("", |(_, c)| c.as_str());
            text.push_str(&format!("- row {n}: `{}`\n", command.trim()));
        }
    }
    text
}

/// Stands before the table in docs/corpus.md.
const MARK: &str = "<!-- The rest is written by the test: SAMHW_FULL=1 SAMHW_BLESS=1. -->\n";

/// Compares the end of docs/corpus.md with `table`, or writes it.
fn check_page(table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/corpus.md");
    let page = std::fs::read_to_string(&path).expect("docs/corpus.md can be read");
    let (head, tail) = page.split_once(MARK).expect("docs/corpus.md holds the mark");
    if std::env::var_os("SAMHW_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{MARK}\n{table}")).expect("docs/corpus.md can be written");
    } else {
        assert_eq!(tail.trim(), table.trim(), "docs/corpus.md is not up to date: run with SAMHW_BLESS=1");
    }
}

#[test]
fn rows_of_the_taco_website_are_right_or_refused() {
    let Some(commands) = taco::rows() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let full = std::env::var_os("SAMHW_FULL").is_some();
    println!("SAMHW_SEED={seed}, {}", if full { "all rows" } else { "a sample; SAMHW_FULL=1 runs all rows" });
    let all: Vec<(usize, String)> = (1..).zip(commands).collect();
    let mut rows = all.clone();
    if !full {
        Rng::new(seed).shuffle(&mut rows);
        rows.truncate(SAMPLE);
    }
    let (orders, inputs) = if full { FULL } else { (1, 2) };
    let start = std::time::Instant::now();
    let outcomes = run_all(&rows, seed, orders, inputs);
    let runs: u64 = outcomes.iter().map(|(_, o)| if let Outcome::Right(n) = o { *n } else { 0 }).sum();
    let count = |f: fn(&Outcome) -> bool| outcomes.iter().filter(|(_, o)| f(o)).count();
    let (right, wrong) = (count(|o| matches!(o, Outcome::Right(_))), count(|o| matches!(o, Outcome::Wrong(_))));
    let refused = rows.len() - right - wrong;
    println!("{} rows: {right} right ({runs} problems, each run twice), {refused} refused, {wrong} wrong", rows.len());
    println!("{:.1} s", start.elapsed().as_secs_f64());
    assert_eq!(wrong, 0, "{wrong} rows are wrong");
    // Which rows' random data fit a singleton level depends on the seed.
    if full && seed == 1 {
        check_page(&table(&all, &outcomes));
    }
}
