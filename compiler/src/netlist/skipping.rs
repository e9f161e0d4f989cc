//! Skipping scanners, early exits, and the channels of hints between them.

use super::map::Mapped;
use super::realize::NetlistBuilder;
use super::{CellId, End, Select};
use crate::graph::{NodeId, Op, Told};
use samhw_primitives as prim;
use samhw_primitives::flow::early_exit::Watched;
use samhw_primitives::scan::scanner_compressed::Exit;
use samhw_primitives::scan::scanner_wide::Group;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

/// Note of a channel that carries hints.
const HINT: &str = "hint";
/// log2 of the words behind a bus that a scanner asks for at once, where an early exit ends its fibers.
const EXIT_PART_LOG2: u32 = 4;

impl NetlistBuilder<'_> {
    /// A watch for the value that ends a reduction early.
    pub(super) fn early_exit(&self, n: NodeId, watched: Watched, value: u64) -> Mapped {
        let told = self.graph().joins.skipping.scans.values().find(|told| told.join == n);
        let told = told.expect("a pass told the scanner of every early exit");
        let crd_w = self.hint_w(n);
        let (val_w, stop_w) = (self.width(self.graph().node(n).inputs[0]), self.stop_w);
        let p = prim::flow::early_exit::EarlyExit { value, watched, val_w, stop_w, tag_w: told.tag_w, crd_w };
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs: vec![(0, Select::All)], config: vec![] }
    }

    /// Bits of a coordinate in what early exit `n` tells: those of scanners of coordinates. Behind a scanner of words,
    /// which is told, too, is what unpacks them.
    fn hint_w(&self, n: NodeId) -> u32 {
        let scans = &self.graph().joins.skipping.scans;
        let last = scans.iter().rfind(|(_, told)| told.join == n);
        last.map_or(0, |(&scan, _)| self.width(self.graph().node(scan).outputs[0]))
    }

    /// How an early exit ends the fibers of scanner `n`, whose positions have this many bits, if one does. Behind a bus
    /// a request is for several words.
    pub(super) fn exit(&self, n: NodeId, ref_w: u32) -> Option<Exit> {
        let joins = &self.graph().joins;
        let told = joins.skipping.scans.get(&n).filter(|_| joins.exits(n))?;
        let part_log2 = if self.kernel().bus { EXIT_PART_LOG2.min(ref_w - 1) } else { 0 };
        Some(Exit { tag_w: told.tag_w, hint_w: self.hint_w(told.join), part_log2 })
    }

    /// Bits of a fiber's number in what an early exit tells scanner `n`; 0 if none tells it.
    pub(super) fn exit_tag_w(&self, n: NodeId) -> u32 {
        self.graph().joins.skipping.scans.get(&n).map_or(0, |told| told.tag_w)
    }

    /// A scanner with hints about what to leave out.
    pub(super) fn skipping_scanner(&self, n: NodeId, ref_in_w: u32, ref_w: u32, crd_w: u32) -> Mapped {
        let queue_log2 = prim::memories::memory::ON_CHIP_QUEUE_LOG2;
        let tag_w = self.graph().joins.skipping.scans.get(&n).map_or(prim::join::joiner::TAG_W, |told| told.tag_w);
        let group = self.group(n, crd_w).unwrap_or(Group { crd_w, wide_log2: 0 });
        let p =
            prim::scan::scanner_skip::ScannerSkip { ref_in_w, ref_w, group, stop_w: self.stop_w, queue_log2, tag_w };
        let out = p.handshake(Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    /// Channels of the hints. They lead against the streams; no cell waits for them
    /// (docs/deadlock.md).
    pub(super) fn connect_hints(&mut self) {
        let (scans, first) = (self.graph().joins.skipping.scans.clone(), self.net.channels.len());
        let alike = |a: &Told, b: &Told| (a.join, a.operand) == (b.join, b.operand);
        for (&scan, told) in &scans {
            let stage = self.graph().node(scan).stage;
            // An early exit tells all scanners that are joined.
            let all: Vec<NodeId> = scans.iter().filter(|(_, other)| alike(told, other)).map(|(&s, _)| s).collect();
            if all[0] == scan {
                let name = told.operand.map_or("skip".into(), |k| format!("skip{k}"));
                let skip = self.end(told.join, Dir::Out, &name);
                let to = all.iter().map(|&s| (self.end(s, Dir::In, "skip"), Select::All)).collect();
                self.fan_out(skip, to, Default::default(), stage);
            }
            if self.graph().joins.exits(scan) || !self.lists(scan) {
                continue;
            }
            let bounded = scans.iter().filter(|(_, t)| t.bound == scan);
            let to = bounded.map(|(&s, _)| (self.end(s, Dir::In, "bound"), Select::All)).collect();
            let last = self.end(scan, Dir::Out, "last");
            self.fan_out(last, to, Default::default(), stage);
        }
        for n in (0..self.graph().nodes.len()).map(NodeId) {
            let node = self.graph().node(n);
            if !matches!(node.op, Op::Between(..)) {
                continue;
            }
            let (stage, bounded) = (node.stage, scans.iter().find(|(_, told)| told.join == n).map(|(&scan, _)| scan));
            let to = bounded.map(|scan| (self.end(scan, Dir::In, "bound"), Select::All));
            self.fan_out(self.end(n, Dir::Out, "bound"), to.into_iter().collect(), Default::default(), stage);
            if bounded.is_none() {
                self.fan_out(self.end(n, Dir::Out, "skip"), vec![], Default::default(), stage);
            }
        }
        self.net.channels[first..].iter_mut().for_each(|c| c.note = HINT.into());
    }

    /// Whether scanner `n` is that of a level that lists coordinates, and tells the largest ones.
    fn lists(&self, n: NodeId) -> bool {
        let graph = self.graph();
        matches!(graph.node(n).op, Op::Scan(u, l) if graph.uses[u.0].levels[l].lists_coordinates())
    }

    /// A handshake port of a node's cell by name.
    fn end(&self, n: NodeId, dir: Dir, name: &str) -> End {
        let cell = CellId(n.0);
        (cell, self.net.cell(cell).primitive.handshake(dir, name))
    }
}
