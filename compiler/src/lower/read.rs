//! Reads at computed coordinates: values become coordinates, then positions in a dense packing, then the values there.
//! They take part in no loop: every point that the rest of the expression visits has one.

use super::tree::{Leaf, Level, Read, Tree};
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::facts::tensor_fill;
use crate::graph::{AluFun, Arg, Leaves, Op, Payload, StreamId};
use crate::levels;
use crate::stmt::{TensorId, VarId};
use crate::types::Type;

/// Most positions of a dense packing.
const MOST_POSITIONS: u64 = 1 << 27;

impl Lowering<'_> {
    /// The packing that a read of `t` sees: all levels dense.
    pub(super) fn read(&mut self, t: TensorId, sizes: Vec<VarId>, outside: Option<u64>) -> Result<Read, Stop> {
        let tensor = self.kernel.tensor(t);
        let repacked = tensor.levels.iter().any(|l| !l.is_dense());
        if repacked && self.kernel.statements[..self.stage].iter().any(|s| s.result == t) {
            let message = format!("{} is read at computed coordinates, and is not stored dense", tensor.name);
            let help = "it is read on the chip as it was written there: make all its levels dense";
            return Err(Stop::Refuse(Diagnostic::new("S022", message).help(help)));
        }
        let positions = tensor.shape.iter().try_fold(1u64, |n, &size| n.checked_mul(size));
        if positions.is_none_or(|n| n > MOST_POSITIONS) {
            let sizes: Vec<String> = tensor.shape.iter().map(u64::to_string).collect();
            let message =
                format!("{} is read at computed coordinates, and is too large to be stored dense", tensor.name);
            let help = format!("it has {} coordinates, at most {MOST_POSITIONS} are possible", sizes.join(" x "));
            let way = "read it at its indices, or make it smaller";
            return Err(Stop::Refuse(Diagnostic::new("S023", message).help(help).help(way)));
        }
        let (levels, order, ty) = (vec![levels::DENSE; tensor.levels.len()], tensor.mode_order.clone(), tensor.ty);
        let Some(outside) = outside.or_else(|| tensor_fill(self.kernel, self.stage, t)) else {
            let message =
                format!("the value outside of {} is not known before the run: it has no constant fill", tensor.name);
            let help = "give its value where it is read, as in `coalesce(x(i + 1), 0)`, or declare its `fill`";
            return Err(Stop::Refuse(Diagnostic::new("S024", message).help(help)));
        };
        let used = self.add_use(t, levels, order, repacked);
        Ok(Read { used, sizes, ty, outside })
    }

    /// The operand that has a 1 at the one coordinate of `v` that `at` is.
    pub(super) fn single(&mut self, ty: Type, v: VarId, at: &Tree) -> Result<Tree, Stop> {
        let outside = self.over.clone();
        let over = self.below(v);
        let (value, name) = (self.everywhere(at)?, self.var_name(v));
        let within = self.node(
            format!("within_{name}"),
            Op::Within(v),
            vec![value],
            vec![Leaves::absent(Payload::Crd(v), outside)],
        );
        let list = self.node(
            format!("single_{name}"),
            Op::Single,
            within,
            vec![Leaves::absent(Payload::Crd(v), over.clone())],
        )[0];
        let one = Op::Alu { fun: AluFun::Const, args: vec![Arg::Const(ty.one())], emit: 0b10 };
        let value = self.node(format!("there_{name}"), one, vec![list], vec![Leaves::sure(Payload::Val(ty), over)])[0];
        let levels = vec![(v, Level::Produced(list, value))];
        let (fill, always, everywhere) = (0, false, false);
        let leaf =
            Leaf { used: None, levels, stream: value, is_value: true, ty, fill, always, everywhere, below: None };
        Ok(Tree::Leaf(self.produced(leaf)))
    }

    /// What lies at `at`, a value at every point of the loops so far.
    pub(super) fn read_at(&mut self, read: &Read, at: &[Tree]) -> Result<StreamId, Stop> {
        let over = self.over.clone();
        let used = self.graph.uses[read.used.0].clone();
        let mut place = self.context[self.depth()];
        for (l, &mode) in used.mode_order.iter().enumerate() {
            let (size, value) = (read.sizes[mode], self.everywhere(&at[mode])?);
            // In a dense first level the coordinate is the position.
            let payload = if l == 0 { Payload::Ref(read.used, 0) } else { Payload::Crd(size) };
            let outputs = vec![Leaves::absent(payload, over.clone())];
            let crd = self.node(format!("within_{}_{mode}", used.name), Op::Within(size), vec![value], outputs)[0];
            place = if l == 0 {
                crd
            } else {
                let outputs = vec![Leaves::absent(Payload::Ref(read.used, l), over.clone())];
                self.node(format!("place_{}_{mode}", used.name), Op::Place(read.used, l), vec![crd, place], outputs)[0]
            };
        }
        let values = vec![Leaves::absent(Payload::Val(read.ty), over.clone())];
        let value = self.node(format!("array_{}", used.name), Op::Array(read.used), vec![place], values)[0];
        Ok(self.filled(value, read.outside))
    }

    /// The value of `t` at every point, also where it is absent.
    pub(super) fn everywhere(&mut self, t: &Tree) -> Result<StreamId, Stop> {
        let (value, may_be_absent) = self.compute(t)?;
        Ok(if may_be_absent { self.filled(value, self.absent(t)) } else { value })
    }

    /// `value` with `fill` where it is N.
    pub(super) fn filled(&mut self, value: StreamId, fill: u64) -> StreamId {
        let stream = self.graph.stream(value).clone();
        let alu = Op::Alu { fun: AluFun::Id, args: vec![Arg::Stream(fill)], emit: 0b11 };
        self.node("fill".into(), alu, vec![value], vec![Leaves::sure(stream.payload, stream.over)])[0]
    }
}
