//! FIFO depths: with the computed ones nothing hangs (random_kernels.rs, taco_corpus.rs), with
//! smaller ones it does, and deeper ones gain nothing. The argument is docs/deadlock.md.

use crate::taco;
use samhw_compiler::diag::Source;
use samhw_compiler::facts::Density;
use samhw_compiler::frontend;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::passes::order::choose;
use samhw_sim::load::load_operands;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::verify::{problem, run_pressed};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A kernel: expression, order, sizes, formats.
type Line = (&'static str, &'static str, &'static str, &'static str);

/// Kernels with a FIFO that waits for a list.
const LATE: &[Line] = &[
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "i = 6, j = 40, k = 4", "X dd, B ss 1 0, C ss"),
    ("X(i,j,l) = B(i,k) * C(k,j,l)", "kijl", "i = 4, j = 7, l = 6, k = 4", "X ddd, B ss 1 0, C sss"),
    ("X(i,j,l) = B(i,k) * C(k,j,l)", "kijl", "i = 4, j = 20, l = 4, k = 4", "X dds, B ss 1 0, C sss"),
    ("X(i,j) = B(k,m) * C(m,i) * D(k,j)", "mkij", "i = 5, j = 30, k = 3, m = 4", "X ss, B ss 1 0, C ss, D ss"),
    (
        "X(i,j,l) = B(k,m) * C(m,i) * D(k,j,l)",
        "mkijl",
        "i = 3, j = 8, l = 12, k = 3, m = 4",
        "X dss, B ss 1 0, C ss, D sss",
    ),
];
/// The same with copies, whose results come together before they are added up: the index with
/// copies, summed, and twice in its copies' streams.
const LATE_COPIES: &[(Line, (&str, u32))] = &[
    (
        ("X(i,j) = B(i,k,l) * C(k,j) * D(l,j)", "lkij", "i = 6, j = 60, k = 4, l = 6", "X ss, B sss 2 1 0, C ss, D ss"),
        ("l", 2),
    ),
    (
        ("X(i,j) = B(k,m) * C(m,i) * D(k,j)", "mkij", "i = 5, j = 60, k = 3, m = 4", "X ds, B ss 1 0, C ss, D ss"),
        ("m", 3),
    ),
];
/// Kernels whose writers take lists as they come, though the positions of the lists are late.
const AT_ONCE: &[Line] = &[
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "i = 5, j = 70, k = 3", "X ds, B ds 1 0, C ds"),
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "i = 5, j = 70, k = 3", "X ss, B ds 1 0, C ds"),
    ("X(i,j,l) = B(i,k) * C(k,j,l)", "kijl", "i = 3, j = 8, l = 7, k = 2", "X dss, B ss 1 0, C sss"),
];

/// Programs whose statements share scanners, though some of their loops wait for others.
const TOGETHER: &[(Line, &[&str])] = &[
    (("r(i) = A(i,j); c(j) = A(i,j); s = A(i,j)", "", "i = 30, j = 40", "A ds, r d, c d, s"), &["c", "s"]),
    // Each needs the sum of the matrix that the other one goes through first: they share nothing.
    (
        (
            "y(i) = sum[j](A(i,j) * sum[k](B(i,k))); z(i) = sum[j](B(i,j) * sum[k](A(i,k)))",
            "",
            "i = 20, j = 60, k = 60",
            "A ds, B ds, y d, z d",
        ),
        &[],
    ),
    (("Y(i,j) = A(i,j) * sum[k](A(i,k)); r(i) = A(i,j)", "", "i = 20, j = 60, k = 60", "A ds, Y ds, r d"), &["r"]),
    // q waits for nothing, z for r: they do not share.
    (
        (
            "r(i) = A(i,j); z(i) = A(i,j) * r(i); s = z(i); q(i) = A(i,j) * x(j)",
            "",
            "i = 20, j = 60",
            "A ds, r d, z d, s, q d, x d",
        ),
        &["q"],
    ),
    (
        (
            "Y(i,k) = A(i,j) * B(j,k); Z(i,k) = A(i,j) * C(j,k)",
            "",
            "i = 9, j = 20, k = 30",
            "A ds, B ds, C ds, Y ds, Z dd",
        ),
        &["Z"],
    ),
];

