//! The report: statement, order, packings, nodes, FIFOs and counts as text.

use super::fifos::Fifos;
use super::label::Labels;
use super::memories::shared;
use crate::cycles::estimate;
use crate::facts::Density;
use crate::graph::{Access, How, Node, NodeId, Op, StreamId, Use, UseId};
use crate::lower::Lowered;
use crate::netlist::{CellPlace, Netlist, groups};
use crate::passes::order::Choice;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// Returns the report: the kernel with explicit reductions, the loop order and its reasons, temporaries, packings, a
/// line per node, the FIFOs, and counts of primitives.
pub fn text(lowered: &Lowered, net: &Netlist, choice: &Choice) -> String {
    let readers = lowered.graph.readers();
    let labels = Labels { lowered, readers: &readers };
    let mut out = lowered.kernel.to_string();
    order(&mut out, labels, choice);
    packings(&mut out, labels);
    nodes(&mut out, labels);
    fifo_list(&mut out, labels, net);
    memories(&mut out, net);
    counts(&mut out, labels, net);
    out
}

fn order(out: &mut String, labels: Labels, choice: &Choice) {
    let used: Vec<_> =
        choice.order.iter().copied().filter(|v| labels.lowered.orders.iter().any(|o| o.contains(v))).collect();
    let cycles = estimate(labels.lowered, &Density::default(), &HashMap::new()).total;
    let _ = writeln!(out, "\norder {}, about {cycles:.0} cycles", labels.vars(&used).replace(',', ", "));
    for reason in &choice.reasons {
        let _ = writeln!(out, "  {reason}");
    }
    for note in &labels.lowered.notes {
        let _ = writeln!(out, "  {note}");
    }
    for line in groups::said(labels.lowered) {
        let _ = writeln!(out, "  {line}");
    }
    for &t in &labels.lowered.temporaries {
        let _ = writeln!(out, "  {} is stored on the chip and scanned again", labels.lowered.kernel.tensor(t).name);
    }
    if !labels.lowered.counting.is_empty() {
        let _ = writeln!(out, "  absent entries count along {}", labels.vars(&labels.lowered.counting));
    }
    if !labels.lowered.nonempty.is_empty() {
        let _ = writeln!(out, "  no size of 0 along {}", labels.vars(&labels.lowered.nonempty));
    }
}

fn packings(out: &mut String, labels: Labels) {
    let graph = labels.graph();
    let written: HashSet<UseId> = graph
        .nodes
        .iter()
        .filter_map(|n| if let Op::WriteValues { of, .. } = n.op { Some(of) } else { None })
        .collect();
    let coordinates = coordinates(labels);
    let rows = graph.uses.iter().enumerate().map(|(u, used)| {
        let at = |l| coordinates.get(&(UseId(u), l)).copied();
        let levels: Vec<String> = (0..used.levels.len()).map(|l| level(labels, used, l, at(l))).collect();
        let written = written.contains(&UseId(u));
        let role = if written { "written" } else { "read" };
        let name = &labels.lowered.kernel.tensor(used.tensor).name;
        let repacked = if used.repacked { format!("{name} packed again, in loop order") } else { String::new() };
        let levels = if levels.is_empty() { "scalar".into() } else { levels.join(" ") };
        vec![used.name.clone(), role.into(), levels, repacked]
    });
    let _ = writeln!(out, "\npackings");
    table(out, &rows.collect::<Vec<_>>());
}

/// The coordinates that each level of a packing is scanned or located by: those of the first node.
fn coordinates(labels: Labels) -> HashMap<(UseId, usize), StreamId> {
    let mut out = HashMap::new();
    for n in &labels.graph().nodes {
        let Some(Access { of, level: Some(l), how }) = n.op.access() else { continue };
        let crd = match how {
            How::Scan => n.outputs.first(),
            How::Locate if matches!(n.op, Op::Locate(..)) => n.inputs.first(),
            How::Locate | How::Read | How::Fetch | How::Pack | How::Write => None,
        };
        if let Some(&crd) = crd {
            out.entry((of, l)).or_insert(crd);
        }
    }
    out
}

/// A level with its mode and the variable that is there: the one it is scanned or located by,
/// or the result's.
fn level(labels: Labels, used: &Use, l: usize, crd: Option<StreamId>) -> String {
    let kernel = &labels.lowered.kernel;
    let scanned = crd.and_then(|s| labels.graph().stream(s).over.last());
    let result = || kernel.statements.iter().find(|s| s.result == used.tensor)?.indices.get(used.mode_order[l]);
    let var = scanned.or_else(result).map(|&v| format!("{}, ", labels.vars(&[v]))).unwrap_or_default();
    format!("{}({var}mode {})", used.levels[l].name(), used.mode_order[l])
}

