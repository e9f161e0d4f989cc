//! What works: examples, reports, files, orders, help.

use crate::schema::check;
use crate::support::{Folder, SPMV};
use samhw_testing::drawn::drawn;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Every example.
fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut out: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    out.sort();
    out
}

#[test]
fn examples_match_and_report_as_documented() {
    let folder = Folder::new();
    let schema: Value = serde_json::from_str(&folder.fine(&["run", "--json-schema"]).out).unwrap();
    let examples = examples();
    assert!(examples.len() > 15);
    for path in examples {
        let ran = folder.fine(&["run".as_ref(), path.as_os_str(), "--json".as_ref()]);
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out));
        let wrong = check(&schema, &report, "report");
        assert!(wrong.is_empty(), "{}: {wrong:?}", path.display());
        assert_eq!(report["matches_reference"], true);
        let cycles = report["cycles"].as_u64().unwrap();
        for node in report["nodes"].as_array().unwrap() {
            let sum: u64 = ["busy", "stalled", "starved"].iter().map(|k| node[k].as_u64().unwrap()).sum();
            assert_eq!(sum, cycles, "{node}");
        }
    }
}

#[test]
fn report_for_people() {
    let folder = Folder::new();
    let ran = folder.write("spmv.toml", SPMV).fine(&["run", "spmv.toml"]);
    let words =
        ["kernel   spmv (native engine), order i, j", "result   y: 8, ", "matches  the reference", "reducer_scalar"];
    for word in words {
        assert!(ran.out.contains(word), "{word} in {}", ran.out);
    }
}

/// A warning is printed and does no harm: by every command that reads the file, and in reports.
#[test]
fn warnings_are_told() {
    let folder = Folder::new();
    let kernel = SPMV.replace("A(i,j) * x(j)", "sum[j](A(i,j) / x(j))").replace("i32", "f32");
    folder.write("spmv.toml", kernel);
    let commands: [&[&str]; 5] = [
        &["run", "spmv.toml", "--json"],
        &["estimate", "spmv.toml", "--json"],
        &["graph", "spmv.toml"],
        &["gen", "spmv.toml"],
        &["run", "spmv.toml"],
    ];
    for command in commands {
        let ran = folder.run(command);
        assert_eq!(ran.status, 0, "{command:?}: {ran:?}");
        let start = "warning[W001]: `A(i, j) / x(j)`, which is reduced, is NaN where nothing is stored";
        assert!(ran.err.starts_with(start) && ran.err.matches("warning[").count() == 1, "{command:?}: {}", ran.err);
        if command.contains(&"--json") {
            let report: Value = serde_json::from_str(&ran.out).unwrap();
            let told = &report["warnings"][0];
            assert_eq!(
                (&told["code"], &told["line"], &told["column"]),
                (&"W001".into(), &1.into(), &9.into()),
                "{told}"
            );
        }
    }
}

/// What an estimate says of the cycles on the file's data, where they fit what the file declares and where they do not.
#[test]
fn estimates_say_why_there_are_no_cycles() {
    let folder = Folder::new();
    let cycles = |text: &str| {
        let said = folder.write("spmv.toml", text).fine(&["estimate", "spmv.toml"]).out;
        said.lines().find_map(|l| l.strip_prefix("cycles")).map(|l| l.trim().to_string()).expect("a line")
    };
    assert!(cycles(SPMV).ends_with(" ms at that clock"));
    let (none, _) = SPMV.split_once("[data]").unwrap();
    assert!(cycles(none).starts_with("unknown: "));
    // Of a matrix without an nnz 65,536 entries have room.
    let many = SPMV.replace("i = 8\nj = 6", "i = 300\nj = 300").replace("density = 0.5", "density = 1.0");
    let operand = cycles(&many);
    assert!(operand.starts_with("unknown: an operand does not fit its memory: A_"), "{operand}");
    let declared = |tensor: &str| SPMV.replace(tensor, &format!("{tensor}nnz = 2\n"));
    let result = cycles(&declared("[tensors.y]\n"));
    assert!(result.starts_with("unknown: a result does not fit its memory: write_y"), "{result}");
}

#[test]
fn passes_are_listed_in_the_order_in_which_they_run() {
    let folder = Folder::new();
    let text = folder.fine(&["graph", "--passes"]).out;
    let json: Value = serde_json::from_str(&folder.fine(&["graph", "--passes", "--json"]).out).unwrap();
    let passes = json.as_array().unwrap();
    assert_eq!(passes.len(), text.lines().count());
    for (pass, line) in passes.iter().zip(text.lines()) {
        assert_eq!(line.split(' ').next(), pass["name"].as_str());
        assert!(line.ends_with(pass["why"].as_str().unwrap()), "{line}");
        assert_eq!(line.contains(" optional "), pass["optional"], "{line}");
    }
    let at = |name: &str| passes.iter().position(|p| p["name"] == name).unwrap();
    assert!(at("split") < at("order") && at("order") < at("lower") && at("lower") < at("realize"));
    assert_eq!((at("fifo"), &passes[at("fifo")]["on"]), (passes.len() - 1, &Value::from("netlist")));
    // Nothing else goes with it, and without it there is a kernel file.
    assert_eq!(folder.run(&["graph", "--passes", "k.toml"]).status, 2);
    assert_eq!(folder.run(&["graph"]).status, 2);
}

