//! Tensors that memory has no room for are refused before it is asked for; the others take what
//! docs/data-files.md states.

use crate::support::{Folder, Ran};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// `X(i,j) = i + j` in this format.
fn everywhere(n: u64, format: &str) -> String {
    format!("expr = \"X(i,j) = i + j\"\n[dims]\ni = {n}\nj = {n}\n[tensors.X]\nformat = \"{format}\"\ntype = \"i32\"\n")
}

/// Rows that are added up; every entry of the matrix is there.
fn rows(n: u64) -> String {
    format!(
        "expr = \"y(i) = A(i,j)\"\n[dims]\ni = {n}\nj = {n}\n[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\n\
         [tensors.y]\nformat = \"dense\"\ntype = \"i32\"\n[data]\nA = {{ random = {{ density = 1.0, seed = 1 }} }}\n"
    )
}

/// A product whose sums depend on their order.
fn sums(n: u64) -> String {
    let tensor = |name: &str| format!("[tensors.{name}]\nformat = \"dense\"\ntype = \"f32\"\n");
    let data = |name: &str| format!("{name} = {{ random = {{ density = 1.0, seed = 1 }} }}\n");
    format!(
        "expr = \"C(i,j) = A(i,k) * B(k,j)\"\n[dims]\ni = {n}\nj = {n}\nk = 2\n{}{}{}[data]\n{}{}",
        tensor("A"),
        tensor("B"),
        tensor("C"),
        data("A"),
        data("B")
    )
}

/// Few entries of a vector in levels like this one.
fn copied(n: u64, level: &str, more: &str) -> String {
    let tensor = |name: &str| format!("[tensors.{name}]\nlevels = [\"{level}\"]\ntype = \"i32\"\n");
    let data = format!("[data]\nx = {{ random = {{ density = {}, seed = 1 }} }}\n", 9.0 / n as f64);
    format!("expr = \"y(i) = 2 * x(i)\"\n[dims]\ni = {n}\n{}{}{more}\n{data}", tensor("y"), tensor("x"))
}

/// A product by outer products, reduced in a workspace of 4,000 x 8,192 in four banks.
fn outer() -> String {
    let operand = |name: &str, format: &str| {
        let data = format!("{name} = {{ random = {{ density = 0.0001, seed = 1 }} }}\n");
        (format!("{name} = {{ format = \"{format}\", type = \"i32\" }}\n"), data)
    };
    let [(b, b_data), (c, c_data)] = [operand("B", "csc"), operand("C", "csr")];
    let x = "X = { format = \"csr\", type = \"i32\" }\n";
    format!(
        "expr = \"X(i,j) = B(i,k) * C(k,j)\"\norder = [\"k\", \"i\", \"j\"]\n[dims]\ni = 4000\nj = 8000\nk = 9\n\
         [tensors]\n{b}{c}{x}[data]\n{b_data}{c_data}"
    )
}

/// `samhw` with so much memory, in kibibytes.
fn limited(folder: &Folder, kibibytes: u64, args: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kibibytes}; exec \"$@\"");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_samhw")]).args(args).current_dir(folder.path());
    Ran::of(command.output().unwrap())
}

#[test]
fn what_does_not_fit_is_refused_before_it_is_asked_for() {
    let folder = Folder::new();
    // A .npy file of ones, one byte each.
    let n = 3000;
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{{'descr': '|b1', 'fortran_order': False, 'shape': ({n}, {n}), }}\n");
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.bytes());
    content.resize(content.len() + n * n, 1);
    folder.write("A.npy", content);
    let gigabytes = |n: u64| n << 20;
    let from_file = ["run", "k.toml", "--tensor", "A=A.npy"];
    for (text, memory, args, code, words) in [
        // More than there can be, whatever the memory.
        (everywhere(20_000, "dense"), gigabytes(6), &["run", "k.toml"][..], "T101", "X stores more than 67108864"),
        // It would fit a larger machine: counted before the run, or while the reference grows.
        (everywhere(8000, "dense"), gigabytes(6), &["run", "k.toml"], "T032", "X with 64000000 entries"),
        (everywhere(20_000, "dcsr"), gigabytes(3) / 8, &["run", "k.toml"], "T101", "for which there would be memory"),
        (sums(6000), gigabytes(6), &["run", "k.toml"], "T032", "C with 36000000 entries"),
        (rows(8000), gigabytes(2), &["run", "k.toml"], "T032", "the generator's entries"),
        (rows(n as u64), gigabytes(1) / 2, &from_file, "T032", "entries that are read"),
        (everywhere(8000, "dense"), gigabytes(6), &["gen", "k.toml", "--data"], "T032", "X with 64000000 entries"),
        (outer(), gigabytes(1) / 2, &["run", "k.toml"], "T032", "most of all the workspace of sum_k"),
        // A bit for each coordinate, and what is declared.
        (copied(1 << 31, "bitvector", ""), gigabytes(1), &["run", "k.toml"], "T032", "most of all array y_rank0"),
        (
            copied(1 << 31, "compressed", "nnz = 100000000"),
            gigabytes(1),
            &["run", "k.toml"],
            "T032",
            "most of all array x_",
        ),
    ] {
        let ran = limited(folder.write("k.toml", text), memory, args);
        ran.failed(2, code);
        assert!(ran.err.contains(words) && ran.err.contains("help"), "{words}: {ran:?}");
    }
}

/// The most memory that a run has had, in bytes.
fn peak(folder: &Folder) -> u64 {
    let mut child = folder.samhw(&["run", "k.toml"]).stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = most.max(line.and_then(|kb| kb.trim().parse().ok()).unwrap_or(0));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(ended.success());
    most * 1024
}

/// The kernel file of a size.
type Text = fn(u64) -> String;

/// Bytes per entry of tensors of order 2: 160, and 384 of results whose sums depend on their order.
/// With SAMHW_FULL of more than 10^7 entries.
#[test]
fn entries_take_no_more_memory_than_is_stated() {
    let folder = Folder::new();
    let full = std::env::var_os("SAMHW_FULL").is_some();
    let large = if full { 3200 } else { 200 };
    let kernels: [(Text, u64); 4] =
        [(|n| everywhere(n, "dense"), 160), (|n| everywhere(n, "dcsr"), 160), (rows, 160), (sums, 384)];
    for (number, (text, stated)) in kernels.into_iter().enumerate() {
        let of = |n: u64| peak(folder.write("k.toml", text(n)));
        let (small, most) = (of(50), of(large));
        let taken = most.saturating_sub(small) / (large * large - 50 * 50);
        println!("kernel {number}: {taken} bytes per entry");
        assert!((8..=stated).contains(&taken), "kernel {number}: {taken} bytes per entry, {stated} are stated");
    }
}
