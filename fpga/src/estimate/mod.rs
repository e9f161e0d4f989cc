//! What a kernel takes on a device, told before synthesis from a table that calibration made of
//! real synthesis.

pub mod features;
pub mod fit;
pub mod silicon;
pub mod units;

use crate::alone::Item;
use crate::board::{self, Board, Family};
use crate::cells::{HOST, Resources};
use crate::design::Kernel;
use crate::report::{Report, Share};
use features::{Features, Makeup, Parameters, makeup, operator};
use samhw_compiler::diag::Diagnostic;
use serde::{Deserialize, Serialize};
use silicon::Silicon;
use std::collections::BTreeMap;

/// The tables, by `samhw calibrate`.
const fn text(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => include_str!("../../calibration/ecp5.json"),
        Family::Ice40 => include_str!("../../calibration/ice40.json"),
        Family::Gowin => include_str!("../../calibration/gowin.json"),
    }
}

/// The board that measurements were made for which name none.
pub const USUAL: &str = "ulx3s-85f";

fn usual() -> String {
    USUAL.into()
}

fn is_usual(board: &str) -> bool {
    board == USUAL
}

/// The module that stands for everything around the kernel's primitives.
const DEVICE: &str = "samhw_device";

/// What calibration saw of one primitive in one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Kernel.
    pub kernel: String,
    /// Board.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub board: String,
    /// Module.
    pub module: String,
    /// Its parameters that are plain numbers.
    pub parameters: Parameters,
    /// Lookup tables.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Block RAMs and multipliers; of the first measurements they were not noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<[u64; 2]>,
    /// What tells a unit from others, of a module that is looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What tells its Verilog from that of another day.
    pub verilog: String,
    /// It was measured alone, not as a part of the kernel.
    pub alone: bool,
}

/// What calibration saw of the clock of one kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocked {
    /// Kernel.
    pub kernel: String,
    /// Board.
    #[serde(default = "usual", skip_serializing_if = "is_usual")]
    pub board: String,
    /// Clock period after place and route, ns.
    pub period_ns: f64,
}

/// Coefficients of a module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// Of lookup tables.
    pub luts: BTreeMap<String, f64>,
    /// Of flip-flops.
    pub ffs: BTreeMap<String, f64>,
    /// Instances seen.
    pub seen: usize,
    /// Operators seen, of a module that has one.
    pub operators: Vec<String>,
    /// What units take, of a module that is looked up.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, Resources>,
    /// What tells the Verilog measured from that of another day.
    #[serde(default)]
    pub verilog: String,
}

/// The calibrated model of a family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Family.
    pub family: String,
    /// Versions of the tools.
    pub tools: Vec<String>,
    /// By module.
    pub modules: BTreeMap<String, Coefficients>,
    /// Of the clock period, by device.
    pub clocks: BTreeMap<String, Clocks>,
}

/// What the clock period of a device follows from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Coefficients.
    pub period_ns: BTreeMap<String, f64>,
    /// Kernels whose clock was measured.
    pub seen: usize,
}

/// An estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Kernel.
    pub kernel: String,
    /// Board.
    pub board: String,
    /// In all, the serial line included.
    pub total: Resources,
    /// What the device has.
    pub available: Resources,
    /// Largest clock, MHz.
    pub fmax_mhz: f64,
    /// By primitive, the largest first.
    pub nodes: Vec<Share>,
    /// Modules that calibration has not seen, which count as nothing, and operators, which count as too little.
    pub unknown: Vec<String>,
}

/// A part of a kernel on a board.
struct Part {
    name: String,
    kind: String,
    module: String,
    /// Those that are plain numbers.
    parameters: Parameters,
    /// If it is looked up.
    unit: Option<String>,
}

fn parts(kernel: &Kernel) -> Vec<Part> {
    let m = &kernel.manifest;
    let mut out: Vec<_> = m
        .cells
        .iter()
        .map(|c| {
            let numbers = c.parameters.iter().filter_map(|(n, v)| Some((n.clone(), v.parse().ok()?)));
            let (name, kind, module) = (c.instance.clone(), c.kind.clone(), c.module.clone());
            Part {
                name,
                kind,
                parameters: numbers.collect(),
                unit: units::unit(&module, c.parameters.iter().map(|(n, v)| (n, v))),
                module,
            }
        })
        .collect();
    let bits = |widths: &mut dyn Iterator<Item = u32>| widths.map(u64::from).sum::<u64>();
    let device = [
        ("WORD", kernel.word().into()),
        ("ADDR_W", m.host.addr_width.into()),
        ("DATA_W", m.host.data_width.into()),
        ("CONFIG_W", bits(&mut m.config.iter().map(|c| c.width))),
        ("STATUS_W", bits(&mut m.status.iter().map(|s| s.width))),
        ("ARRAYS", m.arrays.len() as u64),
    ];
    let parameters = device.map(|(n, v)| (n.to_string(), v)).into();
    out.push(Part { name: HOST.into(), kind: HOST.into(), module: DEVICE.into(), parameters, unit: None });
    out
}

