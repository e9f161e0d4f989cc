//! Programs: the gain of statements that run at the same time, and of lanes and copies inside them, compared with
//! targets.

mod granularity;

use crate::Verdict;
use crate::kernel::{LIMIT, one, rendered};
use crate::table::{Table, grouped, verdict};
use anyhow::{Context, Result, bail};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// A two-layer graph network of 270 nodes: 140 features, 16 hidden ones, 7 classes.
const NETWORK: &str = "T(i,h) = X(i,f) * W(f,h); H(i,h) = relu(sum[k](A(i,k) * T(k,h)) + b(h)); \
    U(i,c) = H(i,h) * V(h,c); Z(i,c) = sum[k](A(i,k) * U(k,c)) + d(c); Y(i,c) = softmax[c](Z(i,c))";
/// Sparse attention of 128 tokens.
const ATTENTION: &str = "O(i,e) = softmax[j](M(i,j) * Q(i,d) * K(j,d)) * V(j,e)";
/// A transformer block of 96 tokens with attention in blocks of 16 (BigBird), 16 features, 32
/// hidden ones.
const BLOCK: &str = "Q(i,d) = X(i,a) * Wq(a,d); K(j,d) = X(j,a) * Wk(a,d); V(j,e) = X(j,a) * Wv(a,e); \
    O(i,e) = softmax[j](M(i,j) * Q(i,d) * K(j,d)) * V(j,e); P(i,a) = X(i,a) + O(i,e) * Wo(e,a); \
    F(i,f) = relu(sum[a](P(i,a) * W1(a,f))); Y(i,a) = P(i,a) + F(i,f) * W2(f,a)";
/// Breadth-first search of 300 nodes.
const SEARCH: &str = "n(k) = any[j](G(k,j) and f(j)) and not v(k); v(k) or= n(k); more = any[k](n(k))";

/// Cycles that are wanted of a run on these data, at most.
type Wanted = fn(&Problem) -> f64;
/// A name, the file for a schedule, a schedule, the cycles that it may take.
type Case<'a> = (&'a str, &'a dyn Fn(&str) -> String, &'a str, Option<Wanted>);

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None)
}

/// Runs the benchmark and, if `svg` is given, writes the charts into that folder.
pub fn draw(svg: Option<&Path>) -> Result<Verdict> {
    let mut table = Table::new(&["program", "one by one", "at once", "times faster", "at most", ""]);
    let mut missed = 0;
    let network = |schedule: &str| network(NETWORK, schedule);
    let attention = |schedule: &str| {
        let tensors = ["M dc", "Q dd", "K dd", "V dd", "O dd"];
        let sizes = "i = 128\nj = 128\nd = 32\ne = 32\n";
        text((ATTENTION, "f32"), sizes, &tensors, &["M 0.146", "Q 1.0", "K 1.0", "V 1.0"], schedule)
    };
    let block = |schedule: &str| block(BLOCK, schedule);
    let search = |schedule: &str| {
        let rounds = "[repeat]\nwhile = \"more\"\nat_most = 300\ncarry = { f = \"n\" }\n";
        let tensors = ["G dc", "f d", "n d", "v d", "more"];
        let data = ["G 0.008", "f 0.01", "v 0.01"];
        text((SEARCH, "bool"), "k = 300\nj = 300\n", &tensors, &data, schedule) + rounds
    };
    let cases: [Case; 7] = [
        ("graph network, 270 nodes", &network, "", Some(|p| 1.12 * layers(p, 1.0) + 810.0)),
        ("  16 lanes over hidden features", &network, "lanes = { h = 16 }\n", Some(|p| 1.2 * layers(p, 16.0) + 2160.0)),
        ("  4 copies of rows", &network, "parallel = { i = 4 }\n", Some(|p| 0.36 * layers(p, 1.0) + 1620.0)),
        ("attention, 128 tokens", &attention, "", Some(|p| 1.15 * 32.0 * stored(p, "M") + 1536.0)),
        ("  8 lanes", &attention, "lanes = { d = 8, e = 8 }\n", Some(|p| (1.3 * 4.0 + 4.0) * stored(p, "M") + 2560.0)),
        // The scores' stage, and the keys before it.
        ("transformer block, 96 tokens", &block, "", Some(|p| 1.05 * (16.0 * stored(p, "M") + 24_576.0) + 7_000.0)),
        ("breadth-first search, 300 nodes", &search, "", None),
    ];
    for (name, text, schedule, wanted) in cases {
        let alone = cycles(&text(&format!("fuse = {{}}\n{schedule}")))?.0;
        let (fused, problem) = cycles(&text(schedule))?;
        let most = wanted.map(|wanted| wanted(&problem) as u64);
        missed += row(&mut table, name, (alone, fused), most);
    }
    for (name, text) in models()? {
        let alone = match text.contains("[schedule]\n") {
            true => text.replace("[schedule]\n", "[schedule]\nfuse = {}\n"),
            false => format!("{text}\n[schedule]\nfuse = {{}}\n"),
        };
        missed += row(&mut table, &name, (cycles(&alone)?.0, cycles(&text)?.0), None);
    }
    table.print();
    println!();
    missed += granularity::measure(svg)?;
    Ok(Verdict::of(missed))
}

