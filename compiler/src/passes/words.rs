//! Packers and unpackers: a scanner of bit vectors, blocks or runs gets an unpacker unless its join works on words; a
//! writer of blocks or runs gets a packer. What is between sees ordinary levels.

use crate::graph::{Graph, Node, NodeId, Op, Payload, StreamId, UseId};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use std::collections::HashMap;

/// Inserts the packers and unpackers. Other nodes and all streams keep what they had; what scanners put out and writers
/// take are new streams.
pub fn apply(lowered: &mut Lowered) {
    let (unpacked, packed) = (unpacked(lowered), packed(&lowered.graph));
    if unpacked.iter().all(Option::is_none) && packed.is_empty() {
        return;
    }
    let old = std::mem::take(&mut lowered.graph);
    let mut graph = Graph { streams: old.streams, uses: old.uses, ..Graph::default() };
    let (mut written, mut words_of) = (HashMap::new(), HashMap::new());
    let mut moved = vec![NodeId(0); old.nodes.len()];
    let mut nodes: Vec<_> = old.nodes.into_iter().zip(unpacked).enumerate().collect();
    nodes.sort_by_key(|(n, _)| packed.get(&NodeId(*n)).map_or(*n, |(pack, _)| pack.last));
    for (n, (mut node, kind)) in nodes {
        if let Some((pack, input)) = packed.get(&NodeId(n)) {
            let words = written.entry((pack.level, pack.stage)).or_insert_with(|| pack.put(&mut graph));
            node.inputs[0] = words[*input];
        }
        if node.op == Op::Origin {
            node.inputs.iter_mut().for_each(|s| *s = words_of.get(s).copied().unwrap_or(*s));
        }
        let coordinates = node.outputs.clone();
        if kind.is_some() {
            node.outputs.iter_mut().for_each(|s| *s = again(&mut graph, *s));
            words_of.extend(coordinates.iter().copied().zip(node.outputs.iter().copied()));
        }
        let (stage, name, words) = (node.stage, node.name.replace("scan_", "unpack_"), node.outputs.clone());
        moved[n] = NodeId(graph.nodes.len());
        graph.push(node);
        if let Some(kind) = kind {
            let op = Op::Unpack(kind);
            graph.push(Node { name, op, inputs: words, outputs: coordinates, stage, family: None });
        }
    }
    graph.joins.words = old.joins.words.moved(|n| moved[n.0]);
    graph.joins.until = old.joins.until.iter().map(|(n, end)| (moved[n.0], *end)).collect();
    lowered.graph = graph;
}

/// A stream like `s`.
fn again(graph: &mut Graph, s: StreamId) -> StreamId {
    graph.streams.push(graph.stream(s).clone());
    StreamId(graph.streams.len() - 1)
}

/// For each node the kind of the level whose words it gives to something that takes coordinates.
fn unpacked(lowered: &Lowered) -> Vec<Option<LevelKind>> {
    let (joined, readers) = (&lowered.graph.joins.words.joins, lowered.graph.readers());
    let kind = |n: NodeId| {
        let Op::Scan(u, l) = lowered.graph.node(n).op else { return None };
        let kind = lowered.graph.uses[u.0].levels[l];
        let crd = lowered.graph.node(n).outputs[0];
        let by_words = || readers[crd.0].iter().any(|(c, _)| joined.contains_key(c));
        let intervals = matches!(lowered.graph.stream(crd).payload, Payload::Interval(_));
        // Statements may share the scanner, and one of them go by intervals.
        let all = lowered.graph.node(n).outputs.iter().flat_map(|s| &readers[s.0]);
        let as_blocks = all.clone().count() > 0 && all.clone().all(|(c, _)| lowered.graph.node(*c).op == Op::Origin);
        (kind.in_runs() && !intervals && !as_blocks || kind.words().is_some() && !by_words()).then_some(kind)
    };
    (0..lowered.graph.nodes.len()).map(|n| kind(NodeId(n))).collect()
}

/// What packs a level of a result.
#[derive(Clone)]
struct Pack {
    level: (UseId, usize),
    stage: usize,
    name: String,
    inputs: Vec<StreamId>,
    /// The last of its writers, behind all that the node takes.
    last: usize,
}

impl Pack {
    /// Adds the node. What writers of the level, and of its values, take instead of what they took.
    fn put(&self, graph: &mut Graph) -> Vec<StreamId> {
        let outputs: Vec<StreamId> = self.inputs.iter().map(|s| again(graph, *s)).collect();
        let (u, l) = self.level;
        graph.push(Node {
            name: self.name.clone(),
            op: Op::Pack(u, l),
            inputs: self.inputs.clone(),
            outputs: outputs.clone(),
            stage: self.stage,
            family: None,
        });
        outputs
    }
}

/// Writers of words, with what packs them and which of its outputs they take.
fn packed(graph: &Graph) -> HashMap<NodeId, (Pack, usize)> {
    let mut out = HashMap::new();
    for (n, node) in graph.nodes.iter().enumerate() {
        let Op::WriteLevel { level: (u, l), .. } = node.op else { continue };
        let kind = graph.uses[u.0].levels[l];
        if !kind.in_runs() {
            continue;
        }
        let name = node.name.replace("write_", "pack_");
        let mut pack = Pack { level: (u, l), stage: node.stage, name, inputs: vec![node.inputs[0]], last: n };
        let values = |w: &&Node| matches!(w.op, Op::WriteValues { of, .. } if of == u);
        if kind.shares_positions()
            && let Some(w) = graph.nodes.iter().position(|w| values(&w))
        {
            pack.inputs.push(graph.nodes[w].inputs[0]);
            pack.last = n.max(w);
            out.insert(NodeId(w), (pack.clone(), 1));
        }
        out.insert(NodeId(n), (pack, 0));
    }
    out
}
