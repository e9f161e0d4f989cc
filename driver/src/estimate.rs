//! Estimates of size, clock and cycles before synthesis.

use crate::content::content;
use crate::design;
use crate::kernel::Sources;
use crate::run::simulated;
use samhw_compiler::diag::{self, Diagnostic, Diagnostics};
use samhw_compiler::frontend::KernelFile;
use samhw_fpga::board;
use samhw_fpga::cells::Resources;
use samhw_fpga::estimate::{Estimate, Top, estimate, table};
use samhw_sim::load::load_operands;
use samhw_sim::run::Problem;
use serde_json::{Value, json};

/// Cycles after which counting them is given up.
const LIMIT: u64 = 1 << 32;

/// The estimate of a kernel on a board.
pub struct Estimated {
    /// Size and clock.
    pub takes: Estimate,
    /// Modules whose Verilog has changed since their calibration.
    pub stale: Vec<String>,
    /// Cycles on the data, or the reason why there are none.
    pub cycles: Result<u64, String>,
    /// Warnings about the kernel file.
    warnings: Diagnostics,
}

/// Estimates a kernel's size and clock, and its cycles if data are given. Unless `top` says otherwise, all that is on
/// the board, of a kernel behind AXI its core.
pub fn estimated(
    file: &KernelFile,
    sources: &Sources,
    board: &str,
    top: Option<Top>,
) -> Result<Estimated, Diagnostics> {
    let board = board::find(board)?;
    let top = design::estimable(file, top)?;
    let (_, net, kernel) = design::declared(file)?;
    let table = table(board.family())?;
    let takes = estimate(&kernel, top, &board, &table);
    let mut stale: Vec<String> = kernel.manifest.cells.iter().map(|c| c.module.clone()).collect();
    stale.retain(|m| table.modules.get(m).is_some_and(|c| c.verilog != content(m)));
    stale.sort_unstable();
    stale.dedup();
    let cycles = match load_operands(file, sources) {
        Ok(loaded) => match simulated(&Problem::made(file, loaded)?, file, &net, LIMIT) {
            Ok(outcome) => Ok(outcome.counts.cycles),
            // What is estimated has other room than these data need.
            Err(problems) => match problems.first() {
                Some(d) if ["H010", "H011"].contains(&d.code) => {
                    Err([std::slice::from_ref(&d.message), &d.help[..]].concat().join("; "))
                }
                _ => return Err(problems),
            },
        },
        // Without data there are no cycles to count; with data that are wrong there is an error.
        Err(d) if sources.is_empty() => Err(d.first().map(|d| d.message.clone()).unwrap_or_default()),
        Err(d) => return Err(d),
    };
    Ok(Estimated { takes, stale, cycles, warnings: file.warnings.clone() })
}

impl Estimated {
    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        as_json(&self.takes, &self.stale, &self.cycles, &self.warnings)
    }

    /// Returns the report as text.
    pub fn text(&self) -> String {
        text(&self.takes, &self.stale, &self.cycles)
    }
}

fn as_json(e: &Estimate, stale: &[String], cycles: &Result<u64, String>, warnings: &[Diagnostic]) -> Value {
    // Names and finite numbers: nothing in it can fail to be written.
    let mut out = serde_json::to_value(e).unwrap_or_default();
    out["stale"] = json!(stale);
    out["cycles"] = json!(cycles.as_ref().ok());
    out["warnings"] = diag::json(warnings);
    out
}

fn text(e: &Estimate, stale: &[String], cycles: &Result<u64, String>) -> String {
    let of = if e.top == Top::Core { ", its core alone" } else { "" };
    let mut out = format!("kernel      {} on {}{of}\n", e.kernel, e.board);
    let (t, has) = (e.total, e.available);
    for (what, used, has) in [
        ("LUTs", t.luts, has.luts),
        ("flip-flops", t.ffs, has.ffs),
        ("block RAMs", t.brams, has.brams),
        ("multipliers", t.dsps, has.dsps),
    ] {
        let over = if used > has { "  too many" } else { "" };
        out += &format!("{what:<12}{used} of {has}{over}\n");
    }
    out += &format!("clock       {:.1} MHz\n", e.fmax_mhz);
    out += &match cycles {
        Ok(n) => format!("cycles      {n}, {:.3} ms at that clock\n", *n as f64 / e.fmax_mhz.max(1.0) / 1e3),
        Err(why) => format!("cycles      unknown: {why}\n"),
    };
    for module in &e.unknown {
        out += &format!("not calibrated, so too little is counted: {module}\n");
    }
    if !stale.is_empty() {
        out += &format!("calibrated before their Verilog changed: {}\n", stale.join(", "));
    }
    out += &format!("\n{:<28}{:<22}{:>7}{:>7}{:>7}{:>7}\n", "node", "kind", "LUTs", "FFs", "RAMs", "mults");
    for n in &e.nodes {
        let Resources { luts, ffs, brams, dsps } = n.resources;
        out += &format!("{:<28}{:<22}{luts:>7}{ffs:>7}{brams:>7}{dsps:>7}\n", n.node, n.kind);
    }
    out
}
