//! Printing of graphs: one line per node, with inputs and outputs by name. Golden tests compare it.

use super::{Graph, Op, Payload, StreamId};
use crate::stmt::Kernel;
use std::fmt::Write;

impl Graph {
    /// Returns the short name of a stream: its node, and its output if there are several.
    pub fn stream_name(&self, s: StreamId) -> String {
        let (n, k) = self.stream(s).from;
        let node = self.node(n);
        if node.outputs.len() == 1 { node.name.clone() } else { format!("{}.{k}", node.name) }
    }

    /// Returns the short name of what a stream's values are, wherever they are repeated.
    pub fn value_name(&self, s: StreamId) -> String {
        let node = self.node(self.stream(s).from.0);
        match (&node.op, self.stream(s).payload) {
            (Op::Repeat, Payload::Val(_)) => self.value_name(node.inputs[0]),
            _ => self.stream_name(s),
        }
    }

    /// Prints one line per node: `name = kind(details) inputs -> outputs with their depth`.
    pub fn to_text(&self, kernel: &Kernel) -> String {
        let mut out = String::new();
        for node in &self.nodes {
            let inputs: Vec<String> = node.inputs.iter().map(|&s| self.stream_name(s)).collect();
            let outputs: Vec<String> = node.outputs.iter().map(|&s| self.describe(s, kernel)).collect();
            let _ = writeln!(out, "{} = {:?} ({}) -> [{}]", node.name, node.op, inputs.join(", "), outputs.join(", "));
        }
        out
    }

    fn describe(&self, s: StreamId, kernel: &Kernel) -> String {
        let stream = self.stream(s);
        let over: Vec<&str> = stream.over.iter().map(|&v| kernel.var(v).name.as_str()).collect();
        let what = match stream.payload {
            Payload::Crd(_) => "crd",
            Payload::Interval(_) => "interval",
            Payload::Key(_) => "key",
            Payload::Root | Payload::Ref(..) => "ref",
            Payload::Range(..) => "range",
            Payload::Pos(..) => "pos",
            Payload::Val(_) => "val",
            Payload::Copy(_) => "copy",
        };
        format!("{what}({}){}", over.join(","), if stream.may_be_empty { "?" } else { "" })
    }
}
