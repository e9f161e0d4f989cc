//! Values that differ from coordinate to coordinate in a loop that goes by intervals. Decision 80.

use crate::graph::{Graph, NodeId, Op, StreamId};
use std::collections::{BTreeMap, BTreeSet};

/// What a stream has along an interval of several coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    /// It is N.
    Absent,
    /// It is one for all of them.
    Same,
    /// It is that of the first of them.
    First,
}

/// Returns whether loop `n` keeps, folds or writes the same for all coordinates of an interval, though the
/// inputs `firsts` of its `nodes` take the first one. Where there are several, none of the operands
/// `points` is there, so what needs one is N.
pub(super) fn same(
    graph: &Graph,
    n: NodeId,
    points: u32,
    nodes: &BTreeSet<NodeId>,
    firsts: &BTreeSet<(NodeId, usize)>,
) -> bool {
    let mut known: BTreeMap<StreamId, Along> = BTreeMap::new();
    for (k, &s) in graph.node(n).outputs.iter().skip(1).enumerate() {
        known.insert(s, if points >> k & 1 == 1 { Along::Absent } else { Along::Same });
    }
    // Nodes stand behind those that they read.
    for &c in nodes {
        let node = graph.node(c);
        let leaf = |(k, s): (usize, &StreamId)| match known.get(s) {
            _ if firsts.contains(&(c, k)) => Along::First,
            Some(leaf) => *leaf,
            None => Along::Same,
        };
        let leaves: Vec<Along> = node.inputs.iter().enumerate().map(leaf).collect();
        let differs = leaves.contains(&Along::First);
        let own = if differs { Along::First } else { Along::Same };
        if let Op::Alu { emit, .. } = &node.op {
            let may_be = |p: &u64| leaves.iter().enumerate().all(|(k, l)| *l != Along::Absent || p >> k & 1 == 0);
            let emits = (0..1u64 << leaves.len()).filter(may_be).any(|p| emit >> p & 1 == 1);
            known.insert(node.outputs[0], if emits { own } else { Along::Absent });
        } else if matches!(node.op, Op::Array(_) | Op::Locate(..)) {
            let absent = leaves.contains(&Along::Absent);
            known.insert(node.outputs[0], if absent { Along::Absent } else { own });
        } else if differs {
            return false;
        } else if matches!(node.op, Op::Drop { .. }) {
            known.extend(node.outputs.iter().copied().zip(leaves));
        }
    }
    true
}