#[test]
fn every_example_can_be_drawn_and_written() {
    let folder = Folder::new();
    for path in drawn(examples(), 15) {
        let show = |f: &str| folder.fine(&["graph".as_ref(), path.as_os_str(), "--format".as_ref(), f.as_ref()]).out;
        assert!(show("text").starts_with("kernel "));
        assert!(show("dot").starts_with("digraph "));
        let lattice = |f: &str| {
            folder
                .fine(&["graph".as_ref(), path.as_os_str(), "--lattice".as_ref(), "--format".as_ref(), f.as_ref()])
                .out
        };
        assert!(lattice("text").contains("producer") && lattice("dot").starts_with("digraph "));
        assert!(lattice("svg").starts_with("<svg "));
        assert!(show("svg").starts_with("<svg ") && show("svg").trim_end().ends_with("</svg>"));
        let write = |to: &str| {
            folder.fine(&["gen".as_ref(), path.as_os_str(), "-o".as_ref(), to.as_ref()]);
            let at = folder.path().join(to);
            let all = folder.content().into_iter().filter(|(p, _)| p.starts_with(&at));
            all.map(|(p, c)| (p.strip_prefix(&at).unwrap().to_path_buf(), c)).collect::<BTreeMap<_, _>>()
        };
        let (first, second) = (write("a"), write("b"));
        assert!(first.len() > 5 && first == second, "{} is not the same every time", path.display());
        assert!(first.keys().all(|p| !p.to_string_lossy().contains(".samhw")), "staging is left behind");
        for name in ["a", "b"] {
            std::fs::remove_dir_all(folder.path().join(name)).unwrap();
        }
    }
}

#[test]
fn writing_again_keeps_other_files() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV).fine(&["gen", "spmv.toml"]);
    folder.write("spmv/notes", "mine").write("spmv/spmv_core.v", "old");
    folder.fine(&["gen", "spmv.toml"]);
    assert_eq!(folder.read("spmv/notes"), "mine");
    assert!(folder.read("spmv/spmv_core.v").contains("module spmv_core"));
}

/// A kernel that copies `B` to `X`, of this order.
fn copy(order: usize) -> String {
    let indices = &["i", "j", "k", "l"][..order];
    let access = if order == 0 { String::new() } else { format!("({})", indices.join(",")) };
    let sizes: String = indices.iter().enumerate().map(|(n, i)| format!("{i} = {}\n", n + 3)).collect();
    let mut text = format!("expr = \"X{access} = B{access} + B{access}\"\n[dims]\n{sizes}");
    for t in ["B", "X"] {
        text += &format!("[tensors.{t}]\nlevels = {:?}\ntype = \"i16\"\n", vec!["compressed"; order]);
    }
    text
}

#[test]
fn results_can_be_read_again_in_every_format_and_order() {
    for order in 0..=4 {
        let folder = Folder::new();
        folder.write("copy.toml", copy(order));
        let ones = "1 ".repeat(order);
        let more = if order == 0 { String::new() } else { format!("{}0\n", "3 ".repeat(order)) };
        folder.write("start.tns", format!("{ones}-5\n{more}"));
        let mut from = "start.tns".to_string();
        let formats = if matches!(order, 1 | 2) {
            &["mtx", "tns", "npy.gz", "mm", "mtx.gz", "npy", "mtx"][..]
        } else {
            &["tns", "npy", "tns.gz", "npy.gz", "tns"]
        };
        for (n, format) in formats.iter().enumerate() {
            let to = format!("{n}.{format}");
            folder.fine(&["run", "copy.toml", "--tensor", &format!("B={from}"), "--out", &format!("X={to}")]);
            from = to;
        }
        // Doubled every time.
        let end = folder.read(&from);
        let value = -5 << formats.len();
        assert!(end.lines().any(|l| l == format!("{ones}{value}") || l == format!("1 1 {value}")), "{end}");
        if order == 3 {
            let refused = folder.run(&["run", "copy.toml", "--tensor", "B=start.tns", "--out", "X=x.mtx"]);
            refused.failed(2, "T021");
        }
    }
}

