//! Outputs of the core that report each cycle's activity of nodes and streams to the counters behind AXI.

use super::Context;
use super::instance::Group;
use super::names::crosses;
use crate::netlist::{CellId, CellPlace};
use samhw_hdl::{Expr, Port, PortGroup, Signal};
use samhw_streams::Shape;

/// The observed nodes and streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probes {
    /// Observed nodes, as cells of the netlist.
    pub nodes: Vec<CellId>,
    /// Observed streams between primitives, as channels of the netlist.
    pub streams: Vec<usize>,
    /// Width in bits of the number of beats that a node takes in a cycle.
    pub beats_width: u32,
}

impl Default for Probes {
    /// Nothing.
    fn default() -> Self {
        Self { nodes: Vec::new(), streams: Vec::new(), beats_width: 1 }
    }
}

impl Probes {
    /// Every node of the graph, and every stream within the core.
    pub(super) fn new(cx: &Context) -> Self {
        let net = cx.net;
        let core = |c: CellId| net.cell(c).place == CellPlace::Core;
        let nodes: Vec<CellId> = (0..cx.lowered.graph.nodes.len()).map(CellId).filter(|&c| core(c)).collect();
        let within = |k: &usize| {
            let c = &net.channels[*k];
            let ends = c.from.is_some() && c.to.is_some() && !crosses(net, c);
            ends && matches!(cx.shape(*k), Shape::Stream { .. })
        };
        let inputs = |&n: &CellId| net.channels.iter().filter(|c| c.to.is_some_and(|(cell, _)| cell == n)).count();
        let most = nodes.iter().map(inputs).max().unwrap_or(0).max(1) as u64;
        Self {
            streams: (0..net.channels.len()).filter(within).collect(),
            beats_width: u64::BITS - most.leading_zeros(),
            nodes,
        }
    }

    /// Returns the wires of the probes.
    pub(super) fn signals(&self) -> [Signal; 4] {
        let nodes = self.nodes.len().max(1) as u32;
        [
            Signal::new("node_beats", nodes * self.beats_width),
            Signal::new("node_moves", nodes),
            Signal::new("node_waits", nodes),
            Signal::new("stream_waits", self.streams.len().max(1) as u32),
        ]
    }

    /// Ports of the core.
    pub(super) fn ports(&self) -> PortGroup {
        let comment =
            "In this cycle, per node: beats taken, a transfer, an output that waits; per stream: one that waits.";
        PortGroup { comment: comment.into(), ports: self.signals().map(|s| Port::output(s.name, s.width)).into() }
    }

    /// Returns the assignments that drive the probes.
    pub(super) fn assigns(&self, cx: &Context) -> Vec<(Expr, Expr)> {
        let zero = || Expr::literal(1, 0);
        let either = |a: Expr, b: Expr| a.binary("||", b);
        let [beats, moves, waits, streams] = self.signals();
        let group = |k: usize| Group::new(&cx.names.channels[k], 1);
        let moved = |k: usize| group(k).valid.all().binary("&&", group(k).ready.all());
        let waited = |k: usize| group(k).valid.all().binary("&&", Expr::Not(Box::new(group(k).ready.all())));
        let mut out = Vec::new();
        for (n, &cell) in self.nodes.iter().enumerate() {
            // The end of a run is no cycle of it.
            let at = |end: fn(&crate::netlist::Channel) -> Option<crate::netlist::End>| -> Vec<usize> {
                let all = (0..cx.net.channels.len()).filter(|&k| cx.net.done != Some(k));
                all.filter(|&k| end(&cx.net.channels[k]).is_some_and(|(c, _)| c == cell)).collect()
            };
            let (ins, outs) = (at(|c| c.to), at(|c| c.from));
            let width = self.beats_width;
            let wide = |k: &usize| Expr::concat([(width > 1).then(|| Expr::zeros(width - 1)), Some(moved(*k))]);
            let sum = ins.iter().map(wide).reduce(|a, b| a.binary("+", b)).unwrap_or(Expr::zeros(width));
            let any = ins.iter().chain(&outs).map(|&k| moved(k)).reduce(either).unwrap_or(zero());
            let stuck = outs.iter().map(|&k| waited(k)).reduce(either).unwrap_or(zero());
            let n = n as u32;
            out.extend([(beats.bits(n * width, width), sum), (moves.bits(n, 1), any), (waits.bits(n, 1), stuck)]);
        }
        if self.nodes.is_empty() {
            out.extend([beats, moves, waits].map(|s| (s.all(), Expr::zeros(s.width))));
        }
        out.extend(self.streams.iter().enumerate().map(|(n, &k)| (streams.bits(n as u32, 1), waited(k))));
        if self.streams.is_empty() {
            out.push((streams.all(), zero()));
        }
        out
    }
}
