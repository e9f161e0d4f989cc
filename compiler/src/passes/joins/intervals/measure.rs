//! Lengths and first coordinates of intervals, where what follows needs them.

use super::Repeats;
use crate::graph::{AluFun, Arg, Graph, Leaves, Measured, NodeId, Op, Payload, StreamId};
use crate::stmt::Fun;
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of a length before it is a float.
const LENGTH_BITS: u32 = 32;

/// Puts before each reducer that counts what multiplies its values, and before each of `firsts` what gives
/// the first coordinate of each interval, once for all that read the same.
pub(super) fn measure(
    graph: &mut Graph,
    counted: &BTreeMap<NodeId, (Repeats, StreamId)>,
    firsts: &BTreeSet<(NodeId, usize)>,
) {
    let old = std::mem::take(graph);
    *graph = Graph { streams: old.streams, uses: old.uses, joins: old.joins, ..Graph::default() };
    let mut made: BTreeMap<StreamId, StreamId> = BTreeMap::new();
    for (n, mut node) in old.nodes.into_iter().enumerate() {
        let stage = node.stage;
        for (_, input) in node.inputs.iter_mut().enumerate().filter(|(k, _)| firsts.contains(&(NodeId(n), *k))) {
            *input = *made.entry(*input).or_insert_with_key(|&of| first(graph, of, stage));
        }
        if let Some(&(how, intervals)) = counted.get(&NodeId(n))
            && how != Repeats::Once
        {
            node.inputs[0] = multiplied(graph, node.inputs[0], intervals, (how, node.stage));
        }
        graph.push(node);
    }
}

/// The first coordinate of each of these intervals.
fn first(graph: &mut Graph, intervals: StreamId, stage: usize) -> StreamId {
    let of = graph.stream(intervals).clone();
    let Payload::Interval(v) = of.payload else { unreachable!("loops that go by intervals give them") };
    let name = format!("first_{}", graph.node(of.from.0).name);
    let leaves = Leaves { payload: Payload::Crd(v), ..of.leaves() };
    graph.add(name, Op::Measure(Measured::First), vec![intervals], vec![leaves], stage)[0]
}

/// The values, each times the length of its interval, or whether that is odd.
fn multiplied(graph: &mut Graph, val: StreamId, intervals: StreamId, (how, stage): (Repeats, usize)) -> StreamId {
    let of = graph.stream(val).clone();
    let Payload::Val(ty) = of.payload else { unreachable!("reducers take values") };
    let whole = if ty.is_float() { Type::int(LENGTH_BITS, false) } else { ty };
    let lengths = |ty| vec![Leaves::sure(Payload::Val(ty), of.over.clone())];
    let name = format!("length_{}", graph.node(graph.stream(intervals).from.0).name);
    let what = if how == Repeats::Odd { Measured::Parity } else { Measured::Length };
    let mut length = graph.add(name, Op::Measure(what), vec![intervals], lengths(whole), stage)[0];
    if whole != ty {
        let convert = Op::Alu { fun: AluFun::Convert(whole), args: vec![Arg::Stream(0)], emit: 0b10 };
        length = graph.add(format!("to_{ty}"), convert, vec![length], lengths(ty), stage)[0];
    }
    let args = vec![Arg::Stream(0); 2];
    let mul = Op::Alu { fun: AluFun::Fun(Fun::Mul), args, emit: 0b1000 };
    graph.add("times".into(), mul, vec![val, length], vec![of.leaves()], stage)[0]
}
