//! Calibration: measurements from synthesis of kernels and primitives, and the table fitted to them.

use super::features::{Features, Parameters, makeup, operator};
use super::silicon::Silicon;
use super::table::{Clocks, Coefficients, Table};
use super::{Part, Top, clock_features, fit, parts, units};
use crate::alone::Item;
use crate::board::{self, Board, USUAL};
use crate::cells::Resources;
use crate::design::Kernel;
use crate::report::Report;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

fn usual() -> String {
    USUAL.into()
}

fn is_usual(board: &str) -> bool {
    board == USUAL
}

/// The measurement of one primitive in one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the board.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub board: String,
    /// Name of the module.
    pub module: String,
    /// Numeric parameters of the module.
    pub parameters: Parameters,
    /// Number of lookup tables.
    pub luts: u64,
    /// Number of flip-flops.
    pub ffs: u64,
    /// Numbers of block RAMs and multipliers; missing in the first measurements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<[u64; 2]>,
    /// Key of a unit, for modules with one table entry per unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Fingerprint of the module's Verilog.
    pub verilog: String,
    /// Whether the primitive was measured alone rather than in the kernel.
    pub alone: bool,
}

/// The measured clock of one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocked {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the board.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub board: String,
    /// Clock period after place and route in ns.
    pub period_ns: f64,
    /// Fingerprint of the primitives' Verilog.
    #[serde(default)]
    pub verilog: String,
}

fn counted(taken: Resources) -> (u64, u64, Option<[u64; 2]>) {
    (taken.luts, taken.ffs, Some([taken.brams, taken.dsps]))
}

/// Converts the result of synthesis to rows; `verilog` returns the fingerprint of a module's Verilog.
pub fn rows(
    kernel: &Kernel,
    board: &Board,
    counts: &BTreeMap<String, Resources>,
    verilog: &dyn Fn(&str) -> String,
) -> Vec<Row> {
    let measured = |Part { name, module, parameters, unit, .. }: Part| {
        let taken = counts.get(&name).copied().unwrap_or_default();
        let verilog = verilog(&module);
        let (luts, ffs, blocks) = counted(taken);
        let (kernel, board) = (kernel.name.clone(), board.name.clone());
        Row { kernel, board, module, parameters, luts, ffs, blocks, unit, verilog, alone: false }
    };
    parts(kernel, Top::Board).into_iter().map(measured).collect()
}

/// Converts the result of place and route to a clock measurement; `verilog` returns the fingerprint of a module's
/// Verilog.
pub fn clocked(kernel: &Kernel, board: &Board, report: &Report, verilog: String) -> Clocked {
    let (kernel, board) = (kernel.name.clone(), board.name.clone());
    Clocked { kernel, board, period_ns: 1e3 / report.timing.fmax_mhz, verilog }
}

/// Lists the kernels whose block RAMs or multipliers differ from the rules: names and resources.
pub fn exceptions(rows: &[Row]) -> Vec<String> {
    let mut kernels: BTreeMap<(&str, &str), [[u64; 2]; 2]> = BTreeMap::new();
    for r in rows.iter().filter(|r| r.unit.is_none() && !r.alone) {
        let (Some([brams, dsps]), Some(silicon)) = (r.blocks, silicon(r)) else { continue };
        let made = makeup(silicon, &r.module, &r.parameters);
        let [seen, told] = kernels.entry((&r.kernel, &r.board)).or_default();
        *seen = [seen[0] + brams, seen[1] + dsps];
        *told = [told[0] + made.brams, told[1] + made.dsps];
    }
    let wrong = kernels.into_iter().filter(|(_, [seen, told])| seen != told);
    let say = |((k, board), [seen, told]): ((&str, &str), [[u64; 2]; 2])| {
        format!("{k} on {board}: block RAMs and multipliers {seen:?}, by the rules {told:?}")
    };
    wrong.map(say).collect()
}

fn silicon(row: &Row) -> Option<Silicon> {
    board::find(&row.board).ok().map(|b| Silicon::of(&b))
}

