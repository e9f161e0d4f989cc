//! Removal of nodes that do not contribute to any result.

use super::{Graph, Joins, Node, NodeId, Op, StreamId, UseId};

impl Graph {
    /// Returns the graph without nodes that have no path to a writer. Roots stay.
    pub fn pruned(self) -> Self {
        let mut kept: Vec<bool> = self.nodes.iter().map(|n| n.outputs.is_empty() || n.op == Op::Root).collect();
        // Producers stand before consumers: of what is kept all that it reads is.
        for n in (0..self.nodes.len()).rev() {
            if kept[n] {
                self.nodes[n].inputs.iter().for_each(|s| kept[self.stream(*s).from.0.0] = true);
            }
        }
        self.keeping(&kept)
    }

    /// The graph with the nodes of which that is true, on which no others depend, before anything is decided about joins.
    pub(crate) fn keeping(self, kept: &[bool]) -> Self {
        if kept.iter().all(|k| *k) {
            return Self { joins: Joins::default(), ..self };
        }
        let nodes: Vec<usize> = (0..kept.len()).filter(|&n| kept[n]).collect();
        let streams: Vec<usize> = (0..self.streams.len()).filter(|&s| kept[self.streams[s].from.0.0]).collect();
        let new = |s: &mut StreamId| s.0 = streams.partition_point(|&old| old < s.0);
        let mut out = Self { uses: self.uses, ..Self::default() };
        for (_, mut node) in self.nodes.into_iter().enumerate().filter(|(n, _)| kept[*n]) {
            node.inputs.iter_mut().for_each(new);
            node.outputs.iter_mut().for_each(new);
            out.names.count(&node.name);
            out.nodes.push(node);
        }
        for mut stream in self.streams.into_iter().filter(|s| kept[s.from.0.0]) {
            stream.from.0 = NodeId(nodes.partition_point(|&old| old < stream.from.0.0));
            out.streams.push(stream);
        }
        out
    }

    /// The graph without these packings, which nothing names.
    pub(crate) fn without_uses(self, gone: impl Fn(UseId) -> bool) -> Self {
        let left: Vec<usize> = (0..self.uses.len()).filter(|&u| !gone(UseId(u))).collect();
        let new = |u: UseId| UseId(left.partition_point(|&old| old < u.0));
        let streams = self.streams.iter().map(|s| s.renamed(new, |v| v)).collect();
        let uses = left.iter().map(|&u| self.uses[u].clone()).collect();
        let nodes = self.nodes.into_iter().map(|n| Node { op: n.op.with_use(new), ..n }).collect();
        Self { nodes, streams, uses, names: self.names, joins: self.joins }
    }
}
