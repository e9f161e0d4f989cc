//! Products of narrow numbers: where conversions widen the factors of a product, the product takes the factors before
//! conversion.
//!
//! Before: `i32(b) * i32(c)` is two conversions and a product of 32 bits. After: one product of what b and c are, whose result has
//! 32 bits; fewer cycles and multipliers, the same values. A conversion that something else needs stays. Decision 57.

use crate::graph::{AluFun, Arg, Graph, Op, StreamId};
use crate::stmt::Fun;
use crate::types::Type;
use samhw_primitives::arith::alu::Alu;

/// A factor: where it comes from, its type, what it is where it is absent (or everywhere), and whether it then counts as there.
#[derive(Clone, Copy)]
struct Factor {
    from: Option<StreamId>,
    ty: Type,
    arg: Arg,
    always: bool,
}

/// Lets products take their factors before conversion. Conversions that nobody needs any more are left behind, without
/// consumers.
pub fn apply(graph: &mut Graph) {
    for n in 0..graph.nodes.len() {
        if let Some((op, inputs)) = product(graph, n) {
            graph.nodes[n].op = op;
            graph.nodes[n].inputs = inputs;
        }
    }
}

/// Node `n` with the factors as they are, if it is a product of which one is converted, and if that pays.
fn product(graph: &Graph, n: usize) -> Option<(Op, Vec<StreamId>)> {
    let node = &graph.nodes[n];
    let Op::Alu { fun: AluFun::Fun(fun @ (Fun::Mul | Fun::Square)), args, emit } = &node.op else { return None };
    let ty = graph.value_type(crate::graph::NodeId(n))?;
    let mut streams = node.inputs.iter();
    let factor = |&arg: &Arg| match arg {
        Arg::Stream(fill) => converted(graph, *streams.next()?, ty, fill),
        Arg::Const(_) => Some(Factor { from: None, ty, arg, always: false }),
    };
    let factors: Vec<Factor> = args.iter().map(factor).collect::<Option<_>>()?;
    let narrowest = factors.iter().filter(|f| f.from.is_some()).map(|f| f.ty).min_by_key(|ty| ty.bits())?;
    let factors: Vec<Factor> = factors.into_iter().map(|f| f.constant(ty, narrowest)).collect();
    let from = match (fun, &factors[..]) {
        (Fun::Square, [x]) => [x.ty; 2],
        (Fun::Mul, [x, y]) => [x.ty, y.ty],
        _ => return None,
    };
    Alu::multiplies(from, ty)?;

    // The streams that were always there, among those that may be absent now.
    let mut always = 0;
    for (k, factor) in factors.iter().filter(|f| f.from.is_some()).enumerate() {
        always |= u64::from(factor.always) << k;
    }
    let inputs: Vec<StreamId> = factors.iter().filter_map(|f| f.from).collect();
    let sets = 0..1u64 << inputs.len();
    let emit = sets.filter(|p| emit >> (p | always) & 1 == 1).fold(0, |all, p| all | 1 << p);
    let args = factors.iter().map(|f| f.arg).collect();
    Some((Op::Alu { fun: AluFun::Product(from), args, emit }, inputs))
}

/// What `stream` is converted from, if it is, else itself.
fn converted(graph: &Graph, stream: StreamId, ty: Type, fill: u64) -> Option<Factor> {
    let own = Factor { from: Some(stream), ty, arg: Arg::Stream(fill), always: false };
    let node = graph.node(graph.stream(stream).from.0);
    let Op::Alu { fun: AluFun::Convert(from), args, emit } = &node.op else { return Some(own) };
    let ([Arg::Stream(absent)], [input]) = (&args[..], &node.inputs[..]) else { return Some(own) };
    if !(from.is_int() || *from == Type::Bool) || from.bits() > ty.bits() {
        return Some(own);
    }
    let arg = match emit & 0b11 {
        // What is absent stays so, and the product has its own idea of it, if the narrower type has such a value.
        0b10 => from.raw(ty.value(fill)).map(Arg::Stream),
        0b11 => Some(Arg::Stream(*absent)),
        _ => None,
    };
    let narrow = |arg| Factor { from: Some(*input), ty: *from, arg, always: emit & 1 == 1 };
    Some(arg.map_or(own, narrow))
}

impl Factor {
    /// A constant, as one of type `narrow` if that has it.
    fn constant(self, ty: Type, narrow: Type) -> Self {
        match self.arg {
            Arg::Const(v) => narrow.raw(ty.value(v)).map_or(self, |v| Self { ty: narrow, arg: Arg::Const(v), ..self }),
            Arg::Stream(_) => self,
        }
    }
}
