//! Scanners, and readers of words at positions.

use super::map::{Mapped, PAIR, one};
use super::realize::NetlistBuilder;
use super::{Meaning, Select};
use crate::graph::{Node, NodeId, Payload, StreamId, UseId};
use crate::stmt::VarId;
use samhw_primitives as prim;
use samhw_primitives::scan::scanner_span::SpanEnd;
use samhw_streams::{Dir, Primitive};

impl NetlistBuilder<'_> {
    /// The scanner of level `l` of a use.
    pub(super) fn scanner(&self, n: NodeId, u: UseId, l: usize) -> Mapped {
        let node = self.graph().node(n);
        let (Payload::Crd(v) | Payload::Interval(v)) = self.graph().stream(node.outputs[0]).payload else {
            unreachable!("scanners put out coordinates, or intervals of them")
        };
        let (crd_w, ins) = (self.crd_w(v), vec![one(0)]);
        if self.graph().uses[u.0].levels[l].is_dense() {
            let child =
                if l == 0 { prim::scan::scanner_dense::Child::Root } else { prim::scan::scanner_dense::Child::Row };
            let p = prim::scan::scanner_dense::ScannerDense {
                ref_in_w: self.width(node.inputs[0]),
                ref_w: self.pos_w(u, l),
                crd_w,
                stop_w: self.stop_w,
                child,
                tag_w: self.exit_tag_w(n),
            };
            return Mapped::new(p, ins, PAIR.to_vec(), vec![Meaning::Dim(v)]);
        }
        if self.graph().uses[u.0].levels[l].is_linked() {
            return self.list_scanner(u, l);
        }
        if let Some(&width) = self.graph().joins.words.scans.get(&n) {
            return self.bits_scanner(n, (u, l), width);
        }
        if let Some(&hi) = self.graph().joins.until.get(&n) {
            return self.scanner_until(node, (u, l), hi);
        }
        if self.grows(n) {
            return self.growing_scanner(node, (u, l));
        }
        if let Some(seek) = self.seek_scanner(node, (u, l), v) {
            return seek;
        }
        let joins = &self.graph().joins;
        if joins.skipping.scans.contains_key(&n) && !joins.exits(n) {
            return self.skipping_scanner(n, self.width(node.inputs[0]), self.pos_w(u, l), crd_w);
        }
        if let Some(group) = self.group(n, crd_w) {
            return self.wide_scanner(group, self.parent_w(u, l), self.pos_w(u, l));
        }
        let p = prim::scan::scanner_compressed::ScannerCompressed {
            ref_in_w: self.parent_w(u, l),
            ref_w: self.segment_w(u, l),
            crd_w: self.entry_w(u, l),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
            back: self.graph().uses[u.0].is_backwards(l),
            exit: self.exit(n, self.segment_w(u, l)),
        };
        let out = p.handshake(Dir::Out, "out");
        Mapped::new(p, ins, vec![(out, Select::First), (out, Select::Second)], vec![])
    }

    /// The scanner of an outermost level that is written meanwhile.
    fn growing_scanner(&self, node: &Node, (u, l): (UseId, usize)) -> Mapped {
        let p = prim::scan::scanner_growing::ScannerGrowing {
            ref_in_w: self.width(node.inputs[0]),
            ref_w: self.segment_w(u, l),
            crd_w: self.entry_w(u, l),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
        };
        let out = p.handshake(Dir::Out, "out");
        Mapped::new(p, vec![one(0)], vec![(out, Select::First), (out, Select::Second)], vec![])
    }

    /// The scanner of a level of linked lists.
    fn list_scanner(&self, u: UseId, l: usize) -> Mapped {
        let p = prim::scan::scanner_list::ScannerList {
            ref_in_w: self.parent_w(u, l),
            ref_w: self.pos_w(u, l),
            crd_w: self.entry_w(u, l),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
        };
        let out = p.handshake(Dir::Out, "out");
        Mapped::new(p, vec![one(0)], vec![(out, Select::First), (out, Select::Second)], vec![])
    }

    /// The scanner of a level up to a bound of each fiber.
    fn scanner_until(&self, node: &Node, (u, l): (UseId, usize), hi: SpanEnd) -> Mapped {
        let payload = |s: StreamId| self.graph().stream(s).payload;
        let (Payload::Val(ty), Payload::Crd(v)) = (payload(node.inputs[1]), payload(node.outputs[0])) else {
            unreachable!("bounds are numbers, and what comes are coordinates")
        };
        let p = prim::scan::scanner_until::ScannerUntil {
            ref_in_w: self.parent_w(u, l),
            ref_w: self.segment_w(u, l),
            crd_w: self.crd_w(v),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
            hi,
            bound_w: self.width(node.inputs[1]),
            signed: ty.is_signed(),
        };
        let (bound, out) = (p.handshake(Dir::In, "bound"), p.handshake(Dir::Out, "out"));
        Mapped::new(p, vec![one(0), one(bound)], vec![(out, Select::First), (out, Select::Second)], vec![])
    }

    /// Maps the node that gives every coordinate of a variable below each position.
    pub(super) fn broadcast(&self, n: NodeId, v: VarId) -> Mapped {
        let node = self.graph().node(n);
        let ref_w = self.width(node.inputs[0]);
        if matches!(self.graph().stream(node.outputs[0]).payload, Payload::Interval(_)) {
            return self.whole(ref_w, v);
        }
        let p = prim::scan::scanner_dense::ScannerDense {
            ref_in_w: ref_w,
            ref_w,
            crd_w: self.crd_w(v),
            stop_w: self.stop_w,
            child: prim::scan::scanner_dense::Child::Same,
            tag_w: self.exit_tag_w(n),
        };
        Mapped::new(p, vec![one(0)], PAIR.to_vec(), vec![Meaning::Dim(v)])
    }

    /// Maps the node that gives the coordinates of a variable between bounds.
    pub(super) fn span_scanner(&self, node: &Node, v: VarId, [lo, hi]: [SpanEnd; 2]) -> Mapped {
        let Payload::Val(ty) = self.graph().stream(node.inputs[0]).payload else { unreachable!("bounds are numbers") };
        let (crd_w, stop_w) = (self.crd_w(v), self.stop_w);
        let bound_w = self.width(node.inputs[0]);
        let p = prim::scan::scanner_span::ScannerSpan { lo, hi, bound_w, signed: ty.is_signed(), crd_w, stop_w };
        let ins = if node.inputs.len() == 2 { PAIR.to_vec() } else { vec![one(0)] };
        Mapped::new(p, ins, vec![one(0)], vec![Meaning::Dim(v)])
    }

    /// Maps the node that keeps coordinates between bounds.
    pub(super) fn between(&self, n: NodeId, [lo, hi]: [SpanEnd; 2]) -> Mapped {
        let node = self.graph().node(n);
        let Payload::Val(ty) = self.graph().stream(node.inputs[0]).payload else { unreachable!("bounds are numbers") };
        let w = |k: usize| self.width(node.inputs[k]);
        let bounds = node.inputs.len() - 2;
        let told = self.graph().joins.skipping.scans.values().find(|told| told.join == n);
        let p = prim::scan::between::Between {
            lo,
            hi,
            bound_w: w(0),
            signed: ty.is_signed(),
            crd_w: w(bounds),
            x_w: w(bounds + 1),
            stop_w: self.stop_w,
            tag_w: told.map_or(prim::join::joiner::TAG_W, |told| told.tag_w),
        };
        let ins = if bounds == 2 { PAIR.to_vec() } else { vec![one(0)] };
        let ins = ins.into_iter().chain([(1, Select::First), (1, Select::Second)]).collect();
        Mapped::new(p, ins, PAIR.to_vec(), vec![])
    }

    /// Maps the node that reads a word at each position.
    pub(super) fn array(&self, ref_w: u32, val_w: u32) -> Mapped {
        let queue_log2 = prim::memories::memory::ON_CHIP_QUEUE_LOG2;
        let p = prim::scan::array::Array { ref_w, val_w, stop_w: self.stop_w, queue_log2 };
        let out = p.handshake(Dir::Out, "val");
        Mapped::new(p, vec![one(0)], vec![one(out)], vec![])
    }
}
