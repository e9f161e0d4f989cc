//! Functions of the kernel file, whose bodies become ALUs. The iteration algebra does not look into a body, so where
//! the result is there is decided apart from its value.

use super::Lowering;
use super::arguments::Arguments;
use crate::facts::pace;
use crate::graph::{AluFun, Arg, Leaves, Op, Payload, StreamId};
use crate::netlist::Pace;
use crate::stmt::{Fun, Function, Shared, Term};
use crate::types::Type;
use samhw_values::body::{eval, loops};

/// Where a term's value comes from.
#[derive(Clone, Copy)]
enum TermSource {
    /// A constant.
    Const(u64),
    /// A stream; absent where all arguments it depends on are, and then it has this value.
    Stream(StreamId, u64),
}

impl TermSource {
    /// What it is where it is absent.
    fn fill(&self) -> u64 {
        match *self {
            Self::Const(v) | Self::Stream(_, v) => v,
        }
    }
    fn arg(&self) -> Arg {
        match *self {
            Self::Const(v) => Arg::Const(v),
            Self::Stream(_, fill) => Arg::Stream(fill),
        }
    }
    fn stream(&self) -> Option<StreamId> {
        if let Self::Stream(s, _) = self { Some(*s) } else { None }
    }
}

/// `function` over `values`, there where bit P of `emit` is set for the streams P that have a value;
/// `may_be_empty`: it can be absent.
pub(super) fn inline(
    low: &mut Lowering,
    function: &Function,
    values: Arguments,
    emit: u64,
    may_be_empty: bool,
) -> (StreamId, bool) {
    let mut streams = values.streams.iter();
    let arguments: Vec<TermSource> = values
        .args
        .iter()
        .map(|a| match *a {
            Arg::Const(v) => TermSource::Const(v),
            Arg::Stream(fill) => streams.next().map_or(TermSource::Const(fill), |&s| TermSource::Stream(s, fill)),
        })
        .collect();
    let last = chosen(low, function, &values, &arguments, emit);
    // A body that ignores an argument, or all of them, is still there where the algebra says so.
    let n = values.streams.len();
    let any = (1u64 << (1u64 << n)) - 2;
    let value = match last {
        TermSource::Stream(s, _) if !may_be_empty && !low.graph.stream(s).may_be_empty => s,
        TermSource::Stream(s, _) if n == 1 && emit == any => s,
        _ if !may_be_empty || emit == any => spread(low, last, &values, function.ty),
        _ => return (gate(low, last, &values, emit, function.ty), true),
    };
    low.graph.streams[value.0].may_be_empty &= may_be_empty;
    (value, may_be_empty)
}

/// The value of the body that holds where just the streams of a set have a value, of every set that `emit` has.
fn chosen(
    low: &mut Lowering,
    function: &Function,
    values: &Arguments,
    arguments: &[TermSource],
    emit: u64,
) -> TermSource {
    let n = values.streams.len();
    let of_args = |p: u64| values.places.iter().enumerate().fold(0, |m, (i, k)| m | (p >> i & 1) << k);
    let empty: Vec<bool> = values.streams.iter().map(|s| low.graph.stream(*s).may_be_empty).collect();
    let possible = |p: u64| (0..n).all(|i| p >> i & 1 == 1 || empty[i]);
    let visited = |p: u64| p != 0 && emit >> p & 1 == 1 && possible(p);
    let mut bodies: Vec<(&[Term], u64)> = Vec::new();
    for p in (0..1u64 << n).filter(|&p| visited(p)) {
        let terms = function.body_where(of_args(p));
        match bodies.iter_mut().find(|(known, _)| *known == terms) {
            Some((_, table)) => *table |= 1 << p,
            None => bodies.push((terms, 1 << p)),
        }
    }
    let several = bodies.len() > 1;
    let mut value: Option<TermSource> = None;
    for (terms, table) in bodies {
        // Absent where nothing is there, whatever the case says of that.
        let want = |p: u64| (p == 0 || visited(p)).then_some(table >> p & 1 == 1);
        let region = |low: &mut Lowering| there(low, (&values.streams, function.ty), (0, 0), &want);
        let slow = iterates(low, terms, function.ty);
        let here = if several && (value.is_some() || slow) { region(low) } else { HoldsWhere::Always };
        let gate = if let HoldsWhere::Where(s) = here { Some(s) } else { None };
        let own = body(low, function, terms, arguments, (&values.streams, table, gate));
        value = Some(match (value, gate) {
            (Some(others), Some(s)) => {
                let one = vec![Arg::Const(function.ty.one())];
                let name = format!("case_{}", function.name);
                let case = node(low, &name, AluFun::Const, one, 0b10, vec![s], function.ty);
                apply(low, Fun::Where, function.ty, &[TermSource::Stream(case, 0), own, others])
            }
            _ => own,
        });
    }
    value.unwrap_or(TermSource::Const(0))
}

