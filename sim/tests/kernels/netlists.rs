//! Whole kernels as synthesis leaves them, memories included, made of a family's cells: as many
//! cycles as the native engine and the reference's results.
//!
//! One kernel on one family, drawn by `SAMHW_SEED`; all of them with `SAMHW_FULL`.

use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::order::choose;
use samhw_compiler::stmt::{Kernel, TensorId, VarId};
use samhw_rtlsim::{Error as ToolError, Family};
use samhw_sim::load::operands;
use samhw_sim::run::Problem;
use samhw_sim::tensor::Coo;
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::verify::{problem, run_on_verilog};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Small sizes: what is no block RAM is made of registers.
const SIZE: u64 = 6;
const NNZ: u64 = 12;
/// Data sets of a kernel; the first is empty.
const DATA_SETS: u64 = 6;

/// A tensor and its levels, dense or compressed.
type Levels = (&'static str, &'static str);

/// Expression, tensors, loop order.
const KERNELS: [(&str, &[Levels], &str); 3] = [
    ("y(i) = A(i,j) * x(j)", &[("y", "d"), ("A", "dc"), ("x", "d")], "i j"),
    ("X(i,j) = B(i,k) * C(k,j)", &[("X", "cc"), ("B", "cc"), ("C", "cc")], "i k j"),
    ("X(i,j) = B(i,j) + C(i,j)", &[("X", "cc"), ("B", "cc"), ("C", "dc")], "i j"),
];

/// Folder of compiled designs: `SAMHW_CACHE`, else `.cache` of the workspace.
fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

/// The kernel file.
fn text(kernel: usize) -> String {
    let (expr, tensors, order) = KERNELS[kernel];
    let vars: Vec<&str> = order.split(' ').collect();
    let dims: String = vars.iter().map(|v| format!("{v} = {SIZE}\n")).collect();
    let level = |c| if c == 'd' { "\"dense\"" } else { "\"compressed\"" };
    let tensor = |(name, levels): &Levels| {
        let all: Vec<&str> = levels.chars().map(level).collect();
        let nnz = if levels.contains('c') { format!("nnz = {NNZ}\n") } else { String::new() };
        format!("[tensors.{name}]\nlevels = [{}]\ntype = \"i8\"\n{nnz}", all.join(", "))
    };
    let tensors: String = tensors.iter().map(tensor).collect();
    format!("name = \"cells\"\nexpr = \"{expr}\"\norder = {vars:?}\n[dims]\n{dims}{tensors}")
}

/// Entries at `percent` of 100 coordinates, at most as many as there is room for.
fn data(kernel: &Kernel, dims: &[u64], percent: u64, rng: &mut Rng) -> BTreeMap<TensorId, Coo> {
    let shape = |t: TensorId| -> Vec<u64> {
        let access = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value)).find(|(u, _)| *u == t);
        access.map_or_else(Vec::new, |(_, i)| i.iter().map(|v: &VarId| dims[v.0]).collect())
    };
    let filled = |t: TensorId| {
        let shape = shape(t);
        let (mut coords, mut values) = (Vec::new(), Vec::new());
        let row = shape.last().copied().unwrap_or(1).max(1);
        for n in 0..shape.iter().product::<u64>() {
            if (values.len() as u64) < NNZ && rng.chance(percent) {
                coords.extend(if shape.len() == 2 { vec![n / row, n % row] } else { vec![n] });
                values.push(rng.bits() & 0xff);
            }
        }
        (t, Coo::new(shape, coords, values).expect("coordinates are different and inside"))
    };
    operands(kernel).into_iter().map(filled).collect()
}

/// Runs a kernel as cells of `family`; cycles of all runs.
fn run(kernel: usize, family: Family, seed: u64) -> Result<u64, ToolError> {
    let text = text(kernel);
    let source = Source { path: PathBuf::from("cells.toml"), text: text.clone() };
    let file = parse(Arc::new(source)).unwrap_or_else(|d| panic!("{text}\n{d:?}"));
    let order = choose(&file.kernel, &Density::default()).expect("an order").order;
    let mut rng = Rng::new(seed);
    let problems: Vec<Problem> = (0..DATA_SETS)
        .map(|n| {
            let dims: Vec<u64> =
                file.kernel.vars.iter().map(|_| if n < 2 { SIZE } else { 1 + rng.below(SIZE) }).collect();
            let data = data(&file.kernel, &dims, [0, 30, 10, 60][n as usize % 4], &mut rng);
            problem(&file.kernel, &order, &dims, &data).unwrap_or_else(|d| panic!("{text}\n{d:?}"))
        })
        // Results, too, must fit what is declared.
        .filter(|p| p.reference.values().all(|o| o.stored.len() as u64 <= NNZ))
        .collect();
    assert!(problems.len() as u64 >= DATA_SETS / 2, "{text}\nonly {} data sets fit", problems.len());
    let net = problems[0].declared_netlist().unwrap_or_else(|d| panic!("{text}\n{d:?}"));
    let emitted = emit(&problems[0].lowered, &net);
    let options = Options { mapped: Some(family), quick: true, ..Options::default() };
    let built = match Built::new(&net, &emitted, options, &cache()) {
        Err(Error::Tools(e)) => return Err(e),
        other => other.unwrap_or_else(|e| panic!("{text}\n{e}")),
    };
    Ok(run_on_verilog(&problems, &net, &built).unwrap_or_else(|e| panic!("{}:\n{text}\n{e}", family.name())))
}

#[test]
fn cells_do_what_the_kernel_does() {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("SAMHW_SEED={seed}");
    let mut all: Vec<(usize, Family)> = (0..KERNELS.len()).flat_map(|k| Family::ALL.map(|f| (k, f))).collect();
    if std::env::var_os("SAMHW_FULL").is_none() {
        all = vec![Rng::new(seed).pick(&all)];
    }
    for (kernel, family) in all {
        match run(kernel, family, seed) {
            Ok(cycles) => println!("{} on {}: {cycles} cycles", KERNELS[kernel].0, family.name()),
            Err(e @ ToolError::ToolMissing { .. }) if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() => {
                eprintln!("skipped: {e}");
            }
            Err(e) => panic!("{} on {}: {e}", KERNELS[kernel].0, family.name()),
        }
    }
}
