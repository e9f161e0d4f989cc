//! Folding of copies and lanes: nodes that differ only in the number of their copy are drawn once, with their count.

use super::label::Labels;
use crate::graph::{NodeId, NodeKind};
use crate::stmt::TensorId;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of a statement up to which all are drawn.
const FEW: usize = 60;

/// A node that is drawn, for one or several of the graph.
pub(super) type Members = Vec<NodeId>;

/// What must be equal: kind, name without the number of the copy, the tensor that is touched.
type Key<'a> = (NodeKind, &'a str, Option<TensorId>);

/// The nodes of a statement as they are drawn, producers before consumers.
pub(super) fn folded(labels: Labels, nodes: &[NodeId]) -> Vec<Members> {
    let alone = || nodes.iter().map(|&n| vec![n]).collect();
    if nodes.len() <= FEW {
        return alone();
    }
    let graph = labels.graph();
    let key = |n: NodeId| -> Key {
        let node = graph.node(n);
        let tensor = node.op.access().map(|a| graph.uses[a.of.0].tensor);
        (node.op.kind(), without_copy(&node.name), tensor)
    };
    let mut groups: Vec<Members> = Vec::new();
    let mut number: BTreeMap<Key, usize> = BTreeMap::new();
    for &n in nodes {
        let k = *number.entry(key(n)).or_insert(groups.len());
        if k == groups.len() {
            groups.push(Vec::new());
        }
        groups[k].push(n);
    }
    // Copies that hand each other beats may be a circle together: then all are drawn.
    in_order(labels, groups).unwrap_or_else(alone)
}

/// A name without the number of the copy at its end.
pub(super) fn without_copy(name: &str) -> &str {
    match name.rsplit_once("_c") {
        Some((base, digits)) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => base,
        _ => name,
    }
}

/// The groups, producers before consumers; `None` if they are in a circle.
fn in_order(labels: Labels, groups: Vec<Members>) -> Option<Vec<Members>> {
    let graph = labels.graph();
    let of: BTreeMap<NodeId, usize> =
        groups.iter().enumerate().flat_map(|(k, members)| members.iter().map(move |&n| (n, k))).collect();
    let before = |k: usize| -> BTreeSet<usize> {
        let inputs = groups[k].iter().flat_map(|n| &graph.node(*n).inputs);
        inputs.filter_map(|s| of.get(&graph.stream(*s).from.0).copied()).filter(|&p| p != k).collect()
    };
    let mut waiting: Vec<(usize, BTreeSet<usize>)> = (0..groups.len()).map(|k| (k, before(k))).collect();
    let mut done = BTreeSet::new();
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let next = waiting.iter().position(|(_, before)| before.is_subset(&done))?;
        let (k, _) = waiting.remove(next);
        done.insert(k);
        order.push(groups[k].clone());
    }
    Some(order)
}
