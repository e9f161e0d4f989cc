//! Diagonals: of operands and results in any levels, and matrices with a vector on one, in cycles that what is stored
//! takes.

use super::{entries, gives, scheduled, tensor};
use crate::support::Folder;

/// A matrix of 24 x 32 with three entries in four rows of five.
fn sparse(i: usize, j: usize) -> i64 {
    let there = i % 5 != 2 && (i * 7 + j * 3) % 10 == i % 4;
    i64::from(there) * (i + 2 * j + 1) as i64
}

fn matrix() -> Vec<i64> {
    (0..24 * 32).map(|at| sparse(at / 32, at % 32)).collect()
}

#[test]
fn of_operands_and_results_in_all_levels() {
    let a = matrix();
    for offset in [-3i64, 0, 5] {
        let (row, column) = (offset.min(0).unsigned_abs() as usize, offset.max(0) as usize);
        let size = (24 - row).min(32 - column);
        let on: Vec<i64> = (0..size).map(|i| sparse(i + row, i + column)).collect();
        let shape = [size as u64];
        let twice: Vec<i64> = on.iter().map(|v| 2 * v).collect();
        for levels in [["dense", "compressed"], ["compressed", "compressed"], ["dense", "run"], ["compressed", "block"]]
        {
            for order in ["mode_order = [0, 1]", "mode_order = [1, 0]"] {
                let mut operand = tensor("A", &levels, &[24, 32], &a);
                operand.more = order;
                let x = tensor("x", &["compressed"], &shape, &[]);
                let expr = format!("x(p) = diag(A, {offset})(p)");
                gives(&expr, "i32", &[operand, x], &[("x", &on)]);
                let mut operand = tensor("A", &levels, &[24, 32], &a);
                operand.more = order;
                let x = tensor("x", &["compressed"], &shape, &[]);
                let t = tensor("T", &["dense", "compressed"], &[24, 32], &[]);
                let expr = format!("T(i,j) = A(i,j) * 2; x(p) = diag(T, {offset})(p)");
                gives(&expr, "i32", &[operand, t, x], &[("x", &twice)]);
            }
        }
    }
}

#[test]
fn behind_a_bus() {
    let (a, lines) = (matrix(), "hardware = { memory = \"axi\" }\nschedule = { reshape = \"chip\" }\n");
    let part = |keeps: fn(usize, usize) -> bool| -> Vec<i64> {
        (0..24 * 32).map(|at| (at / 32, at % 32)).map(|(i, j)| i64::from(keeps(i, j)) * sparse(i, j)).collect()
    };
    let levels = ["dense", "compressed"];
    for (of, values) in [("triu(A)", part(|i, j| i <= j)), ("tril(A)", part(|i, j| i >= j))] {
        let tensors = [tensor("A", &levels, &[24, 32], &a), tensor("x", &levels, &[24, 32], &[])];
        scheduled(lines, &format!("x(i,j) = {of}(i,j)"), "i32", &tensors, &[("x", &values)]);
    }
    let on: Vec<i64> = (0..24).map(|i| sparse(i, i)).collect();
    let tensors = [tensor("A", &levels, &[24, 32], &a), tensor("x", &["dense"], &[24], &[])];
    scheduled(lines, "x(i) = diag(A)(i)", "i32", &tensors, &[("x", &on)]);
}

/// The cycles of a kernel on `A`.
fn cycles(kernel: &str, shape: &[u64], values: &[i64]) -> u64 {
    let folder = Folder::new();
    folder.write("A.tns", entries(shape, values, 0)).write("k.toml", kernel);
    let ran = folder.fine(&["run", "k.toml", "--tensor", "A=A.tns"]);
    ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
}

#[test]
fn take_the_cycles_of_what_is_stored() {
    let values = matrix();
    let stored = values.iter().filter(|v| **v != 0).count() as u64;
    let least = stored + 2 * 24;
    let of = |expr: &str, lines: &str| {
        let kernel = format!(
            "expr = \"{expr}\"\n[tensors]\nA = {{ format = \"csr\", shape = [24, 32], type = \"i32\" }}\n\
             {}x = {{ levels = [\"compressed\"], type = \"i32\" }}\n{lines}",
            if expr.contains('T') { "T = { format = \"csr\", type = \"i32\" }\n" } else { "" }
        );
        cycles(&kernel, &[24, 32], &values)
    };
    // A row is read up to its diagonal, and is 5 cycles long at least.
    assert!(of("x(i) = diag(A)(i)", "") <= least * 11 / 10 + 5 * 24);
    assert!(of("x(i) = diag(A, 2)(i)", "[schedule]\nreshape = \"chip\"\n") <= least * 11 / 10 + 40);
    let alone = of("T(i,j) = A(i,j) * 2; x(i) = T(i, 3)", "");
    for offset in [0, 3, -3] {
        let read = of(&format!("T(i,j) = A(i,j) * 2; x(p) = diag(T, {offset})(p)"), "");
        assert!(read <= alone + 60, "{offset}: {read}, and {alone} for a column");
    }
    let on = "expr = \"T(i) = A(i) * 2; X(p,q) = diag(T, -1)(p,q)\"\n[tensors]\n\
              A = { levels = [\"compressed\"], shape = [768], type = \"i32\" }\n\
              T = { levels = [\"compressed\"], type = \"i32\" }\nX = { format = \"csr\", type = \"i32\" }\n";
    assert!(cycles(on, &[768], &values) <= 2 * 768 + 4 * stored);
}