#[test]
fn matrices_of_scipy_are_read() {
    let folder = Folder::new();
    folder.write("copy.toml", copy(2).replace("i = 3", "i = 4").replace("j = 4", "j = 6"));
    for name in ["csr", "csc", "coo", "bsr", "dia"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("sim/src/tensor/tests/scipy/{name}.npz"));
        let operand = format!("B={}", path.display());
        folder.fine(&["run", "copy.toml", "--tensor", &operand, "--out", "X=X.tns"]);
        assert_eq!(folder.read("X.tns"), "1 2 14\n2 3 -4\n2 6 10\n3 1 2\n4 5 6\n", "{name}");
    }
}

/// Runs a kernel over vectors of i8s, given as lines of .tns files, and gives the first result's.
fn of_vectors(expr: &str, sizes: &str, data: &[(&str, &str)], result: &str) -> String {
    let folder = Folder::new();
    let mut text = format!("expr = \"{expr}\"\n{sizes}\n");
    for name in data.iter().map(|(name, _)| *name).chain(Some(result).filter(|r| data.iter().all(|(n, _)| n != r))) {
        let shape = if name == "z" { "\nshape = [8]" } else { "" };
        text += &format!("[tensors.{name}]\nlevels = [\"dense\"]\ntype = \"i8s\"{shape}\n");
    }
    text += "[data]\n";
    for (name, lines) in data {
        folder.write(&format!("{name}.tns"), lines);
        text += &format!("{name} = \"{name}.tns\"\n");
    }
    folder.write("k.toml", text).fine(&["run", "k.toml", "--out", &format!("{result}=out.tns")]);
    folder.read("out.tns").lines().filter(|line| !line.ends_with(" 0")).map(|line| format!("{line};")).collect()
}

#[test]
fn updates_subtract_and_saturate_as_differences_do() {
    let sizes = "[dims]\ni = 3";
    let data = [("y", "1 100\n2 -5\n3 -128\n"), ("b", "1 -128\n2 3\n3 1\n")];
    assert_eq!(of_vectors("y(i) -= b(i)", sizes, &data, "y"), "1 127;2 -8;3 -128;");
    assert_eq!(of_vectors("y(i) *= b(i)", sizes, &data, "y"), "1 -128;2 -15;3 -128;");
    assert_eq!(of_vectors("y(i) |= b(i)", sizes, &data, "y"), "1 -28;2 -5;3 -127;");
    // All terms of the sum are subtracted.
    assert_eq!(
        of_vectors("y(i) -= b(k)", "[dims]\ni = 3\nk = 3", &[("y", "1 7\n"), ("b", "1 1\n2 2\n3 -4\n")], "y"),
        "1 8;2 1;3 1;"
    );
}

#[test]
fn an_index_counts_in_the_slice_it_has_on_the_left() {
    let data = [("b", "1 5\n2 7\n")];
    assert_eq!(of_vectors("z(j[6:0:-3]) = b(j) * (j + 1)", "[dims]\nj = 2", &data, "z"), "4 14;7 5;");
    assert_eq!(of_vectors("z(i) = 0; z(j[1:8:4]) = b(j) + j", "[dims]\nj = 2", &data, "z"), "2 5;6 8;");
}

#[test]
fn vectors_are_rows_or_columns() {
    let folder = Folder::new();
    let head = "%%MatrixMarket matrix coordinate integer general\n";
    folder.write("copy.toml", copy(1));
    folder
        .write("column.mtx", format!("{head}3 1 2\n1 1 4\n3 1 5\n"))
        .write("row.mtx", format!("{head}1 3 2\n1 1 4\n1 3 5\n"));
    for file in ["row", "column"] {
        folder.fine(&["run", "copy.toml", "--tensor", &format!("B={file}.mtx"), "--out", "X=x.tns"]);
        assert_eq!(folder.read("x.tns"), "1 8\n3 10\n", "{file}");
    }
}

#[test]
fn sizes_of_zero() {
    let folder = Folder::new();
    let head = "%%MatrixMarket matrix coordinate integer general\n";
    folder.write("spmv.toml", SPMV);
    for (rows, columns) in [(0, 0), (0, 4), (4, 0)] {
        folder.write("A.mtx", format!("{head}{rows} {columns} 0\n")).write("x.mtx", format!("{head}{columns} 1 0\n"));
        let all = ["run", "spmv.toml", "--tensor", "A=A.mtx", "--tensor", "x=x.mtx", "--out", "y=y.mtx"];
        folder.fine(&all);
        assert_eq!(folder.read("y.mtx"), format!("{head}{rows} 1 0\n"));
    }
}

#[test]
fn shapes_stand_for_dims() {
    let folder = Folder::new();
    let text =
        SPMV.replace("[dims]\ni = 8\nj = 6\n", "").replace("format = \"dcsr\"", "format = \"dcsr\"\nshape = [8, 6]");
    folder.write("k.toml", text).fine(&["run", "k.toml"]);
}

