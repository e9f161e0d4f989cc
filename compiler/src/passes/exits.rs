//! Early exits: where values decide a reduction (true for `any`, false for `all`), the scanners of the
//! reduced lists receive a hint and end the fiber.
//!
//! That is so where levels of any kind but coordinate lists, one or several that are joined, say which
//! items a list has, and nothing but the reduction reads them.

use super::joins::skip::scanners_of_lists;
use crate::graph::{Graph, NodeId, Op, Readers};
use crate::lower::Lowered;
use crate::stmt::{Fun, Operator};
use crate::types::Type;
use samhw_primitives::flow::early_exit::Watched;

/// Bits of types whose least and greatest values are likely enough to look for: pixels, quantized numbers.
const NARROW: u32 = 8;

/// What ends a reduction with `op`, where it is likely enough to look for.
fn decides(op: Operator, ty: Type) -> Option<(Watched, u64)> {
    let Some(fun) = op.fun() else { return op.annihilator().map(|value| (Watched::Alone, value)) };
    let narrow = !ty.is_float() && ty.bits() <= NARROW;
    // The bits of other types are not what such functions are of.
    let whole = ty.is_int() || ty == Type::Bool;
    match fun {
        Fun::Or => Some((Watched::Alone, ty.one())),
        Fun::And => Some((Watched::Alone, 0)),
        Fun::BitAnd if whole => Some((Watched::And, 0)),
        Fun::BitAnd => Some((Watched::Alone, 0)),
        Fun::BitOr if whole && narrow => Some((Watched::Or, ty.mask())),
        Fun::Mul if ty.is_int() => Some((Watched::Alone, 0)),
        Fun::Min if narrow || !ty.is_signed() => Some((Watched::Alone, ty.least())),
        Fun::Max if narrow => Some((Watched::Alone, ty.greatest())),
        Fun::Add if ty.saturates() && !ty.is_signed() => Some((Watched::Sum, ty.greatest())),
        _ => None,
    }
}

/// Inserts an early exit in front of every reduction that can end early.
pub fn apply(lowered: &mut Lowered) {
    let readers = lowered.graph.readers();
    let all = (0..lowered.graph.nodes.len()).map(NodeId);
    let found: Vec<(NodeId, (Watched, u64))> = all.filter_map(|n| watched(lowered, &readers, n)).collect();
    if found.is_empty() {
        return;
    }
    let old = std::mem::take(&mut lowered.graph);
    let mut graph = Graph { streams: old.streams, uses: old.uses, ..Graph::default() };
    for (n, mut node) in old.nodes.into_iter().enumerate() {
        if let Some(&(_, (watched, value))) = found.iter().find(|(id, _)| id.0 == n) {
            let name = format!("exit_{}", node.name);
            let outputs = vec![graph.stream(node.inputs[0]).leaves()];
            node.inputs = graph.add(name, Op::Exit(watched, value), vec![node.inputs[0]], outputs, node.stage);
        }
        graph.push(node);
    }
    lowered.graph = graph;
}

/// The reduction `n` and what ends it, if a scanner can be told.
fn watched(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<(NodeId, (Watched, u64))> {
    let node = lowered.graph.node(n);
    let Op::Reduce { op, kept: 0 } = node.op else { return None };
    let what = decides(op, lowered.graph.value_type(n)?)?;
    scanners_of_lists(lowered, readers, n).map(|_| (n, what))
}
