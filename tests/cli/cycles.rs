//! Cycles of kernels whose costs were out of proportion to what they compute, and values with them;
//! and what is said of runs that take long.

use crate::support::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn report(folder: &Folder, args: &[&str]) -> Value {
    let ran = folder.fine(&[&["run", "k.toml", "--json"], args].concat());
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["matches_reference"], true);
    report
}

fn cycles(folder: &Folder, args: &[&str]) -> u64 {
    report(folder, args)["cycles"].as_u64().unwrap()
}

/// Is there a node that reads tensor y?
fn reads_y(report: &Value) -> bool {
    report["nodes"].as_array().unwrap().iter().any(|n| n["name"].as_str().unwrap().starts_with("scan_y"))
}

/// `[tensors]` of i32: name and levels.
fn tensors(all: &[(&str, &str)]) -> String {
    let table = |(name, levels): &(&str, &str)| {
        let level = |l| match l {
            'd' => "\"dense\"",
            'b' => "\"bitvector\"",
            _ => "\"compressed\"",
        };
        let levels: Vec<&str> = levels.chars().map(level).collect();
        format!("[tensors.{name}]\ntype = \"i32\"\nlevels = [{}]\n", levels.join(", "))
    };
    all.iter().map(table).collect()
}

/// Entries of a vector as a file.
fn vector(entries: impl IntoIterator<Item = (usize, i64)>) -> String {
    entries.into_iter().map(|(n, v)| format!("{} {v}\n", n + 1)).collect()
}

fn entries(text: &str) -> Vec<(usize, i64)> {
    let entry = |line: &str| {
        let (n, v) = line.split_once(' ').unwrap();
        (n.parse::<usize>().unwrap() - 1, v.trim().parse().unwrap())
    };
    text.lines().filter(|l| !l.is_empty() && !l.starts_with(['#', '%'])).map(entry).collect()
}

const SIZE: usize = 400;

/// Where value i lands, and a third of the values.
fn places() -> (Vec<usize>, Vec<(usize, i64)>) {
    let places = (0..SIZE).map(|i| i * i * 7 % SIZE).collect();
    (places, (0..SIZE).filter(|i| i % 3 == 1).map(|i| (i, i as i64 % 50 + 1)).collect())
}

/// The kernel `expr` with y, whose level is given, sparse a and dense p of [`SIZE`], on those data; `more`:
/// of y's table.
fn landing(expr: &str, level: &str, more: &str) -> Folder {
    let (p, a) = places();
    let folder = Folder::new();
    let tables = tensors(&[("p", "d"), ("a", "c"), ("y", level)]);
    folder.write("k.toml", format!("expr = \"{expr}\"\n[dims]\ni = {SIZE}\n{tables}shape = [{SIZE}]\n{more}"));
    folder.write("p.tns", vector(p.iter().enumerate().map(|(i, &p)| (i, p as i64)).filter(|(_, p)| *p > 0)));
    folder.write("a.tns", vector(a));
    folder
}

const DATA: [&str; 6] = ["--tensor", "p=p.tns", "--tensor", "a=a.tns", "--out", "y=y.tns"];

#[test]
fn values_that_land_are_not_searched_for() {
    let (p, a) = places();
    for (expr, more, old) in [("y(p(i)) = a(i)", "", 0), ("y(p(i)) = a(i)", "fill = 7\n", 7)] {
        let folder = landing(expr, "d", more);
        let taken = cycles(&folder, &DATA);
        // One pass finds the last at each place, the other takes it.
        assert!(taken < 6 * SIZE as u64, "{expr} takes {taken} cycles");
        let mut wanted = vec![old; SIZE];
        for (i, &place) in p.iter().enumerate() {
            wanted[place] = a.iter().find(|(n, _)| *n == i).map_or(0, |(_, v)| *v);
        }
        let mut found = vec![0; SIZE];
        entries(&folder.read("y.tns")).into_iter().for_each(|(n, v)| found[n] = v);
        assert_eq!(found, wanted, "{expr}, {more}");
    }
}

