//! Intervals: loops that advance from one breakpoint of their operands to the next instead of from coordinate to
//! coordinate.
//!
//! Before: every loop gives coordinates. After: where operands are runs, or the same at every
//! coordinate (universes, values without the index), and what follows takes a value once for a
//! whole interval, the loop's coordinates are intervals (`Payload::Interval`): a join of them has a
//! step for each piece. Other operands take part as points. Where what follows needs coordinates, or
//! operands are blocks, whose coordinates have positions of their own, and an operand without which
//! nothing is emitted comes as intervals, the join goes by intervals and its pieces become coordinates
//! behind it. Reducers that count how often a value
//! comes get it multiplied with the length; those of which one is as good as many get it as it is.
//! Decision 80.

mod expand;
mod measure;
mod same;

use super::nodes;
use crate::graph::{AluFun, Graph, NodeId, Op, Over, Payload, Readers, StreamId, UseId};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use crate::passes::exits;
use crate::stmt::{Fun, Operator, VarId};
use crate::types::Type;
use crate::view::Points;
use expand::{Expanded, expand};
use measure::measure;
use same::same;
use std::collections::{BTreeMap, BTreeSet};

/// Most operands of a join of intervals: it compares each with each.
const MOST: usize = 6;
/// Most coordinates of a variable: two of them are a word of 64 bits.
const MOST_COORDINATES: u64 = 1 << 32;

/// What a reducer makes of a value that stands for several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// What it makes of one.
    Once,
    /// The value times the length.
    Times,
    /// The value, if the length is odd.
    Odd,
}

/// A loop that goes by intervals.
struct Loop {
    /// Its variable.
    variable: VarId,
    /// Streams of coordinates that become intervals.
    streams: Vec<StreamId>,
    /// Reducers, with what they make of repeated values.
    folds: BTreeMap<NodeId, Repeats>,
    /// The intervals that come with what is reduced.
    intervals: StreamId,
    /// Inputs that take the first coordinate of each interval.
    firsts: BTreeSet<(NodeId, usize)>,
    /// Operands that come as intervals, in words.
    operands: Vec<String>,
    /// The join whose pieces become coordinates.
    expanded: Option<Expanded>,
}

/// Decides which loops go by intervals. After graphs are copied: what deals leaves to copies takes
/// coordinates. Before anything that asks for coordinates of a join.
pub(in crate::passes) fn apply(lowered: &mut Lowered) {
    let readers = lowered.graph.readers();
    let ended: BTreeSet<Over> = nodes(lowered).filter_map(|n| exits::ended(lowered, &readers, n)).collect();
    let loops = nodes(lowered).filter_map(|n| chosen(lowered, &readers, n));
    // Coordinates of intervals come from several scanners in step, of which none can be ended alone.
    let goes = |l: &Loop| l.expanded.is_none() || !ended.contains(&lowered.graph.stream(l.intervals).over);
    let loops: Vec<Loop> = loops.filter(goes).collect();
    let mut notes = BTreeSet::new();
    for l in &loops {
        for s in &l.streams {
            let payload = &mut lowered.graph.streams[s.0].payload;
            let Payload::Crd(v) = *payload else { unreachable!("loops give coordinates") };
            *payload = Payload::Interval(v);
        }
        let name = &lowered.kernel.var(l.variable).name;
        let then = match l.expanded {
            Some(_) => "the join takes a step for each piece, and coordinates are made of what it lets through",
            None => "and what follows takes a value once for all coordinates that have it",
        };
        notes.insert(format!("{name} goes by intervals: {}, {then}", l.operands.join(", ")));
    }
    lowered.notes.extend(notes);
    let counted: BTreeMap<NodeId, (Repeats, StreamId)> =
        loops.iter().flat_map(|l| l.folds.iter().map(|(&n, &how)| (n, (how, l.intervals)))).collect();
    let firsts: BTreeSet<(NodeId, usize)> = loops.iter().flat_map(|l| l.firsts.iter().copied()).collect();
    if !firsts.is_empty() || counted.values().any(|(how, _)| *how != Repeats::Once) {
        measure(&mut lowered.graph, &counted, &firsts);
    }
    let expanded: Vec<Expanded> = loops.into_iter().filter_map(|l| l.expanded).collect();
    if !expanded.is_empty() {
        expand(&mut lowered.graph, &expanded, &readers);
    }
}

