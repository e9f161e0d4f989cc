//! Writers, and the droppers in front of them.

use super::Meaning;
use super::map::{Mapped, one};
use super::realize::NetlistBuilder;
use crate::graph::{NodeId, UseId};
use crate::levels::Part;
use samhw_primitives as prim;
use samhw_streams::{Field, Primitive};
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Maps the node that leaves out items with empty lists, or with values that are absent or are not
    /// stored.
    pub(super) fn dropper(&self, n: NodeId, list: bool, explicit: Option<u64>) -> Mapped {
        let node = self.graph().node(n);
        let w = |k: usize| self.width(node.inputs[k]);
        let inner = if list {
            prim::write::dropper::Inner::List { fields: vec![Field::new("crd", w(1))] }
        } else {
            let ty = |v| prim::write::dropper::Explicit::of(v, self.value_type(n));
            prim::write::dropper::Inner::Value { field: Field::new("val", w(1)), explicit: explicit.map(ty) }
        };
        let p = prim::write::dropper::Dropper { crd_w: w(0), inner, stop_w: self.stop_w };
        Mapped::new(p, vec![one(0), one(1)], vec![one(0), one(1)], vec![])
    }

    /// Maps the node that stores a level of linked lists below `chain` dense ones.
    pub(super) fn list_writer(&self, (u, l): (UseId, usize), chain: u8) -> Mapped {
        let p = prim::write::list_writer::ListWriter {
            crd_w: self.entry_w(u, l),
            ref_in_w: self.parent_w(u, l),
            ref_w: self.pos_w(u, l),
            stop_w: self.stop_w,
            words: u32::try_from(self.parents(u, l)).unwrap_or(u32::MAX),
        };
        let mut config = vec![self.capacity(u, Part::Crd(l))];
        config.extend(self.chunk(u, l, chain));
        Mapped::new(p, vec![one(0), one(1)], vec![], config)
    }

    /// Maps the node that stores the values of a result; `scatter`: they come in any order.
    pub(super) fn value_writer(&self, n: NodeId, of: UseId, chain: u8, skip_empty: bool, scatter: bool) -> Mapped {
        let node = self.graph().node(n);
        let addr_w = self.parent_w(of, self.graph().uses[of.0].levels.len());
        let writer = prim::write::value_writer::ValueWriter {
            val_w: self.width(node.inputs[0]),
            addr_w,
            stop_w: self.stop_w,
            chain: u32::from(chain),
            skip_empty,
        };
        let mut config = vec![self.capacity(of, Part::Values), Meaning::Fill(node.stage)];
        config.extend(self.chunk(of, self.graph().uses[of.0].levels.len(), chain));
        let p: Arc<dyn Primitive> = match scatter {
            true => Arc::new(prim::write::scatter::Scatter {
                val_w: self.width(node.inputs[0]),
                addr_w,
                stop_w: self.stop_w,
            }),
            false => Arc::new(writer),
        };
        Mapped { primitive: p, ins: (0..node.inputs.len()).map(one).collect(), outs: vec![], config }
    }
}
