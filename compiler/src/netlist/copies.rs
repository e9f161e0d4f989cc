//! Parallelizers, serializers and stitches: how their streams sit on their ports.

use super::Select;
use super::map::Mapped;
use super::realize::Builder;
use crate::graph::{Node, Op, Payload};
use samhw_primitives::copies::parallelizer::Parallelizer;
use samhw_primitives::copies::serializer::Serializer;
use samhw_primitives::copies::stitch::Stitch;
use samhw_streams::{Field, Primitive};
use std::sync::Arc;

impl Builder<'_> {
    /// The primitive that deals leaves to copies of the graph, or brings their items back in order.
    pub(super) fn copies(&self, node: &Node) -> Mapped {
        let stop_w = self.stop_w;
        let field = |s| match self.graph().stream(s).payload {
            Payload::Crd(_) => Field::new("crd", self.width(s)),
            Payload::Val(_) => Field::new("val", self.width(s)),
            _ => Field::new("ref", self.width(s)),
        };
        let primitive: Arc<dyn Primitive> = match node.op {
            Op::Deal { copies, deal, split } => {
                let fields = node.inputs.iter().map(|&s| field(s)).collect();
                Arc::new(Parallelizer { fields, copies, stop_w, height: 0, deal, split, turn: split })
            }
            Op::Serialize { height } => {
                let copies = node.inputs.len() as u32 - 1;
                Arc::new(Serializer { field: field(node.outputs[0]), copies, stop_w, height })
            }
            Op::Stitch { op, next, prev } => {
                let (crd_w, val_w) = (self.width(node.inputs[0]), self.width(node.inputs[1]));
                let ty = self.kernel().statements[node.stage].ty;
                let op = super::fold(op, ty).expect("lanes have sums that a stitch folds");
                let pair = |k: usize| (k / 2, if k.is_multiple_of(2) { Select::First } else { Select::Second });
                return Mapped {
                    primitive: Arc::new(Stitch { crd_w, op, val_w, signed: ty.is_signed(), stop_w, next, prev }),
                    ins: (0..node.inputs.len()).map(pair).collect(),
                    outs: (0..node.outputs.len()).map(pair).collect(),
                    config: vec![],
                };
            }
            _ => unreachable!("only these stand between copies"),
        };
        let one = |k: usize| (k, Select::All);
        Mapped {
            primitive,
            ins: (0..node.inputs.len()).map(one).collect(),
            outs: (0..node.outputs.len()).map(one).collect(),
            config: vec![],
        }
    }
}
