//! Which primitive an operation of the graph becomes, with which widths, and how the
//! operation's streams sit on its ports. Someone who adds a primitive adds an arm here.

use super::realize::Builder;
use super::{Meaning, Select, memories};
use crate::facts::{alu_fun, fold};
use crate::graph::{AluFun, Arg, NodeId, Op, Payload, StreamId, UseId};
use crate::levels::Part;
use crate::stmt::{Division, Operator, VarId};
use samhw_primitives as prim;
use samhw_streams::{Dir, Field, Primitive};
use std::sync::Arc;

/// Lists that a reducer's workspace holds at a time: neighbouring lists may differ in length.
const BANKS: u32 = 2;

/// Where a logical stream sits on a physical port: handshake number and payload.
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

impl Builder<'_> {
    /// The primitive of node `n`.
    pub(super) fn map(&self, n: NodeId) -> Mapped {
        let node = self.graph().node(n);
        let stop_w = self.stop_w;
        let w = |k: usize| self.width(node.inputs[k]);
        let one = |k: usize| (k, Select::All);
        let pair = [(0, Select::First), (0, Select::Second)];
        let mapped = |primitive: Arc<dyn Primitive>, ins: Vec<Tap>, outs: Vec<Tap>, config: Vec<Meaning>| Mapped {
            primitive,
            ins,
            outs,
            config,
        };
        match &node.op {
            Op::Root => {
                let branches = self.readers[node.outputs[0].0].len().max(1) as u32;
                let p = prim::flow::root::Root { ref_w: stop_w, stop_w, branches };
                mapped(Arc::new(p), vec![], vec![one(0)], vec![])
            }
            Op::Repeat => {
                let p = prim::flow::repeater::Repeater { ref_w: w(0), crd_w: w(1), stop_w };
                mapped(Arc::new(p), vec![one(0), one(1)], vec![one(0)], vec![])
            }
            Op::Broadcast(v) => {
                let crd_w = self.crd_w(*v);
                let p = prim::scan::scanner_dense::ScannerDense {
                    ref_in_w: w(0),
                    ref_w: w(0),
                    crd_w,
                    stop_w,
                    child: prim::scan::scanner_dense::Child::Same,
                };
                mapped(Arc::new(p), vec![one(0)], pair.to_vec(), vec![Meaning::Dim(*v)])
            }
            Op::Scan(u, l) => {
                let Payload::Crd(v) = self.graph().stream(node.outputs[0]).payload else {
                    unreachable!("scanners put out coordinates")
                };
                let crd_w = self.crd_w(v);
                if self.graph().uses[u.0].levels[*l].is_dense() {
                    let child = if *l == 0 {
                        prim::scan::scanner_dense::Child::Root
                    } else {
                        prim::scan::scanner_dense::Child::Row
                    };
                    let p = prim::scan::scanner_dense::ScannerDense {
                        ref_in_w: w(0),
                        ref_w: self.pos_w(*u, *l),
                        crd_w,
                        stop_w,
                        child,
                    };
                    return mapped(Arc::new(p), vec![one(0)], pair.to_vec(), vec![Meaning::Dim(v)]);
                }
                if let Some(&width) = self.graph().joins.words.scans.get(&n) {
                    return self.bits_scanner(n, (*u, *l), width);
                }
                if let Some(seek) = self.seek_scanner(node, (*u, *l), v) {
                    return seek;
                }
                if self.graph().joins.skipping.scans.contains_key(&n) {
                    return self.skipping_scanner(n, w(0), self.pos_w(*u, *l), crd_w);
                }
                if let Some(group) = self.group(n, crd_w) {
                    return self.wide_scanner(group, self.parent_w(*u, *l), self.pos_w(*u, *l));
                }
                let p = prim::scan::scanner_compressed::ScannerCompressed {
                    ref_in_w: self.parent_w(*u, *l),
                    ref_w: self.segment_w(*u, *l),
                    crd_w: self.entry_w(*u, *l),
                    stop_w,
                    queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
                };
                let out = port(&p, Dir::Out, "out");
                mapped(Arc::new(p), vec![one(0)], vec![(out, Select::First), (out, Select::Second)], vec![])
            }
            Op::ScanGroup(u, l) => self.range_scanner(node, *u, *l),
            Op::ScanPart(u, l, dim, window) => self.part_scanner(node, (*u, *l), *dim, window),
            Op::Slice(window) => self.slice(node, window),
            Op::Constant(dim, at) => self.constant(node, *dim, *at),
            Op::Join { .. } => {
                let p = self.joiner(n);
                let k = p.ref_w.len();
                let words = self.graph().joins.words.joins.get(&n).copied();
                let ins = (0..k).flat_map(|i| [(i, Select::First), (i, Select::Second)]).collect();
                let mut port = 0;
                let outs = (0..=k)
                    .map(|i| {
                        // An output that nobody reads has no port.
                        let used = p.used >> i & 1 == 1;
                        port += usize::from(used);
                        one(if used { port - 1 } else { usize::MAX })
                    })
                    .collect();
                let p: Arc<dyn Primitive> = match (words, self.group(n, p.crd_w)) {
                    (Some(width), _) => Arc::new(prim::join::joiner_bits::JoinerBits { joiner: p, width }),
                    (None, Some(group)) => Arc::new(self.wide_joiner(group, &p)),
                    (None, None) => Arc::new(p),
                };
                mapped(p, ins, outs, vec![])
            }
            Op::Locate(u, l) | Op::Place(u, l) => self.locator(n, *u, *l),
            Op::Within(v) => self.within(node, *v),
            Op::Single => self.single(node),
            Op::Array(u) => {
                let p = prim::scan::array::Array {
                    ref_w: self.parent_w(*u, self.graph().uses[u.0].levels.len()),
                    val_w: self.val_w(n),
                    stop_w,
                    queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
                };
                let out = port(&p, Dir::Out, "val");
                mapped(Arc::new(p), vec![one(0)], vec![one(out)], vec![])
            }
            Op::Tiles(u, tile, l) => {
                let (ref_w, val_w) = (self.pos_w(*u, *tile), 2 * self.pos_w(*u, *l));
                let p = prim::scan::array::Array {
                    ref_w,
                    val_w,
                    stop_w,
                    queue_log2: prim::memories::memory::ON_CHIP_QUEUE_LOG2,
                };
                let out = port(&p, Dir::Out, "val");
                mapped(Arc::new(p), vec![one(0)], vec![one(out)], vec![])
            }
            Op::Alu { fun, args, emit } => {
                let ty = self.value_type(n);
                if let (AluFun::Convert(from), [Arg::Stream(fill)]) = (fun, &args[..]) {
                    let p = prim::arith::convert::Convert { from: *from, to: ty, fill: *fill, emit: *emit, stop_w };
                    return mapped(Arc::new(p), vec![one(0)], vec![one(0)], vec![]);
                }
                let mut operands: Vec<prim::arith::alu::Operand> = args
                    .iter()
                    .map(|a| match a {
                        Arg::Stream(fill) => prim::arith::alu::Operand::Stream { fill: *fill },
                        Arg::Const(v) => prim::arith::alu::Operand::Const(*v),
                    })
                    .collect();
                if *fun == AluFun::Const {
                    operands.insert(0, prim::arith::alu::Operand::Stream { fill: 0 });
                }
                let p = match alu_fun(*fun) {
                    _ if let AluFun::Product(from) = *fun => {
                        Ok(prim::arith::alu::Alu::product(from, operands, *emit, ty, stop_w)
                            .expect("a pass asked for it"))
                    }
                    _ if let AluFun::Truth(fun, from) = *fun => {
                        prim::arith::alu::Alu::truth((fun, from), operands, *emit, ty, stop_w)
                    }
                    Ok(fun) => {
                        let alu = prim::arith::alu::Alu::new(fun, operands, *emit, ty, stop_w);
                        if self.kernel().division == Division::Iterative {
                            alu.map(prim::arith::alu::Alu::iterative)
                        } else {
                            alu
                        }
                    }
                    Err(f) => {
                        let routine = f.get().routine();
                        let routine = routine.expect("lowering refuses what no program computes");
                        prim::arith::alu::Alu::routine(Arc::new(routine), operands, *emit, stop_w)
                    }
                };
                let p = p.expect("lowering gives functions that have hardware their operands, one of them a stream");
                mapped(Arc::new(p), (0..node.inputs.len()).map(one).collect(), vec![one(0)], vec![])
            }
            Op::Reduce { op, kept } => self.reducer(n, *op, *kept),
            Op::Collapse(bits) => {
                let p = prim::flow::collapse::Collapse {
                    crd1_w: w(0),
                    crd0_w: w(1),
                    x_w: w(2),
                    key_w: self.width(node.outputs[0]),
                    size0: 1 << bits,
                    stop_w,
                };
                mapped(Arc::new(p), vec![one(0), (1, Select::First), (1, Select::Second)], pair.to_vec(), vec![])
            }
            Op::Divide(bits) => {
                let (crd1_w, crd0_w) = (self.width(node.outputs[0]), self.width(node.outputs[1]));
                let p = prim::flow::divide::Divide { key_w: w(0), shift: *bits, crd1_w, crd0_w, x_w: w(1), stop_w };
                mapped(Arc::new(p), pair.to_vec(), vec![one(0), (1, Select::First), (1, Select::Second)], vec![])
            }
            Op::Unpack(kind) => match kind.words() {
                Some(width) => self.unpacker(n, width),
                None => self.runs_unpacker(n, *kind),
            },
            Op::Pack(u, l) => self.runs_packer(n, (*u, *l)),
            Op::Exit(value) => self.early_exit(n, *value),
            Op::Zip => {
                let p = prim::flow::zip::Zip { first_w: w(0), second_w: w(1), stop_w };
                mapped(Arc::new(p), vec![one(0), one(1)], pair.to_vec(), vec![])
            }
            Op::Drop { list, explicit } => {
                let inner = if *list {
                    prim::write::dropper::Inner::List { fields: vec![Field::new("crd", w(1))] }
                } else {
                    let ty = |v| prim::write::dropper::Explicit::of(v, self.value_type(n));
                    prim::write::dropper::Inner::Value { field: Field::new("val", w(1)), explicit: explicit.map(ty) }
                };
                let p = prim::write::dropper::Dropper { crd_w: w(0), inner, stop_w };
                mapped(Arc::new(p), vec![one(0), one(1)], vec![one(0), one(1)], vec![])
            }
            Op::Deal { copies, deal, split } => self.parallelizer(node, *copies, (*deal, *split)),
            Op::Serialize { height } => self.serializer(node, *height),
            Op::Stitch { op, next, prev } => self.stitch(node, *op, (*next, *prev)),
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
                let addr_w = self.parent_w(*of, self.graph().uses[of.0].levels.len());
                let writer = prim::write::value_writer::ValueWriter {
                    val_w: w(0),
                    addr_w,
                    stop_w,
                    chain: u32::from(*chain),
                    skip_empty: *skip_empty,
                };
                let mut config = vec![self.capacity(*of, Part::Values), Meaning::Fill(node.stage)];
                config.extend(self.chunk(*of, self.graph().uses[of.0].levels.len(), *chain));
                let p: Arc<dyn Primitive> = match scatter {
                    Some(_) => Arc::new(prim::write::scatter::Scatter { val_w: w(0), addr_w, stop_w }),
                    None => Arc::new(writer),
                };
                mapped(p, (0..node.inputs.len()).map(one).collect(), vec![], config)
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
        let out = port(&p, Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    pub(super) fn capacity(&self, u: UseId, part: Part) -> Meaning {
        Meaning::Capacity(u, part, memories::array_of(self, u, part).1)
    }

    /// Size of a chunk: the product of the `chain` dense levels above `level`.
    fn chunk(&self, u: UseId, level: usize, chain: u8) -> Option<Meaning> {
        (chain > 0).then(|| Meaning::Chunk(self.chained(u, level, chain)))
    }

    /// The variables of the `chain` levels of a result above `level`.
    fn chained(&self, u: UseId, level: usize, chain: u8) -> Vec<VarId> {
        let mut statements = self.kernel().statements.iter();
        let statement = statements.find(|s| s.result == self.graph().uses[u.0].tensor);
        let indices = statement.map_or(&[][..], |s| &s.indices);
        let used = &self.graph().uses[u.0];
        let var = |l: usize| match used.slice.filter(|s| s.mode == used.mode_order[l]) {
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

    fn reducer(&self, n: NodeId, op: Operator, kept: usize) -> Mapped {
        let node = self.graph().node(n);
        let ty = self.value_type(n);
        let (val_w, signed, stop_w) = (self.payload_w(ty), ty.is_signed(), self.stop_w);
        let one = |k: usize| (k, Select::All);
        let routine = || op.routine(ty).expect("lowering refuses what no reducer folds");
        let fold = match fold(op, ty) {
            Some(fold) => fold,
            None if kept == 0 => {
                let p = prim::reduce::reducer_iterative::ReducerIterative::new(Arc::new(routine()), stop_w);
                let p = p.expect("operators take two arguments");
                return Mapped { primitive: Arc::new(p), ins: vec![one(0)], outs: vec![one(0)], config: vec![] };
            }
            None => {
                prim::blocks::Fold::Program(prim::blocks::Kept::new(routine()).expect("operators take two arguments"))
            }
        };
        let size = |k: usize| match self.graph().stream(node.inputs[k]).payload {
            Payload::Crd(v) => self.kernel().var(v).max.max(1),
            _ => 1 << self.width(node.inputs[k]).min(40),
        };
        let w = |k: usize| self.width(node.inputs[k]);
        let ins = (0..=kept).map(one).collect();
        let (primitive, outs): (Arc<dyn Primitive>, Vec<Tap>) = match kept {
            0 => match op.fun().and_then(|f| prim::reduce::reducer_pipelined::ReducerPipelined::new(f, ty, stop_w)) {
                Some(p) if matches!(fold, prim::blocks::Fold::Pipelined(..)) => (Arc::new(p), vec![one(0)]),
                _ => (
                    Arc::new(prim::reduce::reducer_scalar::ReducerScalar { op: fold, val_w, signed, stop_w }),
                    vec![one(0)],
                ),
            },
            1 => {
                let words = u32::try_from(size(0)).unwrap_or(u32::MAX);
                let p = prim::reduce::reducer_vector::ReducerVector {
                    op: fold,
                    crd_w: w(0),
                    val_w,
                    signed,
                    stop_w,
                    words,
                    banks: BANKS,
                };
                (Arc::new(p), vec![(0, Select::First), (0, Select::Second)])
            }
            _ => {
                let dim1 = u32::try_from(size(0)).unwrap_or(u32::MAX);
                let p = prim::reduce::reducer_matrix::ReducerMatrix {
                    op: fold,
                    crd1_w: w(0),
                    crd0_w: w(1),
                    val_w,
                    signed,
                    stop_w,
                    dim1,
                    banks: BANKS,
                };
                (Arc::new(p), vec![one(0), (1, Select::First), (1, Select::Second)])
            }
        };
        Mapped { primitive, ins, outs, config: vec![] }
    }
}

/// Number of a handshake port among those of its direction.
pub(super) fn port(p: &dyn Primitive, dir: Dir, name: &str) -> usize {
    let ports = p.ports();
    ports.iter().filter(|p| p.dir == dir && p.shape.handshakes()).position(|p| p.name == name).unwrap_or(0)
}
