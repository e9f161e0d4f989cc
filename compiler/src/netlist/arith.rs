//! Arithmetic: functions of leaves and folds of lists.

use super::Select;
use super::map::{Mapped, PAIR, Tap, one};
use super::realize::NetlistBuilder;
use crate::facts::{alu_fun, fold};
use crate::graph::{AluFun, Arg, NodeId, Op, Payload, StreamId};
use crate::stmt::{Division, Operator, Prefix};
use samhw_primitives as prim;
use samhw_primitives::arith::alu::{Alu, Operand};
use samhw_streams::Primitive;
use samhw_values::Type;
use std::sync::Arc;

/// Lists that a reducer's workspace holds at a time: neighbouring lists may differ in length.
const BANKS: u32 = 2;
/// The same where a list is complete only when an operator of several cycles is done with it. Fibers of a dense level return
/// to a coordinate late, and are of one length.
const BANKS_PIPELINED: u32 = 4;

impl NetlistBuilder<'_> {
    /// Maps a function at every leaf to an ALU.
    pub(super) fn alu(&self, n: NodeId, fun: AluFun, args: &[Arg], emit: u64) -> Mapped {
        let (inputs, stop_w) = (self.graph().node(n).inputs.len(), self.stop_w);
        let ty = self.value_type(n);
        if let (AluFun::Convert(from), [Arg::Stream(fill)]) = (fun, args) {
            let p = prim::arith::convert::Convert { from, to: ty, fill: *fill, emit, stop_w };
            return Mapped::new(p, vec![one(0)], vec![one(0)], vec![]);
        }
        let mut operands: Vec<Operand> = args
            .iter()
            .map(|a| match a {
                Arg::Stream(fill) => Operand::Stream { fill: *fill },
                Arg::Const(v) => Operand::Const(*v),
            })
            .collect();
        if fun == AluFun::Const {
            operands.insert(0, Operand::Stream { fill: 0 });
        }
        let p = match alu_fun(fun) {
            _ if let AluFun::Product(from) = fun => {
                Ok(Alu::product(from, operands, emit, ty, stop_w).expect("a pass asked for it"))
            }
            _ if let AluFun::Truth(fun, from) = fun => Alu::truth((fun, from), operands, emit, ty, stop_w),
            Ok(fun) => {
                let alu = Alu::new(fun, operands, emit, ty, stop_w);
                if self.kernel().division == Division::Iterative { alu.map(Alu::iterative) } else { alu }
            }
            Err(f) => {
                let routine = f.get().routine();
                let routine = routine.expect("lowering refuses what no program computes");
                Alu::routine(Arc::new(routine), operands, emit, stop_w)
            }
        };
        let p = p.expect("lowering gives functions that have hardware their operands, one of them a stream");
        Mapped::new(p, (0..inputs).map(one).collect(), vec![one(0)], vec![])
    }

    /// Maps a scan of lists.
    pub(super) fn prefix(&self, n: NodeId, how: Prefix) -> Mapped {
        let (node, stop_w) = (self.graph().node(n), self.stop_w);
        let payload = |k: usize| self.graph().stream(node.inputs[k]).payload;
        let Payload::Val(ty) = payload(node.inputs.len() - 1) else { unreachable!("scans take values") };
        match how {
            Prefix::Fold(Operator::Call(f), Some(begin)) => {
                let f = f.get();
                let p = Alu::recurrence((&f.name, &f.body), f.arity, begin, ty, stop_w);
                let p = p.expect("lowering refuses what neither units nor a program compute");
                Mapped::new(p, (0..node.inputs.len()).map(one).collect(), vec![one(0)], vec![])
            }
            Prefix::Fold(op, begin) => {
                let (op, val_w, identity, begun) =
                    (folder(op, ty), self.payload_w(ty), how.nothing(ty), begin.is_some());
                let p = prim::reduce::prefix::Prefix { op, identity, begun, val_w, signed: ty.is_signed(), stop_w };
                Mapped::new(p, vec![one(0)], vec![one(0)], vec![])
            }
            Prefix::Least | Prefix::Greatest => {
                let in_w = self.width(node.inputs[0]);
                let crd_w = if matches!(payload(0), Payload::Interval(_)) { in_w / 2 } else { in_w };
                let greatest = how == Prefix::Greatest;
                let out = self.value_type(n).bits();
                let crd_w = crd_w.min(out);
                let p = prim::reduce::prefix_first::PrefixFirst { greatest, ty, crd_w, in_w, stop_w };
                Mapped::new(p, vec![one(0), one(1)], vec![one(0)], vec![])
            }
        }
    }

    /// Returns whether a stream has all coordinates of a dense level in each fiber.
    fn is_scanned_whole(&self, stream: StreamId) -> bool {
        let graph = self.graph();
        let op = &graph.node(graph.stream(stream).from.0).op;
        matches!(op, Op::Scan(of, level) if graph.uses[of.0].levels[*level].is_dense())
    }

    /// Maps a reduction of lists of values, or of values at coordinates.
    pub(super) fn reducer(&self, n: NodeId, op: Operator, kept: usize) -> Mapped {
        let node = self.graph().node(n);
        let ty = self.value_type(n);
        let (val_w, signed, stop_w) = (self.payload_w(ty), ty.is_signed(), self.stop_w);
        let fold = folder(op, ty);
        if let (0, prim::blocks::Fold::Program(routine)) = (kept, fold) {
            let routine = Arc::new(routine.get().clone());
            let p = prim::reduce::reducer_iterative::ReducerIterative::new(routine, stop_w);
            return Mapped::new(p.expect("operators take two arguments"), vec![one(0)], vec![one(0)], vec![]);
        }
        let size = |k: usize| match self.graph().stream(node.inputs[k]).payload {
            Payload::Crd(v) => self.kernel().var(v).max.max(1),
            _ => 1 << self.width(node.inputs[k]).min(40),
        };
        let w = |k: usize| self.width(node.inputs[k]);
        let pipelined = matches!(fold, prim::blocks::Fold::Pipelined(..));
        let late = pipelined && !(0..kept).all(|k| self.is_scanned_whole(node.inputs[k]));
        let banks = self.kernel().banks.unwrap_or(if late { BANKS_PIPELINED } else { BANKS });
        let ins = (0..=kept).map(one).collect();
        let (primitive, outs): (Arc<dyn Primitive>, Vec<Tap>) = match kept {
            0 => match op.fun().and_then(|f| prim::reduce::reducer_pipelined::ReducerPipelined::new(f, ty, stop_w)) {
                Some(p) if pipelined => (Arc::new(p), vec![one(0)]),
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
                    banks,
                };
                (Arc::new(p), PAIR.to_vec())
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
                    banks,
                };
                (Arc::new(p), vec![one(0), (1, Select::First), (1, Select::Second)])
            }
        };
        Mapped { primitive, ins, outs, config: vec![] }
    }
}

/// The operator of what folds values of `ty`: a program where no unit does.
pub(super) fn folder(op: Operator, ty: Type) -> prim::blocks::Fold {
    fold(op, ty).unwrap_or_else(|| {
        let routine = op.routine(ty).expect("lowering refuses what no reducer folds");
        prim::blocks::Fold::Program(prim::blocks::Kept::new(routine).expect("operators take two arguments"))
    })
}
