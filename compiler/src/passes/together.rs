//! Fusion of statements: statements that run at the same time and scan the same packings share scanners and common
//! computations.
//!
//! Before: each statement has nodes of its own. After: nodes that do the same, on the same streams,
//! stand once, in the first of these statements; each keeps its writers and what only it has.
//! Decision 91; docs/deadlock.md says why none waits for another.

mod merge;
mod turns;

use super::joins::skip::scanners_of_lists;
use crate::graph::{NodeId, Op};
use crate::lower::Lowered;
use crate::netlist::groups::{groups, source};
use merge::Merge;
use std::collections::BTreeSet;

/// Lets statements share scanners and computations where possible.
pub fn apply(lowered: &mut Lowered) {
    if lowered.kernel.statements.len() < 2 {
        return;
    }
    let waits = waits(lowered);
    let mut passes: Vec<Vec<usize>> = Vec::new();
    for n in 0..waits.len() {
        let mut alike: Vec<&mut Vec<usize>> = passes.iter_mut().filter(|p| waits[p[0]] == waits[n]).collect();
        let shared = alike.iter().enumerate().find_map(|(k, pass)| Some((k, shared(lowered, pass, n)?)));
        let Some((k, (graph, packings))) = shared else {
            passes.push(vec![n]);
            continue;
        };
        let name = |s: usize| lowered.kernel.tensor(lowered.kernel.statements[s].result).name.as_str();
        let note = format!("{} shares with {}: one pass through {packings}", name(n), name(alike[k][0]));
        lowered.notes.push(note);
        lowered.graph = graph;
        alike[k].push(n);
    }
}

/// Of each statement the number of its group, and the statements of it whose results it waits for.
/// Only those that wait for the same ones share, so that no two passes wait for each other.
fn waits(lowered: &Lowered) -> Vec<(usize, BTreeSet<usize>)> {
    let groups = groups(lowered);
    let mut out: Vec<(usize, BTreeSet<usize>)> = Vec::new();
    for n in 0..lowered.kernel.statements.len() {
        let number = groups.iter().position(|g| g.contains(&n)).unwrap_or(n);
        let mine = lowered.graph.nodes.iter().filter(|node| node.stage == n);
        let writers = mine.filter_map(|node| source(lowered, node)).map(|(_, writer)| writer);
        let direct: BTreeSet<usize> = writers.filter(|w| groups[number].contains(w)).collect();
        let before = direct.iter().flat_map(|&w| out[w].1.iter().copied()).collect::<BTreeSet<_>>();
        out.push((number, direct.union(&before).copied().collect()));
    }
    out
}

/// The graph in which statement `n` shares nodes with those of `pass`, if some of them go through a
/// packing, with the names of these packings.
fn shared(lowered: &Lowered, pass: &[usize], n: usize) -> Option<(crate::graph::Graph, String)> {
    let readers = lowered.graph.readers();
    // A scanner that an early exit ends goes no further for others.
    let exits =
        (0..lowered.graph.nodes.len()).map(NodeId).filter(|&e| matches!(lowered.graph.node(e).op, Op::Exit(..)));
    let told: Vec<NodeId> = exits.filter_map(|e| scanners_of_lists(lowered, &readers, e)).flatten().collect();
    // A join of words stays one while nobody else has what its scanners give.
    let before = |n: NodeId| {
        let (graph, node) = (&lowered.graph, lowered.graph.node(n));
        let join = matches!(node.op, Op::Join { .. });
        node.inputs.iter().filter(move |_| join).map(|s| graph.stream(*s).from.0)
    };
    let mut apart: BTreeSet<NodeId> = told.iter().copied().flat_map(before).chain(told.iter().copied()).collect();
    loop {
        let merge = Merge::of(lowered, &readers, (pass, n), &apart);
        match merge.fault() {
            Some(node) => apart.insert(node),
            None => return merge.graph(),
        };
    }
}
