//! Kernels of every element type, as a user writes them: products, sums and reductions of matrices, with values
//! at the ends of the type's range, by reference, dense evaluator and native engine; some of them in Verilog, drawn by
//! `SAMHW_SEED`, all with `SAMHW_FULL`.

use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::parse;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::TensorId;
use samhw_compiler::types::Type;
use samhw_sim::load::operands;
use samhw_sim::random::Rng;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_sim::verify::{against_dense, netlist, run_on_verilog, run_twice};
use samhw_sim::verilator::{Built, Error, Options};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const TYPES: [&str; 23] = [
    "bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "u8s", "i8s", "u32s", "i64s", "fx8.4", "fx16.8",
    "ufx16.8", "fx32.31", "fx64.20", "ufx12.0", "f64", "f32", "bf16", "f16",
];

/// Expression, and the format of each tensor.
const KERNELS: [(&str, &[(&str, &str)]); 8] = [
    ("y(i) = A(i,j) * x(j)", &[("A", "csr"), ("x", "dense"), ("y", "dense")]),
    ("X(i,j) = B(i,k) * C(k,j)", &[("B", "dcsr"), ("C", "dcsr"), ("X", "dcsr")]),
    ("X(i,j) = B(i,k) * C(k,j)", &[("B", "csr"), ("C", "csc"), ("X", "csr")]),
    ("X(i,j) = B(i,j) + C(i,j)", &[("B", "csr"), ("C", "dcsr"), ("X", "csr")]),
    ("y(i) = sum[j](A(i,j))", &[("A", "dcsr"), ("y", "dense")]),
    ("y(j) = max[i](A(i,j))", &[("A", "csr"), ("y", "dense")]),
    ("a = min[i,j](A(i,j) - B(i,j))", &[("A", "csr"), ("B", "csr"), ("a", "")]),
    ("X(i,j) = clip(B(i,j) * C(i,j), lo, hi)", &[("B", "csr"), ("C", "csr"), ("X", "csr"), ("lo", ""), ("hi", "")]),
];

const SIZE: u64 = 11;

fn text(ty: &str, kernel: usize) -> String {
    let (expr, formats) = KERNELS[kernel];
    let mut text = format!("name = \"every\"\nexpr = \"{expr}\"\n[dims]\n");
    for index in ["i", "j", "k"].iter().filter(|i| expr.contains(&format!("({i}")) || expr.contains(&format!(",{i}"))) {
        text += &format!("{index} = {SIZE}\n");
    }
    for (name, format) in formats {
        text += &format!("[tensors.{name}]\ntype = \"{ty}\"\n");
        text += &if format.is_empty() { "levels = []\n".into() } else { format!("format = \"{format}\"\n") };
    }
    text
}

/// Stored zeros, small values, ends of the range, and any.
fn value(ty: Type, rng: &mut Rng) -> u64 {
    let small = rng.below(9) as f64 / 2.0 - 2.0;
    match rng.below(10) {
        0 => 0,
        1 => ty.greatest(),
        2 if !matches!(ty, Type::Float { .. }) => ty.least(),
        2 => ty.infinity(),
        3 | 4 if !matches!(ty, Type::Float { .. }) => rng.bits() & ty.mask(),
        _ => samhw_primitives::value::from_f64(small, ty),
    }
}

fn problem(ty: &str, kernel: usize, rng: &mut Rng) -> Problem {
    let source = Source { path: PathBuf::from("every.toml"), text: text(ty, kernel) };
    let file = parse(Arc::new(source)).unwrap_or_else(|e| panic!("{e:?}\n{}", text(ty, kernel)));
    let ty = Type::from_name(ty).expect("a type");
    let mut data: BTreeMap<TensorId, Loaded> = BTreeMap::new();
    for t in operands(&file.kernel) {
        let shape = file.kernel.tensor(t).shape.clone();
        let mut all = vec![vec![]];
        for &n in &shape {
            all = all.iter().flat_map(|c| (0..n).map(move |x| [&c[..], &[x]].concat())).collect();
        }
        all.retain(|c| c.is_empty() || rng.chance(35));
        let values = all.iter().map(|_| value(ty, rng)).collect();
        let coo = Coo::new(shape, all.concat(), values).expect("different coordinates inside");
        data.insert(t, Loaded { coo, sized: true });
    }
    Problem::new(&file, data).unwrap_or_else(|e| panic!("{ty}, {}: {e:?}", KERNELS[kernel].0))
}

/// Right natively; the netlist.
fn native(problem: &Problem, what: &str) -> Netlist {
    if let Some(e) = against_dense(problem) {
        panic!("{what}: {e}");
    }
    let net = netlist(problem, Depths::Auto).expect("a graph").unwrap_or_else(|d| panic!("{what}: {d:?}"));
    run_twice(problem, &net).unwrap_or_else(|e| panic!("{what}: {e}"));
    net
}

fn seed() -> u64 {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    println!("SAMHW_SEED={seed}");
    seed
}

#[test]
fn the_native_engine_computes_every_type() {
    let mut rng = Rng::new(seed());
    for ty in TYPES {
        for (k, (expr, _)) in KERNELS.iter().enumerate() {
            for turn in 0..3 {
                native(&problem(ty, k, &mut rng), &format!("{ty}, {expr}, data set {turn}"));
            }
        }
    }
}

#[test]
fn the_verilog_computes_every_type() {
    let mut rng = Rng::new(seed());
    let mut chosen: Vec<(&str, usize)> = TYPES.iter().flat_map(|t| (0..KERNELS.len()).map(move |k| (*t, k))).collect();
    if std::env::var_os("SAMHW_FULL").is_none() {
        rng.shuffle(&mut chosen);
        chosen.truncate(4);
    }
    for (ty, k) in chosen {
        let what = format!("{ty}, {}", KERNELS[k].0);
        let problem = problem(ty, k, &mut rng);
        let net = native(&problem, &what);
        let design = emit(&problem.lowered, &net);
        let options = Options { quick: true, ..Options::default() };
        let built = match Built::new(&net, &design, options, &samhw_rtlsim::default_cache()) {
            Ok(built) => built,
            Err(Error::Tools(e @ samhw_rtlsim::Error::ToolMissing { .. }))
                if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() =>
            {
                println!("skipped: {e}");
                return;
            }
            Err(e) => panic!("{what}: {e}"),
        };
        let cycles = run_on_verilog(&[problem], &net, &built).unwrap_or_else(|e| panic!("{what}: {e}"));
        println!("{what}: {cycles} cycles");
    }
}
