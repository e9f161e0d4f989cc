//! Skipping joins, and the scanners that receive their hints.
//!
//! An operand can be told what is not needed of it if it comes straight from the scanner of a
//! compressed level: what stands between (a dropper of a diagonal, a producer) has read more of its
//! inputs than the joiner knows of. It is told where some other operand must be there for it to
//! matter (`Joiner::required`).

use super::bits::on_words;
use super::{joins_at, nodes, own_scanner, variable};
use crate::diag::{Diagnostic, Place};
use crate::graph::{NodeId, Op, Payload, Readers, Skipping, StreamId, Told, UseId};
use crate::lower::Lowered;
use samhw_primitives::join::joiner::TAG_W;
use std::collections::{BTreeMap, BTreeSet};

/// Bits of a fiber's number in the hints of an early exit: more than there can be beats between a
/// scanner and its reducer.
const EXIT_TAG_W: u32 = 12;

/// Decides what skips: scanners that an early exit tells, and as `[schedule] skip` says. After what
/// works on words.
pub(in crate::passes) fn apply(lowered: &mut Lowered) {
    let mut out = Skipping::default();
    let (graph, readers) = (&lowered.graph, lowered.graph.readers());
    for n in nodes(lowered) {
        if matches!(graph.node(n).op, Op::Exit(..))
            && let Some(scans) = scanners_of_lists(lowered, &readers, n)
        {
            let told = |scan| (scan, Told { join: n, operand: None, bound: scan, tag_w: EXIT_TAG_W });
            let words: Vec<NodeId> = scans.iter().flat_map(|&scan| words_behind(lowered, &readers, scan)).collect();
            out.scans.extend(scans.into_iter().chain(words).map(told));
        }
        if let Some(scan) = scanner_between(lowered, &readers, n) {
            out.scans.insert(scan, Told { join: n, operand: None, bound: n, tag_w: EXIT_TAG_W });
        }
        // Words have nothing to skip.
        if asked(lowered, n) && !graph.joins.words.joins.contains_key(&n) {
            let told = tellable(lowered, &readers, n);
            for (&k, &scan) in &told {
                let required = graph.joiner(&readers, n).required(k as u32);
                // The next one in turn, so that each is asked by one where all require all.
                let others = told.range(k + 1..).chain(told.range(..k));
                let bound = others.filter(|(j, _)| required >> **j & 1 == 1).map(|(_, s)| *s).next();
                let bound = bound.unwrap_or(scan);
                out.scans.insert(scan, Told { join: n, operand: Some(k), bound, tag_w: TAG_W });
                *out.joins.entry(n).or_insert(0) |= 1 << k;
            }
        }
    }
    lowered.graph.joins.skipping = out;
}

/// Whether the schedule wants the join `n` to skip.
fn asked(lowered: &Lowered, n: NodeId) -> bool {
    super::schedule(lowered, n).skip.iter().flatten().any(|name| variable(lowered, n) == Some(name.get_ref()))
}

/// Whether the join `n` is to skip, and can.
pub(super) fn skips(lowered: &Lowered, readers: &Readers, n: NodeId) -> bool {
    asked(lowered, n) && !tellable(lowered, readers, n).is_empty()
}

/// Returns the names of the variables at which a join can skip.
pub fn skippable(lowered: &Lowered) -> BTreeSet<&str> {
    let readers = lowered.graph.readers();
    let joins = nodes(lowered).filter(|&n| !tellable(lowered, &readers, n).is_empty());
    joins.filter_map(|n| variable(lowered, n)).collect()
}

/// Operands of join `n` that can be told, with their scanners.
fn tellable(lowered: &Lowered, readers: &Readers, n: NodeId) -> BTreeMap<usize, NodeId> {
    let graph = &lowered.graph;
    let Op::Join { keep, .. } = &graph.node(n).op else { return BTreeMap::new() };
    let joiner = graph.joiner(readers, n);
    let able = (0..keep.len()).filter(|&k| joiner.required(k as u32) != 0);
    able.filter_map(|k| own_scanner(lowered, readers, n, k).map(|s| (k, s))).collect()
}