#[test]
fn an_old_value_that_nobody_gives_is_not_read() {
    let (p, a) = places();
    for (expr, level, fill) in
        [("y(p(i)) += a(i)", "d", 0), ("y(p(i)) += a(i)", "c", 0), ("y(p(i)) max= a(i)", "d", -5)]
    {
        let folder = landing(expr, level, &format!("fill = {fill}\n"));
        let ran = report(&folder, &DATA);
        let without = ran["cycles"].as_u64().unwrap();
        let sums = |old: &[i64]| {
            let mut wanted = old.to_vec();
            for &(i, v) in &a {
                let place = &mut wanted[p[i]];
                *place = if expr.contains("max") { v.max(*place) } else { *place + v };
            }
            wanted
        };
        let found = |text: &str| {
            let mut found = vec![0; SIZE];
            entries(text).into_iter().for_each(|(n, v)| found[n] = v);
            found
        };
        if fill == 0 {
            assert!(without < a.len() as u64 + 90, "{expr} takes {without} cycles");
            assert!(!reads_y(&ran), "{expr} reads what nobody gives");
            assert_eq!(found(&folder.read("y.tns")), sums(&[0; SIZE]));
        }
        let old: Vec<i64> = (0..SIZE as i64).map(|n| n % 9 + 1).collect();
        folder.write("old.tns", vector(old.iter().copied().enumerate()));
        let ran = report(&folder, &[&DATA[..], &["--tensor", "y=old.tns"]].concat());
        let with = ran["cycles"].as_u64().unwrap();
        assert!(reads_y(&ran));
        assert!(with > SIZE as u64, "{expr} takes {with} cycles with old values");
        assert_eq!(found(&folder.read("y.tns")), sums(&old));
    }
}