/// y(i) from `count` accesses `tN(i)` at which the operand of number N is 3 at place 2, joined as `expr` says.
fn many_operands(expr: &str, count: usize) -> String {
    let folder = Folder::new();
    let names: Vec<String> = (0..count).map(|n| format!("t{n}")).collect();
    let mut text = format!("expr = \"y(i) = {expr}\"\n[dims]\ni = 3\n");
    for name in names.iter().map(String::as_str).chain(["y"]) {
        text += &format!("[tensors.{name}]\nlevels = [\"compressed\"]\ntype = \"i32\"\n");
    }
    folder.write("k.toml", text).write("a.tns", "2 3\n");
    let given: Vec<String> = names.iter().flat_map(|n| ["--tensor".into(), format!("{n}=a.tns")]).collect();
    let fixed = ["run", "k.toml", "--out", "y=y.tns"];
    folder.fine(&fixed.into_iter().chain(given.iter().map(String::as_str)).collect::<Vec<_>>());
    folder.read("y.tns")
}

#[test]
fn any_number_of_operands_meets_at_an_index() {
    let with = |count: usize, op: &str| (0..count).map(|n| format!("t{n}(i)")).collect::<Vec<_>>().join(op);
    assert_eq!(many_operands(&with(12, " + "), 12), "2 36\n");
    assert_eq!(many_operands(&with(13, " + "), 13), "2 39\n");
    assert_eq!(many_operands(&with(40, " + "), 40), "2 120\n");
    assert_eq!(many_operands(&with(20, " * "), 20), format!("2 {}\n", 3i64.pow(20) as i32));
    let pairs: Vec<String> = (0..15).map(|n| format!("t{}(i) * t{}(i)", 2 * n, 2 * n + 1)).collect();
    assert_eq!(many_operands(&pairs.join(" - "), 30), format!("2 {}\n", 9 - 14 * 9));
}

#[test]
fn help_names_every_option() {
    let folder = Folder::new();
    let options: [(&[&str], &[&str]); 6] = [
        (&["--help"], &["gen", "run", "graph", "tools", "--version"]),
        (
            &["run", "--help"],
            &["--engine", "native", "verilator", "--tensor", "--convert", "--out", "--wave", "--json", "--json-schema"],
        ),
        (&["gen", "--help"], &["--out", "-o"]),
        (&["graph", "--help"], &["--format", "text", "dot", "svg"]),
        (&["tools", "--help"], &["install"]),
        (&["tools", "install", "--help"], &["--dir"]),
    ];
    for (args, names) in options {
        let said = folder.fine(args).out;
        for name in names {
            assert!(said.contains(name), "{args:?} lacks {name}");
        }
    }
    assert!(folder.fine(&["--version"]).out.starts_with("samhw "));
}

/// Thirteen products by columns have 38 indices, of which each statement orders its own.
#[test]
fn long_programs_have_an_order() {
    let folder = Folder::new();
    let times = "; Y(i,j) = sum[k](Y(i,k) * A(k,j))".repeat(12);
    let text = format!(
        "expr = \"Y(i,j) = A(i,j){times}\"\n[tensors.A]\ntype = \"i32\"\nshape = [3, 3]\nformat = \"csr\"\n\
         [tensors.Y]\ntype = \"i32\"\nshape = [3, 3]\nformat = \"csc\"\n[data]\nA = \"A.tns\"\n"
    );
    // A rotation of three places.
    folder.write("A.tns", "1 2 1\n2 3 1\n3 1 1\n").write("long.toml", text);
    folder.fine(&["run", "long.toml", "--out", "Y=Y.tns"]);
    let entries: Vec<String> =
        folder.read("Y.tns").lines().filter(|l| !l.starts_with('#')).map(str::to_owned).collect();
    assert_eq!(entries, ["1 2 1", "2 3 1", "3 1 1"]);
}

/// The data of an earlier run are gone with it, those that nobody here wrote stay.
#[test]
fn gen_leaves_no_data_of_an_earlier_run() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV).fine(&["gen", "spmv.toml", "--data", "-o", "out"]);
    let data = folder.path().join("out/spmv_data.txt");
    assert!(data.is_file());
    folder.fine(&["gen", "spmv.toml", "-o", "out"]);
    assert!(!data.exists() && folder.path().join("out/spmv.json").is_file());
    std::fs::create_dir(folder.path().join("own")).unwrap();
    folder.write("own/spmv_data.txt", "mine").fine(&["gen", "spmv.toml", "-o", "own"]);
    assert_eq!(folder.read("own/spmv_data.txt"), "mine");
}

#[test]
fn a_file_named_by_a_word_of_verilog_gives_a_kernel() {
    let folder = Folder::new();
    folder.write("tri.toml", SPMV).fine(&["gen", "tri.toml", "-o", "out"]);
    assert!(folder.path().join("out/k_tri_ram.v").is_file());
}
