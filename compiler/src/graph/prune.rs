//! Removes nodes that no writer depends on: hardware without effect, and still busy when the run is over.

use super::{Graph, NodeId, Op, StreamId};

impl Graph {
    /// The graph without nodes from which no path leads to a writer. Roots stay.
    pub fn pruned(self) -> Self {
        let mut kept: Vec<bool> = self.nodes.iter().map(|n| n.outputs.is_empty() || n.op == Op::Root).collect();
        // Producers stand before consumers: of what is kept all that it reads is.
        for n in (0..self.nodes.len()).rev() {
            if kept[n] {
                self.nodes[n].inputs.iter().for_each(|s| kept[self.stream(*s).from.0.0] = true);
            }
        }
        let nodes: Vec<usize> = (0..kept.len()).filter(|&n| kept[n]).collect();
        let streams: Vec<usize> = (0..self.streams.len()).filter(|&s| kept[self.streams[s].from.0.0]).collect();
        let new = |s: &StreamId| StreamId(streams.partition_point(|&old| old < s.0));
        let mut out = Self { uses: self.uses, ..Self::default() };
        for n in &nodes {
            let mut node = self.nodes[*n].clone();
            node.inputs = node.inputs.iter().map(new).collect();
            node.outputs = node.outputs.iter().map(new).collect();
            out.names.count(&node.name);
            out.nodes.push(node);
        }
        for s in &streams {
            let mut stream = self.streams[*s].clone();
            stream.from.0 = NodeId(nodes.partition_point(|&old| old < stream.from.0.0));
            out.streams.push(stream);
        }
        out
    }
}
