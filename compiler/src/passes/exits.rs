//! Early exits: where values decide a reduction (true for `any`, false for `all`), the scanners of the
//! reduced lists receive a hint and end the fiber.
//!
//! That is so where levels of any kind but coordinate lists, one or several that are joined, say which
//! items a list has, and nothing but the reduction reads them. Where several dense levels are scanned in step, one leads
//! and the others are located at its coordinates: two that are ended would not end in the same place.

use super::joins::skip::{scanners_in_step, scanners_of_lists};
use crate::graph::{Graph, Leaves, NodeId, Op, Over, Payload, Readers, StreamId, UseId};
use crate::lower::Lowered;
use crate::stmt::{Fun, Operator};
use crate::types::Type;
use samhw_primitives::flow::early_exit::Watched;
use std::collections::BTreeMap;

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

/// The loop's lists that a reduction takes which can end early, if node `n` is one.
pub(super) fn ended(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<Over> {
    let lists = || lowered.graph.stream(lowered.graph.node(n).inputs[0]).over.clone();
    let steps = || decided(lowered, n).is_some() && scanners_in_step(lowered, readers, n).is_some();
    (watched(lowered, readers, n).is_some() || steps()).then(lists)
}

/// Inserts an early exit in front of every reduction that can end early.
pub fn apply(lowered: &mut Lowered) {
    lead(lowered);
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

/// What ends the reduction `n`, if that is one.
fn decided(lowered: &Lowered, n: NodeId) -> Option<(Watched, u64)> {
    let Op::Reduce { op, kept: 0 } = lowered.graph.node(n).op else { return None };
    decides(op, lowered.graph.value_type(n)?)
}

/// The reduction `n` and what ends it, if a scanner can be told.
fn watched(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<(NodeId, (Watched, u64))> {
    let what = decided(lowered, n)?;
    scanners_of_lists(lowered, readers, n).map(|_| (n, what))
}

/// Where scanners of dense levels give the lists of a reduction in step, the first one leads: the levels of the
/// others are located at its coordinates.
fn lead(lowered: &mut Lowered) {
    let readers = lowered.graph.readers();
    // Of each that follows the coordinates of the one that leads.
    let mut led: BTreeMap<NodeId, StreamId> = BTreeMap::new();
    for n in (0..lowered.graph.nodes.len()).map(NodeId).filter(|&n| decided(lowered, n).is_some()) {
        let mut scans = scanners_in_step(lowered, &readers, n).into_iter().flatten();
        let Some(first) = scans.next() else { continue };
        let crd = lowered.graph.node(first).outputs[0];
        led.extend(scans.map(|scan| (scan, crd)));
    }
    if led.is_empty() {
        return;
    }
    let old = std::mem::take(&mut lowered.graph);
    let mut graph = Graph { streams: old.streams, uses: old.uses, ..Graph::default() };
    let mut moved: BTreeMap<StreamId, StreamId> = BTreeMap::new();
    for (n, mut node) in old.nodes.into_iter().enumerate() {
        node.inputs.iter_mut().for_each(|s| *s = moved.get(s).copied().unwrap_or(*s));
        if let (Some(&crd), &Op::Scan(u, l)) = (led.get(&NodeId(n)), &node.op) {
            let at = if l == 0 { crd } else { located(&mut graph, (u, l), (node.inputs[0], crd), node.stage) };
            moved.extend([(node.outputs[0], crd), (node.outputs[1], at)]);
        }
        // Nobody reads one that follows.
        graph.push(node);
    }
    lowered.graph = graph.pruned();
}

/// The positions of the dense level at coordinates `crd` below `above`.
fn located(graph: &mut Graph, (u, l): (UseId, usize), (above, crd): (StreamId, StreamId), stage: usize) -> StreamId {
    let over = graph.stream(crd).over.clone();
    let [repeat, locate] = ["repeat", "locate"].map(|what| format!("{what}_{}", graph.uses[u.0].name));
    let outputs = vec![Leaves { over: over.clone(), ..graph.stream(above).leaves() }];
    let repeated = graph.add(repeat, Op::Repeat, vec![above, crd], outputs, stage)[0];
    let outputs = vec![Leaves::sure(Payload::Ref(u, l), over)];
    graph.add(locate, Op::Locate(u, l), vec![crd, repeated], outputs, stage)[0]
}