/// The value of one body, which holds where bit P of the table is set for the streams P that have a value, and where
/// the last stream has one. Elsewhere units of many cycles do not run for it.
fn body(
    low: &mut Lowering,
    function: &Function,
    terms: &[Term],
    arguments: &[TermSource],
    (streams, table, gate): (&[StreamId], u64, Option<StreamId>),
) -> TermSource {
    if loops(terms) {
        let fills: Vec<u64> = arguments.iter().map(TermSource::fill).collect();
        let fill = eval(terms, &fills, function.ty);
        let own = Function { body: terms.to_vec(), cases: vec![], iterate: None, ..function.clone() };
        let fun = AluFun::Call(Shared::new(&own));
        let args = arguments.iter().map(TermSource::arg).collect();
        return TermSource::Stream(node(low, &function.name, fun, args, table, streams.to_vec(), function.ty), fill);
    }
    let mut values: Vec<TermSource> = Vec::new();
    for term in terms {
        values.push(match term {
            Term::Arg(k) => arguments[*k],
            Term::Literal(v) => TermSource::Const(*v),
            Term::Apply(f, of) => {
                let second = of.get(1).and_then(|&t| if let TermSource::Const(v) = values[t] { Some(v) } else { None });
                let gate = gate.filter(|_| runs(low, *f, second, function.ty));
                let here = |t: &usize| match (values[*t], gate) {
                    (TermSource::Stream(s, fill), Some(gate)) => {
                        TermSource::Stream(first(low, (s, fill), gate, 0b1000, function.ty), fill)
                    }
                    (value, _) => value,
                };
                let of: Vec<TermSource> = of.iter().map(here).collect();
                apply(low, *f, function.ty, &of)
            }
            Term::Loop(_) | Term::Left(..) => unreachable!("programs compute bodies with loops"),
        });
    }
    values.last().copied().unwrap_or(TermSource::Const(0))
}

/// Does `f` take a value at a time? `second`: its second argument, where that is a constant.
fn runs(low: &Lowering, f: Fun, second: Option<u64>, ty: Type) -> bool {
    matches!(pace(AluFun::Fun(f), ty, second, low.kernel.division), Some(Pace::Program(..)))
}

/// Does some function of a body take a value at a time?
fn iterates(low: &Lowering, terms: &[Term], ty: Type) -> bool {
    let constant = |t: &usize| if let Term::Literal(v) = terms[*t] { Some(v) } else { None };
    terms.iter().any(|term| match term {
        Term::Apply(f, of) => runs(low, *f, of.get(1).and_then(constant), ty),
        Term::Loop(l) => iterates(low, &l.terms, ty),
        Term::Arg(_) | Term::Literal(_) | Term::Left(..) => false,
    })
}

fn node(
    low: &mut Lowering,
    name: &str,
    fun: AluFun,
    args: Vec<Arg>,
    emit: u64,
    inputs: Vec<StreamId>,
    ty: Type,
) -> StreamId {
    let full = (0..1u64 << inputs.len()).all(|p| {
        let possible = inputs.iter().enumerate().all(|(k, s)| p >> k & 1 == 1 || low.graph.stream(*s).may_be_empty);
        !possible || emit >> p & 1 == 1
    });
    let out = Leaves::maybe(Payload::Val(ty), low.over.clone(), !full);
    low.node(name.into(), Op::Alu { fun, args, emit }, inputs, vec![out])[0]
}

/// One function of the body.
fn apply(low: &mut Lowering, f: Fun, ty: Type, of: &[TermSource]) -> TermSource {
    let fills: Vec<u64> = of.iter().map(TermSource::fill).collect();
    let fill = f.apply(&fills, ty);
    let inputs: Vec<StreamId> = of.iter().filter_map(TermSource::stream).collect();
    let args = of.iter().map(TermSource::arg).collect();
    if inputs.is_empty() {
        return TermSource::Const(fill);
    }
    let any = (1u64 << (1u64 << inputs.len())) - 2;
    TermSource::Stream(node(low, f.name(), AluFun::Fun(f), args, any, inputs, ty), fill)
}

/// `value` at every leaf of the arguments that has one.
fn spread(low: &mut Lowering, value: TermSource, values: &Arguments, ty: Type) -> StreamId {
    let fill = value.fill();
    let mut at = match value {
        TermSource::Stream(s, _) => s,
        TermSource::Const(_) => {
            node(low, "constant", AluFun::Const, vec![value.arg()], 0b10, vec![values.streams[0]], ty)
        }
    };
    for &s in &values.streams {
        at = first(low, (at, fill), s, 0b1110, ty);
    }
    at
}