/// Whether a loop over `v` goes by intervals from its operands to what follows.
pub(in crate::passes) fn goes(lowered: &Lowered, v: VarId) -> bool {
    let readers = lowered.graph.readers();
    let mut loops = nodes(lowered).filter_map(|n| chosen(lowered, &readers, n));
    loops.any(|l| l.variable == v && l.expanded.is_none())
}

/// The loop of node `n`, if it is one that can go by intervals and gains by it.
fn chosen(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<Loop> {
    let (graph, kernel) = (&lowered.graph, &lowered.kernel);
    let node = graph.node(n);
    let crd = *node.outputs.first()?;
    let Payload::Crd(variable) = graph.stream(crd).payload else { return None };
    let Operands { streams, words, runs, whole, mut points, mut blocks, in_blocks, full } =
        if let Op::Join { keep, .. } = &node.op {
            joined(lowered, readers, n, Some(keep.len()).filter(|operands| *operands <= MOST)?)?
        } else if matches!(node.op, Op::Scan(..) | Op::Slice(_)) && !joins(graph, readers, n) {
            let RunOperand { streams, words } = run(lowered, readers, n)?;
            Operands { streams, words: vec![words], runs: true, ..Operands::default() }
        } else {
            return None;
        };
    // Where the universe takes part every coordinate comes out: skipping does not help.
    let skips = !whole && super::skip::skips(lowered, readers, n);
    if kernel.var(variable).max > MOST_COORDINATES || skips || asked(lowered, n, variable) {
        return None;
    }
    let mut own = Loop {
        variable,
        streams,
        folds: BTreeMap::new(),
        intervals: crd,
        firsts: BTreeSet::new(),
        operands: words,
        expanded: None,
    };
    let always = if matches!(node.op, Op::Join { .. }) { graph.joiner(readers, n).always() } else { 0 };
    // What is required leaves coordinates of others out.
    let gains = |points: u32| always & !points != 0 && !full && !whole;
    if blocks != 0 && gains(points) {
        own.operands.extend(in_blocks);
        return Some(Loop { expanded: Some(Expanded { crd, blocks }), ..own });
    }
    (points, blocks) = (points | blocks, 0);
    if !runs && (!whole || full) {
        return None;
    }
    if runs && always & points != 0 {
        // Wherever something comes out a point is there: it is a point.
        return Some(own);
    }
    match followed(lowered, readers, n, runs, points) {
        Some(Followed { intervals, folds, firsts }) => {
            own.streams.extend(intervals);
            Some(Loop { folds, firsts, ..own })
        }
        None if runs && gains(points) => Some(Loop { expanded: Some(Expanded { crd, blocks }), ..own }),
        None => None,
    }
}

/// Does the schedule want joins of words or groups of coordinates at this variable?
fn asked(lowered: &Lowered, n: NodeId, v: VarId) -> bool {
    let (name, schedule) = (&lowered.kernel.var(v).name, super::schedule(lowered, n));
    let named = |of: &crate::schedule::PerName| of.iter().any(|(v, _)| v.get_ref() == name);
    named(&schedule.bitvector) || schedule.wide.as_ref().is_some_and(named)
}

/// Does a join, or a slice, take what node `n` gives?
fn joins(graph: &Graph, readers: &Readers, n: NodeId) -> bool {
    let outputs = &graph.node(n).outputs;
    outputs.iter().flat_map(|s| &readers[s.0]).any(|(c, _)| matches!(graph.node(*c).op, Op::Join { .. } | Op::Slice(_)))
}

/// Operands of a join.
#[derive(Default)]
struct Operands {
    /// Coordinates of those that come as intervals.
    streams: Vec<StreamId>,
    /// What those are, in words.
    words: Vec<String>,
    /// Some are stored in runs.
    runs: bool,
    /// One is the same at every coordinate.
    whole: bool,
    /// Those that come as coordinates, a bit each.
    points: u32,
    /// Those that are stored in blocks, a bit each, and in words.
    blocks: u32,
    in_blocks: Vec<String>,
    /// One has every coordinate.
    full: bool,
}

/// Operands of join `n`, if some are runs, or one is the same at every coordinate and no other has
/// every coordinate.
fn joined(lowered: &Lowered, readers: &Readers, n: NodeId, operands: usize) -> Option<Operands> {
    let graph = &lowered.graph;
    let mut out = Operands::default();
    for k in 0..operands {
        let (crd, pos) = (graph.node(n).inputs[2 * k], graph.node(n).inputs[2 * k + 1]);
        let from = graph.stream(crd).from.0;
        let own = [crd, pos].iter().all(|s| readers[s.0].len() == 1 && graph.stream(*s).from.0 == from);
        match (&graph.node(from).op, run(lowered, readers, from)) {
            (Op::Broadcast(_), _) if own => out.whole = true,
            (_, Some(run)) if own => {
                out.runs = true;
                out.streams.extend(run.streams);
                out.words.push(run.words);
            }
            (Op::Scan(..), None) if own && block(lowered, from).is_some() => {
                out.blocks |= 1 << k;
                out.in_blocks.extend(block(lowered, from));
                // What makes intervals of its words takes them as they are.
                continue;
            }
            (op, _) => {
                out.full |=
                    op.access().is_some_and(|a| a.level.is_some_and(|l| graph.uses[a.of.0].levels[l].is_dense()));
                out.full |= matches!(op, Op::Broadcast(_));
                out.points |= 1 << k;
                continue;
            }
        }
        out.streams.push(crd);
    }
    if out.whole && !out.full {
        out.words.push("a stretch of coordinates that no operand stores is one, too".into());
    }
    Some(out)
}

/// What the scanner `n` gives, in words, if that is blocks of a whole level.
fn block(lowered: &Lowered, n: NodeId) -> Option<String> {
    let (graph, node) = (&lowered.graph, lowered.graph.node(n));
    let (Op::Scan(u, l), Payload::Crd(v)) = (&node.op, graph.stream(node.outputs[0]).payload) else { return None };
    let (used, kind) = (&graph.uses[u.0], graph.uses[u.0].levels[*l]);
    let blocks =
        kind.in_runs() && !kind.shares_positions() && used.size(&lowered.kernel, *l) == lowered.kernel.var(v).max;
    blocks.then(|| format!("{} is stored in blocks", used.name))
}

/// An operand in runs.
struct RunOperand {
    /// Streams of coordinates before the loop's own that become intervals, too.
    streams: Vec<StreamId>,
    /// What it is, in words.
    words: String,
}

/// What node `n` gives, if that is runs of a whole level, or of a slice of one with all coordinates from its
/// first one to its last.
fn run(lowered: &Lowered, readers: &Readers, n: NodeId) -> Option<RunOperand> {
    let (graph, node) = (&lowered.graph, lowered.graph.node(n));
    let crd = node.outputs.first()?;
    if let Op::Slice(window) = &node.op {
        let (Points::Steps { step: 1, count: 1.., .. }, Points::Steps { step: 1, .. }) = (&window.from, &window.to)
        else {
            return None;
        };
        let from = graph.stream(node.inputs[0]).from.0;
        let own = node.inputs.iter().all(|s| readers[s.0].len() == 1 && graph.stream(*s).from.0 == from);
        let of = run(lowered, readers, from).filter(|_| own && matches!(graph.node(from).op, Op::Scan(..)))?;
        return Some(RunOperand { streams: vec![node.inputs[0]], ..of });
    }
    let (Op::Scan(u, l), Payload::Crd(v)) = (&node.op, graph.stream(*crd).payload) else { return None };
    let (used, kernel) = (&graph.uses[u.0], &lowered.kernel);
    let most = kernel.var(v).max;
    let whole = used.size(kernel, *l) == most && most <= MOST_COORDINATES;
    let words = format!("{} is stored in runs", used.name);
    (whole && used.levels[*l].shares_positions()).then_some(RunOperand { streams: vec![], words })
}

/// What follows a loop at its depth.
struct Followed {
    /// Streams of its coordinates.
    intervals: BTreeSet<StreamId>,
    /// Reducers, with what they make of repeated values.
    folds: BTreeMap<NodeId, Repeats>,
    /// Inputs that take the first coordinate of each interval.
    firsts: BTreeSet<(NodeId, usize)>,
}

/// What follows loop `n` at its depth; `runs`: values of operands come repeated, too; `points`: operands
/// that come as coordinates. `None` if something there needs each coordinate.
fn followed(lowered: &Lowered, readers: &Readers, n: NodeId, runs: bool, points: u32) -> Option<Followed> {
    let graph = &lowered.graph;
    let outputs = &graph.node(n).outputs;
    let mut intervals: BTreeSet<StreamId> = [outputs[0]].into();
    let mut seen: BTreeSet<StreamId> = outputs.iter().copied().collect();
    let mut open = outputs.clone();
    let (mut folds, mut firsts, mut nodes) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    let in_runs = |u: UseId| graph.uses[u.0].levels.last().is_some_and(|kind: &LevelKind| kind.shares_positions());
    while let Some(s) = open.pop() {
        let crd = intervals.contains(&s);
        for &(c, input) in &readers[s.0] {
            let node = graph.node(c);
            nodes.insert(c);
            let next: &[StreamId] = match &node.op {
                Op::Alu { fun: AluFun::Const, .. } => &node.outputs,
                Op::Array(_) | Op::Alu { .. } | Op::Locate(..) => {
                    firsts.extend(crd.then_some((c, input)));
                    &node.outputs
                }
                Op::Prefix { how, steady } if how.settles() || *steady && !runs => &node.outputs,
                Op::Repeat if input == 1 => &node.outputs,
                Op::Drop { list: false, .. } => &node.outputs[input..=input],
                Op::Drop { list: true, .. } if input == 1 => &node.outputs[1..],
                Op::Reduce { op, kept: 0 } => {
                    let most = lowered.kernel.var(*graph.stream(outputs[0]).over.last()?).max;
                    folds.insert(c, repeats(*op, graph.value_type(c)?, most)?);
                    &[]
                }
                Op::WriteLevel { level: (u, l), .. } if graph.uses[u.0].levels[*l].shares_positions() => &[],
                Op::WriteValues { of, .. } if in_runs(*of) => &[],
                Op::Root
                | Op::Scan(..)
                | Op::ScanGroup(..)
                | Op::ScanPart(..)
                | Op::Broadcast(_)
                | Op::Unpack(_)
                | Op::Origin
                | Op::Expand { .. }
                | Op::Pack(..)
                | Op::Repeat
                | Op::Join { .. }
                | Op::Within(_)
                | Op::Span(..)
                | Op::Between(..)
                | Op::Single
                | Op::Place(..)
                | Op::Tiles(..)
                | Op::Slice(_)
                | Op::Constant(..)
                | Op::Reduce { .. }
                | Op::Collapse(_)
                | Op::Divide(_)
                | Op::Prefix { .. }
                | Op::Measure(_)
                | Op::Exit(..)
                | Op::Zip
                | Op::Drop { .. }
                | Op::WriteLevel { .. }
                | Op::WriteValues { .. }
                | Op::Deal { .. }
                | Op::Stitch { .. }
                | Op::Serialize { .. } => return None,
            };
            if crd && matches!(node.op, Op::Drop { .. }) {
                intervals.extend(next);
            }
            open.extend(next.iter().filter(|s| seen.insert(**s)));
        }
    }
    let found = Followed { intervals, folds, firsts };
    (found.firsts.is_empty() || same(graph, n, points, &nodes, &found.firsts)).then_some(found)
}

/// What a reduction makes of a value that comes several times, `most` at most, if that can be had
/// from the value and how often. Of floats the product is rounded once, sums each time: what is
/// between is as near as another order of them.
fn repeats(op: Operator, ty: Type, most: u64) -> Option<Repeats> {
    let exact = |bits: u32| most <= 1 << bits;
    match op.fun()? {
        Fun::Or | Fun::And | Fun::BitOr | Fun::BitAnd | Fun::Min | Fun::Max => Some(Repeats::Once),
        Fun::Add | Fun::Mul if ty == Type::Bool => Some(Repeats::Once),
        Fun::Add if ty.is_int() && !ty.saturates() => Some(Repeats::Times),
        Fun::Add if matches!(ty, Type::Float { man, .. } if exact(man)) => Some(Repeats::Times),
        Fun::BitXor if ty.is_int() => Some(Repeats::Odd),
        _ => None,
    }
}
