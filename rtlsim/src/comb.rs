//! Finds combinational paths from input ports to output ports, bit by bit.

use crate::design::Design;
use crate::error::{Error, Result};
use crate::yosys;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

/// An output port that depends on an input port within a cycle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CombPath {
    /// Input port.
    pub input: String,
    /// Output port.
    pub output: String,
    /// Where in the source the cells on the path are.
    pub via: Vec<String>,
}

impl fmt::Display for CombPath {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} depends on {} through [{}]", self.output, self.input, self.via.join(", "))
    }
}

/// All pairs of ports of `design` with a combinational path between them. Reading a memory
/// without a clock is part of a path. A latch is an error. Scratch files go into `dir`, which
/// must not be in the system's temporary folder.
pub fn comb_paths(design: &Design, dir: &Path) -> Result<Vec<CombPath>> {
    let module = yosys::netlist(design, dir)?;
    let paths = |m: &Value| Some(walk(m["ports"].as_object()?, m["cells"].as_object()?));
    let bad = |what: String| Error::Mismatch { design: design.top.clone(), what };
    paths(&module).ok_or_else(|| bad("yosys wrote no netlist".into()))?.map_err(bad)
}

/// How a cell passes changes on.
enum Flow {
    Combinational,
    Registered,
}

fn flow(kind: &str, cell: &Value) -> std::result::Result<Flow, String> {
    let lower = kind.to_ascii_lowercase();
    if lower.contains("latch") || lower.starts_with("$_sr_") || lower == "$sr" {
        return Err(format!("a latch was inferred at {}", source(cell)));
    }
    let clocked_read = || cell["parameters"]["CLK_ENABLE"].as_str().is_some_and(|v| v.contains('1'));
    let registered = lower.contains("dff") || lower == "$_ff_" || lower == "$ff";
    let memory = lower.starts_with("$memrd") && clocked_read() || lower.starts_with("$memwr");
    Ok(if registered || memory { Flow::Registered } else { Flow::Combinational })
}

fn source(cell: &Value) -> String {
    cell["attributes"]["src"].as_str().unwrap_or("unknown place").to_string()
}

fn bits(x: &Value) -> impl Iterator<Item = u64> {
    x.as_array().into_iter().flatten().filter_map(Value::as_u64)
}

fn walk(ports: &Map<String, Value>, cells: &Map<String, Value>) -> std::result::Result<Vec<CombPath>, String> {
    // For each bit, the combinational cells that read it.
    let mut readers: HashMap<u64, Vec<(&str, &Value)>> = HashMap::new();
    let direction = |cell: &Value, port: &str| cell["port_directions"][port].as_str().unwrap_or("").to_string();
    for (name, cell) in cells {
        if matches!(flow(cell["type"].as_str().unwrap_or(""), cell)?, Flow::Registered) {
            continue;
        }
        for (port, wires) in cell["connections"].as_object().into_iter().flatten() {
            if direction(cell, port) == "input" {
                bits(wires).for_each(|b| readers.entry(b).or_default().push((name, cell)));
            }
        }
    }
    let of = |d: &'static str| ports.iter().filter(move |(_, p)| p["direction"].as_str() == Some(d));
    let mut found: BTreeMap<(String, String), CombPath> = BTreeMap::new();
    for (input, port) in of("input") {
        // Where each reached bit was reached from: (bit before, source of the cell between).
        let mut from: HashMap<u64, Option<(u64, String)>> = bits(&port["bits"]).map(|b| (b, None)).collect();
        let mut todo: Vec<u64> = from.keys().copied().collect();
        while let Some(bit) = todo.pop() {
            for (_, cell) in readers.get(&bit).into_iter().flatten() {
                for (port, wires) in cell["connections"].as_object().into_iter().flatten() {
                    if direction(cell, port) == "output" {
                        for b in bits(wires) {
                            if let std::collections::hash_map::Entry::Vacant(e) = from.entry(b) {
                                e.insert(Some((bit, source(cell))));
                                todo.push(b);
                            }
                        }
                    }
                }
            }
        }
        for (output, port) in of("output") {
            let Some(mut bit) = bits(&port["bits"]).find(|b| from.contains_key(b)) else { continue };
            let mut via = Vec::new();
            while let Some(Some((before, place))) = from.get(&bit) {
                via.push(place.clone());
                bit = *before;
            }
            via.reverse();
            via.dedup();
            let path = CombPath { input: input.clone(), output: output.clone(), via };
            found.insert((input.clone(), output.clone()), path);
        }
    }
    Ok(found.into_values().collect())
}
