//! Lanes in step: where lanes differ in nothing but values, one graph of coordinates and positions leads all
//! of them.
//!
//! Such lanes need banks of one size: those of fewer coordinates have some beyond their last, whose results
//! nobody reads. So their index must be one of the result, all levels of it dense, and nothing in a lane may
//! take more or fewer cycles for other values. Decision 122.

use super::VariableLevel;
use crate::graph::{AluFun, How, Op, Payload, StreamId, UseId};
use crate::passes::exits;
use std::collections::BTreeSet;

impl VariableLevel<'_> {
    /// Determines for each node: whether every lane needs one of its own. `None` if lanes cannot go in step.
    pub(super) fn apart(&self) -> Option<Vec<bool>> {
        let graph = self.graph();
        let levels = self.levels();
        let dense = |(u, l): &(UseId, usize)| graph.uses[u.0].levels[*l].is_dense();
        if !self.statement().indices.contains(&self.v) || !levels.iter().all(dense) {
            return None;
        }
        let banks: BTreeSet<UseId> = levels.iter().map(|(u, _)| *u).collect();
        let mut apart = vec![false; graph.nodes.len()];
        let readers = graph.readers();
        for n in self.mine() {
            let node = graph.node(n);
            // A list that values end is not as long in each lane.
            if exits::ended(self.lowered, &readers, n).is_some() {
                return None;
            }
            let number = |s: &StreamId| graph.stream(*s).payload == Payload::Crd(self.v);
            let counts = matches!(node.op, Op::Alu { .. }) && node.inputs.iter().any(number);
            let mut differs = counts || node.inputs.iter().any(|s| apart[graph.stream(*s).from.0.0]);
            if let Some(access) = node.op.access().filter(|access| banks.contains(&access.of)) {
                let dense = access.level.is_none_or(|l| graph.uses[access.of.0].levels[l].is_dense());
                match access.how {
                    How::Scan | How::Locate if dense => {}
                    How::Read | How::Write if access.level.is_none() => differs = true,
                    How::Scan | How::Locate | How::Read | How::Write | How::Pack | How::Fetch => return None,
                }
            }
            if differs && !in_time(&node.op) {
                return None;
            }
            apart[n.0] = differs;
        }
        Some(apart)
    }
}

/// Whether an operation takes as long for other values, and gives as many.
fn in_time(op: &Op) -> bool {
    match op {
        Op::Alu { fun, .. } => !matches!(fun, AluFun::Call(_)),
        Op::Array(_) | Op::Repeat | Op::Reduce { .. } | Op::Locate(..) | Op::Place(..) | Op::WriteValues { .. } => true,
        Op::Root
        | Op::Scan(..)
        | Op::ScanGroup(..)
        | Op::ScanPart(..)
        | Op::Broadcast(_)
        | Op::Unpack(_)
        | Op::Origin
        | Op::Expand { .. }
        | Op::Pack(..)
        | Op::Join { .. }
        | Op::Within(_)
        | Op::Span(..)
        | Op::Between(..)
        | Op::Single
        | Op::Tiles(..)
        | Op::Slice(_)
        | Op::Constant(..)
        | Op::Collapse(_)
        | Op::Divide(_)
        | Op::Prefix { .. }
        | Op::Measure(_)
        | Op::Exit(..)
        | Op::Zip
        | Op::Drop { .. }
        | Op::WriteLevel { .. }
        | Op::Deal { .. }
        | Op::Stitch { .. }
        | Op::Serialize { .. } => false,
    }
}
