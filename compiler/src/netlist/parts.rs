//! Primitives for slices: scanners of a part of a level, filters, single coordinates.

use super::Meaning;
use super::Select;
use super::map::{Mapped, PAIR};
use super::realize::NetlistBuilder;
use crate::graph::{Node, NodeId, Op, Payload, UseId};
use crate::stmt::VarId;
use crate::view::{Points, Window};
use samhw_primitives::scan::coordinate::Coordinate;
use samhw_primitives::scan::interval_slice::IntervalSlice;
use samhw_primitives::scan::scanner_dense::Child;
use samhw_primitives::scan::scanner_part::{Offsets, ScannerPart};
use samhw_primitives::scan::scanner_seek::ScannerSeek;
use samhw_primitives::scan::slice::{Select as Selected, Slice};
use samhw_streams::{Dir, Primitive};
use samhw_values::mask;
use std::sync::Arc;

/// First coordinate and step of where a window stands, modulo 2^64: falling steps are those of a list that is read
/// backwards.
fn target(window: &Window) -> (u64, u64) {
    match window.to {
        Points::Steps { first, step, .. } => (first, step as u64),
        Points::Set(_) => unreachable!("lowering packs views at index sets on their own"),
    }
}

/// Fibers that are longer are searched for the part that is wanted. The searches take about 2 * 6 cycles for each
/// doubling beyond `NEAR`: shorter ones are read in less.
const LONG: u32 = 64;
/// Entries that a search leaves on either side: reading them takes less than another step.
const NEAR: u32 = 4;

impl NetlistBuilder<'_> {
    pub(super) fn part_scanner(&self, node: &Node, (u, l): (UseId, usize), dim: VarId, window: &Window) -> Mapped {
        let (to_first, to_step) = target(window);
        let p = ScannerPart {
            ref_in_w: self.width(node.inputs[0]),
            ref_w: self.pos_w(u, l),
            dim_w: self.crd_w(dim) + 1,
            crd_w: self.width(node.outputs[0]),
            stop_w: self.stop_w,
            child: if l == 0 { Child::Root } else { Child::Row },
            offsets: match &window.from {
                Points::Steps { first, step, count } => Offsets::Steps { first: *first, step: *step, count: *count },
                Points::Set(set) => Offsets::Set(set.clone()),
            },
            to_first,
            to_step,
        };
        let config = vec![Meaning::Dim(dim)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs: PAIR.to_vec(), config }
    }

    /// The scanner of a compressed level of which only a part is wanted, if that is less than all of it.
    pub(super) fn seek_scanner(&self, node: &Node, (u, l): (UseId, usize), dim: VarId) -> Option<Mapped> {
        let window = |&(c, _): &(NodeId, usize)| {
            let Op::Slice(window) = &self.graph().node(c).op else { return None };
            Some(window)
        };
        // Behind a bus each step of a search waits for memory: reading everything is sooner.
        if self.kernel().bus {
            return None;
        }
        // Statements that share a pass may take other parts of it.
        let readers = node.outputs.iter().flat_map(|s| &self.readers[s.0]);
        let windows: Option<Vec<&Window>> = readers.map(window).collect();
        let windows = windows.filter(|_| !self.graph().uses[u.0].is_backwards(l))?;
        let coordinates = matches!(self.graph().stream(node.outputs[0]).payload, Payload::Crd(_));
        let lo = windows.iter().map(|window| window.from.at(0).unwrap_or(0)).min().filter(|_| coordinates)?;
        let hi = windows.iter().map(|window| window.from.bound()).max()?;
        if lo == 0 && hi >= self.kernel().var(dim).max {
            return None;
        }
        let p = ScannerSeek {
            ref_in_w: self.parent_w(u, l),
            ref_w: self.pos_w(u, l),
            crd_w: self.crd_w(dim),
            stop_w: self.stop_w,
            queue_log2: samhw_primitives::memories::memory::ON_CHIP_QUEUE_LOG2,
            lo,
            hi,
            long: LONG,
            near: NEAR,
        };
        let out = p.handshake(Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Some(Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] })
    }

    pub(super) fn slice(&self, node: &Node, window: &Window) -> Mapped {
        let (to_first, to_step) = target(window);
        if let (Payload::Interval(_), Points::Steps { first, count, .. }) =
            (self.graph().stream(node.inputs[0]).payload, &window.from)
        {
            let [crd_in_w, crd_w] = [node.inputs[0], node.outputs[0]].map(|s| self.width(s) / 2);
            let (x_w, stop_w) = (self.width(node.inputs[1]), self.stop_w);
            let p = IntervalSlice { crd_in_w, crd_w, x_w, stop_w, first: *first, count: *count, to_first };
            return Mapped::new(p, PAIR.to_vec(), PAIR.to_vec(), vec![]);
        }
        let p = Slice {
            crd_in_w: self.width(node.inputs[0]),
            crd_w: self.width(node.outputs[0]),
            x_w: self.width(node.inputs[1]),
            stop_w: self.stop_w,
            select: match &window.from {
                Points::Steps { first, step, count } => {
                    Selected::Steps { first: *first, step: step.unsigned_abs(), count: *count }
                }
                Points::Set(set) => Selected::Set(set.clone()),
            },
            to_first,
            to_step: to_step & mask(self.width(node.outputs[0])),
        };
        Mapped { primitive: Arc::new(p), ins: PAIR.to_vec(), outs: PAIR.to_vec(), config: vec![] }
    }

    pub(super) fn constant(&self, node: &Node, dim: VarId, at: u64) -> Mapped {
        let (ref_w, crd_w) = (self.width(node.inputs[0]), self.crd_w(dim));
        let p = Coordinate { ref_w, crd_w, stop_w: self.stop_w, at };
        let one = vec![(0, Select::All)];
        Mapped { primitive: Arc::new(p), ins: one.clone(), outs: one, config: vec![] }
    }
}
