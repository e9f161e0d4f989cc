//! Resources of mapped netlists by primitive, and the primitive of each cell and net.

use crate::board::Family;
use crate::design::Kernel;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

/// Resources, in the device's units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Four-input lookup tables, including those of carry chains and distributed RAM.
    pub luts: u64,
    /// Flip-flops.
    pub ffs: u64,
    /// Block RAMs.
    pub brams: u64,
    /// Multipliers.
    pub dsps: u64,
}

impl AddAssign for Resources {
    fn add_assign(&mut self, o: Self) {
        self.luts += o.luts;
        self.ffs += o.ffs;
        self.brams += o.brams;
        self.dsps += o.dsps;
    }
}

/// Returns the resources of a cell of type `kind`.
pub fn cost(family: Family, kind: &str) -> Resources {
    let luts = |luts| Resources { luts, ..Resources::default() };
    let ff = Resources { ffs: 1, ..Resources::default() };
    let bram = Resources { brams: 1, ..Resources::default() };
    let dsp = Resources { dsps: 1, ..Resources::default() };
    match (family, kind) {
        (Family::Ecp5, "LUT4") | (Family::Ice40, "SB_LUT4") => luts(1),
        (Family::Ecp5, "CCU2C") => luts(2),
        (Family::Ecp5, "TRELLIS_DPR16X4") => luts(4),
        (Family::Ecp5, "TRELLIS_FF") => ff,
        (Family::Ecp5, "DP16KD" | "PDPW16KD") => bram,
        (Family::Ecp5, "MULT18X18D") | (Family::Ice40, "SB_MAC16") => dsp,
        (Family::Ice40, k) if k.starts_with("SB_DFF") => ff,
        (Family::Ice40, k) if k.starts_with("SB_RAM40_4K") => bram,
        (Family::Gowin, "LUT1" | "LUT2" | "LUT3" | "LUT4" | "ALU") => luts(1),
        (Family::Gowin, k) if k.starts_with("RAM16SDP") => luts(k[8..].parse().unwrap_or(4)),
        (Family::Gowin, k) if k.starts_with("DFF") => ff,
        (Family::Gowin, "SDPB" | "SDPX9B" | "DPB" | "DPX9B" | "SP" | "SPX9") => bram,
        (Family::Gowin, k) if k.starts_with("MULT") => dsp,
        _ => Resources::default(),
    }
}

/// Name for everything that belongs to no primitive.
pub const HOST: &str = "serial line";

/// An index that finds the primitive of a cell or net by its name in the flat netlist.
#[derive(Debug, Clone)]
pub struct Owners {
    /// Kind by instance name.
    cells: HashMap<String, String>,
    /// Primitive that drives a stream, by the name of its wires.
    streams: Vec<(String, String)>,
    /// What stands before the names of NAME_ram.
    prefix: &'static str,
}

impl Owners {
    /// Creates the index of `kernel`, whose `NAME_ram` is at `prefix` (`u_uart.u_ram.` in a board design).
    pub fn new(kernel: &Kernel, prefix: &'static str) -> Self {
        let m = &kernel.manifest;
        let instance: HashMap<&str, &str> = m.cells.iter().map(|c| (c.name.as_str(), c.instance.as_str())).collect();
        let cells = m.cells.iter().map(|c| (c.instance.clone(), c.kind.clone())).collect();
        let mut streams: Vec<(String, String)> = m
            .streams
            .iter()
            .filter_map(|s| {
                let end = s.from.as_ref().or(s.to.as_ref())?;
                Some((s.wires.clone(), (*instance.get(end.cell.as_str())?).to_string()))
            })
            .collect();
        // The longest name that fits is meant.
        streams.sort_by_key(|(wires, _)| std::cmp::Reverse(wires.len()));
        Self { cells, streams, prefix }
    }

    /// Returns the instance of the primitive that `name` belongs to, or [`HOST`].
    pub fn of<'a>(&'a self, name: &'a str) -> &'a str {
        let Some(rest) = name.strip_prefix(self.prefix) else { return HOST };
        let rest = rest.strip_prefix("u_core.").unwrap_or(rest);
        let first = rest.split('.').next().unwrap_or(rest);
        if let Some((instance, _)) = self.cells.get_key_value(first) {
            return instance;
        }
        // A cell without instance is named after the wire it drives.
        let wires = |(wires, _): &&(String, String)| {
            rest.strip_prefix(wires.as_str()).is_some_and(|after| after.starts_with("_"))
        };
        if let Some((_, cell)) = self.streams.iter().find(wires) {
            return cell;
        }
        let starts = |c: &&String| rest.strip_prefix(c.as_str()).is_some_and(|after| after.starts_with('_'));
        self.cells.keys().filter(starts).max_by_key(|c| c.len()).map_or(HOST, String::as_str)
    }

    /// Returns the kind of a primitive; any other name is its own kind.
    pub fn kind<'a>(&'a self, instance: &'a str) -> &'a str {
        self.cells.get(instance).map_or(instance, String::as_str)
    }
}

/// Counts the resources of each primitive in yosys' netlist `json` with top module `top`.
pub fn count(family: Family, json: &Value, top: &str, owners: &Owners) -> BTreeMap<String, Resources> {
    let mut out: BTreeMap<String, Resources> = BTreeMap::new();
    let cells = json["modules"][top]["cells"].as_object().into_iter().flatten();
    for (name, cell) in cells {
        let r = cost(family, cell["type"].as_str().unwrap_or_default());
        if r != Resources::default() {
            *out.entry(owners.of(name).to_string()).or_default() += r;
        }
    }
    out
}
