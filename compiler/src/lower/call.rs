//! Functions of the kernel file: their bodies become ALUs. The iteration algebra does not look into a body, so
//! where the result is there is decided apart from its value.

use super::region::Arguments;
use super::{Lowering, Stop};
use crate::diag::Diagnostic;
use crate::graph::{AluFun, Arg, Op, StreamId};
use crate::stmt::{Fun, Function, Term};
use crate::types::Type;

/// Where a term's value comes from.
#[derive(Clone, Copy)]
enum Source {
    /// A constant.
    Const(u64),
    /// A stream; absent where all arguments it depends on are, and then it has this value.
    Stream(StreamId, u64),
}

/// The body of `function` over `values`, there where bit P of `emit` is set for the streams P that have a value;
/// `may_be_empty`: it can be absent.
pub(super) fn inline(
    low: &mut Lowering,
    function: &Function,
    values: Arguments,
    emit: u64,
    may_be_empty: bool,
) -> Result<(StreamId, bool), Stop> {
    let mut streams = values.streams.iter();
    let arguments: Vec<Source> = values
        .args
        .iter()
        .map(|a| match *a {
            Arg::Const(v) => Source::Const(v),
            Arg::Stream(fill) => streams.next().map_or(Source::Const(fill), |&s| Source::Stream(s, fill)),
        })
        .collect();
    let mut terms: Vec<Source> = Vec::new();
    for term in &function.body {
        terms.push(match term {
            Term::Arg(k) => arguments[*k],
            Term::Literal(v) => Source::Const(*v),
            Term::Apply(f, of) => {
                let of: Vec<Source> = of.iter().map(|&t| terms[t]).collect();
                apply(low, *f, function.ty, &of)
            }
            Term::Loop(_) | Term::Left(..) => unreachable!("programs compute functions with loops"),
        });
    }
    // A body that ignores an argument, or all of them, is still there where the algebra says so.
    let n = values.streams.len();
    let any = (1u64 << (1u64 << n)) - 2;
    let last = terms.last().copied().unwrap_or(Source::Const(0));
    let value = match last {
        Source::Stream(s, _) if !may_be_empty && !low.graph.stream(s).may_be_empty => s,
        Source::Stream(s, _) if n == 1 && emit == any => s,
        _ if !may_be_empty || emit == any => spread(low, last, &values),
        _ => return gate(low, last, &values, emit, &function.name),
    };
    low.graph.streams[value.0].may_be_empty &= may_be_empty;
    Ok((value, may_be_empty))
}

fn node(low: &mut Lowering, name: &str, fun: AluFun, args: Vec<Arg>, emit: u64, inputs: Vec<StreamId>) -> StreamId {
    let full = (0..1u64 << inputs.len()).all(|p| {
        let possible = inputs.iter().enumerate().all(|(k, s)| p >> k & 1 == 1 || low.graph.stream(*s).may_be_empty);
        !possible || emit >> p & 1 == 1
    });
    // Values of one type, all of them.
    let (payload, over) = (low.graph.stream(inputs[0]).payload, low.over.clone());
    low.node(name.into(), Op::Alu { fun, args, emit }, inputs, vec![(payload, over, !full)])[0]
}

/// One function of the body.
fn apply(low: &mut Lowering, f: Fun, ty: Type, of: &[Source]) -> Source {
    let fills: Vec<u64> = of
        .iter()
        .map(|s| match *s {
            Source::Const(v) | Source::Stream(_, v) => v,
        })
        .collect();
    let fill = f.apply(&fills, ty);
    let mut inputs = Vec::new();
    let args = of
        .iter()
        .map(|s| match *s {
            Source::Const(v) => Arg::Const(v),
            Source::Stream(s, fill) => {
                inputs.push(s);
                Arg::Stream(fill)
            }
        })
        .collect();
    if inputs.is_empty() {
        return Source::Const(fill);
    }
    let any = (1u64 << (1u64 << inputs.len())) - 2;
    Source::Stream(node(low, f.name(), AluFun::Fun(f), args, any, inputs), fill)
}

/// `value` at every leaf of the arguments that has one.
fn spread(low: &mut Lowering, value: Source, values: &Arguments) -> StreamId {
    let mut at = match value {
        Source::Stream(s, _) => s,
        Source::Const(v) => node(low, "constant", AluFun::Const, vec![Arg::Const(v)], 0b10, vec![values.streams[0]]),
    };
    let fill = match value {
        Source::Const(v) | Source::Stream(_, v) => v,
    };
    for &s in &values.streams {
        let args = vec![Arg::Stream(fill), Arg::Stream(0)];
        at = node(low, "there", AluFun::Fun(Fun::First), args, 0b1110, vec![at, s]);
    }
    at
}

/// `value` where the table says so.
fn gate(
    low: &mut Lowering,
    value: Source,
    values: &Arguments,
    emit: u64,
    name: &str,
) -> Result<(StreamId, bool), Stop> {
    let n = values.streams.len();
    let at = spread(low, value, values);
    let fill = match value {
        Source::Const(v) | Source::Stream(_, v) => v,
    };
    let both = |low: &mut Lowering, at, s| {
        node(low, "there", AluFun::Fun(Fun::First), vec![Arg::Stream(fill), Arg::Stream(0)], 0b1000, vec![at, s])
    };
    // Arguments that must be there.
    let needed: Vec<usize> = (0..n).filter(|k| (0..1u64 << n).all(|p| emit >> p & 1 == 0 || p >> k & 1 == 1)).collect();
    let by_needed = |p: u64| p != 0 && needed.iter().all(|k| p >> k & 1 == 1);
    if (0..1u64 << n).all(|p| by_needed(p) == (emit >> p & 1 == 1)) {
        let out = needed.iter().fold(at, |at, &k| both(low, at, values.streams[k]));
        return Ok((out, true));
    }
    if n <= 2 {
        let fun = if n == 1 { AluFun::Id } else { AluFun::Fun(Fun::First) };
        let there = node(low, "there", fun, vec![Arg::Stream(0); n], emit, values.streams.clone());
        return Ok((both(low, at, there), true));
    }
    Err(Stop::Refuse(
        Diagnostic::new("S008", format!("where `{name}` has a value depends on {n} arguments that are reduced apart"))
            .help("let a statement of its own compute its arguments, or take `iterate` away"),
    ))
}
