//! How joins are made: what passes decide once, for estimates and for hardware. Whatever kind a
//! join is of, what comes out of it is the same.

use super::{Graph, NodeId, Op, Payload, Readers, StreamId};
use samhw_primitives::join::joiner::Joiner;
use std::collections::BTreeMap;

/// How the joins of a graph are made, and the scanners that feed them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joins {
    /// Those that work on words, with the bits of a word.
    pub words: Grouped,
    /// Those that compare groups of coordinates, with the log2 of the coordinates.
    pub wide: Grouped,
    /// Those that skip.
    pub skipping: Skipping,
}

/// Joins and scanners of several coordinates at a time, with how many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grouped {
    /// Joins.
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, u32>,
}

/// The joins and scanners that skip.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipping {
    /// Joins, with the operands they tell (bit k: operand k).
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, Told>,
}

/// A scanner that skips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The join, or early exit, that tells it.
    pub join: NodeId,
    /// Its operand there; none if an early exit tells it.
    pub operand: Option<usize>,
    /// The scanner whose largest coordinates bound its fibers; itself where there is no other.
    pub bound: NodeId,
    /// Bits of a fiber's number in its hints.
    pub tag_w: u32,
}

impl Grouped {
    /// The same where each node has the number that `to` gives.
    pub(crate) fn moved(&self, to: impl Fn(NodeId) -> NodeId) -> Self {
        let moved = |of: &BTreeMap<NodeId, u32>| of.iter().map(|(&n, &size)| (to(n), size)).collect();
        Self { joins: moved(&self.joins), scans: moved(&self.scans) }
    }
}

impl Graph {
    /// Whether node `n` joins intervals, with or without coordinates.
    pub fn joins_intervals(&self, n: NodeId) -> bool {
        let node = self.node(n);
        let interval = |s: &StreamId| matches!(self.stream(*s).payload, Payload::Interval(_));
        matches!(node.op, Op::Join { .. }) && node.inputs.iter().any(interval)
    }
    /// The joiner of node `n` without widths: its tables and the outputs that somebody reads.
    pub(crate) fn joiner(&self, readers: &Readers, n: NodeId) -> Joiner {
        let node = self.node(n);
        let (emit, keep) =
            if let Op::Join { emit, keep } = &node.op { (emit.clone(), keep.clone()) } else { Default::default() };
        let used = node.outputs.iter().enumerate().filter(|(_, s)| !readers[s.0].is_empty());
        let used = used.fold(0, |m, (i, _)| m | 1 << i);
        Joiner { emit, ref_w: vec![1; keep.len()], keep, crd_w: 1, stop_w: 1, used, skips: 0 }
    }
}