/// Beats that a computed depth may exceed the least one by: those that registers and FIFOs on the
/// way hold as well, and those that cover the latency of the other path.
const TIGHT: u32 = 40;
/// From this length on half of a list must not be enough.
const LONG: u32 = 24;
/// Depth that stands for no limit.
const DEEP: u32 = 1 << 20;

/// A line as a kernel file.
fn kernel_text((expr, order, dims, formats): (&str, &str, &str, &str)) -> String {
    let order: Vec<String> = order.chars().map(String::from).collect();
    let order = if order.is_empty() { String::new() } else { format!("order = {order:?}\n") };
    let mut text = format!("expr = \"{expr}\"\n{order}[dims]\n{}\n", dims.replace(", ", "\n"));
    for format in formats.split(", ") {
        let mut words = format.split(' ');
        let (tensor, letters) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let levels: Vec<&str> = letters.chars().map(|c| if c == 'd' { "dense" } else { "compressed" }).collect();
        let modes: Vec<&str> = words.collect();
        text.push_str(&format!("[tensors.{tensor}]\ntype = \"i32\"\nlevels = {levels:?}\n"));
        if !modes.is_empty() {
            text.push_str(&format!("mode_order = [{}]\n", modes.join(", ")));
        }
    }
    // Without reducers nothing would be late.
    text + "[schedule]\nscatter = []\n"
}

/// A kernel file on random data; `None` if it is refused.
fn prepare(text: &str, density: u64, rng: &mut Rng) -> Option<Problem> {
    let source = Source { path: PathBuf::from("k.toml"), text: text.into() };
    let kernel = frontend::parse(Arc::new(source)).ok()?.kernel;
    let dims: Vec<u64> = kernel.vars.iter().map(|v| v.max).collect();
    let data = taco::random_data(&kernel, &dims, density, rng);
    let order = choose(&kernel, &Density::default()).ok()?.order;
    problem(&kernel, &order, &dims, &data).ok()
}

/// Cycles of a run; `None`: deadlock.
fn cycles(problem: &Problem, depths: Depths) -> Option<u64> {
    let net = problem.netlist(depths).expect("a netlist");
    match problem.run_native(&net, 1 << 32) {
        Ok(run) => Some(run.counts.cycles),
        Err(d) if d.message.contains("deadlock") => None,
        Err(d) => panic!("{d:?}"),
    }
}

/// Channels that wait for a list, by name, number and depth of their FIFO and length of the list.
fn waiting(problem: &Problem) -> Vec<(String, usize, u32, u32)> {
    let net = problem.netlist(Depths::Auto).expect("a netlist");
    let number = |text: &str| {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).next_back().unwrap_or_default()
    };
    let late = net.channels.iter().filter(|c| c.note.starts_with("lag:"));
    late.filter_map(|c| {
        let (fifo, _) = c.from?;
        let k = net.channels.iter().position(|b| b.to == Some((fifo, 0)))?;
        let depth = number(&net.cell(fifo).primitive.describe());
        Some((net.channels[k].name.clone(), k, depth, number(&c.note)))
    })
    .collect()
}

