//! The drawing of a graph as an SVG or an HTML page, with counters and Verilog of each node.

use samhw_compiler::diag::Diagnostics;
use samhw_compiler::draw::{self, Heat};
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::lower::Lowered;
use samhw_compiler::netlist::{CellPlace, Netlist};
use samhw_compiler::passes::order::Choice;
use samhw_compiler::pipeline::at_statement;
use samhw_sim::native::Counts;
use serde_json::{Map, Value, json};

/// The page; `@NAME@` are its gaps.
const PAGE: &str = include_str!("page.html");

/// A lowered kernel with its netlist and the counters of a run.
pub struct Drawn<'a> {
    /// The kernel.
    pub lowered: &'a Lowered,
    /// The netlist that is drawn.
    pub net: &'a Netlist,
    /// The kernel's loop order.
    pub choice: &'a Choice,
    /// The counters of a run, for the colours.
    pub heat: Option<&'a Heat>,
}

impl Drawn<'_> {
    /// Draws the graph as SVG.
    pub fn svg(&self) -> String {
        draw::svg(self.lowered, self.net, self.choice, self.heat)
    }

    /// Draws the graph as an HTML page that needs no other file and no network.
    pub fn page(&self, file: &KernelFile) -> Result<String, Diagnostics> {
        let design = match &file.hardware.memory {
            Memory::Ram => emit(self.lowered, self.net),
            Memory::Axi(options) => emit_axi(self.lowered, self.net, options).map_err(|d| at_statement(file, d))?,
        };
        let data = json!({
            "kernel": self.net.name,
            "cycles": self.heat.map(|h| h.cycles),
            "nodes": Value::Object(self.nodes(&design)),
        });
        // Within a script no text may end it.
        let data = data.to_string().replace('<', "\\u003c");
        Ok(PAGE.replace("@KERNEL@", &self.net.name).replace("@SVG@", &self.svg()).replace("@DATA@", &data))
    }

    /// What is said of each node: kind, counters, Verilog.
    fn nodes(&self, design: &Design) -> Map<String, Value> {
        let name = format!("{}_core.v", design.name);
        let core = design.files.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text.as_str());
        let verilog = instances(core);
        let mut nodes = Map::new();
        for (k, cell) in self.net.cells.iter().enumerate().filter(|(_, c)| c.place == CellPlace::Core) {
            let mut node = json!({"kind": cell.primitive.kind(), "about": cell.primitive.describe()});
            if let Some([busy, stalled, starved]) = self.heat.and_then(|h| h.cells.get(k)) {
                node["counters"] = json!({"busy": busy, "stalled": stalled, "starved": starved});
            }
            if let Some((line, text)) = verilog.get(cell.name.as_str()) {
                node["verilog"] = json!({"file": name, "line": line, "text": text});
            }
            nodes.insert(cell.name.clone(), node);
        }
        nodes
    }
}

/// Converts the counters of a run to colours' input.
pub fn heat(counts: &Counts) -> Heat {
    let cells: Vec<[u64; 3]> = counts.cells.iter().map(|c| [c.busy, c.stalled, c.starved]).collect();
    // Behind AXI a register counts fewer cycles than the engine.
    let cycles = cells.first().map_or(counts.cycles, |c| c.iter().sum());
    Heat { cycles, cells, channels: counts.channels.iter().map(|c| [c.beats, c.stalled]).collect() }
}

/// The instances of a module by name: number of the first line, and text.
fn instances(text: &str) -> std::collections::BTreeMap<&str, (usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = std::collections::BTreeMap::new();
    for (k, line) in lines.iter().enumerate().filter(|(_, l)| l.trim_start().starts_with("samhw_")) {
        let Some(open) = (k..lines.len()).find(|&n| lines[n].ends_with(" (")) else { continue };
        let Some(close) = (open..lines.len()).find(|&n| lines[n].trim() == ");") else { continue };
        let name = lines[open].trim_end_matches(" (").rsplit([' ', ')']).next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let shown = lines[k..=close].iter().map(|l| l.get(indent..).unwrap_or(l.trim_start()));
        out.insert(name, (k + 1, shown.collect::<Vec<_>>().join("\n")));
    }
    out
}
