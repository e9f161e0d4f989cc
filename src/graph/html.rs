//! `samhw graph --html`: the drawing as a page of its own, with counters and Verilog of each node.

use samhw_compiler::draw::Heat;
use samhw_compiler::emit::Design;
use samhw_compiler::netlist::{CellPlace, Netlist};
use serde_json::{Map, Value, json};

/// The page; `@NAME@` are its gaps.
const PAGE: &str = include_str!("page.html");

/// What the page is made of.
pub struct Page<'a> {
    /// The netlist that is drawn.
    pub net: &'a Netlist,
    /// The drawing.
    pub svg: &'a str,
    /// Its Verilog.
    pub design: &'a Design,
    /// What a run did.
    pub heat: Option<&'a Heat>,
}

impl Page<'_> {
    /// As HTML that needs no other file and no network.
    pub fn text(&self) -> String {
        let name = format!("{}_core.v", self.design.name);
        let core = self.design.files.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text.as_str());
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
        let data =
            json!({"kernel": self.net.name, "cycles": self.heat.map(|h| h.cycles), "nodes": Value::Object(nodes)});
        // Within a script no text may end it.
        let data = data.to_string().replace('<', "\\u003c");
        PAGE.replace("@KERNEL@", &self.net.name).replace("@SVG@", self.svg).replace("@DATA@", &data)
    }
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
