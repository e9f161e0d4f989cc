//! Levels of blocks and runs: words of consecutive coordinates, scanned as if they were coordinates.

use super::Select;
use super::map::Mapped;
use super::realize::{NetlistBuilder, stop_w};
use crate::facts::coordinate_bits;
use crate::graph::{Node, NodeId, Op, Payload, UseId};
use crate::levels::{KeyWidths, LevelKind, Part};
use crate::lower::Lowered;
use samhw_primitives as prim;
use samhw_primitives::scan::interval_expand::IntervalExpand;
use samhw_primitives::scan::runs_origin::RunsOrigin;
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Bits of what segments of level `l` count: its words, or its positions.
    pub(super) fn segment_w(&self, u: UseId, l: usize) -> u32 {
        if self.graph().uses[u.0].levels[l].in_runs() {
            coordinate_bits(self.sizes.runs[u.0][l].saturating_add(2)).max(self.stop_w)
        } else {
            self.pos_w(u, l)
        }
    }

    /// The arrays of level `l`.
    pub(super) fn arrays(&self, u: UseId, l: usize) -> Vec<Part> {
        let widths = KeyWidths { crd_w: self.level_crd_w(u, l), parent_w: self.parent_w(u, l) };
        self.graph().uses[u.0].levels[l].arrays(l, widths)
    }

    /// Bits of a coordinate of level `l`.
    fn level_crd_w(&self, u: UseId, l: usize) -> u32 {
        level_bits(self.lowered, u, l).max(self.stop_w)
    }

    /// Bits of the number of a slot of the table of level `l`.
    pub(super) fn slot_number_w(&self, u: UseId, l: usize) -> u32 {
        coordinate_bits(self.sizes.runs[u.0][l])
    }

    /// Bits of what its scanner reads, and its writer writes: of a coordinate, or of a word of them.
    pub(super) fn entry_w(&self, u: UseId, l: usize) -> u32 {
        let (crd_w, kind) = (self.level_crd_w(u, l), self.graph().uses[u.0].levels[l]);
        if kind.in_runs() {
            prim::scan::runs_unpack::word_w(crd_w, self.pos_w(u, l), kind.shares_positions())
        } else {
            crd_w
        }
    }

    /// Maps the node that makes coordinates of words.
    pub(super) fn runs_unpacker(&self, n: NodeId, kind: LevelKind) -> Mapped {
        let (node, pair) = (self.graph().node(n), vec![(0, Select::First), (0, Select::Second)]);
        let scanner = self.graph().node(self.graph().stream(node.inputs[0]).from.0);
        let Op::Scan(u, l) = scanner.op else { unreachable!("words come from scanners") };
        let (crd_w, shared) = (self.level_crd_w(u, l), kind.shares_positions());
        let (ref_w, at_w) = (self.pos_w(u, l), self.segment_w(u, l));
        let p = prim::scan::runs_unpack::RunsUnpack {
            crd_w,
            ref_w,
            at_w,
            shared,
            stop_w: self.stop_w,
            tag_w: self.exit_tag_w(n),
        };
        Mapped { primitive: Arc::new(p), ins: pair.clone(), outs: pair, config: vec![] }
    }

    /// Maps the node that makes intervals of words of blocks.
    pub(super) fn origin(&self, n: NodeId) -> Mapped {
        let (node, pair) = (self.graph().node(n), vec![(0, Select::First), (0, Select::Second)]);
        let scanner = self.graph().node(self.graph().stream(node.inputs[0]).from.0);
        let Op::Scan(u, l) = scanner.op else { unreachable!("words come from scanners") };
        let (crd_w, ref_w, at_w) = (self.level_crd_w(u, l), self.pos_w(u, l), self.segment_w(u, l));
        Mapped::new(RunsOrigin { crd_w, ref_w, at_w, stop_w: self.stop_w }, pair.clone(), pair, vec![])
    }

    /// Maps the node that makes coordinates of intervals.
    pub(super) fn expander(&self, node: &Node, blocks: bool) -> Mapped {
        let pair = vec![(0, Select::First), (0, Select::Second)];
        let (crd_w, ref_w) = (self.width(node.outputs[0]), self.width(node.outputs[1]));
        Mapped::new(IntervalExpand { crd_w, ref_w, follows: blocks, stop_w: self.stop_w }, pair.clone(), pair, vec![])
    }

    /// Maps the node that makes words of coordinates.
    pub(super) fn runs_packer(&self, n: NodeId, (u, l): (UseId, usize)) -> Mapped {
        let node = self.graph().node(n);
        let crd_w = self.level_crd_w(u, l);
        let shared = node.inputs.get(1).map(|&val| self.width(val));
        let intervals = matches!(self.graph().stream(node.inputs[0]).payload, Payload::Interval(_));
        let (ref_w, stop_w) = (self.pos_w(u, l), self.stop_w);
        let p = prim::write::runs_pack::RunsPack { crd_w, ref_w, shared, intervals, stop_w };
        let all: Vec<(usize, Select)> = (0..node.inputs.len()).map(|k| (k, Select::All)).collect();
        Mapped { primitive: Arc::new(p), ins: all.clone(), outs: all, config: vec![] }
    }
}

/// Returns the width of a coordinate of level `l` of a use, in bits.
pub fn level_crd_w(lowered: &Lowered, u: UseId, l: usize) -> u32 {
    level_bits(lowered, u, l).max(stop_w(&lowered.graph))
}

/// Bits that the coordinates of level `l` need.
fn level_bits(lowered: &Lowered, u: UseId, l: usize) -> u32 {
    coordinate_bits(lowered.graph.uses[u.0].size(&lowered.kernel, l))
}
