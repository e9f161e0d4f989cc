//! The gain of fusing `land(lxor(B, C), D)` into one kernel instead of two, on random inputs of growing size,
//! as in figure 23 of "Compilation of Sparse Array Programming Models".

use crate::Verdict;
use crate::copies::measure;
use crate::table::{Table, grouped, verdict};
use anyhow::Result;

const FUSED: &str = "X(i,j) = land(lxor(B(i,j), C(i,j)), D(i,j))";
const UNFUSED: &str = "T(i,j) = lxor(B(i,j), C(i,j)); X(i,j) = land(T(i,j), D(i,j))";

/// A kernel file whose statements run one after the other, as two kernels do, on `n` x `n` matrices, `b` of
/// 1,000 entries of B and C stored, `d` of D.
fn text(expr: &str, n: u64, b: u64, d: u64) -> String {
    let tensors: String = ["B", "C", "D", "T", "X"]
        .iter()
        .filter(|t| expr.contains(*t))
        .map(|t| format!("[tensors.{t}]\nformat = \"csr\"\ntype = \"i8\"\n"))
        .collect();
    let random = |t: &str, permille: u64, seed: u64| {
        let density = permille as f64 / 1000.0;
        format!("{t} = {{ random = {{ density = {density}, seed = {seed}, values = [1, 1] }} }}\n")
    };
    let data = [random("B", b, 1), random("C", b, 2), random("D", d, 3)].concat();
    format!(
        "name = \"k\"\nexpr = \"{expr}\"\norder = [\"i\", \"j\"]\nschedule.fuse = {{}}\n[dims]\ni = {n}\nj = {n}\n{tensors}[data]\n{data}"
    )
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let mut table = Table::new(&["and-xor", "stored in B, C, D", "fused", "two kernels", "times faster", "wanted", ""]);
    let mut missed = 0;
    for (b, d) in [(100, 100), (100, 10), (10, 100)] {
        for n in [50, 100, 200, 400, 800] {
            let (fused, problem) = measure(&text(FUSED, n, b, d))?;
            let (unfused, _) = measure(&text(UNFUSED, n, b, d))?;
            let stored: usize = problem.data.values().map(samhw_sim::tensor::Coo::len).sum();
            let gain = unfused as f64 / fused as f64;
            missed += usize::from(gain <= 1.0);
            let percent = |permille: u64| format!("{} %", permille as f64 / 10.0);
            table.row(vec![
                format!("{n} x {n}, B and C {}, D {}", percent(b), percent(d)),
                grouped(stored as u64),
                grouped(fused),
                grouped(unfused),
                format!("{gain:.2}"),
                "> 1".into(),
                verdict(gain > 1.0),
            ]);
        }
    }
    table.print();
    Ok(Verdict::of(missed))
}
