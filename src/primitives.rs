//! `samhw primitives`: every primitive alone on ECP5, next to its counterpart in Onyx.

use crate::interrupt::Heed;
use crate::{Failure, cache, output};
use samhw_compiler::diag::Diagnostic;
use samhw_fpga as fpga;
use samhw_fpga::alone::{Alone, Item, items, measure};
use samhw_primitives::library::closure;
use samhw_system::Scratch;
use serde_json::{Value, json};

/// Widths of payloads, and the clock wanted at each, MHz.
const WIDTHS: [(u32, f64); 2] = [(16, 130.0), (32, 115.0)];

/// Measure the area and clock of every primitive alone, on ECP5 of speed grade 6 (takes minutes).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw primitives joiner
  samhw primitives --seeds 1 --json")]
pub struct PrimitivesArgs {
    /// Measure only primitives whose names contain this
    only: Option<String>,
    /// Place each primitive with N seeds; its clock is the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// Report as one JSON array
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &PrimitivesArgs) -> Result<(), Failure> {
    let heed = Heed::new();
    let folder = cache::folder()?;
    let wanted = |i: &Item| args.only.as_ref().is_none_or(|o| i.name.contains(o.as_str()));
    let mut table = Vec::new();
    for item in items()?.into_iter().filter(wanted) {
        for (width, goal) in WIDTHS {
            output::note(&format!("measuring {} at {width} bits", item.name));
            let files: Vec<(String, String)> =
                closure([item.module.as_str()]).iter().map(|s| (format!("{}.v", s.name), s.text.to_string())).collect();
            // Yosys as WebAssembly does not see the system's temporary folder.
            let scratch = samhw_system::make_folder(&folder).and_then(|()| Scratch::new(&folder, "tmp-"));
            let scratch = scratch.map_err(|e| Diagnostic::new("R003", format!("{}: {e}", folder.display())))?;
            let measured =
                measure(&item, width, &files, scratch.path(), args.seeds, heed.flag()).map_err(|f| match f {
                    fpga::Failure::Cancelled => Failure::Interrupted,
                    fpga::Failure::Told(d, _) => (*d).into(),
                })?;
            table.push((item.clone(), width, goal, measured));
        }
    }
    let rows: Vec<Value> = table.iter().map(|(i, w, g, m)| row(i, *w, *g, m)).collect();
    if args.json {
        return output::print(&Value::Array(rows).to_string());
    }
    let mut out = format!(
        "{:<28}{:>5}{:>7}{:>7}{:>6}{:>5}{:>9}{:>7}  {}\n",
        "primitive", "bits", "LUT4", "LUTs", "FFs", "RAM", "MHz", "wanted", "Onyx LUT4, MHz"
    );
    for (item, width, goal, m) in &table {
        let r = m.resources;
        let onyx = item
            .onyx
            .filter(|_| *width == 16)
            .map(|(l, f)| format!("{l}, {f}: {:.0} % of it", 100.0 * m.lut4 as f64 / l as f64));
        out += &format!(
            "{:<28}{width:>5}{:>7}{:>7}{:>6}{:>5}{:>9.1}{:>7} {} {}\n",
            item.name,
            m.lut4,
            r.luts,
            r.ffs,
            r.brams,
            m.fmax_mhz(),
            goal,
            if m.fmax_mhz() < *goal { "!" } else { " " },
            onyx.unwrap_or_default()
        );
    }
    output::print(&out)
}

fn row(item: &Item, width: u32, goal: f64, m: &Alone) -> Value {
    json!({
        "primitive": item.name, "module": item.module, "bits": width, "lut4": m.lut4, "luts": m.resources.luts,
        "ffs": m.resources.ffs, "brams": m.resources.brams, "dsps": m.resources.dsps, "fmax_mhz": m.fmax_mhz(),
        "clocks_mhz": m.clocks,
        "wanted_mhz": goal, "onyx": item.onyx,
    })
}
