//! Primitives for streams of intervals: scanners, joins and lengths.

use super::Meaning;
use super::joiners::joined;
use super::map::{Mapped, PAIR, one};
use super::realize::NetlistBuilder;
use crate::graph::{Measured, Node, NodeId, Payload};
use crate::stmt::VarId;
use samhw_primitives::join::joiner::Joiner;
use samhw_primitives::join::joiner_intervals::JoinerIntervals;
use samhw_primitives::scan::interval_length::IntervalLength;
use samhw_primitives::scan::scanner_whole::ScannerWhole;

impl NetlistBuilder<'_> {
    /// Maps the node that gives all coordinates of a variable as one interval.
    pub(super) fn whole(&self, ref_w: u32, v: VarId) -> Mapped {
        let p = ScannerWhole { ref_w, crd_w: self.crd_w(v), stop_w: self.stop_w };
        Mapped::new(p, vec![one(0)], PAIR.to_vec(), vec![Meaning::Dim(v)])
    }

    /// Maps the node that joins the operands of node `n` by intervals; operands that come as coordinates are
    /// points.
    pub(super) fn interval_joiner(&self, n: NodeId, joiner: Joiner) -> Mapped {
        let node = self.graph().node(n);
        let point = |k: &usize| matches!(self.graph().stream(node.inputs[2 * k]).payload, Payload::Crd(_));
        let points = (0..joiner.ref_w.len()).filter(point).fold(0, |m, k| m | 1 << k);
        let (Payload::Crd(v) | Payload::Interval(v)) = self.graph().stream(node.outputs[0]).payload else {
            unreachable!("joiners put out coordinates, or intervals of them")
        };
        let narrow = matches!(self.graph().stream(node.outputs[0]).payload, Payload::Crd(_));
        let p = JoinerIntervals { joiner: Joiner { crd_w: self.crd_w(v), ..joiner }, points, narrow };
        let (ins, outs) = joined(&p.joiner);
        Mapped::new(p, ins, outs, vec![])
    }

    /// Maps the node that gives the length of intervals, or their first coordinate.
    pub(super) fn measure(&self, node: &Node, what: Measured) -> Mapped {
        let crd_w = self.width(node.inputs[0]) / 2;
        let bits = match self.graph().stream(node.outputs[0]).payload {
            Payload::Val(ty) => ty.bits(),
            _ => self.width(node.outputs[0]),
        };
        let val_w = match what {
            Measured::Length => bits.min(crd_w + 1),
            Measured::Parity => 1,
            Measured::First => crd_w,
        };
        let p = IntervalLength { crd_w, val_w, first: what == Measured::First, stop_w: self.stop_w };
        Mapped::new(p, vec![one(0)], vec![one(0)], vec![])
    }
}