/// Converts the synthesis of a primitive alone to a row.
pub fn row(item: &Item, board: &Board, widths: &[u32], taken: Resources, verilog: String) -> Row {
    let all = item.at(widths);
    let unit = units::unit(&item.module, all.iter());
    let numbers = units::numbers(all.iter());
    let kernel = alone(&item.name, widths);
    let (module, parameters) = (item.module.clone(), numbers.into_iter().collect());
    let (luts, ffs, blocks) = counted(taken);
    let board = board.name.clone();
    Row { kernel, board, module, parameters, luts, ffs, blocks, unit, verilog, alone: true }
}

/// Returns the kernel's name in the row of a primitive measured alone.
pub fn alone(name: &str, widths: &[u32]) -> String {
    format!("{name}, alone, widths {widths:?}")
}

/// What a measurement weighs that says less than others: of an older Verilog, or of a primitive alone.
const LIGHT: f64 = 0.1;

/// Fits the table to the measurements; `verilog` returns the current fingerprint of a module. A measurement of an older
/// one, or of a primitive alone, counts little where there are others; what was not measured stays as it is in
/// `before`.
pub fn calibrate(
    rows: &[Row],
    clocks: &[Clocked],
    tools: Vec<String>,
    verilog: &dyn Fn(&str) -> String,
    before: Table,
) -> Table {
    let mut modules: BTreeMap<&str, Vec<(Features, &Row)>> = BTreeMap::new();
    for r in rows {
        let Some(silicon) = silicon(r) else { continue };
        modules.entry(&r.module).or_default().push((makeup(silicon, &r.module, &r.parameters).features, r));
    }
    let coefficients = |module: &str, seen: &[(Features, &Row)]| {
        let today = verilog(module);
        let summed: Vec<_> = seen.iter().filter(|(_, r)| r.unit.is_none()).collect();
        let light = |r: &Row| i32::from(r.alone) + i32::from(r.verilog != today);
        let least = summed.iter().map(|(_, r)| light(r)).min().unwrap_or(0);
        let of = |value: fn(&Row) -> u64| {
            let sample = |(features, r): &&(Features, &Row)| {
                let root = LIGHT.powi(light(r) - least).sqrt();
                (features.iter().map(|(n, v)| (n.clone(), v * root)).collect(), value(r) as f64 * root)
            };
            fit::fit(&summed.iter().map(sample).collect::<Vec<_>>())
        };
        let mut operators: Vec<String> = summed.iter().filter_map(|(_, r)| operator(&r.parameters)).collect();
        operators.sort();
        operators.dedup();
        let taken = |r: &Row| r.blocks.map(|[brams, dsps]| Resources { luts: r.luts, ffs: r.ffs, brams, dsps });
        let units = seen.iter().filter_map(|(_, r)| Some((r.unit.clone()?, taken(r)?))).collect();
        // Of today, if any is.
        let known = seen.iter().map(|(_, r)| &r.verilog).max_by_key(|v| **v == today);
        let verilog = known.cloned().unwrap_or_default();
        Coefficients { luts: of(|r| r.luts), ffs: of(|r| r.ffs), seen: seen.len(), operators, units, verilog }
    };
    // What a clock depends on is in the rows of its kernel.
    let mut samples: BTreeMap<&str, Vec<(Features, f64)>> = BTreeMap::new();
    for c in clocks {
        let of: Vec<&Row> = rows.iter().filter(|r| r.kernel == c.kernel && r.board == c.board).collect();
        let Some(silicon) = of.first().and_then(|r| silicon(r)) else { continue };
        let parts: Vec<_> = of.iter().map(|r| (r.module.as_str(), &r.parameters)).collect();
        let features = clock_features(silicon, &parts, of.iter().map(|r| r.luts).sum());
        // What counts is how far a clock is off in percent.
        let relative = features.into_iter().map(|(n, v)| (n, v / c.period_ns)).collect();
        samples.entry(silicon.name).or_default().push((relative, 1.0));
    }
    let mut table = before;
    for (module, seen) in &modules {
        let mut fresh = coefficients(module, seen);
        if let Some(known) = table.modules.remove(*module).filter(|known| known.verilog == fresh.verilog) {
            fresh.units = known.units.into_iter().chain(fresh.units).collect();
        }
        table.modules.insert(module.to_string(), fresh);
    }
    table.tools.extend(tools);
    table.tools.sort();
    table.tools.dedup();
    let fitted = |(name, of): (&str, Vec<_>)| (name.into(), Clocks { period_ns: fit::fit(&of), seen: of.len() });
    table.clocks.extend(samples.into_iter().map(fitted));
    table
}
