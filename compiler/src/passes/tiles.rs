//! Prefetch of tiles: where the outer levels of an operand are tiles of split indices, each visited position is
//! announced to the memory behind the bus, with the ranges of its words in the arrays below. After: the same graph with
//! readers of `Tiles` arrays, whose output nobody reads. What is told changes no result, only what is on the chip in
//! time.
//!
//! "The Sparse Abstract Machine", sections 4.1 and 6.4: the loops over tiles are the sequencing graph; their joins leave out
//! tiles that meet nothing.

use crate::graph::{Access, Graph, How, Leaves, Node, Op, Payload, StreamId, UseId};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use crate::passes::split::SplitIndex;
use crate::stmt::VarId;
use std::collections::BTreeSet;

/// Adds the readers for every operand whose outermost levels are tiles of `split` indices and whose inner levels have arrays
/// that are not read in order.
pub fn apply(lowered: &mut Lowered, split: &[SplitIndex]) {
    let outer: Vec<VarId> = split.iter().map(SplitIndex::outer).collect();
    for u in (0..lowered.graph.uses.len()).map(UseId) {
        let levels = lowered.graph.uses[u.0].levels.len();
        let tiles = (0..levels).take_while(|&l| variable(lowered, u, l).is_some_and(|v| outer.contains(&v))).count();
        if tiles == 0 || tiles == levels {
            continue;
        }
        let graph = &lowered.graph;
        // Lanes that look up in one tile are told of it together.
        let visits: BTreeSet<StreamId> = reads(graph, u, tiles).map(|s| visited(graph, s)).collect();
        let Some(&stream) = visits.first().filter(|_| visits.len() == 1) else { continue };
        let told: Vec<usize> = (tiles - 1..levels).filter(|&l| needed(graph, u, tiles, l)).collect();
        let (name, over) = (graph.uses[u.0].name.clone(), graph.stream(stream).over.clone());
        let stage = graph.node(graph.stream(stream).from.0).stage;
        for l in told {
            let out = Leaves::absent(Payload::Range(u, l), over.clone());
            lowered.graph.add(format!("tiles_{name}_{l}"), Op::Tiles(u, tiles - 1, l), vec![stream], vec![out], stage);
        }
    }
}

/// Whether an array below the tiles is read at positions of level `l`, and not in order.
fn needed(graph: &Graph, u: UseId, tiles: usize, l: usize) -> bool {
    let levels = &graph.uses[u.0].levels;
    let stored = |k: &LevelKind| !k.is_dense() && k.words().is_none() && !k.in_runs();
    let fibers = |k: &LevelKind| !k.is_dense() && !k.is_singleton();
    let jumps = |l: usize| reads(graph, u, l).any(|s| !graph.ascends(s));
    let own = l >= tiles && stored(&levels[l]) && jumps(l);
    let below = levels.get(l + 1).map_or(jumps(l + 1), |k| fibers(k) && jumps(l + 1));
    own || below
}

/// The index of level `l` of an operand from outside.
fn variable(lowered: &Lowered, u: UseId, l: usize) -> Option<VarId> {
    let (kernel, used) = (&lowered.kernel, &lowered.graph.uses[u.0]);
    if kernel.statements.iter().any(|s| s.result == used.tensor) || kernel.carried(used.tensor).is_some() {
        return None;
    }
    let mut accesses = kernel.statements.iter().flat_map(|s| kernel.accesses(s.value));
    let (_, indices) = accesses.find(|(t, _)| *t == used.tensor)?;
    // What is packed as a view has the view's modes.
    indices.get(used.mode_order[l]).copied()
}

/// The references at which each node reads level `l`, or the values below all levels.
fn reads(graph: &Graph, u: UseId, l: usize) -> impl Iterator<Item = StreamId> + '_ {
    let level = move |access: Access| access.level.unwrap_or(graph.uses[u.0].levels.len());
    let of = move |node: &Node| {
        let access = node.op.access().filter(|access| (access.of, level(*access)) == (u, l))?;
        match access.how {
            How::Scan | How::Read => Some(node.inputs[0]),
            How::Locate if matches!(node.op, Op::Locate(..)) => Some(node.inputs[1]),
            How::Locate | How::Fetch | How::Pack | How::Write => None,
        }
    };
    graph.nodes.iter().filter_map(of)
}

/// The same references, each once where one is repeated.
fn visited(graph: &Graph, mut stream: StreamId) -> StreamId {
    while let Op::Repeat = graph.node(graph.stream(stream).from.0).op {
        stream = graph.node(graph.stream(stream).from.0).inputs[0];
    }
    stream
}
