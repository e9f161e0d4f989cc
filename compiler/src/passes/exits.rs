//! Early exits: where one value decides a reduction (true of `any`, false of `all`), the scanner that the reduced
//! lists come from is told, and ends the fiber.
//!
//! That is so where a compressed level alone says which items a list has: nothing else is scanned or joined at its depth, and
//! nothing but the reduction reads it.

use crate::graph::{Graph, NodeId, Op, Payload, Readers, Stream};
use crate::lower::Lowered;
use crate::stmt::{Fun, LevelKind, Operator};
use crate::types::Type;
use std::collections::BTreeSet;

/// Bits of a fiber's number: more than there can be beats between a scanner and its reducer.
pub const TAG_W: u32 = 12;

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

/// Puts a watch before every reduction that can end early. Bit vectors are not told what to leave out.
pub fn apply(lowered: &mut Lowered) {
    if !lowered.kernel.schedule.bitvector.is_empty() {
        return;
    }
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
            let Stream { payload, over, may_be_empty, .. } = graph.stream(node.inputs[0]).clone();
            let name = format!("exit_{}", node.name);
            let outputs = vec![(payload, over, may_be_empty)];
            node.inputs = graph.add(name, Op::Exit(value), vec![node.inputs[0]], outputs, node.stage);
        }
        graph.push(node);
    }
    lowered.graph = graph;
}

/// The reduction `n` and the value that ends it, if a scanner can be told.
fn watched(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<(NodeId, u64)> {
    let node = lowered.graph.node(n);
    let Op::Reduce { op, kept: 0 } = node.op else { return None };
    let value = decides(op, lowered.graph.value_type(n)?)?;
    scanner(lowered, readers, n).map(|_| (n, value))
}

/// The scanner whose fibers are the lists that node `n` takes, if they are and nobody else reads them.
pub fn scanner(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<NodeId> {
    let graph = &lowered.graph;
    let lists = &graph.stream(*graph.node(n).inputs.first()?).over;
    let mut cone: BTreeSet<NodeId> = [n].into();
    let mut open = vec![n];
    let mut scan = None;
    while let Some(at) = open.pop() {
        let inputs = graph.node(at).inputs.iter().filter(|s| graph.stream(**s).over == *lists);
        for from in inputs.map(|s| graph.stream(*s).from.0) {
            if !cone.insert(from) {
                continue;
            }
            match &graph.node(from).op {
                Op::Scan(u, l) => {
                    let used = &graph.uses[u.0];
                    let stored = lowered.kernel.statements[..graph.node(from).stage].iter();
                    let written = stored.into_iter().any(|s| s.result == used.tensor);
                    if scan.replace(from).is_some() || used.levels[*l] != LevelKind::Compressed || written {
                        return None;
                    }
                }
                Op::Array(_)
                | Op::Alu { .. }
                | Op::Constant(..)
                | Op::Repeat
                | Op::Locate(..)
                | Op::Place(..)
                | Op::Within(_)
                | Op::Exit(_) => {
                    open.push(from);
                }
                _ => return None,
            }
        }
    }
    let inside = cone.iter().filter(|&&c| c != n);
    let private =
        inside.flat_map(|c| &graph.node(*c).outputs).all(|s| readers[s.0].iter().all(|(c, _)| cone.contains(c)));
    scan.filter(|_| private)
}

/// The variable that scanner `n` gives coordinates of.
pub fn variable(graph: &Graph, n: NodeId) -> Option<crate::stmt::VarId> {
    match graph.stream(*graph.node(n).outputs.first()?).payload {
        Payload::Crd(v) => Some(v),
        _ => None,
    }
}
