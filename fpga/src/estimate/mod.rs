//! Estimates of a kernel's resources before synthesis, from a table calibrated with real synthesis.

mod calibrate;
pub mod features;
pub mod fit;
mod memory;
pub mod silicon;
mod table;
pub mod units;

use crate::board::Board;
use crate::cells::{HOST, Resources};
use crate::design::Kernel;
use crate::report::Share;
use features::{DIM_BITS, FACTOR, Features, Makeup, Parameters, ROOT_REFS, makeup, operator};
use samhw_compiler::emit::Manifest;
use serde::Serialize;
use silicon::Silicon;
use std::collections::{BTreeMap, BTreeSet};

pub use calibrate::{Clocked, Row, alone, calibrate, clocked, exceptions, row, rows};
pub use table::{Clocks, Coefficients, Table, table};

/// The module that stands for everything around the kernel's primitives.
const DEVICE: &str = "samhw_device";

/// The estimate of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the board.
    pub board: String,
    /// The estimated part of the kernel.
    pub top: Top,
    /// Total resources.
    pub total: Resources,
    /// Resources of the device.
    pub available: Resources,
    /// Highest clock frequency in MHz.
    pub fmax_mhz: f64,
    /// Shares of the primitives, the largest first.
    pub nodes: Vec<Share>,
    /// Modules without calibration, of which only block RAMs and multipliers count, and operators without calibration,
    /// which are underestimated.
    pub unknown: Vec<String>,
}

/// The part of a kernel that is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Top {
    /// The complete board design: the core, its memories, the serial line.
    Board,
    /// `NAME_core` alone.
    Core,
}

/// A part of a kernel on a board.
struct Part {
    name: String,
    kind: String,
    module: String,
    /// Those that are plain numbers, [`FACTOR`], [`DIM_BITS`] and [`ROOT_REFS`].
    parameters: Parameters,
    /// If it is looked up.
    unit: Option<String>,
}

/// Cells all of whose references are 0: those behind a root, or behind a fork of one. What a FIFO holds, synthesis does not know.
fn behind_roots(m: &Manifest) -> BTreeSet<&str> {
    let kinds: BTreeMap<&str, &str> = m.cells.iter().map(|c| (c.instance.as_str(), c.kind.as_str())).collect();
    let kind = |cell: &str| kinds.get(cell).copied().unwrap_or_default();
    let mut behind = BTreeSet::new();
    loop {
        let before = behind.len();
        for s in &m.streams {
            let (Some(from), Some(to)) = (&s.from, &s.to) else { continue };
            if kind(&from.cell) == "root" || (kind(&from.cell) == "fork" && behind.contains(from.cell.as_str())) {
                behind.insert(to.cell.as_str());
            }
        }
        if behind.len() == before {
            return behind;
        }
    }
}

fn parts(kernel: &Kernel, top: Top) -> Vec<Part> {
    let m = &kernel.manifest;
    let roots = behind_roots(m);
    let mut out: Vec<_> = m
        .cells
        .iter()
        .filter(|c| top == Top::Board || c.place == "core")
        .map(|c| {
            let numbers = units::numbers(c.parameters.iter().map(|(n, v)| (n, v)));
            let factor = units::factor(&c.parameters).map(|f| (FACTOR.to_string(), f));
            let width = |name: &String| m.config.iter().find(|v| v.name == *name).map(|v| u64::from(v.width));
            let size = c.config.first().and_then(width).map(|w| (DIM_BITS.to_string(), w));
            let root = roots.contains(c.instance.as_str()).then(|| (ROOT_REFS.to_string(), 1));
            let (name, kind, module) = (c.instance.clone(), c.kind.clone(), c.module.clone());
            Part {
                name,
                kind,
                parameters: numbers.into_iter().chain(factor).chain(size).chain(root).collect(),
                unit: units::unit(&module, c.parameters.iter().map(|(n, v)| (n, v))),
                module,
            }
        })
        .collect();
    if top == Top::Core {
        return out;
    }
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
    let log = |n: u64| (n.max(1) as f64).log2();
    let deep = made.iter().map(|m| (m.brams as f64).sqrt() * log(m.banks).powi(2)).fold(0.0, f64::max);
    let small = made.iter().map(|m| m.small).max().unwrap_or(0);
    let blocks: u64 = made.iter().map(|m| m.brams).sum();
    let widest = |name: &str| parts.iter().filter_map(|(_, p)| p.get(name)).max().copied().unwrap_or(0);
    let has = |name: &str| f64::from(u8::from(parts.iter().any(|(module, _)| module.starts_with(name))));
    BTreeMap::from(
        [
            ("1", 1.0),
            ("log luts", log(luts)),
            // Wires are as long as the area is wide over which block RAMs are spread.
            ("root of blocks", (blocks as f64).sqrt()),
            // One of the blocks of a deep memory is chosen, a stage for each doubling, and the more blocks it has, the longer their wires.
            ("root of its blocks, square of log banks, of one memory", deep),
            ("value bits", widest("VAL_W") as f64),
            ("reference bits", widest("REF_W") as f64),
            ("workspace", has("samhw_reducer_vector").max(has("samhw_reducer_matrix"))),
            ("log small", log(small)),
        ]
        .map(|(n, v)| (n.to_string(), v)),
    )
}

/// Estimates `top` of `kernel` on `board`; `table` is the family's table.
pub fn estimate(kernel: &Kernel, top: Top, board: &Board, table: &Table) -> Estimate {
    let silicon = Silicon::of(board);
    let mut total = Resources::default();
    let (mut nodes, mut unknown) = (Vec::new(), Vec::new());
    let all = parts(kernel, top);
    for Part { name, kind, module, parameters, unit } in &all {
        let made = makeup(silicon, module, parameters);
        let Some(c) = table.modules.get(module) else {
            unknown.push(module.clone());
            let resources = Resources { luts: 0, ffs: 0, brams: made.brams, dsps: made.dsps };
            total += resources;
            nodes.push(Share { node: name.clone(), kind: kind.clone(), resources });
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
        top,
        total,
        available: Resources { luts: has.luts, ffs: has.ffs, brams: has.brams, dsps: has.dsps },
        fmax_mhz: if period > 0.0 { (1e4 / period).round() / 10.0 } else { 0.0 },
        nodes,
        unknown,
    }
}