/// The graph network, or `expr` on its data.
fn network(expr: &str, schedule: &str) -> String {
    let tensors = ["X dc", "A dc", "W dd", "V dd", "b d", "d d", "Y dd"];
    let sizes = "i = 270\nk = 270\nf = 140\nh = 16\nc = 7\n";
    text((expr, "f32"), sizes, &tensors, &["X 0.05", "A 0.02", "W 1.0", "V 1.0", "b 1.0", "d 1.0"], schedule)
}

/// The transformer block, or `expr` on its data.
fn block(expr: &str, schedule: &str) -> String {
    block_of((96, 16), expr, schedule)
}

/// The same of some tokens and features. Blocks of attention have as many tokens as there are features.
fn block_of((tokens, features): (u32, u32), expr: &str, schedule: &str) -> String {
    let tensors = ["X dd", "M dc", "Wq dd", "Wk dd", "Wv dd", "Wo dd", "W1 dd", "W2 dd", "Y dd"];
    let sizes = [("i", tokens), ("j", tokens), ("a", features), ("d", features), ("e", features), ("f", 2 * features)];
    let sizes = sizes.map(|(name, size)| format!("{name} = {size}\n")).concat();
    let dense = ["X 1.0", "Wq 1.0", "Wk 1.0", "Wv 1.0", "Wo 1.0", "W1 1.0", "W2 1.0"];
    text((expr, "f32"), &sizes, &tensors, &dense, schedule)
        + &format!("M = {{ block = {{ size = {features}, density = 0.75, seed = 1, values = [1.0, 1.0] }} }}\n")
}

/// A line of the table; 1 if it misses what is wanted.
fn row(table: &mut Table, name: &str, (alone, fused): (u64, u64), most: Option<u64>) -> usize {
    let good = fused <= most.unwrap_or(alone);
    let times = format!("{:.2}", alone as f64 / fused as f64);
    let most = most.map_or("-".into(), grouped);
    table.row(vec![name.into(), grouped(alone), grouped(fused), times, most, verdict(good)]);
    usize::from(!good)
}

/// Products of the graph network's longest stages, this number of features at once.
fn layers(problem: &Problem, lanes: f64) -> f64 {
    let (x, a) = (stored(problem, "X"), stored(problem, "A"));
    let hidden = 16.0 / lanes;
    x * hidden + (a * hidden).max(270.0 * hidden * 7.0) + a * 7.0
}

/// Entries of an operand.
fn stored(problem: &Problem, name: &str) -> f64 {
    let named = problem.data.iter().find(|(t, _)| problem.lowered.kernel.tensor(**t).name == name);
    named.map_or(0.0, |(_, data)| data.len() as f64)
}

/// A kernel file: expression and type, sizes, tensors with a letter for each level, operands with
/// densities.
fn text((expr, ty): (&str, &str), sizes: &str, tensors: &[&str], data: &[&str], schedule: &str) -> String {
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\n[dims]\n{sizes}[schedule]\n{schedule}");
    for tensor in tensors {
        let (name, levels) = tensor.split_once(' ').unwrap_or((tensor, ""));
        let levels: Vec<&str> = levels.chars().map(|l| if l == 'd' { "dense" } else { "compressed" }).collect();
        out += &format!("[tensors.{name}]\nlevels = {levels:?}\ntype = \"{ty}\"\n");
    }
    out += "[data]\n";
    for (seed, operand) in data.iter().enumerate() {
        let (name, density) = operand.split_once(' ').unwrap_or((operand, "1.0"));
        // What is known and what is reached in a search begins alike.
        let seed = if name == "v" { 1 } else { seed };
        out += &format!("{name} = {{ random = {{ density = {density}, seed = {seed} }} }}\n");
    }
    out
}

/// The models among the examples, by name.
fn models() -> Result<Vec<(String, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/models");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, std::fs::read_to_string(path).with_context(|| path.display().to_string())?))
    };
    paths.iter().map(read).collect()
}

/// Cycles of a kernel, whose results must be right within the bounds of its sums.
fn cycles(text: &str) -> Result<(u64, Problem)> {
    let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.to_owned() })).map_err(|d| rendered(&d))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
    let mut problem = Problem::new(&file, loaded).map_err(|d| rendered(&d))?;
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let outcome = problem.run_native(&net, LIMIT).map_err(one)?;
    if let Some(wrong) = problem.follow(outcome.rounds).map_err(one)? {
        bail!("{wrong}");
    }
    for (t, coo) in &outcome.results {
        if let Some(difference) = problem.compare(*t, coo).map_err(one)?.difference {
            bail!("{}: {difference}", problem.lowered.kernel.tensor(*t).name);
        }
    }
    Ok((outcome.counts.cycles, problem))
}