#[test]
fn a_fifo_shorter_than_its_list_hangs_and_is_as_short_as_possible() {
    let mut wrong = Vec::new();
    let balanced = |(v, n): (&str, u32)| {
        ["elements", "fibers"].map(|b| format!("parallel = {{ {v} = {{ copies = {n}, balance = \"{b}\" }} }}\n"))
    };
    let copies = LATE_COPIES.iter().flat_map(|(line, copies)| balanced(*copies).map(|schedule| (*line, schedule)));
    for (line, schedule) in LATE.iter().map(|line| (*line, String::new())).chain(copies) {
        let problem = prepare(&(kernel_text(line) + &schedule), 100, &mut Rng::new(1)).expect("a good kernel");
        assert!(cycles(&problem, Depths::Auto).is_some(), "{line:?} hangs");
        let waiting = waiting(&problem);
        assert!(!waiting.is_empty(), "{line:?}: nothing waits for a list");
        for (name, channel, depth, list) in waiting {
            // Binary search: `low` hangs, `high` does not.
            let runs = |depth: u32| cycles(&problem, Depths::Except(channel, depth)).is_some();
            let (mut low, mut high) = (0, depth);
            while low + 1 < high {
                let middle = low + (high - low) / 2;
                if runs(middle) { high = middle } else { low = middle }
            }
            let said =
                format!("{} {} {name}: depth {depth}, list {list}, least that does not hang {high}", line.0, line.1);
            println!("{said}");
            if depth > high + TIGHT || (list >= LONG && high < list / 2) {
                wrong.push(said);
            }
        }
    }
    assert!(wrong.is_empty(), "not tight:\n{}", wrong.join("\n"));
}

#[test]
fn lists_whose_positions_are_late_need_no_fifo_where_the_writer_takes_them_at_once() {
    for line in AT_ONCE {
        let problem = prepare(&kernel_text(*line), 100, &mut Rng::new(1)).expect("a good kernel");
        assert_eq!(waiting(&problem), [], "{line:?}");
        assert!(cycles(&problem, Depths::Auto).is_some(), "{line:?} hangs");
    }
}

#[test]
fn statements_that_share_scanners_never_wait_for_each_other() {
    for (line, sharing) in TOGETHER {
        let problem = prepare(&kernel_text(*line), 100, &mut Rng::new(3)).expect("a good kernel");
        for name in *sharing {
            let begin = format!("{name} shares with");
            assert!(problem.lowered.notes.iter().any(|n| n.starts_with(&begin)), "{line:?}: {name} shares nothing");
        }
        let net = problem.netlist(Depths::Auto).expect("a netlist");
        let waits: Vec<usize> = waiting(&problem).into_iter().map(|(_, k, ..)| k).collect();
        let fifos = net
            .channels
            .iter()
            .enumerate()
            .filter(|(_, c)| c.note.starts_with("lag:") || c.note.starts_with("latency:"));
        let before = fifos.filter_map(|(_, c)| net.channels.iter().position(|b| b.to == c.from.map(|f| (f.0, 0))));
        for channel in before.filter(|k| !waits.contains(k)) {
            assert!(cycles(&problem, Depths::Except(channel, 1)).is_some(), "{line:?} hangs at channel {channel}");
        }
        for seed in 1..4 {
            run_pressed(&problem, &net, Pressure { rng: Rng::new(seed), percent: 40 })
                .unwrap_or_else(|why| panic!("{line:?}: {why}"));
        }
    }
}

/// Cycles with computed depths and without limits.
fn with_and_without_limits(said: &str, problem: &Problem) -> (u64, u64) {
    let own = cycles(problem, Depths::Auto).unwrap_or_else(|| panic!("{said}: deadlock"));
    let deep = cycles(problem, Depths::AtLeast(DEEP)).unwrap_or_else(|| panic!("{said}: deadlock with deep FIFOs"));
    println!("{own} {deep} {said}");
    (own, deep)
}

#[test]
fn deeper_fifos_gain_nothing_on_real_expressions() {
    let Some(commands) = taco::rows() else {
        println!("skipped: the shared corpus is not here");
        return;
    };
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let count = if std::env::var_os("SAMHW_FULL").is_some() { commands.len() } else { 60 };
    println!("SAMHW_SEED={seed}");
    let mut rng = Rng::new(seed);
    let mut rows: Vec<&String> = commands.iter().collect();
    rng.shuffle(&mut rows);
    let mut slow = Vec::new();
    for command in rows.into_iter().take(count) {
        let text = taco::kernel_text(command, &mut rng, 16, 20_000);
        let density = rng.pick(&[20, 60, 100]);
        let Some(problem) = prepare(&text, density, &mut rng) else { continue };
        let (own, deep) = with_and_without_limits(command, &problem);
        if own > deep + deep / 100 + 12 {
            slow.push(format!("{own} cycles, {deep} with deep FIFOs: {command}\n{text}"));
        }
    }
    assert!(slow.is_empty(), "{} slow:\n{}", slow.len(), slow.join("\n"));
}

