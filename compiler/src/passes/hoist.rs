//! Moves out of a loop all reads and computations that do not depend on its index.
//!
//! Before: in `X(i,k) = 2 * A(i,j) * B(j,k)` the reference of A is repeated for each k, then A's value is read and doubled
//! for each of them. After: the value is read and doubled once, and repeated. A memory is read less often, functions of
//! several cycles are called less often, and lanes or copies of the inner index have no reader of A each. Decision 121.

use crate::graph::{Graph, NodeId, Op, StreamId};
use crate::lower::Lowered;
use crate::stmt::Kernel;

/// Moves readers of values and ALUs out of loops where all that they take is repeated in them.
pub fn apply(lowered: &mut Lowered) {
    let Lowered { graph, kernel, .. } = lowered;
    let mut readers: Vec<usize> = graph.readers().iter().map(|r| r.len()).collect();
    let mut any = false;
    for n in 0..graph.nodes.len() {
        let mut at = n;
        while let Some(outside) = moved(graph, kernel, &mut readers, at) {
            at = outside;
            any = true;
        }
    }
    if any {
        *graph = std::mem::take(graph).pruned();
    }
}

/// Moves node `n` outside of the innermost loop it is in, if it may be there, and returns its new number.
fn moved(graph: &mut Graph, kernel: &Kernel, readers: &mut [usize], n: usize) -> Option<usize> {
    let node = &graph.nodes[n];
    if let Op::Array(u) = node.op {
        // What the kernel itself writes is there when its writer says so.
        let tensor = kernel.base(graph.uses[u.0].tensor);
        if kernel.statements.iter().any(|s| s.result == tensor) {
            return None;
        }
    } else if !matches!(node.op, Op::Alu { .. }) {
        return None;
    }
    let (outer, crd): (Vec<StreamId>, Vec<StreamId>) =
        node.inputs.iter().map(|&s| repeated(graph, readers, n, s)).collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let (&first, rest) = crd.split_first()?;
    if rest.iter().any(|&other| other != first) {
        return None;
    }
    // Where the last of them is repeated all of them are there.
    let last = node.inputs.iter().copied().max_by_key(|&s| graph.stream(s).from.0)?;
    let place = graph.stream(last).from.0.0;
    let result = graph.stream(node.outputs[0]).clone();
    let over = graph.stream(outer[0]).over.clone();
    for &s in &graph.nodes[n].inputs {
        readers[s.0] -= 1;
    }
    for &s in &outer {
        readers[s.0] += 1;
    }
    // One of the repeaters stays, behind what was moved; others are left without a reader.
    graph.nodes.swap(place, n);
    let (before, after) = graph.nodes.split_at_mut(n);
    let (inside, outside) = (&mut after[0], &mut before[place]);
    let value = std::mem::replace(&mut outside.outputs[0], last);
    inside.outputs[0] = value;
    inside.inputs = vec![last, first];
    outside.inputs = outer;
    readers[last.0] += 1;
    let of = &mut graph.streams[last.0];
    (of.payload, of.over, of.may_be_empty, of.from) = (result.payload, over, result.may_be_empty, (NodeId(place), 0));
    graph.streams[value.0].from = (NodeId(n), 0);
    Some(place)
}

/// What is repeated as stream `s`, and along which coordinates, if only node `n` takes it.
fn repeated(graph: &Graph, readers: &[usize], n: usize, s: StreamId) -> Option<(StreamId, StreamId)> {
    let node = graph.node(graph.stream(s).from.0);
    let alone = readers[s.0] == graph.nodes[n].inputs.iter().filter(|other| **other == s).count();
    match node.inputs[..] {
        [of, crd] if node.op == Op::Repeat && alone => Some((of, crd)),
        _ => None,
    }
}
