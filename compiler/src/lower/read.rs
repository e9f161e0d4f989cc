//! Reads at computed coordinates: values become coordinates, then positions in a dense packing, then the values there.
//! They take part in no loop: every point that the rest of the expression visits has one.

use super::tree::{Leaf, Level, Read, Tree};
use super::turn::{MOST_POSITIONS, Turned, too_many};
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::facts::tensor_fill;
use crate::graph::{AluFun, Arg, Leaves, Op, Payload, StreamId};
use crate::levels;
use crate::stmt::{Fun, Gives, TensorId, VarId};
use crate::types::Type;

impl Lowering<'_> {
    /// The packing that a read of `t` sees: all levels dense. What asks for the inside gives values of type `ty`.
    pub(super) fn read(&mut self, t: TensorId, sizes: Vec<VarId>, gives: Gives, ty: Type) -> Result<Read, Stop> {
        let tensor = self.kernel.tensor(t);
        let outside = match gives {
            Gives::Value => None,
            Gives::ValueOr(raw) => Some(raw),
            Gives::Inside => return Ok(Read { used: None, tensor: t, sizes, ty, outside: 0 }),
        };
        let repacked = tensor.levels.iter().any(|l| !l.is_dense());
        if repacked && self.kernel.on_chip(self.stage, t) {
            if let Some(turned) = Turned::dense(t, &sizes, tensor.mode_order.clone(), &tensor.shape) {
                return Err(Stop::Turn(turned));
            }
            let message = format!("{} is read at computed coordinates, and is not stored dense", tensor.name);
            let way = "read it at its indices, or make it smaller";
            return Err(Stop::Refuse(Diagnostic::new("S022", message).help(too_many(&tensor.shape)).help(way)));
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
            let message = format!(
                "the value outside of {} is not known before the run, because its fill is not constant",
                tensor.name
            );
            let help = "give its value where it is read, as in `coalesce(x(i + 1), 0)`, or declare its `fill`";
            return Err(Stop::Refuse(Diagnostic::new("S024", message).help(help)));
        };
        let used = self.add_use(t, levels, order, repacked);
        Ok(Read { used: Some(used), tensor: t, sizes, ty, outside })
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

    /// Reads the value at the coordinates `at`, for every point of the loops so far.
    pub(super) fn read_at(&mut self, read: &Read, at: &[Tree]) -> Result<StreamId, Stop> {
        let over = self.over.clone();
        let Some(packing) = read.used else { return self.inside_at(read, at) };
        let used = self.graph.uses[packing.0].clone();
        let mut place = self.context[self.depth()];
        for (l, &mode) in used.mode_order.iter().enumerate() {
            let (size, value) = (read.sizes[mode], self.everywhere(&at[mode])?);
            // In a dense first level the coordinate is the position.
            let payload = if l == 0 { Payload::Ref(packing, 0) } else { Payload::Crd(size) };
            let outputs = vec![Leaves::absent(payload, over.clone())];
            let crd = self.node(format!("within_{}_{mode}", used.name), Op::Within(size), vec![value], outputs)[0];
            place = if l == 0 {
                crd
            } else {
                let outputs = vec![Leaves::absent(Payload::Ref(packing, l), over.clone())];
                self.node(format!("place_{}_{mode}", used.name), Op::Place(packing, l), vec![crd, place], outputs)[0]
            };
        }
        let values = vec![Leaves::absent(Payload::Val(read.ty), over.clone())];
        let value = self.node(format!("array_{}", used.name), Op::Array(packing), vec![place], values)[0];
        Ok(self.filled(value, read.outside))
    }

    /// 1 where `at` is inside of the tensor, otherwise 0.
    fn inside_at(&mut self, read: &Read, at: &[Tree]) -> Result<StreamId, Stop> {
        let (over, name) = (self.over.clone(), self.kernel.tensor(read.tensor).name.clone());
        let values = vec![Leaves::absent(Payload::Val(read.ty), over.clone())];
        let mut there = None;
        for (mode, (&size, at)) in read.sizes.iter().zip(at).enumerate() {
            let value = self.everywhere(at)?;
            let outputs = vec![Leaves::absent(Payload::Crd(size), over.clone())];
            let crd = self.node(format!("within_{name}_{mode}"), Op::Within(size), vec![value], outputs)[0];
            let one = Op::Alu { fun: AluFun::Const, args: vec![Arg::Const(read.ty.one())], emit: 0b10 };
            let inside = self.node(format!("inside_{name}_{mode}"), one, vec![crd], values.clone())[0];
            there = Some(match there {
                None => inside,
                Some(others) => {
                    let args = vec![Arg::Stream(0), Arg::Stream(0)];
                    let both = Op::Alu { fun: AluFun::Fun(Fun::And), args, emit: 0b1000 };
                    self.node(format!("inside_{name}"), both, vec![others, inside], values.clone())[0]
                }
            });
        }
        match there {
            Some(there) => Ok(self.filled(there, 0)),
            None => Ok(self.compute(&Tree::Literal(read.ty.one(), read.ty))?.0),
        }
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
