//! The mapping from operations of the graph to primitives, with widths and ports. Someone who adds a primitive adds an
//! arm here.

use super::realize::NetlistBuilder;
use super::{Meaning, Select, memories};
use crate::graph::{NodeId, Op, Payload, StreamId, UseId};
use crate::levels::Part;
use crate::stmt::VarId;
use samhw_primitives as prim;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

/// The place of a logical stream on a physical port: handshake number and payload.
pub(super) type Tap = (usize, Select);

/// A node's primitive and how its streams map to its ports.
pub(super) struct Mapped {
    pub primitive: Arc<dyn Primitive>,
    /// Physical input and payload of each logical input.
    pub ins: Vec<Tap>,
    /// Physical output and payload of each logical output.
    pub outs: Vec<Tap>,
    /// Run-time values for its config ports, in order.
    pub config: Vec<Meaning>,
}

impl Mapped {
    pub(super) fn new(p: impl Primitive + 'static, ins: Vec<Tap>, outs: Vec<Tap>, config: Vec<Meaning>) -> Self {
        Self { primitive: Arc::new(p), ins, outs, config }
    }
}

/// Returns the whole payload of handshake `k`.
pub(super) fn one(k: usize) -> Tap {
    (k, Select::All)
}

/// Two streams on handshake 0.
pub(super) const PAIR: [Tap; 2] = [(0, Select::First), (0, Select::Second)];

