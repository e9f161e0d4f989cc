//! Lookups: coordinates to positions, and values to coordinates.

use super::map::{Mapped, port};
use super::realize::Builder;
use super::{Meaning, Select};
use crate::graph::{Node, Payload, UseId};
use crate::stmt::{LevelKind, VarId};
use samhw_primitives as prim;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

impl Builder<'_> {
    /// What finds coordinates in level `l` of a use.
    pub(super) fn locator(&self, node: &Node, u: UseId, l: usize) -> Mapped {
        let Payload::Crd(v) = self.graph().stream(node.inputs[0]).payload else {
            unreachable!("locators take coordinates")
        };
        let dense = self.graph().uses[u.0].levels[l] == LevelKind::Dense;
        let (crd_w, ref_in_w, ref_w, stop_w) = (self.crd_w(v), self.parent_w(u, l), self.pos_w(u, l), self.stop_w);
        let primitive: Arc<dyn Primitive> = if dense {
            Arc::new(prim::scan::locator::LocatorDense { crd_w, ref_in_w, ref_w, stop_w })
        } else {
            Arc::new(prim::scan::locator::LocatorCompressed { crd_w, ref_in_w, ref_w, stop_w })
        };
        let config = if dense { vec![Meaning::Dim(v)] } else { vec![] };
        let out = port(primitive.as_ref(), Dir::Out, "found");
        Mapped { primitive, ins: vec![(0, Select::All), (1, Select::All)], outs: vec![(out, Select::All)], config }
    }

    /// What makes coordinates of `v`'s dimension of values.
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

    /// What makes a list of each coordinate.
    pub(super) fn single(&self, node: &Node) -> Mapped {
        let primitive =
            Arc::new(prim::scan::single::Single { crd_w: self.width(node.outputs[0]), stop_w: self.stop_w });
        Mapped { primitive, ins: vec![(0, Select::All)], outs: vec![(0, Select::All)], config: vec![] }
    }
}
