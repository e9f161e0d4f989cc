//! Locators: from coordinates to positions, and from values to coordinates.

use super::map::Mapped;
use super::realize::NetlistBuilder;
use super::{Meaning, Select};
use crate::graph::{Node, NodeId, Payload, UseId};
use crate::levels::Lookup;
use crate::stmt::VarId;
use samhw_primitives as prim;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Maps the node that finds coordinates in level `l` of a use.
    pub(super) fn locator(&self, n: NodeId, u: UseId, l: usize) -> Mapped {
        let node = self.graph().node(n);
        let Payload::Crd(v) = self.graph().stream(node.inputs[0]).payload else {
            unreachable!("locators take coordinates")
        };
        let lookup = self.graph().uses[u.0].levels[l].lookup();
        let (crd_w, ref_in_w, ref_w, stop_w) = (self.crd_w(v), self.parent_w(u, l), self.pos_w(u, l), self.stop_w);
        let (primitive, config): (Arc<dyn Primitive>, Vec<Meaning>) = match lookup {
            Some(Lookup::Computed) => {
                (Arc::new(prim::scan::locator::LocatorDense { crd_w, ref_in_w, ref_w, stop_w }), vec![Meaning::Dim(v)])
            }
            Some(Lookup::Search) | None => {
                (Arc::new(prim::scan::locator::LocatorCompressed { crd_w, ref_in_w, ref_w, stop_w }), vec![])
            }
            Some(Lookup::Table) => {
                let p = prim::scan::locator_hash::LocatorHash {
                    crd_w,
                    ref_in_w,
                    addr_w: self.slot_number_w(u, l),
                    ref_w,
                    stop_w,
                    queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
                };
                let settings = Lookup::Table.settings().iter();
                (Arc::new(p), settings.map(|setting| Meaning::Setting(u, l, *setting)).collect())
            }
            Some(Lookup::Words(width)) => {
                let p = prim::scan::locator::LocatorBits {
                    width,
                    crd_w,
                    ref_in_w: self.width(node.inputs[1]),
                    addr_w: self.bit_addr_w(u, l, width),
                    ref_w,
                    stop_w,
                    queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
                };
                (Arc::new(p), vec![Meaning::Words(vec![], v, width)])
            }
        };
        let out = primitive.handshake(Dir::Out, "found");
        Mapped { primitive, ins: vec![(0, Select::All), (1, Select::All)], outs: vec![(out, Select::All)], config }
    }

    /// Maps the node that makes coordinates of `v`'s dimension of values.
    pub(super) fn within(&self, node: &Node, v: VarId) -> Mapped {
        let (value, coordinate) = (node.inputs[0], node.outputs[0]);
        let Payload::Val(ty) = self.graph().stream(value).payload else { unreachable!("values become coordinates") };
        let primitive = Arc::new(prim::scan::within::Within {
            val_w: self.width(value),
            signed: ty.is_signed(),
            crd_w: self.crd_w(v),
            out_w: self.width(coordinate),
            stop_w: self.stop_w,
        });
        let config = vec![Meaning::Dim(v)];
        Mapped { primitive, ins: vec![(0, Select::All)], outs: vec![(0, Select::All)], config }
    }

    /// Maps the node that makes a list of each coordinate.
    pub(super) fn single(&self, node: &Node) -> Mapped {
        let primitive =
            Arc::new(prim::scan::single::Single { crd_w: self.width(node.outputs[0]), stop_w: self.stop_w });
        Mapped { primitive, ins: vec![(0, Select::All)], outs: vec![(0, Select::All)], config: vec![] }
    }
}
