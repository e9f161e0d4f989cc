//! Scanners and joiners that process groups of coordinates.

use super::Select;
use super::map::Mapped;
use super::realize::NetlistBuilder;
use crate::graph::NodeId;
use samhw_primitives as prim;
use samhw_primitives::join::joiner_wide::JoinerWide;
use samhw_primitives::scan::scanner_wide::{Group, ScannerWide};
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// The group that scanner or joiner `n` works on, if it is wide.
    pub(super) fn group(&self, n: NodeId, crd_w: u32) -> Option<Group> {
        let wide = &self.graph().joins.wide;
        let log2 = wide.joins.get(&n).or_else(|| wide.scans.get(&n));
        log2.map(|&wide_log2| Group { crd_w, wide_log2 })
    }

    /// A scanner that gives groups.
    pub(super) fn wide_scanner(&self, group: Group, ref_in_w: u32, ref_w: u32) -> Mapped {
        let queue_log2 = prim::memories::memory::ON_CHIP_QUEUE_LOG2;
        let p = ScannerWide { ref_in_w, ref_w, stop_w: self.stop_w, queue_log2, group };
        let out = p.handshake(Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    /// The joiner `j` of groups.
    pub(super) fn wide_joiner(&self, group: Group, j: &prim::join::joiner::Joiner) -> JoinerWide {
        JoinerWide { group, ref_w: [j.ref_w[0], j.ref_w[1]], stop_w: j.stop_w, used: j.used, skips: j.skips }
    }
}
