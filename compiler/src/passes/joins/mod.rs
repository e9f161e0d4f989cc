//! The kinds of joins: on words, skipping, or wide. Each pass decides one of these for the whole graph and leaves it in
//! [`Graph::joins`](crate::graph::Graph::joins); what is asked for and cannot be is refused at the end.

pub mod bits;
pub mod intervals;
pub mod skip;
pub mod until;
pub mod wide;

use crate::diag::Diagnostic;
use crate::graph::{NodeId, Op, Payload, Readers, StreamId};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use crate::schedule::Schedule;

/// Decides everything as far as the schedule has it, memories on the chip: for estimates.
pub(super) fn decide(lowered: &mut Lowered) {
    bits::apply(lowered);
    skip::apply(lowered);
    wide::apply(lowered, true);
}

/// Refuses what the schedule wants of joins and cannot be; `on_chip`: operands are in memories on
/// the chip.
pub(super) fn check(lowered: &Lowered, on_chip: bool) -> Result<(), Diagnostic> {
    skip::check(lowered)?;
    bits::check(lowered)?;
    wide::check(lowered, on_chip)
}

fn nodes(lowered: &Lowered) -> impl Iterator<Item = NodeId> + use<> {
    (0..lowered.graph.nodes.len()).map(NodeId)
}

/// The joins of these statements at their variable of this name.
fn joins_at(lowered: &Lowered, name: &str, statements: &[usize]) -> Vec<NodeId> {
    let own = |n: &NodeId| statements.contains(&lowered.graph.node(*n).stage);
    nodes(lowered).filter(own).filter(|&n| variable(lowered, n) == Some(name)).collect()
}

/// The schedule of the statement that node `n` belongs to.
fn schedule(lowered: &Lowered, n: NodeId) -> &Schedule {
    let kernel = &lowered.kernel;
    kernel.schedule_of(&kernel.statements[lowered.graph.node(n).stage])
}

/// The variable at which node `n` is a join.
fn variable(lowered: &Lowered, n: NodeId) -> Option<&str> {
    let node = lowered.graph.node(n);
    match (&node.op, lowered.graph.stream(*node.outputs.first()?).payload) {
        (Op::Join { .. }, Payload::Crd(v)) => Some(&lowered.kernel.var(v).name),
        _ => None,
    }
}

/// The scanner of a compressed level of an input that operand `k` of join `n` comes straight from.
fn own_scanner(lowered: &Lowered, readers: &Readers, n: NodeId, k: usize) -> Option<NodeId> {
    scanner_of(lowered, readers, n, k).filter(|(_, kind)| kind.lists_coordinates()).map(|(scan, _)| scan)
}

/// The scanner that operand `k` of join `n` comes straight from, and its level's kind, if it is
/// that of an input or of bit vectors: the memories of what is written on the chip hold no word
/// beyond the last that was written.
fn scanner_of(lowered: &Lowered, readers: &Readers, n: NodeId, k: usize) -> Option<(NodeId, LevelKind)> {
    let graph = &lowered.graph;
    let (crd, pos) = (graph.node(n).inputs[2 * k], graph.node(n).inputs[2 * k + 1]);
    let from = graph.stream(crd).from.0;
    let Op::Scan(u, l) = graph.node(from).op else { return None };
    let (used, kind) = (&graph.uses[u.0], graph.uses[u.0].levels[l]);
    let one = |s: StreamId| readers[s.0].len() == 1;
    let written = lowered.kernel.on_chip(graph.node(from).stage, used.tensor);
    let fits = kind.words().is_some() || !written;
    (fits && graph.stream(pos).from.0 == from && one(crd) && one(pos)).then_some((from, kind))
}
