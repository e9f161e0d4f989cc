//! Kernels of every element type, as a user writes them: products, sums and reductions of matrices,
//! with values at the ends of the type's range, by reference, dense evaluator and native engine;
//! some of them in Verilog, drawn by
//! `SAMHW_SEED`, all with `SAMHW_FULL`.

use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::parse;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::TensorId;
use samhw_compiler::types::Type;
use samhw_sim::load::operands;
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::verify::{against_dense, netlist, run_on_verilog, run_twice};
use samhw_values::Rng;
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

/// Products of narrow numbers: types of the factors B and C, and of the result, T in [`WIDENED`].
const WIDENINGS: [[&str; 3]; 9] = [
    ["i8", "i8", "i32"],
    ["i16", "u16", "i32"],
    ["u8", "i8", "u16"],
    ["i16", "i32", "i64"],
    ["i32", "i32", "i64"],
    ["u32", "i32", "u64"],
    ["bool", "i16", "i32"],
    ["i8s", "u8s", "i32s"],
    ["i8s", "i8s", "i16s"],
];

/// Expression with T for the result's type; B's fill.
const WIDENED: [(&str, &str); 6] = [
    ("X(i,j) = sum[k](T(B(i,k)) * T(C(k,j)))", "0"),
    ("X(i,j) = T(B(i,j)) * T(C(i,j))", "1"),
    ("X(i,j) = square(T(B(i,j))) + 3 * T(C(i,j))", "0"),
    ("X(i,j) = T(B(i,j)) * X0(i,j) + T(C(i,j)) * 100", "0"),
    ("X(i,j) = T(B(i,j)) * (T(C(i,j)) + T(B(i,j)))", "1"),
    ("X(i,j) = where(T(B(i,j)), T(B(i,j)) * T(C(i,j)), T(B(j,i)))", "0"),
];

const SIZE: u64 = 11;

/// A kernel file: of tensors the name, the format, the type and the fill.
fn text(expr: &str, tensors: &[(&str, &str, &str, &str)]) -> String {
    let mut text = format!("name = \"every\"\nexpr = \"{expr}\"\n[dims]\n");
    for index in ["i", "j", "k"].iter().filter(|i| expr.contains(&format!("({i}")) || expr.contains(&format!(",{i}"))) {
        text += &format!("{index} = {SIZE}\n");
    }
    for (name, format, ty, fill) in tensors {
        text += &format!("[tensors.{name}]\ntype = \"{ty}\"\n");
        if *fill != "0" {
            text += &format!("fill = {fill}\n");
        }
        text += &if format.is_empty() { "levels = []\n".into() } else { format!("format = \"{format}\"\n") };
    }
    text
}

/// Kernel `k` with all of one type.
fn uniform(ty: &str, k: usize) -> String {
    let (expr, formats) = KERNELS[k];
    text(expr, &formats.iter().map(|&(name, format)| (name, format, ty, "0")).collect::<Vec<_>>())
}

/// Kernel `k` of narrow factors.
fn widened([b, c, to]: [&str; 3], k: usize) -> String {
    let (expr, fill) = WIDENED[k];
    let fill = if b == "bool" && fill == "1" { "true" } else { fill };
    let mut tensors = vec![("B", "csr", b, fill), ("C", "dcsr", c, "0")];
    if expr.contains("X0") {
        tensors.push(("X0", "csr", to, "0"));
    }
    // The result's fill is derived.
    let levels = if fill == "0" { "csr" } else { "dense" };
    tensors.push(("X", levels, to, "0"));
    text(&expr.replace("T(", &format!("{to}(")), &tensors)
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
        _ => samhw_values::from_f64(small, ty),
    }
}

fn problem(text: &str, rng: &mut Rng) -> Problem {
    let source = Source { path: PathBuf::from("every.toml"), text: text.to_owned() };
    let file = parse(Arc::new(source)).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut data: BTreeMap<TensorId, Loaded> = BTreeMap::new();
    for t in operands(&file.kernel) {
        let shape = file.kernel.tensor(t).shape.clone();
        let mut all = vec![vec![]];
        for &n in &shape {
            all = all.iter().flat_map(|c| (0..n).map(move |x| [&c[..], &[x]].concat())).collect();
        }
        all.retain(|c| c.is_empty() || rng.chance(35));
        let values = all.iter().map(|_| value(file.kernel.tensor(t).ty, rng)).collect();
        let coo = Coo::new(shape, all.concat(), values).expect("different coordinates inside");
        data.insert(t, Loaded { coo, sized: true });
    }
    Problem::new(&file, data).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
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
                native(&problem(&uniform(ty, k), &mut rng), &format!("{ty}, {expr}, data set {turn}"));
            }
        }
    }
}

#[test]
fn the_native_engine_multiplies_narrow_numbers() {
    let mut rng = Rng::new(seed());
    for types in WIDENINGS {
        for (k, (expr, _)) in WIDENED.iter().enumerate() {
            for turn in 0..3 {
                let problem = problem(&widened(types, k), &mut rng);
                let net = native(&problem, &format!("{types:?}, {expr}, data set {turn}"));
                let narrow = net.cells.iter().any(|c| c.primitive.instance().module == "samhw_alu_product");
                // A sum is as wide as the result: with 64 bits it is no factor, and where it
                // saturates a product of it may.
                let wide = expr.contains("+ T(B") && (types[2].ends_with("64") || types[2].ends_with('s'));
                assert_eq!(narrow, !wide, "{types:?}, {expr}");
            }
        }
    }
}

#[test]
fn the_verilog_computes_every_type() {
    let mut rng = Rng::new(seed());
    let mut chosen: Vec<(String, String)> = Vec::new();
    for ty in TYPES {
        chosen.extend((0..KERNELS.len()).map(|k| (format!("{ty}, {}", KERNELS[k].0), uniform(ty, k))));
    }
    let mut narrow: Vec<(String, String)> = Vec::new();
    for types in WIDENINGS {
        narrow.extend((0..WIDENED.len()).map(|k| (format!("{types:?}, {}", WIDENED[k].0), widened(types, k))));
    }
    if std::env::var_os("SAMHW_FULL").is_none() {
        for (list, most) in [(&mut chosen, 3), (&mut narrow, 1)] {
            rng.shuffle(list);
            list.truncate(most);
        }
    }
    for (what, text) in chosen.into_iter().chain(narrow) {
        let problem = problem(&text, &mut rng);
        let net = native(&problem, &what);
        let design = emit(&problem.lowered, &net);
        let options = Options { quick: true, ..Options::default() };
        let built = match Built::new(&net, &design, options, &samhw_rtlsim::default_cache().unwrap()) {
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
