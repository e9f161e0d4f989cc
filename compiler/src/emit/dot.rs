//! The netlist as a drawing for Graphviz.

use super::Context;
use crate::netlist::{End, Place};
use std::fmt::Write;

/// DOT text.
pub(super) fn text(cx: &Context) -> String {
    let net = cx.net;
    let mut out = format!("digraph {} {{\n    rankdir = LR;\n    node [shape = box];\n", cx.name);
    for (k, c) in net.cells.iter().enumerate() {
        let (kind, about) = (c.primitive.kind(), c.primitive.describe());
        let label = if about.is_empty() { c.name.clone() } else { format!("{}\\n{}", c.name, escaped(&about)) };
        let style = match (c.place, kind) {
            (Place::Memory, _) => ", shape = cylinder",
            (_, "fifo") => ", style = dashed",
            (_, "fork") => ", shape = triangle",
            _ => "",
        };
        let _ = writeln!(out, "    c{k} [label = \"{label}\"{style}];");
    }
    for outside in ["start", "done"] {
        let _ = writeln!(out, "    {outside} [shape = plaintext];");
    }
    for (k, c) in net.channels.iter().enumerate() {
        let id = |end: Option<End>, outside: &str| end.map_or(outside.to_string(), |(c, _)| format!("c{}", c.0));
        // Streams that nobody reads are not drawn.
        if c.to.is_none() && net.done() != Some(k) {
            continue;
        }
        let (from, to) = (id(c.from, "start"), id(c.to, "done"));
        let over: Vec<&str> = c.over.iter().map(|&v| cx.lowered.kernel.var(v).name.as_str()).collect();
        let _ = writeln!(out, "    {from} -> {to} [label = \"{}\"];", escaped(&over.join(",")));
    }
    out + "}\n"
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