/// Expression, sizes, tensors, densities of those that have data, and the most cycles.
type Ordered<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a [(&'a str, f64)], u64);

const ORDERS: &[Ordered<'_>] = &[
    (
        "C(i,j) = pres(M(i,j)) * sum[k](A(i,k) * B(j,k))",
        "i = 60\nj = 60\nk = 30\n",
        &[("C", "cc"), ("M", "cc"), ("A", "dd"), ("B", "dd")],
        &[("M", 0.05), ("A", 0.3), ("B", 0.3)],
        6_500,
    ),
    (
        "H(i,j) = sum[f](X(i,f) * W(f,j)) + sum[f](M(i,f) * V(f,j))",
        "i = 50\nj = 32\nf = 20\n",
        &[("H", "dd"), ("X", "dd"), ("W", "dd"), ("M", "dd"), ("V", "dd")],
        &[("X", 1.0), ("W", 1.0), ("M", 1.0), ("V", 1.0)],
        32_100,
    ),
    (
        "T(i,j) = A(i,k) * B(j,k); C(i,j) = M(i,j) * T(i,j)",
        "i = 60\nj = 60\nk = 30\n",
        &[("C", "cc"), ("M", "cc"), ("T", "cc"), ("A", "dd"), ("B", "dd")],
        &[("M", 0.05), ("A", 0.3), ("B", 0.3)],
        112_000,
    ),
];

const SQUARE: &str = "i = 64\nj = 64\n";
const SQUARE_OF_WORDS: &str = "i = 64\nj = 256\n";
const DENSE: &[(&str, &str)] = &[("y", "d"), ("A", "dd"), ("v", "d")];
const LISTED: &[(&str, &str)] = &[("y", "d"), ("A", "dc"), ("v", "d")];
const FULL: &[(&str, f64)] = &[("A", 1.0), ("v", 0.1)];
/// `s` is 0.
const GATED: &[(&str, &str)] = &[("t", ""), ("A", "dd"), ("v", "d"), ("s", "")];
const GATED_LISTS: &[(&str, &str)] = &[("t", ""), ("A", "cc"), ("v", "d"), ("s", "")];
const CLOSED: &[(&str, f64)] = &[("A", 1.0), ("v", 0.1), ("s", 0.0)];

/// As many cycles as there are values inside, and some for each row.
const BOUNDS: &[Ordered<'_>] = &[
    ("y(i) = mask(j <= i, A(i,j) * v(j))", SQUARE, DENSE, FULL, 2_080 + 2 * 64),
    ("y(i) = mask(i < j and j != 7, A(i,j) * v(j))", SQUARE, DENSE, FULL, 2_016 + 2 * 64),
    ("y(i) = mask(abs(i - j) <= 4, A(i,j) * v(j))", SQUARE, DENSE, FULL, 9 * 64 + 2 * 64),
    ("y(i) = A(i,j) * v(j) * (i == j)", SQUARE, DENSE, FULL, 3 * 64),
    ("y(i) = sum[j](where(v(i) <= j and j < v(i) + 3, A(i,j), 0))", SQUARE, DENSE, FULL, 6 * 64),
    ("y(i) = mask(v(i) != 0, A(i,j))", SQUARE, DENSE, FULL, 12 * 64 + 3 * 64),
    ("y(i) = mask(i == j or i == j + 1, A(i,j) * v(j))", SQUARE, DENSE, FULL, 4 * 64),
    ("y(i) = mask(i < j and j < i + 3 or j == i - 2, A(i,j) * v(j))", SQUARE, DENSE, FULL, 7 * 64),
    ("y(i) = mask(j <= i or j >= 60, A(i,j) * v(j))", SQUARE, DENSE, FULL, 2_080 + 6 * 64 + 2 * 64),
    ("y(i) = mask(abs(i - j) > 50, A(i,j) * v(j))", SQUARE, DENSE, FULL, 182 + 4 * 64),
    ("y(i) = mask(j == i or j == v(i) + 9 or j == 60, A(i,j))", SQUARE, DENSE, FULL, 6 * 64),
    ("y(i) = sum[j](where(2 < j and j < 60, 0, A(i,j) * v(j)))", SQUARE, DENSE, FULL, 7 * 64 + 2 * 64),
    ("y(i) = mask(j <= i, A(i,j) * v(j))", SQUARE, LISTED, FULL, 2_080 + 6 * 64),
    ("y(i) = mask(j < 5, A(i,j) * v(j))", SQUARE, LISTED, FULL, 11 * 64),
    ("y(i) = mask(40 <= j and j < v(i), A(i,j))", SQUARE, LISTED, FULL, 30 * 64),
    ("t = sum[i,j](mask(s, A(i,j) * v(j)))", SQUARE, GATED, CLOSED, 40),
    ("t = mask(not (s < 1), sum[i,j](A(i,j) * v(j)))", SQUARE, GATED, CLOSED, 40),
    ("t = where(s > 0, sum[i,j](A(i,j) * v(j)), 0)", SQUARE, GATED_LISTS, CLOSED, 40),
];

/// One pass for several results; no more of a list than decides it.
const ONCE: &[Ordered<'_>] = &[
    (
        "y(i) = A(i,j); v(j) = A(i,j)",
        SQUARE,
        &[("y", "d"), ("A", "dc"), ("v", "d")],
        &[("A", 0.5)],
        2_048 + 2 * 64 + 100,
    ),
    ("y(i) = any[j](A(i,j))", SQUARE, &[("y", "d"), ("A", "dd")], &[("A", 1.0)], 64 * 12),
    (
        "y(i) = any[j](A(i,j) and v(j))",
        SQUARE,
        &[("y", "d"), ("A", "dc"), ("v", "c")],
        &[("A", 1.0), ("v", 1.0)],
        64 * 25,
    ),
    (
        "y(i) = any[j](A(i,j) and v(j))",
        SQUARE_OF_WORDS,
        &[("y", "d"), ("A", "db"), ("v", "b")],
        &[("A", 1.0), ("v", 1.0)],
        64 * 25,
    ),
];

#[test]
fn nothing_is_read_twice_or_for_nothing() {
    take_at_most(ONCE);
}

/// Reduction, type, level, and the number that decides a row of ones.
const DECIDED: &[(&str, &str, &str, i64)] = &[
    ("any", "bool", "block", 1),
    ("all", "bool", "compressed", 0),
    ("any", "bool", "bitvector", 1),
    ("bor", "u8", "compressed", 254),
    ("bor", "u8", "bitvector", 254),
    ("band", "i32", "dense", 2),
    ("band", "u16", "block", 8),
    ("min", "i8", "compressed", -128),
    ("max", "u8", "dense", 255),
    ("prod", "i32", "block", 0),
    ("sum", "u8s", "compressed", 253),
    ("sum", "u8s", "dense", 254),
];

#[test]
fn a_list_is_read_until_it_is_decided() {
    let (rows, columns) = (20, 300);
    for (op, ty, level, value) in DECIDED {
        let folder = Folder::new();
        folder.write(
            "k.toml",
            format!(
                "expr = \"y(i) = {op}[j](A(i,j))\"\n[dims]\ni = {rows}\nj = {columns}\n[tensors]\n\
                 A = {{ levels = [\"dense\", \"{level}\"], type = \"{ty}\" }}\n\
                 y = {{ levels = [\"dense\"], type = \"{ty}\" }}\n"
            ),
        );
        let at = |i: usize| (1..=columns).map(move |j| format!("{i} {j} {}\n", if j == 3 { *value } else { 1 }));
        folder.write("A.tns", (1..=rows).flat_map(at).collect::<String>());
        let taken = cycles(&folder, &["--tensor", "A=A.tns"]);
        assert!(taken <= rows as u64 * 25 + 60, "{op} of {ty} in {level}: {taken} cycles");
    }
}

/// A triangle of 1s on a matrix whose other triangle is not given.
#[test]
fn a_symmetric_matrix_is_gone_through_once() {
    let folder = Folder::new();
    let lower = |n: usize| (1..=n).flat_map(move |i| (1..=i).map(move |j| format!("{i} {j} {}\n", i * j)));
    let n = 40;
    let tables = tensors(&[("y", "d"), ("x", "d"), ("A", "dc")]) + "symmetric = true\n";
    folder.write("k.toml", format!("expr = \"y(i) = A(i,j) * x(j)\"\n[dims]\ni = {n}\nj = {n}\n{tables}"));
    folder.write("A.tns", lower(n).collect::<String>());
    folder.write("x.tns", vector((0..n).map(|i| (i, 1))));
    let data = ["--tensor", "A=A.tns", "--tensor", "x=x.tns", "--out", "y=y.tns"];
    let (stored, taken) = (n * (n + 1) / 2, cycles(&folder, &data));
    assert!(taken <= stored as u64 * 115 / 100 + 3 * n as u64 + 60, "{taken} cycles for {stored} entries");
    // i times the sum of all j.
    let rows: Vec<i64> = (1..=n as i64).map(|i| i * (n * (n + 1) / 2) as i64).collect();
    assert_eq!(entries(&folder.read("y.tns")).into_iter().map(|(_, v)| v).collect::<Vec<_>>(), rows);
    folder.write("A.tns", "1 2 5\n2 1 6\n");
    folder.run(&[&["run", "k.toml"], &data[..4]].concat()).failed(2, "T022");
}

#[test]
fn masks_are_bounds_of_loops() {
    take_at_most(BOUNDS);
}

#[test]
fn orders_know_masks_and_reducers() {
    take_at_most(ORDERS);
}

fn take_at_most(kernels: &[Ordered<'_>]) {
    for (expr, dims, levels, data, most) in kernels {
        let folder = Folder::new();
        let sources: String = data
            .iter()
            .enumerate()
            .map(|(seed, (name, d))| format!("{name} = {{ random = {{ density = {d}, seed = {seed} }} }}\n"))
            .collect();
        folder.write("k.toml", format!("expr = \"{expr}\"\n[dims]\n{dims}{}[data]\n{sources}", tensors(levels)));
        let taken = cycles(&folder, &[]);
        assert!(taken <= *most, "{expr} takes {taken} cycles, {most} are enough");
    }
}

/// A kernel of 10^12 points.
fn endless() -> Folder {
    let folder = Folder::new();
    let tables = tensors(&[("x", "c"), ("y", "c"), ("s", "")]).replace("i32", "i64");
    let source = |seed| format!("{{ random = {{ density = 0.001, seed = {seed} }} }}");
    let dims = "[dims]\ni = 1000000\nj = 1000000\n";
    let data = format!("[data]\nx = {}\ny = {}\n", source(1), source(2));
    folder.write("k.toml", format!("expr = \"s = sum[i,j](max(x(i), y(j)) * (i + j))\"\n{dims}{tables}{data}"));
    folder
}

#[test]
fn a_terminal_shows_how_far_a_run_is() {
    let folder = endless();
    let run = format!("{} run k.toml", env!("CARGO_BIN_EXE_samhw"));
    let mut script = Command::new("script");
    script.args(["-qec", &run, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
    let Ok(mut child) = script.spawn() else {
        eprintln!("skipped: there is no `script` that makes a terminal");
        return;
    };
    let shown = BufReader::new(child.stdout.take().unwrap()).split(b'\r');
    let line = shown.map(|part| String::from_utf8_lossy(&part.unwrap()).into_owned()).find(|l| l.starts_with("\x1b[K"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.as_ref().is_some_and(|line| line.contains("seconds")), "{line:?}");
}

#[test]
fn a_run_of_days_says_what_will_take_them() {
    let folder = endless();
    let mut child = folder.samhw(&["run", "k.toml"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told: Vec<String> = (&mut lines).take(3).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        told[0].starts_with("note: this run takes about 1.0e12 cycles, some ") && told[0].contains("days"),
        "{told:?}"
    );
    assert!(told[1].starts_with("  node ") && told[2].starts_with("  help: "), "{told:?}");
}

#[test]
fn what_no_memory_holds_is_refused_at_once() {
    let folder = Folder::new();
    let source = "{ random = { density = 0.0000001, seed = 1 } }";
    let tables = tensors(&[("x", "c"), ("y", "c"), ("Z", "dd")]);
    let dims = "[dims]\ni = 1000000\nj = 1000000\n";
    let data = format!("[data]\nx = {source}\ny = {source}\n");
    folder.write("k.toml", format!("expr = \"Z(i,j) = x(i) * y(j)\"\n{dims}{tables}{data}"));
    folder.run(&["run", "k.toml"]).failed(2, "T101");
}

/// A statement has the order and the schedule that the file gives to it alone.
#[test]
fn statements_have_orders_and_schedules_of_their_own() {
    let folder = Folder::new();
    let text = |own: &str| {
        let data = "X = { random = { density = 0.3, seed = 1 } }\nW = { random = { density = 1.0, seed = 2 } }\n\
                    A = { random = { density = 0.3, seed = 3 } }\n";
        let tensors = tensors(&[("X", "dc"), ("W", "dd"), ("A", "dc"), ("s", "d")]);
        let expr = "T(i,h) = X(i,f) * W(f,h); H(i,h) = A(i,k) * T(k,h); s(i) = sum[h](H(i,h))";
        format!("expr = \"{expr}\"\n{own}\n[dims]\ni = 12\nk = 12\nf = 10\nh = 8\n{tensors}[data]\n{data}")
    };
    let statements = |own: &str| {
        folder.write("k.toml", text(own));
        let report: Value = serde_json::from_str(&folder.fine(&["run", "k.toml", "--json"]).out).unwrap();
        assert_eq!(report["matches_reference"], true);
        report["statements"].as_array().unwrap().clone()
    };
    let plain = statements("");
    let own = statements("[order]\nT = [\"i\", \"f\", \"h\"]\n[schedule.H]\nparallel = { i = 4 }");
    let order = |s: &Value| s["order"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect::<String>();
    assert_eq!((order(&plain[0]), order(&own[0])), ("ihf".into(), "ifh".into()));
    assert_eq!(order(&plain[1]), order(&own[1]));
    let alone = |own: &str| statements(&format!("{own}\n[schedule]\nfuse = {{}}"))[1]["cycles"].as_u64().unwrap();
    let copies = alone("[schedule.H]\nparallel = { i = 4 }");
    assert!(2 * copies < alone(""), "four copies take {copies}");
    let last = &own[2];
    assert_eq!(last["cycles"], last["end"].as_u64().unwrap() - last["begin"].as_u64().unwrap());
}
