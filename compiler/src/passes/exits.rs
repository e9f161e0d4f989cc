//! Early exits: where one value decides a reduction (true for `any`, false for `all`), the scanners of the reduced
//! lists receive a hint and end the fiber.
//!
//! That is so where a dense level, or compressed ones, one or several that are joined, say which items a list has, and
//! nothing but the reduction reads them.

use super::joins::skip::scanners_of_lists;
use crate::graph::{Graph, NodeId, Op, Readers};
use crate::lower::Lowered;
use crate::stmt::{Fun, Operator};
use crate::types::Type;

/// The value that ends a reduction with `op`, where it is likely enough to look for.
fn decides(op: Operator, ty: Type) -> Option<u64> {
    let Some(fun) = op.fun() else { return op.annihilator() };
    match fun {
        Fun::Or => Some(ty.one()),
        Fun::And | Fun::BitAnd => Some(0),
        Fun::Mul if ty.is_int() => Some(0),
        Fun::Min if !ty.is_signed() => Some(ty.least()),
        Fun::Max if ty == Type::Bool => Some(ty.greatest()),
        _ => None,
    }
}

/// Inserts an early exit in front of every reduction that can end early.
pub fn apply(lowered: &mut Lowered) {
    let readers = lowered.graph.readers();
    let all = (0..lowered.graph.nodes.len()).map(NodeId);
    let found: Vec<(NodeId, u64)> = all.filter_map(|n| watched(lowered, &readers, n)).collect();
    if found.is_empty() {
        return;
    }
    let old = std::mem::take(&mut lowered.graph);
    let mut graph = Graph { streams: old.streams, uses: old.uses, ..Graph::default() };
    for (n, mut node) in old.nodes.into_iter().enumerate() {
        if let Some(&(_, value)) = found.iter().find(|(id, _)| id.0 == n) {
            let name = format!("exit_{}", node.name);
            let outputs = vec![graph.stream(node.inputs[0]).leaves()];
            node.inputs = graph.add(name, Op::Exit(value), vec![node.inputs[0]], outputs, node.stage);
        }
        graph.push(node);
    }
    lowered.graph = graph;
}

/// The reduction `n` and the value that ends it, if a scanner can be told: bit vectors are not.
fn watched(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<(NodeId, u64)> {
    let node = lowered.graph.node(n);
    let Op::Reduce { op, kept: 0 } = node.op else { return None };
    let kernel = &lowered.kernel;
    if !kernel.schedule_of(&kernel.statements[node.stage]).bitvector.is_empty() {
        return None;
    }
    let value = decides(op, lowered.graph.value_type(n)?)?;
    scanners_of_lists(lowered, readers, n).map(|_| (n, value))
}
