//! Lanes over a sparse index, in every form there is: results as the reference says, twice back to
//! back and under random back-pressure, on matrices of any density, with fewer entries than lanes,
//! and of any shape.

use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::load::load_operands;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::verify::{run_pressed, run_twice};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Expression, type, tensors with a letter a level, the index with lanes.
const KERNELS: [(&str, &str, &str, &str); 14] = [
    // Rows are summed: the result dense or not, with several operands, of other operators and
    // types.
    ("y(i) = A(i,j) * x(j)", "i32", "y d A dc x d", "j"),
    ("y(i) = A(i,j) * x(j)", "i16", "y c A cb x d", "j"),
    ("y(i) = A(i,j) * B(i,j) * x(j) * z(i)", "i32", "y d A dc B dd x d z d", "j"),
    ("y(i) = max[j](A(i,j) * x(j))", "u16", "y d A dc x d", "j"),
    ("y(i) = any[j](A(i,j) & x(j))", "bool", "y c A cc x d", "j"),
    ("y(i) = 2 * (A(i,j) * x(j))", "i8", "y d A dc x d", "j"),
    ("y(i) = T(i,j,k) * b(j) * c(k)", "i32", "y d T ccc b d c d", "k"),
    // Everything is summed.
    ("a = b(i) * c(i)", "i32", "a  b c c d", "i"),
    ("a = A(i,j) * x(j) * z(i)", "f32", "a  A dc x d z d", "j"),
    // Nothing is.
    ("y(i) = b(i) * c(i)", "i32", "y d b c c d", "i"),
    ("X(i,j) = A(i,j) * C(i,k) * D(k,j)", "i32", "X dc A dc C dd D dd", "j"),
    ("X(i,j) = A(i,j) * x(j)", "f32", "X dd A cc x d", "j"),
    ("X(i,j) = A(i,j) * x(j)", "i16", "X cb A cc x d", "j"),
    ("X(i,j,k) = T(i,j,k) * c(k)", "i32", "X ccc T ccc c d", "k"),
];

fn text((expr, ty, tensors, index): (&str, &str, &str, &str), rng: &mut Rng) -> String {
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [\"i\", \"j\", \"k\"]\n[dims]\n");
    let used = |v: &&str| expr.contains(&format!("({v}")) || expr.contains(&format!(",{v}"));
    let vars: Vec<&str> = ["i", "j", "k"].into_iter().filter(used).collect();
    out = out.replace("[\"i\", \"j\", \"k\"]", &format!("{vars:?}"));
    for v in &vars {
        out += &format!("{v} = {}\n", rng.pick(&[1, 2, 7, 20]));
    }
    let mut data = String::from("[data]\n");
    let words: Vec<&str> = tensors.split(' ').collect();
    for pair in words.chunks(2) {
        let [name, letters] = pair[..] else { continue };
        let level = |c| match c {
            'd' => "dense",
            'c' => "compressed",
            _ => "bitvector8",
        };
        let levels: Vec<&str> = letters.chars().map(level).collect();
        let fill = if levels.is_empty() { String::new() } else { format!("levels = {levels:?}\n") };
        out += &format!("[tensors.{name}]\ntype = \"{ty}\"\n{fill}");
        if !expr.starts_with(name) {
            let (density, seed) = (rng.pick(&["0.0", "0.03", "0.3", "0.9"]), rng.below(1000));
            data += &format!("{name} = {{ random = {{ density = {density}, seed = {seed} }} }}\n");
        }
    }
    format!("{out}{data}[schedule]\nlanes = {{ {index} = {} }}\n", rng.pick(&[2, 3, 4, 8]))
}

#[test]
fn results_are_right() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (base, count): (u64, u64) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", 12));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    for kernel in KERNELS {
        for seed in base..base + count {
            let text = text(kernel, &mut Rng::new(seed));
            let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.clone() })).expect(&text);
            let loaded = load_operands(&file, &BTreeMap::new()).expect(&text);
            let problem = Problem::new(&file, loaded).expect(&text);
            let runs = problem.lowered.graph.uses.iter().filter(|u| u.chunk.is_some()).count();
            assert!(runs > 1, "no lanes:\n{text}");
            let net = problem.netlist(Depths::Auto).expect(&text);
            let pressure = Pressure { rng: Rng::new(seed), percent: 5 + seed % 60 };
            let done = run_twice(&problem, &net).and_then(|_| run_pressed(&problem, &net, pressure));
            assert!(done.is_ok(), "seed {seed}:\n{text}\n{}", done.unwrap_err());
        }
    }
}

#[test]
fn eight_lanes_take_nearly_eight_entries_a_cycle() {
    let shared = std::env::var_os("SAMHW_SHARED").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")),
        std::path::PathBuf::from,
    );
    for (matrix, rows, columns, least) in [("lp_e226.mtx", 223, 472, 6.9), ("1138_bus.mtx", 1138, 1138, 7.2)] {
        let path = shared.join("data").join(matrix);
        if !path.exists() {
            println!("skipped: no {}", path.display());
            continue;
        }
        for (ty, levels) in [("i16", "compressed"), ("i32", "compressed"), ("i32", "dense")] {
            let text = format!(
                "name = \"k\"\nexpr = \"y(i) = A(i,j) * x(j)\"\norder = [\"i\", \"j\"]\n[dims]\ni = {rows}\nj = {columns}\n\
                 [tensors.A]\nformat = \"csr\"\ntype = \"{ty}\"\n[tensors.x]\nformat = \"dense\"\ntype = \"{ty}\"\n\
                 [tensors.y]\nlevels = [\"{levels}\"]\ntype = \"{ty}\"\n[schedule]\nlanes = {{ j = 8 }}\n[data]\n\
                 A = {{ file = \"{}\", convert = \"ones\" }}\nx = {{ random = {{ density = 1.0, seed = 1 }} }}\n",
                path.display()
            );
            let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.clone() })).expect(&text);
            let problem = Problem::new(&file, load_operands(&file, &BTreeMap::new()).expect(&text)).expect(&text);
            let entries = problem.data.values().map(|coo| coo.len()).max().unwrap_or(0);
            let net = problem.netlist(Depths::Auto).expect(&text);
            let cycles = run_twice(&problem, &net).expect(&text).cycles;
            let rate = entries as f64 / cycles as f64;
            println!("{matrix}, {ty}, y {levels}: {entries} entries, {cycles} cycles, {rate:.2} a cycle");
            assert!(rate > least, "{rate:.2} entries a cycle");
        }
    }
}
