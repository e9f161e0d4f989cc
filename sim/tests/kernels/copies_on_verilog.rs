//! Kernels with copies and lanes under Verilator: the same as the native engine in every cycle, and
//! right.

use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_rtlsim::Error as ToolError;
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::drawn::drawn;
use samhw_testing::verify::run_on_verilog;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Expression, order, tensors (`A` levels), schedule.
type Kernel = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str);

const KERNELS: [Kernel; 18] = [
    // Own arrays, dealt to the next free copy.
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("B", "cc"), ("C", "dc"), ("X", "cc")], "parallel = { i = 2 }"),
    // A serializer in front of a dense result.
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("B", "dc"), ("C", "dc"), ("X", "dd")], "parallel = { i = 3 }"),
    // Copies that share each array: bursts, pairs and single words.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "cc"), ("C", "dc"), ("X", "cc")],
        "parallel = { i = { copies = 4, memory = \"shared\" } }",
    ),
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "dc"), ("C", "dc"), ("X", "dd")],
        "parallel = { i = { copies = 3, memory = \"banked\" } }",
    ),
    // Groups of words.
    (
        "X(i,j) = B(i,k) * C(j,k)",
        "ijk",
        &[("B", "dc"), ("C", "dc"), ("X", "cc")],
        "parallel = { i = { copies = 2, memory = \"shared\" } }\nwide = { k = 4 }",
    ),
    // Copies that share, each copied with memories of its own.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "dc"), ("C", "dc"), ("X", "cc")],
        "parallel = { i = 2, k = { copies = 2, memory = \"banked\" } }",
    ),
    // An array that the core itself writes.
    (
        "T(i,j) = B(i,j) + C(i,j); X(i,j) = B(i,k) * T(k,j)",
        "ikj",
        &[("B", "dc"), ("C", "dc"), ("T", "dc"), ("X", "cc")],
        "parallel = { i = { copies = 2, memory = \"shared\" } }",
    ),
    // Dealt to in turn: own arrays, a serializer, and lists inside others with a tree.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "cc"), ("C", "dc"), ("X", "cc")],
        "parallel = { i = { copies = 3, balance = \"fibers\" } }",
    ),
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "dc"), ("C", "dc"), ("X", "dd")],
        "parallel = { i = { copies = 4, balance = \"fibers\" } }",
    ),
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "dc"), ("C", "dc"), ("X", "dc")],
        "parallel = { k = { copies = 3, memory = \"shared\", balance = \"fibers\" } }",
    ),
    // A tree of fibers.
    ("x(i) = B(j,i) * c(j)", "ji", &[("B", "cc"), ("c", "c"), ("x", "c")], "parallel = { j = 3 }"),
    // Banks of a dense index, with a size that the lanes do not divide.
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("B", "dc"), ("C", "dd"), ("X", "dd")], "lanes = { j = 3 }"),
    // Runs of entries.
    ("y(i) = max[j](A(i,j) * x(j))", "ij", &[("A", "dc"), ("x", "d"), ("y", "d")], "lanes = { j = 4 }"),
    // Borders that are made whole by a program.
    ("y(i) = gcd[j](A(i,j) * x(j))", "ij", &[("A", "dc"), ("x", "d"), ("y", "c")], "lanes = { j = 4 }"),
    // Runs of entries that are stored one by one.
    (
        "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
        "ijk",
        &[("B", "cc"), ("C", "dd"), ("D", "dd"), ("X", "cc")],
        "lanes = { j = 2 }",
    ),
    // Banks that are slices of two indices.
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("B", "dc"), ("C", "dd"), ("X", "dd")], "lanes = { k = 2, j = 3 }"),
    // Copies in each lane.
    ("y(i) = A(i,j) * x(j)", "ij", &[("A", "dc"), ("x", "d"), ("y", "c")], "lanes = { i = 2 }\nparallel = { i = 2 }"),
    ("x(i) = A(i,i)", "i", &[("A", "dd"), ("x", "d")], "lanes = { i = 3 }"),
];

fn text((expr, order, tensors, schedule): &Kernel) -> String {
    let order: Vec<String> = order.chars().map(|v| format!("\"{v}\"")).collect();
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [{}]\n[dims]\n", order.join(", "));
    for v in &order {
        out += &format!("{} = 20\n", v.trim_matches('"'));
    }
    let mut data = String::from("[data]\n");
    for (n, (name, levels)) in tensors.iter().enumerate() {
        let kind = |c| if c == 'd' { "\"dense\"" } else { "\"compressed\"" };
        let levels: Vec<&str> = levels.chars().map(kind).collect();
        out += &format!("[tensors.{name}]\ntype = \"u16\"\nlevels = [{}]\n", levels.join(", "));
        if !expr.contains(&format!("{name}(i) =")) && !expr.contains(&format!("{name}(i,j) =")) {
            data += &format!("{name} = {{ random = {{ density = 0.2, seed = {n} }} }}\n");
        }
    }
    format!("{out}{data}[schedule]\n{schedule}\n")
}

fn cache() -> PathBuf {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from)
}

#[test]
fn both_engines_agree_on_copies_and_lanes() {
    for kernel in drawn(&KERNELS, 3) {
        let text = text(kernel);
        let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.clone() })).expect(&text);
        let loaded = load_operands(&file, &BTreeMap::new()).expect(&text);
        let problem = Problem::new(&file, loaded).expect(&text);
        let net = problem.netlist(Depths::Auto).expect(&text);
        // One memory for each array that copies of i share; no operand is read twice otherwise.
        let again = net.arrays.iter().any(|a| a.name.rsplit_once("_r").is_some_and(|(_, n)| n.parse::<u32>().is_ok()));
        let shared = kernel.3.contains("i = { copies") && kernel.3.contains("memory");
        assert!(!shared || !again, "{text}");
        let options = Options { assertions: true, quick: true, ..Options::default() };
        match Built::new(&net, &emit(&problem.lowered, &net), options, &cache()) {
            Err(Error::Tools(e @ ToolError::ToolMissing { .. })) => {
                assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{e}");
                eprintln!("skipped: {e}");
                return;
            }
            Err(e) => panic!("{e}\n{text}"),
            Ok(built) => {
                let cycles = run_on_verilog(&[problem], &net, &built).unwrap_or_else(|e| panic!("{text}\n{e}"));
                println!("{} with {}: {cycles} cycles", kernel.0, kernel.3);
            }
        }
    }
}