/// The scanner whose coordinates alone node `n` cuts to what lies between bounds. Behind a bus words between the bounds
/// alone take longer than all.
pub(super) fn scanner_between(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<NodeId> {
    let (graph, node) = (&lowered.graph, lowered.graph.node(n));
    let Op::Between(..) = node.op else { return None };
    let from = graph.stream(*node.inputs.last()?).from.0;
    let alone = graph.node(from).outputs.iter().flat_map(|s| &readers[s.0]).all(|(reader, _)| *reader == n);
    (alone && !lowered.kernel.bus && can_be_told(lowered, from)).then_some(from)
}

/// The scanners of the words that node `n` alone unpacks, or joins. What is joined has as many words in each operand,
/// wherever that is there.
fn words_behind(lowered: &Lowered, readers: &Readers, n: NodeId) -> Vec<NodeId> {
    let graph = &lowered.graph;
    let node = graph.node(n);
    let joins = matches!(node.op, Op::Join { .. });
    if !joins && !matches!(node.op, Op::Unpack(_)) {
        return Vec::new();
    }
    let from: BTreeSet<NodeId> = node.inputs.iter().map(|s| graph.stream(*s).from.0).collect();
    let told = |scan: &NodeId| {
        let node = graph.node(*scan);
        let Op::Scan(u, l) = node.op else { return false };
        // What watches words of bits behind a bus must know which is a fiber's last.
        if lowered.kernel.bus && graph.uses[u.0].levels[l].words().is_some() {
            return false;
        }
        let alone = node.outputs.iter().flat_map(|s| &readers[s.0]).all(|(reader, _)| *reader == n);
        // Coordinates are never absent.
        let here = |s: &StreamId| match graph.stream(*s).payload {
            Payload::Crd(_) => true,
            _ => !graph.stream(*s).may_be_empty,
        };
        alone && (!joins || node.inputs.iter().all(here)) && !written(lowered, u, node.stage)
    };
    if from.iter().all(told) { from.into_iter().collect() } else { Vec::new() }
}

/// Whether a statement before `stage` writes what use `u` reads.
fn written(lowered: &Lowered, u: UseId, stage: usize) -> bool {
    let tensor = lowered.graph.uses[u.0].tensor;
    lowered.kernel.statements[..stage].iter().any(|s| s.result == tensor)
}

/// Is node `n` the scanner of a level that lists coordinates, as the host packed it?
fn can_be_told(lowered: &Lowered, n: NodeId) -> bool {
    let node = lowered.graph.node(n);
    let Op::Scan(u, l) = node.op else { return false };
    lowered.graph.uses[u.0].levels[l].lists_coordinates() && !written(lowered, u, node.stage)
}

/// The scanners, or joins of words, whose fibers are the lists that node `n` takes, or are joined to these,
/// if nobody else reads them. Items of a list may be reductions of other loops: these belong to it.
pub(in crate::passes) fn scanners_of_lists(
    lowered: &Lowered,
    readers: &Readers,
    n: NodeId,
) -> Option<BTreeSet<NodeId>> {
    let EndedLists { scans, wholes, joined } = ends(lowered, readers, n)?;
    // Operands of joins are scanned, and everything else comes with them.
    (scans.len() + wholes == joined + 1).then_some(scans)
}

/// The scanners of dense levels that each give the lists that node `n` takes, if there are several and nobody else reads
/// them: only one of them can be ended.
pub(in crate::passes) fn scanners_in_step(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<BTreeSet<NodeId>> {
    let graph = &lowered.graph;
    let EndedLists { scans, wholes: 0, joined: 0 } = ends(lowered, readers, n)? else { return None };
    let dense = |n: &NodeId| matches!(graph.node(*n).op, Op::Scan(u, l) if graph.uses[u.0].levels[l].is_dense());
    (scans.len() > 1 && scans.iter().all(dense)).then_some(scans)
}

/// What gives the lists that a node takes.
struct EndedLists {
    /// What can be told that its list has ended.
    scans: BTreeSet<NodeId>,
    /// How much more is read to its end.
    wholes: usize,
    /// How many lists are joined to others.
    joined: usize,
}

fn ends(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<EndedLists> {
    let graph = &lowered.graph;
    let lists = &graph.stream(*graph.node(n).inputs.first()?).over;
    let mut cone: BTreeSet<NodeId> = [n].into();
    let mut open = vec![n];
    let (mut scans, mut joined, mut wholes) = (BTreeSet::new(), 0, 0);
    while let Some(at) = open.pop() {
        let inputs = graph.node(at).inputs.iter().filter(|s| graph.stream(**s).over.starts_with(lists));
        for from in inputs.map(|s| graph.stream(*s).from.0) {
            if !cone.insert(from) {
                continue;
            }
            let node = graph.node(from);
            let inner = node.outputs.iter().all(|s| graph.stream(*s).over.len() > lists.len());
            match list_role(&node.op) {
                ListRole::Other => return None,
                ListRole::Inner if !inner => return None,
                ListRole::Lists if !inner => match listed(lowered, readers, from)? {
                    Listed::Ended => {
                        scans.insert(from);
                        continue;
                    }
                    Listed::Whole => {
                        wholes += 1;
                        continue;
                    }
                    Listed::Joined(more) => joined += more,
                },
                ListRole::Lists | ListRole::Items | ListRole::Inner => {}
            }
            open.push(from);
        }
    }
    let inside = cone.iter().filter(|&&c| c != n);
    // What loads tiles ahead takes those that the scanner gives.
    let own = |c: &NodeId| cone.contains(c) || matches!(graph.node(*c).op, Op::Tiles(..));
    let private = inside.flat_map(|c| &graph.node(*c).outputs).all(|s| readers[s.0].iter().all(|(c, _)| own(c)));
    (private && !scans.is_empty()).then_some(EndedLists { scans, wholes, joined })
}

/// What gives a list, to what may end it.
enum Listed {
    /// It can be told that its list has ended.
    Ended,
    /// It is read to the end: intervals are few.
    Whole,
    /// It lists what this many operands list, and one more.
    Joined(usize),
}

/// What node `n`, which gives a list, is to what ends the list, if that is possible.
fn listed(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<Listed> {
    let (graph, node) = (&lowered.graph, lowered.graph.node(n));
    if let Op::Join { keep, .. } = &node.op {
        // A join of words ends them itself; what one that skips tells is of its own scanners.
        return if on_words(lowered, readers, n) {
            Some(Listed::Ended)
        } else {
            (!asked(lowered, n)).then_some(Listed::Joined(keep.len() - 1))
        };
    }
    let interval = matches!(graph.stream(node.outputs[0]).payload, Payload::Interval(_));
    if interval && !matches!(node.op, Op::Unpack(_)) {
        return Some(Listed::Whole);
    }
    if let Op::Scan(u, l) = node.op {
        let kind = graph.uses[u.0].levels[l];
        let unpacked = kind.in_runs() || kind.words().is_some();
        return (kind.is_dense() || unpacked || can_be_told(lowered, n)).then_some(Listed::Ended);
    }
    Some(Listed::Ended)
}

/// What a node is to the lists of a reduction that is decided early.
enum ListRole {
    /// It gives a list.
    Lists,
    /// It gives an item for each that it takes, or one for each list of a loop inside.
    Items,
    /// It comes with an item if it is of a loop inside, and is nothing to the list otherwise.
    Inner,
    /// It keeps something from one list to the next, or gives something else than it takes.
    Other,
}

const fn list_role(op: &Op) -> ListRole {
    match op {
        Op::Scan(..) | Op::Broadcast(_) | Op::Unpack(_) | Op::Join { .. } => ListRole::Lists,
        Op::Array(_)
        | Op::Alu { .. }
        | Op::Constant(..)
        | Op::Repeat
        | Op::Locate(..)
        | Op::Place(..)
        | Op::Within(_)
        | Op::Measure(_)
        | Op::Exit(..)
        | Op::Reduce { kept: 0, .. } => ListRole::Items,
        Op::ScanPart(..) | Op::Slice(_) | Op::Span(..) | Op::Between(..) | Op::Expand { .. } | Op::Origin => {
            ListRole::Inner
        }
        Op::Root
        | Op::ScanGroup(..)
        | Op::Pack(..)
        | Op::Single
        | Op::Tiles(..)
        | Op::Reduce { .. }
        | Op::Collapse(_)
        | Op::Divide(_)
        | Op::Prefix { .. }
        | Op::Zip
        | Op::Drop { .. }
        | Op::WriteLevel { .. }
        | Op::WriteValues { .. }
        | Op::Deal { .. }
        | Op::Stitch { .. }
        | Op::Serialize { .. } => ListRole::Other,
    }
}

/// What the schedule wants to skip and cannot.
pub(super) fn check(lowered: &Lowered) -> Result<(), Diagnostic> {
    let (graph, readers) = (&lowered.graph, lowered.graph.readers());
    for (name, statements) in lowered.kernel.asked(|s| s.skip.as_deref().unwrap_or_default()) {
        let joins = joins_at(lowered, name.get_ref(), &statements);
        if joins.iter().any(|&n| !tellable(lowered, &readers, n).is_empty()) {
            continue;
        }
        let needs = |n: &NodeId| {
            let joiner = graph.joiner(&readers, *n);
            (0..joiner.ref_w.len()).any(|k| joiner.required(k as u32) != 0)
        };
        let why = match joins.as_slice() {
            [] => "no operands are joined there",
            joins if joins.iter().any(needs) => "no operand comes straight from a compressed level of an input",
            _ => "every coordinate of every operand counts there, as in a sum",
        };
        return Err(Diagnostic::new("S030", format!("nothing can be skipped at `{}`: {why}", name.get_ref()))
            .at(Place::Kernel(name.span()))
            .help("skipping needs a product (or another intersection) with an operand in a compressed level")
            .help("leave this index out of `skip`"));
    }
    Ok(())
}
