//! Scanners up to a bound: where of a list only what lies up to a bound is kept, and the host packed its level, the
//! scanner takes the bound and reads no further.
//!
//! Before: a scanner, and a node behind it that keeps what lies between bounds. After: the scanner alone, with the
//! bound as a second input, where the bound is one from above. Decision 103.

use super::skip::scanner_between;
use crate::graph::{NodeId, Op, Readers};
use crate::lower::Lowered;
use samhw_primitives::scan::scanner_span::SpanEnd;

/// Makes one scanner of each such pair.
pub(in crate::passes) fn apply(lowered: &mut Lowered) {
    let readers = lowered.graph.readers();
    let pairs: Vec<(NodeId, NodeId, SpanEnd)> =
        super::nodes(lowered).filter_map(|n| pair(lowered, &readers, n)).collect();
    if pairs.is_empty() {
        return;
    }
    let mut graph = std::mem::take(&mut lowered.graph);
    let mut kept = vec![true; graph.nodes.len()];
    for &(scan, between, _) in &pairs {
        let (from, bound) = (graph.node(scan).clone(), graph.node(between).inputs[0]);
        let node = &mut graph.nodes[between.0];
        (node.name, node.op, node.family) = (from.name, from.op, from.family);
        node.inputs = vec![from.inputs[0], bound];
        kept[scan.0] = false;
    }
    lowered.graph = graph.keeping(&kept);
    let moved = |n: NodeId| NodeId(kept[..n.0].iter().filter(|k| **k).count());
    lowered.graph.joins.until = pairs.iter().map(|&(_, between, hi)| (moved(between), hi)).collect();
}

/// The scanner whose coordinates node `n` keeps up to a bound, and that bound.
fn pair(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<(NodeId, NodeId, SpanEnd)> {
    let Op::Between(_, [SpanEnd::Level, hi]) = lowered.graph.node(n).op else { return None };
    let scan = scanner_between(lowered, readers, n)?;
    Some((scan, n, hi))
}
