//! Results in linked lists, written in any order of what is above them: right twice and under back-pressure, and the same on
//! both engines.

use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::{AxiOptions, parse};
use samhw_compiler::graph::Op;
use samhw_compiler::passes::fifo::Depths;
use samhw_rtlsim::Error as ToolError;
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::{Pressure, Watch};
use samhw_sim::run::Problem;
use samhw_sim::verilator::{Built, Error, Options};
use samhw_testing::drawn::drawn;
use samhw_testing::verify::{netlist, run_on_verilog, run_pressed, run_twice};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Expression, order of the first statement, tensors (letters of levels, and the order of modes), schedule.
type Kernel = (&'static str, &'static str, &'static str, &'static str);

const OUTER: &str = "Y(i,k,j) = B(i,k) * C(k,j); X(i,j) = Y(i,k,j)";

const MERGE: &str = "reduce = \"merge\"";

const KERNELS: [Kernel; 22] = [
    (OUTER, "kij", "B cc 10; C cc; Y dlc; X cc", ""),
    // Rows that are empty, and lists in order.
    (OUTER, "kij", "B dc 10; C dc; Y dlc; X dc", ""),
    (OUTER, "ikj", "B dc; C dc; Y dlc; X dc", ""),
    // Other levels below a list, and none.
    (OUTER, "kij", "B dc 10; C dc; Y dld; X dc", ""),
    (OUTER, "kij", "B dc 10; C dc; Y dlr; X dc", ""),
    (OUTER, "kij", "B dc 10; C dc; Y dlb; X dc", ""),
    ("Y(i,j) = A(i,j); X(i,j) = Y(i,j) + C(i,j)", "ji", "A cc 10; C dc; Y dl; X cc", ""),
    ("Y(i,k,l,j) = B(i,k) * C(k,l,j); X(i,l,j) = Y(i,k,l,j)", "kilj", "B cc 10; C ccc; Y dlns; X dcc", ""),
    // The list's index between those above it; modes in another order; parts of a list.
    (
        "Y(i,l,k,j) = B(i,k) * C(k,l) * D(k,j); X(i,l,j) = Y(i,l,k,j)",
        "lkij",
        "B cc 10; C cc 10; D cc; Y ddlc; X dcc",
        "",
    ),
    ("Y(k,i,j) = B(i,k) * C(k,j); X(i,j) = Y(k,i,j)", "kij", "B cc 10; C cc; Y dlc 102; X cc", ""),
    ("Y(i,k,j) = B(i,k) * C(k,j); X(i,m,j) = Y(i,m[1:4],j)", "kij", "B cc 10; C cc; Y dlc; X dcc", ""),
    // Copies of both statements, tiles, lanes that are not of the list.
    (OUTER, "", "B cc 10; C cc; Y dlc; X cc", "parallel = { i = 2 }"),
    (OUTER, "", "B cc 10; C cc; Y dlc; X cc", "split = { i = 4 }"),
    (OUTER, "", "B cc 10; C cc; Y dlc; X cc", "lanes = { i = 2 }"),
    // Lists that a reduction merges, without a statement in the file: alone, twice, and as a part of a
    // statement.
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "B cc 10; C cc; X cc", MERGE),
    ("X(i,j) = B(i,k) * C(k,j)", "kji", "B cc 10; C dc; X cc 10", MERGE),
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "B cc 10; C cc; X dd", MERGE),
    ("X(i,l,j) = B(i,k) * C(k,l,j)", "kilj", "B cc 10; C ccc; X ccc", MERGE),
    ("X(m,i,j) = B(m,k,i) * C(m,k,j)", "mkij", "B ccc; C dcc; X ccc", MERGE),
    ("X(i,j) = D(i,j) + bor[k](B(i,k) * C(k,j))", "kij", "B cc 10; C cc; D dc; X dc", MERGE),
    // Without an order: one in which lists are merged. Lanes of an index that lists do not have.
    ("X(i,j) = B(i,k) * C(k,j)", "", "B dd; C cc; X cc", MERGE),
    ("X(i,j) = B(i,k) * C(k,j)", "kij", "B cc 10; C cc; X dc", "reduce = \"merge\"\nlanes = { j = 2 }"),
];

/// The kernel file.
fn text(&(expr, order, tensors, schedule): &Kernel) -> String {
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\n");
    if !order.is_empty() {
        let names: Vec<String> = order.chars().map(|v| format!("\"{v}\"")).collect();
        let first = expr.split('(').next().unwrap_or_default();
        out += &format!("order = {{ {first} = [{}] }}\n", names.join(", "));
    }
    out += "[dims]\n";
    let sizes = [('i', 9), ('j', 8), ('k', 7), ('l', 5), ('m', 3)];
    sizes.iter().filter(|(v, _)| expr.contains(*v)).for_each(|(v, n)| out += &format!("{v} = {n}\n"));
    let mut data = String::from("[data]\n");
    for (n, tensor) in tensors.split("; ").enumerate() {
        let mut words = tensor.split(' ');
        let (name, levels) = (words.next().expect("a name"), words.next().expect("levels"));
        let kind = |c| match c {
            'd' => "dense",
            'l' => "linked_list",
            'b' => "bitvector16",
            'r' => "run",
            'n' => "compressed_nu",
            's' => "singleton",
            _ => "compressed",
        };
        let levels: Vec<String> = levels.chars().map(|c| format!("\"{}\"", kind(c))).collect();
        out += &format!("[tensors.{name}]\ntype = \"i32\"\nlevels = [{}]\n", levels.join(", "));
        if let Some(modes) = words.next() {
            let modes: Vec<String> = modes.chars().map(String::from).collect();
            out += &format!("mode_order = [{}]\n", modes.join(", "));
        }
        if !["X", "Y"].contains(&name) {
            data += &format!("{name} = {{ random = {{ density = 0.3, seed = {n} }} }}\n");
        }
    }
    format!("{out}[schedule]\n{schedule}\n{data}")
}