impl NetlistBuilder<'_> {
    /// The primitive of node `n`.
    pub(super) fn map(&self, n: NodeId) -> Mapped {
        let node = self.graph().node(n);
        let stop_w = self.stop_w;
        let w = |k: usize| self.width(node.inputs[k]);
        match &node.op {
            Op::Root => {
                let branches = self.readers[node.outputs[0].0].len().max(1) as u32;
                let p = prim::flow::root::Root { ref_w: stop_w, stop_w, branches };
                Mapped::new(p, vec![], vec![one(0)], vec![])
            }
            Op::Repeat => {
                let p = prim::flow::repeater::Repeater { ref_w: w(0), crd_w: w(1), stop_w };
                Mapped::new(p, vec![one(0), one(1)], vec![one(0)], vec![])
            }
            Op::Broadcast(v) => self.broadcast(n, *v),
            Op::Scan(u, l) => self.scanner(n, *u, *l),
            Op::ScanGroup(u, l) => self.range_scanner(node, *u, *l),
            Op::ScanPart(u, l, dim, window) => self.part_scanner(node, (*u, *l), *dim, window),
            Op::Slice(window) => self.slice(node, window),
            Op::Constant(dim, at) => self.constant(node, *dim, *at),
            Op::Join { .. } => self.join(n),
            Op::Locate(u, l) | Op::Place(u, l) => self.locator(n, *u, *l),
            Op::Within(v) => self.within(node, *v),
            Op::Span(v, ends) => self.span_scanner(node, *v, *ends),
            Op::Between(_, ends) => self.between(n, *ends),
            Op::Single => self.single(node),
            Op::Array(u) => self.array(self.parent_w(*u, self.graph().uses[u.0].levels.len()), self.val_w(n)),
            Op::Tiles(u, tile, l) => self.array(self.pos_w(*u, *tile), 2 * self.pos_w(*u, *l)),
            Op::Alu { fun, args, emit } => self.alu(n, *fun, args, *emit),
            Op::Reduce { op, kept } => self.reducer(n, *op, *kept),
            Op::Collapse(size0) => {
                let p = prim::flow::collapse::Collapse {
                    crd1_w: w(0),
                    crd0_w: w(1),
                    x_w: w(2),
                    key_w: self.width(node.outputs[0]),
                    size0: *size0,
                    stop_w,
                };
                Mapped::new(p, vec![one(0), (1, Select::First), (1, Select::Second)], PAIR.to_vec(), vec![])
            }
            Op::Divide(size0) => {
                let (crd1_w, crd0_w) = (self.width(node.outputs[0]), self.width(node.outputs[1]));
                let p = prim::flow::divide::Divide { key_w: w(0), size0: *size0, crd1_w, crd0_w, x_w: w(1), stop_w };
                Mapped::new(p, PAIR.to_vec(), vec![one(0), (1, Select::First), (1, Select::Second)], vec![])
            }
            Op::Unpack(kind) => match kind.words() {
                Some(width) => self.unpacker(n, width),
                None => self.runs_unpacker(n, *kind),
            },
            Op::Origin => self.origin(n),
            Op::Expand { blocks } => self.expander(node, *blocks),
            Op::Pack(u, l) => self.runs_packer(n, (*u, *l)),
            Op::Measure(what) => self.measure(node, *what),
            Op::Prefix { how, .. } => self.prefix(n, *how),
            Op::Exit(watched, value) => self.early_exit(n, *watched, *value),
            Op::Zip => {
                let p = prim::flow::zip::Zip { first_w: w(0), second_w: w(1), stop_w };
                Mapped::new(p, vec![one(0), one(1)], PAIR.to_vec(), vec![])
            }
            Op::Drop { list, explicit } => self.dropper(n, *list, *explicit),
            Op::Deal { copies, deal, split } => self.parallelizer(node, *copies, (*deal, *split)),
            Op::Serialize { height } => self.serializer(node, *height),
            Op::Stitch { op, next, prev } => self.stitch(n, *op, (*next, *prev)),
            Op::WriteLevel { level: (u, l), chain, .. } if self.graph().uses[u.0].levels[*l].is_linked() => {
                self.list_writer((*u, *l), *chain)
            }
            Op::WriteLevel { level: (u, l), seg_height, chain, skip_empty } => {
                match self.graph().uses[u.0].levels[*l].words() {
                    Some(width) => {
                        let above = self.chained(*u, *l, *chain);
                        let own = self.chained(*u, *l + 1, 1);
                        self.bits_writer(n, width, above, own[0])
                    }
                    None => self.level_writer((*u, *l), *seg_height, *chain, *skip_empty),
                }
            }
            Op::WriteValues { of, chain, skip_empty, scatter } => {
                self.value_writer(n, *of, *chain, *skip_empty, scatter.is_some())
            }
        }
    }

    /// A scanner of a level of a coordinate list.
    fn range_scanner(&self, node: &crate::graph::Node, u: UseId, l: usize) -> Mapped {
        let payload = |s: StreamId| self.graph().stream(s).payload;
        let Payload::Crd(v) = payload(node.outputs[0]) else { unreachable!("scanners put out coordinates") };
        let input = match (payload(node.inputs[0]), self.graph().uses[u.0].levels[l]) {
            (Payload::Range(..), _) => prim::scan::scanner_range::Input::Range,
            (_, kind) if kind.repeats() && !kind.is_singleton() => prim::scan::scanner_range::Input::Segment,
            _ => prim::scan::scanner_range::Input::Unit,
        };
        let p = prim::scan::scanner_range::ScannerRange {
            input,
            group: matches!(payload(node.outputs[1]), Payload::Range(..)),
            ref_in_w: self.width(node.inputs[0]),
            ref_w: self.pos_w(u, l),
            crd_w: self.crd_w(v),
            stop_w: self.stop_w,
            queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
        };
        let out = p.handshake(Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    pub(super) fn capacity(&self, u: UseId, part: Part) -> Meaning {
        Meaning::Capacity(u, part, memories::array_of(self, u, part).1)
    }

    /// Size of a chunk: the product of the `chain` dense levels above `level`.
    pub(super) fn chunk(&self, u: UseId, level: usize, chain: u8) -> Option<Meaning> {
        (chain > 0).then(|| Meaning::Chunk(self.chained(u, level, chain)))
    }

    /// The variables of the `chain` levels of a result above `level`.
    fn chained(&self, u: UseId, level: usize, chain: u8) -> Vec<VarId> {
        let mut statements = self.kernel().statements.iter();
        let statement = statements.find(|s| s.result == self.graph().uses[u.0].tensor);
        let indices = statement.map_or(&[][..], |s| &s.indices);
        let used = &self.graph().uses[u.0];
        let var = |l: usize| match used.slice_of(used.mode_order[l]) {
            Some(s) => s.var,
            None => indices[used.mode_order[l]],
        };
        (level - usize::from(chain)..level).map(var).collect()
    }

    fn level_writer(&self, (u, l): (UseId, usize), seg_height: u8, chain: u8, skip_empty: bool) -> Mapped {
        let parts =
            if seg_height > 0 { prim::write::level_writer::Parts::Both } else { prim::write::level_writer::Parts::Crd };
        let p = prim::write::level_writer::LevelWriter {
            crd_w: self.entry_w(u, l),
            ref_in_w: self.parent_w(u, l),
            ref_w: self.segment_w(u, l),
            stop_w: self.stop_w,
            parts,
            chain: u32::from(chain),
            seg_height: seg_height.max(1),
            skip_empty,
        };
        let written = self.arrays(u, l).into_iter().filter(|part| seg_height > 0 || part.holds_entries(l));
        let mut config: Vec<Meaning> = written.map(|part| self.capacity(u, part)).collect();
        config.extend(self.chunk(u, l, chain));
        let ins = (0..1 + usize::from(chain > 0)).map(|k| (k, Select::All)).collect();
        Mapped { primitive: Arc::new(p), ins, outs: vec![], config }
    }
}
