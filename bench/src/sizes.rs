//! Cells of every primitive on an ECP5, at 16-bit payloads and 3-bit stops.

mod others;
mod rows;

use crate::Verdict;
use crate::table::{Table, verdict};
use anyhow::Result;
use rows::rows;
use samhw_primitives::library;
use samhw_rtlsim as rtl;
use samhw_streams::Primitive;

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    measure("")
}

/// Runs the benchmark on primitives whose names contain this.
pub fn measure(only: &str) -> Result<Verdict> {
    let mut table =
        Table::new(&["primitive", "LUT4", "CCU2C", "FF", "DPR16X4", "DP16KD", "MULT18", "LUT4+2*CCU2C", "limit", ""]);
    let mut missed = 0;
    for row in rows()?.into_iter().filter(|row| row.name.contains(only)) {
        let cells = match synthesise(row.primitive.as_ref()) {
            Err(e @ rtl::Error::ToolMissing { .. }) => return Ok(Verdict::NoTool(e.to_string())),
            other => other?,
        };
        let logic = cells.lut4() + 2 * cells.ccu2c();
        let ok = row.limit.is_none_or(|l| logic <= l);
        missed += usize::from(!ok);
        let numbers = [cells.lut4(), cells.ccu2c(), cells.ff(), cells.dpr16x4(), cells.dp16kd(), cells.mult18(), logic];
        let mut line = vec![row.name.to_string()];
        line.extend(numbers.map(|n| n.to_string()));
        line.push(row.limit.map_or_else(|| "-".into(), |l| l.to_string()));
        line.push(if row.limit.is_some() { verdict(ok) } else { String::new() });
        table.row(line);
    }
    table.print();
    println!("wanted: LUT4 + 2 CCU2C at most the limit (a carry cell takes the place of two LUT4)");
    Ok(Verdict::of(missed))
}

/// Cells after yosys' `synth_ecp5`, out of context.
fn synthesise(p: &dyn Primitive) -> rtl::Result<rtl::Cells> {
    let instance = p.instance();
    let files = library::closure([instance.module]);
    let files = files.iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
    let mut design = rtl::Design::new(instance.module, files);
    design.params = instance.params.iter().map(|(n, v)| (n.to_string(), v.literal())).collect();
    rtl::ecp5_cells(&design, &rtl::default_cache()?)
}
