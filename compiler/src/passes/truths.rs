//! Comparisons whose results are converted: the comparison computes the truth value in the target type.
//!
//! Before: `i32(bool(gt(a, b)))` of floats is a comparison and two conversions. After: one
//! comparison, which gives 1 or 0 of `i32`; fewer cycles, the same values. A truth that something
//! else needs as it is stays. Decision 65.

use crate::graph::{AluFun, Arg, Graph, Op};

/// Lets logical functions compute their results in the type that they are converted to. What they gave before is left
/// behind, without consumers.
pub fn apply(graph: &mut Graph) {
    let mut readers: Vec<usize> = graph.readers().iter().map(|r| r.len()).collect();
    for n in 0..graph.nodes.len() {
        let Some((from, op)) = truth(graph, &readers, n) else { continue };
        graph.nodes[n].inputs.iter().for_each(|s| readers[s.0] -= 1);
        graph.nodes[from].inputs.iter().for_each(|s| readers[s.0] += 1);
        graph.nodes[n].op = op;
        graph.nodes[n].inputs = graph.nodes[from].inputs.clone();
        let name = std::mem::take(&mut graph.nodes[n].name);
        graph.nodes[n].name = std::mem::replace(&mut graph.nodes[from].name, name);
    }
}

/// The logical function that node `n` converts, and what computes it in the type of `n`, if nothing
/// else needs its value.
fn truth(graph: &Graph, readers: &[usize], n: usize) -> Option<(usize, Op)> {
    let Op::Alu { fun: AluFun::Convert(_), args, emit } = &graph.nodes[n].op else { return None };
    let ([Arg::Stream(_)], &[input], 0b10) = (&args[..], &graph.nodes[n].inputs[..], emit & 0b11) else { return None };
    let (from, _) = graph.stream(input).from;
    let Op::Alu { fun, args, emit } = &graph.node(from).op else { return None };
    let fun = match *fun {
        AluFun::Fun(fun) if fun.is_logical() => AluFun::Truth(fun, graph.value_type(from)?),
        AluFun::Truth(..) => *fun,
        _ => return None,
    };
    (readers[input.0] == 1).then(|| (from.0, Op::Alu { fun, args: args.clone(), emit: *emit }))
}
