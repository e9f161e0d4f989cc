//! Kernels without a file, choices made otherwise, sizes and types that follow from data.

use crate::support::{Folder, SPMV};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 1 0.5\n1 3 2\n2 2 3\n3 4 -1\n";
const VECTOR: &str = "%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("A.mtx", MATRIX).write("x.mtx", VECTOR).write("spmv.toml", SPMV);
    folder
}

fn report(folder: &Folder, args: &[&str]) -> Value {
    serde_json::from_str(&folder.fine(args).out).unwrap()
}

#[test]
fn an_expression_runs_on_files() {
    let folder = folder();
    let expr = "\u{201c}y(i) = A(i,j) * x(j)\u{201d}";
    let data = ["-t", "A=A.mtx", "-t", "x=x.mtx", "--out", "y=y.tns", "--json"];
    for format in ["-f=A:csr", "-f=A:ds:0,1", "-f=A:dense,compressed"] {
        let found = report(&folder, &[&["run", expr, format][..], &data].concat());
        assert!(found["matches_reference"] == true && found["kernel"] == "kernel", "{found}");
        assert_eq!(folder.read("y.tns"), "1 6.5\n2 6.0\n3 -4.0\n");
    }
    let found = report(&folder, &["run", "ij,j->i", "-t", "A.mtx", "-t", "x.mtx", "-f", "A:csr", "--json"]);
    assert_eq!(found["results"]["out"]["shape"], serde_json::json!([3]));
    let types = [&["run", expr, "-f=A:csr", "-t=A:float", "-t=x:float", "-t=y:float"][..], &data].concat();
    assert_eq!(report(&folder, &types)["matches_reference"], true);
    // What is known to be an operand needs no plain indices.
    let shifted = ["run", "y(i) = x(i + 1) + x(3 - i)", "-t=x=x.mtx", "-d=i=3", "--json"];
    assert_eq!(report(&folder, &shifted)["matches_reference"], true);
    folder.fine(&["graph", "y(i) = x(p(i))", "-d=i:3", "-t=p:i32", "-f=x:dense", "--set", "tensors.x.shape=[4]"]);
    let drawn = folder.fine(&["graph", expr, "-f=A:csr", "-d=i:3", "-d=j:4"]).out;
    assert!(drawn.contains("scanner_compressed"), "{drawn}");
}

#[test]
fn sizes_and_types_of_a_file_follow_from_its_data() {
    let folder = folder();
    let text = "expr = \"y(i) = A(i,j) * x(j)\"\n[tensors]\nA = { format = \"csr\" }\nx = { format = \"dense\" }\n\
                y = { format = \"dense\" }\n[data]\nA = \"A.mtx\"\nx = \"x.mtx\"\n";
    folder.write("k.toml", text);
    assert_eq!(report(&folder, &["run", "k.toml", "--json"])["results"]["y"]["shape"], serde_json::json!([3]));
    folder.run(&["graph", "k.toml", "--set", "data.A=B.mtx"]).failed(2, "T001");
    folder.run(&["run", "k.toml", "--set", "tensors.A.type=i8"]).failed(2, "T009");
}

#[test]
fn standard_input_is_a_kernel_file() {
    let folder = folder();
    let mut child = folder.samhw(&["run", "-", "--csv"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SPMV.as_bytes()).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains("\nstdin,native,i j,") && out.contains(",true,"), "{out}");
}

#[test]
fn choices_are_made_otherwise() {
    let folder = folder();
    let cycles = |args: &[&str]| report(&folder, &[&["run", "spmv.toml", "--json"], args].concat());
    let by_columns = cycles(&["--order", "j,i", "--set", "tensors.A.format=dcsc"]);
    assert_eq!(by_columns["order"], serde_json::json!(["j", "i"]));
    assert_eq!(cycles(&["--set", "dims.i=100"])["results"]["y"]["shape"], serde_json::json!([100]));
    // Quotes of TOML around a value, and quotes around the whole that were pasted.
    for set in ["dims.i=100", "name=\"spmv\"", "\"dims.i=100\"", "order=[\"i\", \"j\"]"] {
        assert_eq!(folder.run(&["run", "spmv.toml", "--set", set]).status, 0, "{set}");
    }
    folder.run(&["run", "spmv.toml", "--set", "schedule"]).failed(2, "K033");
    folder.run(&["run", "spmv.toml", "-f", "A:csr"]).failed(2, "K032");
    folder.run(&["run", "ij,jk->il"]).failed(2, "K034");
}

#[test]
fn several_kernels_run_whatever_one_says() {
    let folder = folder();
    folder.write("bad.toml", "expr = 3\n");
    let ran = folder.run(&["run", "spmv.toml", "bad.toml", "spmv.toml", "--csv"]);
    assert!(
        ran.status == 2 && ran.err.contains("bad.toml:\nerror[") && ran.err.contains("1 of 3 runs failed"),
        "{ran:?}"
    );
    let rows: Vec<&str> = ran.out.lines().collect();
    assert!(
        rows.len() == 3 && rows[0].starts_with("kernel,engine,") && rows[1].starts_with("spmv,native,"),
        "{rows:?}"
    );
}

#[test]
fn a_sweep_goes_on_where_it_ended() {
    let folder = folder();
    let args = ["sweep", "spmv.toml", "--over", "order=i,j;j,i", "--over", "tensors.A.format=dcsr,dcsc", "-o", "s.csv"];
    let whole = folder.fine(&args).out;
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() == 5 && lines[2].contains(",S001,") && lines[4].contains(",true,"), "{whole}");
    folder.write("s.csv", format!("{}\n{}\n", lines[0], lines[4].replace(",true,", ",kept,")));
    let again = folder.fine(&args).out;
    assert!(again.lines().count() == 5 && again.contains(",kept,"), "{again}");
    folder.run(&["sweep", "spmv.toml", "--over", "dims.i=8", "-o", "s.csv"]).failed(2, "K036");
}
