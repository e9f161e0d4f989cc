//! Cycles with skipping against the same kernel without, and against what skipping of whole fibers should reach.

use crate::cycles::{ROWS, run_checked};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result};
use samhw_compiler::netlist::skipping::skippable;

/// Kernels with their bound: steps of the busiest join if each stops when it can emit nothing more in its fiber
/// (last column of bench/BOUNDS.md).
const BOUNDS: [(&str, u64); 8] = [
    ("SpMSpM ikj", 19_795),
    ("SpMSpM jki", 20_095),
    ("SpMSpM ijk", 481_776),
    ("SpMSpM jik", 481_776),
    ("SpMV ij", 9_867),
    ("InnerProd", 1_118),
    ("TTV", 1_978),
    ("TTM", 36_122),
];

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "skip") else { return Ok(Verdict::Good) };
    let inputs = folder.join("inputs");
    let mut table = Table::new(&["kernel", "without", "skipping", "bound", "skipping/bound", ""]);
    let mut missed = 0;
    for row in &ROWS {
        let with = |schedule: &str| {
            let problem = row.kernel.scheduled(&inputs, schedule)?;
            run_checked(&problem).with_context(|| format!("kernel {}", row.name))
        };
        let plan = row.kernel.plan()?;
        let names: Vec<String> = skippable(&plan.lowered).iter().map(|v| format!("\"{v}\"")).collect();
        let without = with("locate = []\nskip = []\n")?;
        let skipping = with(&format!("locate = []\nskip = [{}]\n", names.join(", ")))?;
        let bound = BOUNDS.iter().find(|b| b.0 == row.name).map(|b| b.1);
        let ok = skipping <= without && bound.is_none_or(|b| skipping as f64 <= 1.1 * b as f64);
        missed += usize::from(!ok);
        table.row(vec![
            row.name.into(),
            grouped(without),
            grouped(skipping),
            bound.map_or("-".into(), grouped),
            bound.map_or("-".into(), |b| format!("{:.3}", skipping as f64 / b as f64)),
            verdict(ok),
        ]);
    }
    table.print();
    println!("wanted: skipping <= 1.1 bound, and skipping <= without");
    Ok(Verdict::of(missed))
}