/// A tensor of a benchmark: name, levels with mode order, file.
type Tensor = (&'static str, &'static str, &'static str);

/// Kernels of the benchmark: expression, order, tensors.
const BENCH: &[(&str, &str, &[Tensor])] = &[
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("X", "ss", ""), ("B", "ss", "B.mtx"), ("C", "ss", "C.mtx")]),
    ("X(i,j) = B(i,k) * C(k,j)", "kij", &[("X", "ss", ""), ("B", "ss 1 0", "B.mtx"), ("C", "ss", "C.mtx")]),
    ("x(i) = B(i,j) * c(j)", "ij", &[("x", "s", ""), ("B", "ss", "B.mtx"), ("c", "s", "v100.mtx")]),
    ("x(i) = B(i,j) * c(j)", "ji", &[("x", "s", ""), ("B", "ss 1 0", "B.mtx"), ("c", "s", "v100.mtx")]),
    ("X(i,j) = B(i,j) + C(i,j)", "ij", &[("X", "ss", ""), ("B", "ss", "B.mtx"), ("C", "ss", "B2.mtx")]),
    ("X(i,j) = B(i,j,k) * c(k)", "ijk", &[("X", "ss", ""), ("B", "sss", "T1.tns"), ("c", "s", "v20.mtx")]),
    ("x = B(i,j,k) * C(i,j,k)", "ijk", &[("x", "", ""), ("B", "sss", "T1.tns"), ("C", "sss", "T2o.tns")]),
    ("X(i,j,k) = B(i,j,l) * C(k,l)", "ijkl", &[("X", "sss", ""), ("B", "sss", "T1.tns"), ("C", "ss", "M_kl.mtx")]),
];

#[test]
fn deeper_fifos_gain_nothing_on_the_benchmark() {
    let inputs = taco::shared().join("bench/inputs");
    if !inputs.is_dir() {
        println!("skipped: the shared benchmark is not here");
        return;
    }
    for (expr, order, tensors) in BENCH {
        let size = |v: char| match (v, expr.contains("B(i,j,k)") || expr.contains("B(i,j,l)")) {
            ('i', true) => 30,
            ('j', true) => 25,
            ('k', true) if expr.contains('l') => 35,
            (_, true) => 20,
            ('k', false) => 100,
            ('j', false) if !expr.contains("C(k,j)") => 100,
            _ => 250,
        };
        let dims: Vec<String> = order.chars().map(|v| format!("{v} = {}", size(v))).collect();
        let formats: Vec<String> = tensors.iter().map(|(t, f, _)| format!("{t} {f}")).collect();
        let mut text = kernel_text((*expr, *order, &dims.join(", "), &formats.join(", ")));
        text.push_str("[data]\n");
        for (t, _, file) in tensors.iter().filter(|t| !t.2.is_empty()) {
            text.push_str(&format!("{t} = {:?}\n", inputs.join(file)));
        }
        let source = Arc::new(Source { path: PathBuf::from("k.toml"), text });
        let file = frontend::parse(source).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
        let loaded = load_operands(&file, &BTreeMap::new()).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
        let problem = Problem::new(&file, loaded).unwrap_or_else(|d| panic!("{expr}: {d:?}"));
        let (own, deep) = with_and_without_limits(&format!("{expr} {order}"), &problem);
        assert!(own <= deep + deep / 100 + 12, "{expr} {order}: {own} cycles, {deep} with deep FIFOs");
    }
}