fn problem(text: &str) -> Problem {
    let source = Arc::new(Source { path: "k.toml".into(), text: text.to_owned() });
    let file = parse(source).unwrap_or_else(|d| panic!("{text}\n{d:?}"));
    let loaded = load_operands(&file, &BTreeMap::new()).expect(text);
    Problem::new(&file, loaded).unwrap_or_else(|d| panic!("{text}\n{d:?}"))
}

#[test]
fn lists_are_right_in_any_order() {
    for kernel in &KERNELS {
        let text = text(kernel);
        let p = problem(&text);
        let linked = |op: &Op| {
            let uses = &p.lowered.graph.uses;
            matches!(op, Op::Scan(u, l) if uses[u.0].levels.get(*l).is_some_and(|kind| kind.is_linked()))
        };
        assert!(p.lowered.graph.nodes.iter().any(|node| linked(&node.op)), "{text}");
        let net = netlist(&p, Depths::Auto).expect(&text).expect(&text);
        run_twice(&p, &net).unwrap_or_else(|e| panic!("{text}\n{e}"));
        for percent in [20, 70] {
            let pressure = Pressure { rng: Rng::new(percent), percent };
            run_pressed(&p, &net, pressure).unwrap_or_else(|e| panic!("{text}\n{e}"));
        }
    }
}

#[test]
fn both_engines_agree_on_lists() {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    let cache = std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from);
    for kernel in drawn(&KERNELS, 1) {
        let text = text(kernel);
        let p = problem(&text);
        let net = p.netlist(Depths::Auto).expect(&text);
        let options = Options { assertions: true, quick: true, ..Options::default() };
        match Built::new(&net, &emit(&p.lowered, &net), options, &cache) {
            Err(Error::Tools(e @ ToolError::ToolMissing { .. })) => {
                assert!(std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "{e}");
                eprintln!("skipped: {e}");
                return;
            }
            Err(e) => panic!("{e}\n{text}"),
            Ok(built) => {
                run_on_verilog(&[p], &net, &built).unwrap_or_else(|e| panic!("{text}\n{e}"));
            }
        }
    }
}

/// Of a result that a later statement reads, in a list or not.
#[test]
fn entries_without_room_are_a_result_that_does_not_fit() {
    for (order, tensors) in [("kij", "B dc 10; C dc; Y dlc; X dc"), ("ikj", "B dc; C dc; Y dcc; X dc")] {
        let whole = text(&(OUTER, order, tensors, ""));
        let p = problem(&whole.replace("[tensors.Y]\n", "[tensors.Y]\nnnz = 3\n"));
        let net = p.declared_netlist().expect(&whole);
        let refused = p.run_native(&net, 1 << 20).expect_err(&whole);
        assert_eq!(refused.code, "H010", "{refused:?}");
        let (axi, settings, watch) = (AxiOptions::default(), Settings::default(), Watch::default());
        let behind = p.run_axi_native(&net, &axi, &settings, 1 << 20, watch).map(|_| ()).expect_err(&whole);
        assert_eq!(format!("{behind:?}"), format!("{refused:?}"), "behind AXI");
    }
}

#[test]
fn a_list_below_a_list_is_refused() {
    let text = text(&(OUTER, "kij", "B dc 10; C dc; Y dll; X dc", ""));
    let refused = parse(Arc::new(Source { path: "k.toml".into(), text })).map(|_| ()).expect_err("two lists");
    assert_eq!(refused[0].code, "K037", "{refused:?}");
}

/// A workspace of 2^26 values is beyond a chip.
#[test]
fn lists_stand_in_for_a_workspace_without_room() {
    let tensors = "B cc 10; C cc; X cc";
    let text = text(&("X(i,j) = B(i,k) * C(k,j)", "kij", tensors, ""));
    let text = text.replace("i = 9", "i = 8192").replace("j = 8\n", "j = 8192\n").replace("0.3", "0.01");
    let p = problem(&text);
    assert_eq!(p.lowered.again.len(), 1, "{text}");
    let net = netlist(&p, Depths::Auto).expect(&text).expect(&text);
    run_twice(&p, &net).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let kept = text.replace("[schedule]\n", "[schedule]\nreduce = \"workspace\"\n");
    let file = parse(Arc::new(Source { path: "k.toml".into(), text: kept.clone() })).expect(&kept);
    let loaded = load_operands(&file, &BTreeMap::new()).expect(&kept);
    let kept = Problem::new(&file, loaded).expect(&kept);
    assert_eq!(kept.netlist(Depths::Auto).map(|_| ()).expect_err("no chip has it").code, "H002");
}
