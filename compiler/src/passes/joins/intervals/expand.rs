//! Expansion behind joins of intervals: where the consumer needs each coordinate, or operands are blocks, intervals are
//! expanded to one coordinate per cycle. Decision 80.

use crate::graph::{Graph, Leaves, Node, Op, Payload, Readers, StreamId};
use std::collections::BTreeMap;

/// A join by intervals with coordinates behind it.
pub(super) struct Expanded {
    /// Stream of the coordinates.
    pub crd: StreamId,
    /// Operands that are blocks, a bit each.
    pub blocks: u32,
}

/// Puts coordinates behind joins of intervals: what reads such a join takes what `Op::Expand` makes of it.
pub(super) fn expand(graph: &mut Graph, joins: &[Expanded], readers: &Readers) {
    let old = std::mem::take(graph);
    let streams: BTreeMap<StreamId, u32> = joins.iter().map(|e| (e.crd, e.blocks)).collect();
    *graph = Graph { streams: old.streams, uses: old.uses, joins: old.joins, ..Graph::default() };
    for mut node in old.nodes {
        let Some(&blocks) = node.outputs.first().and_then(|crd| streams.get(crd)) else {
            graph.push(node);
            continue;
        };
        let (stage, join, outputs) = (node.stage, node.name.clone(), node.outputs.clone());
        let Payload::Crd(v) = graph.stream(outputs[0]).payload else { unreachable!("loops give coordinates") };
        for k in (0..outputs.len() - 1).filter(|k| blocks >> k & 1 == 1) {
            let operand = &node.inputs[2 * k..2 * k + 2];
            let [words, at] = [0, 1].map(|i| graph.stream(operand[i]).leaves());
            let leaves = vec![Leaves { payload: Payload::Interval(v), ..words }, at];
            let made = graph.add(format!("origin_{join}_{k}"), Op::Origin, operand.to_vec(), leaves, stage);
            node.inputs[2 * k..2 * k + 2].copy_from_slice(&made);
        }
        node.outputs = outputs.iter().map(|s| another(graph, *s)).collect();
        graph.streams[node.outputs[0].0].payload = Payload::Interval(v);
        let pieces = node.outputs.clone();
        graph.push(node);
        // Every operand's position that somebody reads has coordinates of its own; if none has, the first one's.
        let read = |k: &usize| !readers[outputs[k + 1].0].is_empty();
        let mut operands: Vec<usize> = (0..outputs.len() - 1).filter(read).collect();
        if operands.is_empty() {
            operands.push(0);
        }
        for (first, &k) in operands.iter().enumerate() {
            let inputs = vec![pieces[0], pieces[k + 1]];
            let leaves = inputs.iter().map(|s| graph.stream(*s).leaves()).collect();
            let pair = graph.add(format!("pair_{join}_{k}"), Op::Zip, inputs, leaves, stage);
            let crd = if first == 0 { outputs[0] } else { another(graph, outputs[0]) };
            let (name, op) = (format!("expand_{join}_{k}"), Op::Expand { blocks: blocks >> k & 1 == 1 });
            let outputs = vec![crd, outputs[k + 1]];
            graph.push(Node { name, op, inputs: pair, outputs, stage, family: None });
        }
    }
}

/// A stream like `s`.
fn another(graph: &mut Graph, s: StreamId) -> StreamId {
    graph.streams.push(graph.stream(s).clone());
    StreamId(graph.streams.len() - 1)
}
