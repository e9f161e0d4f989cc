//! Drawing of the SAM graph for Graphviz.

use super::fifos::Fifos;
use super::label::Labels;
use super::style::{self, Line, NodeOutline};
use crate::graph::NodeId;
use crate::lower::Lowered;
use crate::netlist::Netlist;
use std::fmt::Write;

/// Returns the graph in the DOT language: a node per primitive, an edge per stream and consumer (coordinates solid,
/// references dashed, values bold) with its variables and the depth of its FIFO. Statements are in clusters of their
/// own where there are several.
pub fn dot(lowered: &Lowered, net: &Netlist) -> String {
    let readers = lowered.graph.readers();
    let labels = Labels { lowered, readers: &readers };
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(&lowered.kernel.name));
    out.push_str("  graph [rankdir=TB, fontname=\"Helvetica\", nodesep=0.35, ranksep=0.5];\n");
    out.push_str("  node [style=filled, fontname=\"Helvetica\", fontsize=11, margin=\"0.12,0.06\"];\n");
    out.push_str("  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n");
    let stages = lowered.kernel.statements.len();
    for (stage, statement) in lowered.kernel.statements.iter().enumerate() {
        let title = quoted(&lowered.kernel.statement_text(statement));
        if stages > 1 {
            let _ = writeln!(out, "  subgraph cluster_{stage} {{\n    label={title}; color=\"#b8c0c8\";");
        } else {
            let _ = writeln!(out, "  label={title}; labelloc=t;");
        }
        nodes(&mut out, labels, stage);
        if stages > 1 {
            out.push_str("  }\n");
        }
    }
    edges(&mut out, labels, net);
    out.push_str("}\n");
    out
}

fn nodes(out: &mut String, labels: Labels, stage: usize) {
    for (n, node) in labels.graph().nodes.iter().enumerate().filter(|(_, node)| node.stage == stage) {
        let style = style::of(node.op.kind());
        let shape = match style.outline {
            NodeOutline::Box => "box",
            NodeOutline::Round => "ellipse",
            NodeOutline::Hexagon => "hexagon",
            NodeOutline::Funnel => "invtrapezium",
            NodeOutline::Cylinder => "cylinder",
            NodeOutline::Octagon => "octagon",
            NodeOutline::Note => "note",
        };
        let label = quoted(&format!("{}\n{}", node.name, labels.caption(NodeId(n))));
        let tip = quoted(&format!("{}: {}", node.op.kind(), labels.detail(NodeId(n))));
        let (name, fill, line) = (quoted(&node.name), style.fill, style.line);
        let _ = writeln!(
            out,
            "    {name} [label={label}, tooltip={tip}, shape={shape}, fillcolor=\"{fill}\", color=\"{line}\"];"
        );
    }
}

fn edges(out: &mut String, labels: Labels, net: &Netlist) {
    let fifos = Fifos::of(net);
    for (n, node) in labels.graph().nodes.iter().enumerate() {
        for (k, &s) in node.inputs.iter().enumerate() {
            let stream = labels.graph().stream(s);
            let from = quoted(&labels.graph().node(stream.from.0).name);
            let line = style::line(stream.payload);
            let style = match line {
                Line::Solid => "solid",
                Line::Dashed => "dashed",
                Line::Bold => "bold",
            };
            let depth = fifos.before(NodeId(n), k);
            let fifo = if depth > 0 { format!("\nfifo {depth}") } else { String::new() };
            let label = quoted(&format!("{}{fifo}", labels.stream(s)));
            let (to, colour) = (quoted(&node.name), line.colour());
            let _ = writeln!(out, "  {from} -> {to} [label={label}, style={style}, color=\"{colour}\"];");
        }
    }
}

/// A DOT string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