fn nodes(out: &mut String, labels: Labels) {
    let graph = labels.graph();
    for stage in 0..labels.lowered.kernel.statements.len() {
        let statement = &labels.lowered.kernel.statements[stage];
        let _ = writeln!(out, "\ngraph of {}", labels.lowered.kernel.statement_text(statement));
        let of_stage = graph.nodes.iter().enumerate().filter(|(_, n)| n.stage == stage);
        let (ids, rows): (Vec<NodeId>, Vec<Vec<String>>) = of_stage
            .map(|(n, node)| {
                let n = NodeId(n);
                (n, vec![node.name.clone(), node.op.kind().name().into(), labels.detail(n)])
            })
            .unzip();
        let last = |out: &mut String, row: usize| streams(out, labels, graph.node(ids[row]));
        table_and(out, &rows, last);
    }
}

/// What a node takes and gives.
fn streams(out: &mut String, labels: Labels, node: &Node) {
    for (k, &s) in node.inputs.iter().enumerate() {
        out.push_str(if k > 0 { ", " } else { "" });
        out.push_str(&labels.graph().stream_name(s));
    }
    out.push_str(if node.inputs.is_empty() { "->" } else { " ->" });
    for (k, &s) in node.outputs.iter().enumerate() {
        out.push_str(if k > 0 { ", " } else { " " });
        output(out, labels, s);
    }
}

/// A stream, `?` if its leaves can be absent (of coordinates: its lists empty), and whether nobody reads it.
fn output(out: &mut String, labels: Labels, s: StreamId) {
    let stream = labels.graph().stream(s);
    out.push_str(&labels.payload(s));
    out.push('(');
    labels.push_over(out, &stream.over);
    out.push(')');
    out.push_str(if stream.may_be_empty { "?" } else { "" });
    out.push_str(if labels.readers[s.0].is_empty() { " unread" } else { "" });
}

fn fifo_list(out: &mut String, labels: Labels, net: &Netlist) {
    let fifos = Fifos::of(net).all();
    let rows = fifos.iter().map(|f| {
        let mut over = String::from(if f.over.is_empty() { "" } else { "over " });
        labels.push_over(&mut over, &f.over);
        vec![format!("{} -> {}", f.from, f.to), over, format!("depth {}", f.depth), f.why.clone()]
    });
    let _ = writeln!(out, "\nfifos{}", if fifos.is_empty() { ": none" } else { "" });
    table(out, &rows.collect::<Vec<_>>());
}

/// Memories with several readers, if there are any.
fn memories(out: &mut String, net: &Netlist) {
    let rows = shared(net);
    if !rows.is_empty() {
        let _ = writeln!(out, "\nmemories with several readers");
        table(out, &rows);
    }
}

fn counts(out: &mut String, labels: Labels, net: &Netlist) {
    let line = |kinds: &mut dyn Iterator<Item = &'static str>| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        kinds.for_each(|k| *counts.entry(k).or_default() += 1);
        let total: usize = counts.values().sum();
        let each: Vec<String> = counts.iter().map(|(k, n)| format!("{n} {k}")).collect();
        format!("{total}: {}", each.join(", "))
    };
    let cells = |place| net.cells.iter().filter(move |c| c.place == place).map(|c| c.primitive.kind());
    let rows = [
        vec!["graph".into(), line(&mut labels.graph().nodes.iter().map(|n| n.op.kind().name()))],
        vec!["core".into(), line(&mut cells(CellPlace::Core))],
        vec!["memory".into(), line(&mut cells(CellPlace::Memory))],
    ];
    let _ = writeln!(out, "\nprimitives");
    table(out, &rows);
}

/// Rows in aligned columns, indented by two.
fn table(out: &mut String, rows: &[Vec<String>]) {
    table_and(out, rows, |_, _| ());
}

/// The same with one more column, which `last` writes, given the row: it may be long.
fn table_and(out: &mut String, rows: &[Vec<String>], last: impl Fn(&mut String, usize)) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let lengths: Vec<Vec<usize>> = rows.iter().map(|r| r.iter().map(|t| t.chars().count()).collect()).collect();
    let width = |c: usize| lengths.iter().filter_map(|r| r.get(c)).copied().max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for (number, (row, lengths)) in rows.iter().zip(&lengths).enumerate() {
        out.push_str("  ");
        for ((cell, length), width) in row.iter().zip(lengths).zip(&widths) {
            out.push_str(cell);
            out.extend(std::iter::repeat_n(' ', width - length + 2));
        }
        last(out, number);
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
}