/// The first stream's value where bit P of the table is set for those of the two that have one.
fn first(low: &mut Lowering, (at, fill): (StreamId, u64), s: StreamId, emit: u64, ty: Type) -> StreamId {
    node(low, "there", AluFun::Fun(Fun::First), vec![Arg::Stream(fill), Arg::Stream(0)], emit, vec![at, s], ty)
}

/// `value` where the table says so.
fn gate(low: &mut Lowering, value: TermSource, values: &Arguments, emit: u64, ty: Type) -> StreamId {
    let n = values.streams.len();
    let (at, fill) = (spread(low, value, values, ty), value.fill());
    // Arguments that must be there.
    let needed: Vec<usize> = (0..n).filter(|k| (0..1u64 << n).all(|p| emit >> p & 1 == 0 || p >> k & 1 == 1)).collect();
    let by_needed = |p: u64| p != 0 && needed.iter().all(|k| p >> k & 1 == 1);
    if (0..1u64 << n).all(|p| by_needed(p) == (emit >> p & 1 == 1)) {
        return needed.iter().fold(at, |at, &k| first(low, (at, fill), values.streams[k], 0b1000, ty));
    }
    let there = there(low, (&values.streams, ty), (0, 0), &|p| Some(emit >> p & 1 == 1));
    match there {
        HoldsWhere::Where(s) => first(low, (at, fill), s, 0b1000, ty),
        HoldsWhere::Always => at,
        HoldsWhere::Never => first(low, (at, fill), values.streams[0], 0, ty),
    }
}

/// Where something holds.
enum HoldsWhere {
    Never,
    Always,
    /// Where this stream has a value, whatever it is.
    Where(StreamId),
}

/// Where `want` holds of the set of `streams`, of one type, that have a value; it may say that it does not matter. The first `k`
/// streams have a value as `p` says.
fn there(
    low: &mut Lowering,
    streams: (&[StreamId], Type),
    (k, p): (usize, u64),
    want: &dyn Fn(u64) -> Option<bool>,
) -> HoldsWhere {
    let left = &streams.0[k..];
    let empty = |low: &Lowering, i: usize| low.graph.stream(left[i]).may_be_empty;
    let possible = |q: &u64| (0..left.len()).all(|i| q >> i & 1 == 1 || empty(low, i));
    let sets: Vec<u64> = (0..1u64 << left.len()).filter(possible).collect();
    let holds = |q: u64| want(p | q << k);
    if sets.iter().all(|&q| holds(q) != Some(true)) {
        return HoldsWhere::Never;
    }
    if sets.iter().all(|&q| holds(q) != Some(false)) {
        return HoldsWhere::Always;
    }
    let table = sets.iter().filter(|&&q| holds(q) == Some(true)).fold(0, |m, q| m | 1 << q);
    let gate = |low: &mut Lowering, inputs: Vec<StreamId>, emit: u64| {
        let args = vec![Arg::Stream(0); inputs.len()];
        let fun = if inputs.len() == 1 { AluFun::Id } else { AluFun::Fun(Fun::First) };
        node(low, "there", fun, args, emit, inputs, streams.1)
    };
    match *left {
        [s] if table == 0b10 => return HoldsWhere::Where(s),
        [s] => return HoldsWhere::Where(gate(low, vec![s], table)),
        [a, b] => return HoldsWhere::Where(gate(low, vec![a, b], table)),
        _ => {}
    }
    let s = left[0];
    let with = there(low, streams, (k + 1, p | 1 << k), want);
    if !empty(low, 0) {
        return with;
    }
    let without = there(low, streams, (k + 1, p), want);
    HoldsWhere::Where(match (with, without) {
        (HoldsWhere::Always, HoldsWhere::Always) => return HoldsWhere::Always,
        (HoldsWhere::Never, HoldsWhere::Never) => return HoldsWhere::Never,
        (HoldsWhere::Always, HoldsWhere::Never) => s,
        (HoldsWhere::Never, HoldsWhere::Always) => gate(low, vec![s], 0b01),
        (HoldsWhere::Always, HoldsWhere::Where(w)) => gate(low, vec![s, w], 0b1110),
        (HoldsWhere::Never, HoldsWhere::Where(w)) => gate(low, vec![s, w], 0b0100),
        (HoldsWhere::Where(w), HoldsWhere::Always) => gate(low, vec![s, w], 0b1101),
        (HoldsWhere::Where(w), HoldsWhere::Never) => gate(low, vec![s, w], 0b1000),
        (HoldsWhere::Where(w), HoldsWhere::Where(v)) => {
            let (with, without) = (gate(low, vec![s, w], 0b1000), gate(low, vec![s, v], 0b0100));
            gate(low, vec![with, without], 0b1110)
        }
    })
}