/// What the clock of a kernel with these modules and parameters depends on.
fn clock_features(silicon: Silicon, parts: &[(&str, &Parameters)], luts: u64) -> Features {
    let made: Vec<Makeup> = parts.iter().map(|(module, p)| makeup(silicon, module, p)).collect();
    let banks = made.iter().map(|m| m.banks).max().unwrap_or(0);
    let small = made.iter().map(|m| m.small).max().unwrap_or(0);
    let blocks: u64 = made.iter().map(|m| m.brams).sum();
    let widest = |name: &str| parts.iter().filter_map(|(_, p)| p.get(name)).max().copied().unwrap_or(0);
    let has = |name: &str| f64::from(u8::from(parts.iter().any(|(module, _)| module.starts_with(name))));
    let log = |n: u64| (n.max(1) as f64).log2();
    BTreeMap::from(
        [
            ("1", 1.0),
            ("log banks", log(banks)),
            ("log luts", log(luts)),
            // Wires are as long as the area is wide over which block RAMs are spread.
            ("root of blocks", (blocks as f64).sqrt()),
            ("value bits", widest("VAL_W") as f64),
            ("reference bits", widest("REF_W") as f64),
            ("workspace", has("samhw_reducer_vector").max(has("samhw_reducer_matrix"))),
            ("log small", log(small)),
        ]
        .map(|(n, v)| (n.to_string(), v)),
    )
}

fn counted(taken: Resources) -> (u64, u64, Option<[u64; 2]>) {
    (taken.luts, taken.ffs, Some([taken.brams, taken.dsps]))
}

/// What synthesis says of a kernel's parts; `verilog` tells a module's Verilog from that of another day.
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
    parts(kernel).into_iter().map(measured).collect()
}

/// What place and route says of its clock.
pub fn clocked(kernel: &Kernel, board: &Board, report: &Report) -> Clocked {
    let (kernel, board) = (kernel.name.clone(), board.name.clone());
    Clocked { kernel, board, period_ns: 1e3 / report.timing.fmax_mhz }
}

/// Kernels whose block RAMs or multipliers are not what the rules say: name, and what they take.
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

/// What synthesis says of a primitive alone.
pub fn row(item: &Item, board: &Board, widths: &[u32], taken: Resources, verilog: String) -> Row {
    let all = item.at(widths);
    let unit = units::unit(&item.module, all.iter());
    let numbers = all.into_iter().filter_map(|(n, v)| Some((n, v.parse().ok()?)));
    let kernel = alone(&item.name, widths);
    let (module, parameters) = (item.module.clone(), numbers.collect());
    let (luts, ffs, blocks) = counted(taken);
    let board = board.name.clone();
    Row { kernel, board, module, parameters, luts, ffs, blocks, unit, verilog, alone: true }
}

/// What stands for the kernel where a primitive was measured alone.
pub fn alone(name: &str, widths: &[u32]) -> String {
    format!("{name}, alone, widths {widths:?}")
}

/// What a measurement weighs that says less than others: of an older Verilog, or of a primitive alone.
const LIGHT: f64 = 0.1;

/// The table that explains what was seen; `verilog` tells the Verilog of a module today. A measurement of an older one, or of a
/// primitive alone, counts little where there are others; what was not measured stays as it is in `before`.
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
        samples.entry(silicon.name).or_default().push((features, c.period_ns));
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

/// The committed table of a family.
pub fn table(family: Family) -> Result<Table, Diagnostic> {
    serde_json::from_str(text(family))
        .map_err(|e| Diagnostic::new("F020", format!("the calibration table of {} is wrong: {e}", family.name())))
}

/// What `kernel` will take on `board`, whose family's table is `table`.
pub fn estimate(kernel: &Kernel, board: &Board, table: &Table) -> Estimate {
    let silicon = Silicon::of(board);
    let mut total = Resources::default();
    let (mut nodes, mut unknown) = (Vec::new(), Vec::new());
    let all = parts(kernel);
    for Part { name, kind, module, parameters, unit } in &all {
        let made = makeup(silicon, module, parameters);
        let Some(c) = table.modules.get(module) else {
            unknown.push(module.clone());
            continue;
        };
        let of = |coefficients| fit::apply(coefficients, &made.features).round() as u64;
        let summed = Resources { luts: of(&c.luts), ffs: of(&c.ffs), brams: made.brams, dsps: made.dsps };
        let resources = match unit {
            Some(unit) => c.units.get(unit).copied().unwrap_or_else(|| {
                unknown.push(format!("{module}, {unit}"));
                summed
            }),
            None => {
                let operator = operator(parameters).filter(|o| !c.operators.contains(o));
                unknown.extend(operator.map(|o| format!("{module}, {o}")));
                summed
            }
        };
        total += resources;
        nodes.push(Share { node: name.clone(), kind: kind.clone(), resources });
    }
    nodes.sort_by_key(|s| std::cmp::Reverse((s.resources.luts + s.resources.ffs, s.resources.brams)));
    unknown.sort();
    unknown.dedup();
    let parts: Vec<_> = all.iter().map(|p| (p.module.as_str(), &p.parameters)).collect();
    let features = clock_features(silicon, &parts, total.luts);
    let period = table.clocks.get(silicon.name).map_or(0.0, |c| fit::apply(&c.period_ns, &features));
    let has = board.has;
    Estimate {
        kernel: kernel.name.clone(),
        board: board.name.clone(),
        total,
        available: Resources { luts: has.luts, ffs: has.ffs, brams: has.brams, dsps: has.dsps },
        fmax_mhz: if period > 0.0 { (1e4 / period).round() / 10.0 } else { 0.0 },
        nodes,
        unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_a_table_with_a_clock() {
        for name in board::names() {
            let board = board::find(name).unwrap();
            let table = table(board.family).unwrap();
            assert_eq!(table.family, board.family.name());
            let clocks = table.clocks.get(Silicon::of(&board).name);
            assert!(clocks.is_some_and(|c| c.seen >= 3), "{name}: {clocks:?}");
            for module in ["samhw_scanner_compressed", "samhw_joiner", "samhw_alu", "samhw_device"] {
                assert!(table.modules.contains_key(module), "{name}: {module}");
            }
        }
    }
}
