//! Words to coordinates: behind each scanner of a bitvector level stands an unpacker, unless the join that takes
//! its operands works on words. What follows sees an ordinary level.

use crate::graph::{Graph, NodeId, Op, StreamId};
use crate::lower::Lowered;
use crate::netlist::bits::bits;
use crate::stmt::LevelKind;

/// Puts an unpacker behind each such scanner. Other nodes and all streams keep what they had; the scanners' own
/// outputs are new streams.
pub fn apply(lowered: &mut Lowered) {
    let joined = bits(lowered).joins;
    let words = |n: NodeId| {
        let Op::Scan(u, l) = lowered.graph.node(n).op else { return None };
        let LevelKind::Bitvector(width) = lowered.graph.uses[u.0].levels[l] else { return None };
        let crd = lowered.graph.node(n).outputs[0];
        let by_words = lowered.graph.consumers(crd).any(|(c, _)| joined.contains_key(&c));
        (!by_words).then_some(width)
    };
    let found: Vec<Option<u16>> = (0..lowered.graph.nodes.len()).map(|n| words(NodeId(n))).collect();
    if found.iter().all(Option::is_none) {
        return;
    }
    let old = std::mem::take(&mut lowered.graph);
    let mut graph = Graph { nodes: Vec::new(), streams: old.streams, uses: old.uses };
    for (mut node, width) in old.nodes.into_iter().zip(found) {
        let coordinates = node.outputs.clone();
        if width.is_some() {
            for &s in &coordinates {
                node.outputs[graph.stream(s).from.1] = StreamId(graph.streams.len());
                graph.streams.push(graph.stream(s).clone());
            }
        }
        let (stage, name, packed) = (node.stage, node.name.replace("scan_", "unpack_"), node.outputs.clone());
        graph.push(node);
        if let Some(width) = width {
            let (op, family) = (Op::Unpack(width), None);
            graph.push(crate::graph::Node { name, op, inputs: packed, outputs: coordinates, stage, family });
        }
    }
    lowered.graph = graph;
}
