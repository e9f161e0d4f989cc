//! Detection of combinational paths from input ports to output ports, bit by bit.

use crate::design::Design;
use crate::error::{Error, Result};
use crate::yosys;
use serde_json::{Map, Value};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

/// An output port that depends on an input port within a cycle.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CombPath {
    /// Name of the input port.
    pub input: String,
    /// Name of the output port.
    pub output: String,
    /// Source locations of the cells on the path.
    pub via: Vec<String>,
}

impl fmt::Display for CombPath {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} depends on {} through [{}]", self.output, self.input, self.via.join(", "))
    }
}

/// Returns all pairs of ports of `design` with a combinational path between them. Reading a memory without a clock is
/// part of a path. A latch is an error. Scratch files go into `dir`, which must not be in the system's temporary
/// folder.
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

/// Which bits of a combinational cell's output a bit of its input reaches.
#[derive(Clone, Copy)]
enum Reach {
    All,
    Lane(usize),
}

/// What bit `i` of `port`, which has `width` bits, reaches in an output of `lanes` bits.
fn reach(cell: &Value, port: &str, i: usize, width: usize, lanes: usize) -> Vec<Reach> {
    let kind = cell["type"].as_str().unwrap_or("");
    let signed = || cell["parameters"][format!("{port}_SIGNED")].as_str().is_some_and(|v| v.contains('1'));
    match kind {
        "$mux" | "$pmux" if port == "S" => vec![Reach::All],
        // The words of `$pmux` stand one behind the other.
        "$mux" | "$pmux" | "$bwmux" => vec![Reach::Lane(i % lanes.max(1))],
        "$not" | "$pos" | "$and" | "$or" | "$xor" | "$xnor" if i + 1 == width && signed() => {
            (i..lanes).map(Reach::Lane).collect()
        }
        "$not" | "$pos" | "$and" | "$or" | "$xor" | "$xnor" => vec![Reach::Lane(i)],
        "$eq" | "$ne" | "$eqx" | "$nex" | "$lt" | "$le" | "$gt" | "$ge" => vec![Reach::Lane(0)],
        _ if kind.starts_with("$reduce_") || kind.starts_with("$logic_") => vec![Reach::Lane(0)],
        _ => vec![Reach::All],
    }
}

fn walk(ports: &Map<String, Value>, cells: &Map<String, Value>) -> std::result::Result<Vec<CombPath>, String> {
    // The outputs of each combinational cell, and for each bit the cells that read it.
    let mut outputs: Vec<(&Value, Vec<Option<u64>>)> = Vec::new();
    let mut readers: HashMap<u64, Vec<(usize, Reach)>> = HashMap::new();
    for cell in cells.values() {
        if matches!(flow(cell["type"].as_str().unwrap_or(""), cell)?, Flow::Registered) {
            continue;
        }
        let wires = |d: &'static str| {
            let all = cell["connections"].as_object().into_iter().flatten();
            all.filter(move |(port, _)| cell["port_directions"][port].as_str() == Some(d))
                .filter_map(|(port, wires)| Some((port, wires.as_array()?)))
        };
        let out: Vec<Option<u64>> = wires("output").flat_map(|(_, w)| w.iter().map(Value::as_u64)).collect();
        for (port, wires) in wires("input") {
            for (i, b) in wires.iter().enumerate() {
                let Some(b) = b.as_u64() else { continue };
                let reached = reach(cell, port, i, wires.len(), out.len()).into_iter();
                readers.entry(b).or_default().extend(reached.map(|r| (outputs.len(), r)));
            }
        }
        outputs.push((cell, out));
    }
    let of = |d: &'static str| ports.iter().filter(move |(_, p)| p["direction"].as_str() == Some(d));
    let mut found: BTreeMap<(String, String), CombPath> = BTreeMap::new();
    for (input, port) in of("input") {
        // Where each reached bit was reached from: the bit before, and the cell between.
        let mut from: HashMap<u64, Option<(u64, usize)>> = bits(&port["bits"]).map(|b| (b, None)).collect();
        let mut todo: Vec<u64> = from.keys().copied().collect();
        let mut whole = vec![false; outputs.len()];
        while let Some(bit) = todo.pop() {
            for &(n, reach) in readers.get(&bit).into_iter().flatten() {
                let out = &outputs[n].1;
                let lanes = match reach {
                    Reach::All if std::mem::replace(&mut whole[n], true) => &[],
                    Reach::All => &out[..],
                    Reach::Lane(i) => out.get(i..=i).unwrap_or_default(),
                };
                for &b in lanes.iter().flatten() {
                    if let Entry::Vacant(e) = from.entry(b) {
                        e.insert(Some((bit, n)));
                        todo.push(b);
                    }
                }
            }
        }
        for (output, port) in of("output") {
            let Some(mut bit) = bits(&port["bits"]).find(|b| from.contains_key(b)) else { continue };
            let mut via = Vec::new();
            while let Some(Some((before, cell))) = from.get(&bit) {
                via.push(source(outputs[*cell].0));
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
