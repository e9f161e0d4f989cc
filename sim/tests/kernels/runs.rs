//! Beats that the native engine moves at once move as they do one after the other: cycles, counters
//! and every beat's cycle are the same. Under a back-pressure that holds nothing back it moves none
//! at once.

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

/// Expression, its tensors and their levels.
const MERGES: [(&str, &[(&str, &str)]); 4] = [
    ("x(i) = b(i) * c(i)", &[("x", "c"), ("b", "c"), ("c", "c")]),
    ("y(i) = A(i,j) * x(j)", &[("y", "d"), ("A", "dc"), ("x", "c")]),
    ("X(i,j) = B(i,k) * C(k,j)", &[("X", "cc"), ("B", "cc"), ("C", "cc")]),
    ("X(i,j) = B(i,j) * C(i,j)", &[("X", "cc"), ("B", "dc"), ("C", "cc")]),
];

/// A kernel file whose joins step from coordinate to coordinate: operands of very different
/// lengths.
fn text(case: usize, seed: u64) -> String {
    let (expr, tensors) = MERGES[case];
    let mut rng = Rng::new(seed);
    let vars = ["i", "j", "k"].into_iter().filter(|v| expr.contains(*v));
    let dims: String = vars.map(|v| format!("{v} = {}\n", 30 + rng.below(100))).collect();
    let level = |c| if c == 'd' { "dense" } else { "compressed" };
    let table = |(name, levels): &(&str, &str)| {
        let levels: Vec<&str> = levels.chars().map(level).collect();
        format!("[tensors.{name}]\nlevels = {levels:?}\ntype = \"i32\"\n")
    };
    let tables: String = tensors.iter().map(table).collect();
    let mut data = String::from("[data]\n");
    for (n, (name, _)) in tensors[1..].iter().enumerate() {
        let density = if n as u64 == seed % 2 { 0.02 + 0.01 * rng.below(5) as f64 } else { 0.9 };
        data += &format!("{name} = {{ random = {{ density = {density}, seed = {seed} }} }}\n");
    }
    format!("expr = \"{expr}\"\n[dims]\n{dims}{tables}[schedule]\nlocate = []\nskip = []\nwide = {{}}\n{data}")
}

#[test]
fn beats_that_move_at_once_move_as_one_by_one() {
    for (case, seed) in (0..MERGES.len()).flat_map(|case| (1..=6).map(move |seed| (case, seed))) {
        let text = text(case, seed);
        let file = parse(Arc::new(Source { path: "runs.toml".into(), text: text.clone() })).expect(&text);
        let loaded = load_operands(&file, &BTreeMap::new()).expect(&text);
        let problem = Problem::new(&file, loaded).expect(&text);
        let net = problem.netlist(Depths::Auto).expect(&text);
        let at_once = run_twice(&problem, &net).expect(&text);
        let nothing_held = Pressure { rng: Rng::new(1), percent: 0 };
        let one_by_one = run_pressed(&problem, &net, nothing_held).expect(&text);
        assert_eq!(at_once, one_by_one, "{text}");
    }
}
