//! Parallelizers, serializers and stitches: the mapping of their streams to ports.

use super::Select;
use super::arith::folder;
use super::map::Mapped;
use super::realize::NetlistBuilder;
use crate::graph::{Node, NodeId, Payload, StreamId};
use crate::stmt::Operator;
use samhw_primitives::copies::parallelizer::{Deal, Parallelizer};
use samhw_primitives::copies::serializer::Serializer;
use samhw_primitives::copies::stitch::Stitch;
use samhw_streams::{Field, Primitive};
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Maps the node that deals leaves to this number of copies of the graph.
    pub(super) fn parallelizer(&self, node: &Node, copies: u32, (deal, split): (Deal, bool)) -> Mapped {
        let fields = node.inputs.iter().map(|&s| self.dealt(s)).collect();
        let (stop_w, turn) = (self.stop_w, split);
        alone(node, Arc::new(Parallelizer { fields, copies, stop_w, height: 0, deal, split, turn }))
    }

    /// Maps the node that brings the copies' items of this height back in order.
    pub(super) fn serializer(&self, node: &Node, height: u8) -> Mapped {
        let (copies, field) = (node.inputs.len() as u32 - 1, self.dealt(node.outputs[0]));
        alone(node, Arc::new(Serializer { field, copies, stop_w: self.stop_w, height }))
    }

    /// Maps the node that makes whole sums at the borders of lanes.
    pub(super) fn stitch(&self, n: NodeId, op: Operator, (next, prev): (bool, bool)) -> Mapped {
        let node = self.graph().node(n);
        let (crd_w, val_w) = (self.width(node.inputs[0]), self.width(node.inputs[1]));
        let ty = self.value_type(n);
        let op = folder(op, ty);
        let pair = |k: usize| (k / 2, if k.is_multiple_of(2) { Select::First } else { Select::Second });
        let (signed, stop_w) = (ty.is_signed(), self.stop_w);
        Mapped {
            primitive: Arc::new(Stitch { crd_w, op, val_w, signed, stop_w, next, prev }),
            ins: (0..node.inputs.len()).map(pair).collect(),
            outs: (0..node.outputs.len()).map(pair).collect(),
            config: vec![],
        }
    }

    /// What the leaves of a stream are, on the wires.
    fn dealt(&self, s: StreamId) -> Field {
        let name = match self.graph().stream(s).payload {
            Payload::Crd(_) => "crd",
            Payload::Interval(_) => "interval",
            Payload::Val(_) => "val",
            Payload::Key(_)
            | Payload::Root
            | Payload::Ref(..)
            | Payload::Range(..)
            | Payload::Pos(..)
            | Payload::Copy(_) => "ref",
        };
        Field::new(name, self.width(s))
    }
}

/// A primitive each of whose ports has a stream of its own.
fn alone(node: &Node, primitive: Arc<dyn Primitive>) -> Mapped {
    let one = |k: usize| (k, Select::All);
    Mapped {
        primitive,
        ins: (0..node.inputs.len()).map(one).collect(),
        outs: (0..node.outputs.len()).map(one).collect(),
        config: vec![],
    }
}
