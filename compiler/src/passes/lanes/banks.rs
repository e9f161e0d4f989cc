//! Banks of data that are written and read on the chip: each reading lane has the words of one writing lane.

use super::LanesRefused;
use crate::diag::{Diagnostic, Place};
use crate::facts;
use crate::graph::{How, Slice, UseId};
use crate::lower::Lowered;
use crate::stmt::{Statement, TensorId, VarId};
use std::collections::BTreeSet;
use toml::Spanned;

/// Refuses lanes that read other parts of a result than lanes write.
///
/// # Errors
///
/// S017.
pub(super) fn alike(lowered: &Lowered) -> Result<(), LanesRefused> {
    let (graph, kernel) = (&lowered.graph, &lowered.kernel);
    let part = |u: UseId| graph.uses[u.0].parts();
    let writes = |t: TensorId| {
        let written = graph.nodes.iter().filter_map(|n| n.op.access()).filter(|a| matches!(a.how, How::Write));
        written.map(|a| a.of).filter(move |u| graph.uses[u.0].tensor == t)
    };
    for node in &graph.nodes {
        let reads = |how| matches!(how, How::Scan | How::Locate | How::Read);
        let Some(access) = node.op.access().filter(|a| reads(a.how)) else { continue };
        let t = graph.uses[access.of.0].tensor;
        let Some(source) = kernel.written_before(node.stage, t).map(|_| kernel.base(t)).or(kernel.carried(t)) else {
            continue;
        };
        if writes(source).all(|w| part(w) != part(access.of)) {
            let cut: Vec<&Slice> = writes(source).chain([access.of]).flat_map(|u| &graph.uses[u.0].slices).collect();
            let entries = kernel.asked(|s| &s.lanes).into_iter();
            let of_cut = |(name, _): &(Spanned<String>, _), of: &[usize]| {
                cut.iter().any(|s| kernel.named_in(name.get_ref(), of).contains(&s.of))
            };
            let entry = entries.into_iter().find(|(entry, of)| of_cut(entry, of)).map(|((name, _), _)| name);
            let why = refusal(lowered, source, entry);
            return Err(LanesRefused { entry: entry.map_or(0, |name| name.span().start), why });
        }
    }
    Ok(())
}

/// `t` is cut into these lanes where it is written, or where it is read, and not in the same way in both.
fn refusal(lowered: &Lowered, t: TensorId, lanes: Option<&Spanned<String>>) -> Diagnostic {
    let kernel = &lowered.kernel;
    let (name, of) = (&kernel.tensor(t).name, lanes.map_or("?", |name| name.get_ref().as_str()));
    let message = format!("{name} is written and read on the chip, and lanes over {of} cut it in one of both");
    let d = Diagnostic::new("S017", message);
    let d = match lanes {
        Some(name) => d.at(Place::Kernel(name.span())),
        None => d,
    };
    let reads =
        kernel.statements.iter().flat_map(|s| kernel.reads(s.value)).filter(|(read, _)| kernel.base(*read) == t);
    let written = kernel.statements.iter().filter(|s| s.result == t).map(|s| &s.indices[..]);
    let one_name = written.chain(reads.map(|(_, i)| i)).all(|i| i.iter().any(|v| kernel.var(*v).name == of));
    let others = other_lanes(lowered, t);
    // What has one name all over is read at other coordinates, or not all statements have the lanes.
    if one_name {
        return d.help(format!(
            "give lanes to {of} in every statement that reads or writes {name}, and to no other index, or {others}"
        ));
    }
    d.help(format!("all that write or read {name} get the lanes if they can have them there, at an index alone"))
        .help(format!("or {others}"))
}

/// What else to give lanes to.
fn other_lanes(lowered: &Lowered, t: TensorId) -> String {
    let kernel = &lowered.kernel;
    let name = |v: &VarId| kernel.var(*v).name.as_str();
    let written = |t: TensorId| kernel.statements.iter().any(|s| s.result == t);
    let reads = || kernel.statements.iter().flat_map(|s| kernel.reads(s.value)).filter(|(t, _)| written(*t));
    // Indices of what is read on the chip, where it is written and where it is read.
    let mut cut: BTreeSet<&str> = reads().flat_map(|(_, indices)| indices.iter().map(name)).collect();
    let kept = |s: &&Statement| reads().any(|(t, _)| t == s.result);
    cut.extend(kernel.statements.iter().filter(kept).flat_map(|s| s.indices.iter().map(name)));
    let used = kernel.statements.iter().flat_map(|s| facts::variables(kernel, s));
    let all: BTreeSet<&str> = used.map(|v| name(&v)).collect();
    let others: Vec<&str> = all.difference(&cut).copied().collect();
    let lanes = match others.as_slice() {
        [] => "leave the index out of `lanes`".to_owned(),
        _ => format!("give lanes to {}, which no result that is read on the chip has", others.join(" or ")),
    };
    match lowered.temporaries.contains(&t) {
        true => format!("{lanes}; {} keeps sums between loops, as `samhw graph` shows", kernel.tensor(t).name),
        false => lanes,
    }
}
