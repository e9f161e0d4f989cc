//! The kinds of joins in a graph, which passes choose for both estimates and hardware. Whatever kind a join is of, what
//! comes out of it is the same.

use super::{Graph, NodeId, Op, Payload, Readers, StreamId};
use samhw_primitives::join::joiner::Joiner;
use samhw_primitives::scan::scanner_span::SpanEnd;
use std::collections::BTreeMap;

/// The kinds of a graph's joins and of the scanners in front of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Joins {
    /// Joins of bit vectors, with the width of a word in bits.
    pub words: Grouped,
    /// Wide joins, with the log2 of the number of coordinates compared at once.
    pub wide: Grouped,
    /// Joins that skip.
    pub skipping: Skipping,
    /// Scanners that take a bound of each fiber, with what it is.
    pub until: BTreeMap<NodeId, SpanEnd>,
}

/// Joins and scanners that process several coordinates at once, with their number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grouped {
    /// Number per join.
    pub joins: BTreeMap<NodeId, u32>,
    /// Number per scanner.
    pub scans: BTreeMap<NodeId, u32>,
}

/// The joins and scanners that skip.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipping {
    /// Joins, with the set of operands that receive hints (bit k: operand k).
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners, with the source of their hints.
    pub scans: BTreeMap<NodeId, Told>,
}

/// The source of a skipping scanner's hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The join or early exit that sends the hints.
    pub join: NodeId,
    /// The scanner's operand at the join; `None` for an early exit, and for bounds.
    pub operand: Option<usize>,
    /// The scanner whose largest coordinates bound the fibers; the scanner itself if no other does.
    pub bound: NodeId,
    /// Width of a fiber's number in hints, in bits.
    pub tag_w: u32,
}

impl Joins {
    /// Returns whether scanner `n` gives single items, with hints of an early exit alone.
    pub fn exits(&self, n: NodeId) -> bool {
        let told = self.skipping.scans.get(&n).filter(|_| !self.wide.scans.contains_key(&n));
        told.is_some_and(|told| told.operand.is_none() && told.join != told.bound)
    }
}

impl Grouped {
    /// Returns the same joins with the numbers of nodes that `to` gives.
    pub(crate) fn moved(&self, to: impl Fn(NodeId) -> NodeId) -> Self {
        let moved = |of: &BTreeMap<NodeId, u32>| of.iter().map(|(&n, &size)| (to(n), size)).collect();
        Self { joins: moved(&self.joins), scans: moved(&self.scans) }
    }
}

impl Graph {
    /// Returns whether node `n` joins intervals, with or without coordinates.
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
