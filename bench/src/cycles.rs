//! Cycles of our hardware, compared with each kernel's lower bound and with the SAM simulator.

mod rows;

use crate::kernel::{Kernel, LIMIT, one};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result, bail, ensure};
pub use rows::{ROWS, Row};
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::run::Problem;
use std::collections::HashMap;
use std::path::Path;

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let Some(folder) = shared::find("bench", "cycles") else { return Ok(Verdict::Good) };
    let sam = sam_cycles(&folder.join("results.csv"))?;
    let mut table = Table::new(&["kernel", "ours", "bound", "SAM", "ours/bound", "ours/SAM", ""]);
    let mut missed = 0;
    for row in &ROWS {
        let sam = *sam.get(row.sam).with_context(|| format!("results.csv has no row {}", row.sam))?;
        let ours = measure(row, &folder.join("inputs")).with_context(|| format!("kernel {}", row.name))?;
        let ok = ours < sam && row.bound.is_none_or(|b| ours as f64 <= 1.03 * b as f64 + 150.0);
        missed += usize::from(!ok);
        let ratio = |to: u64| format!("{:.3}", ours as f64 / to as f64);
        let dash = || "-".to_string();
        table.row(vec![
            row.name.into(),
            grouped(ours),
            row.bound.map_or_else(dash, grouped),
            grouped(sam),
            row.bound.map_or_else(dash, ratio),
            ratio(sam),
            verdict(ok),
        ]);
    }
    table.print();
    println!("wanted: ours <= 1.03 bound + 150, and ours < SAM");
    Ok(Verdict::of(missed))
}

/// Returns SpM*SpM in row order (Gustavson's), the kernel for measurements of speed.
pub fn spmspm() -> &'static Kernel<'static> {
    &ROWS[0].kernel
}

/// Cycles of one row, from the start token to the done token.
fn measure(row: &Row, inputs: &Path) -> Result<u64> {
    run_checked(&row.kernel.problem(inputs)?)
}

/// Returns the cycles of a problem; the result must be correct.
pub fn run_checked(problem: &Problem) -> Result<u64> {
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let outcome = problem.run_native(&net, LIMIT).map_err(one)?;
    ensure!(!outcome.results.is_empty(), "no result was written");
    for (t, coo) in &outcome.results {
        if *coo != problem.expected(*t).map_err(one)? {
            bail!("the result {} differs from the reference", problem.lowered.kernel.tensor(*t).name);
        }
    }
    Ok(outcome.counts.cycles)
}

/// Reads kernel and cycles from the columns of SAM's results. Of kernels with several rows the first counts.
pub fn sam_cycles(path: &Path) -> Result<HashMap<String, u64>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut out = HashMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        if let [kernel, _, cycles, ..] = cells[..] {
            let cycles = cycles.parse().with_context(|| format!("cycles of {kernel}"))?;
            out.entry(kernel.to_string()).or_insert(cycles);
        }
    }
    Ok(out)
}
