//! Which joiners skip, which scanners they tell, and the hints between them.
//!
//! An operand can be told what is not needed of it if it comes straight from the scanner of a compressed level: what
//! stands between (a dropper of a diagonal, a producer) has read more of its inputs than the joiner knows of. It is
//! told where some other operand must be there for it to matter (`Joiner::required`).

use super::map::{Mapped, port};
use super::realize::Builder;
use super::{CellId, End, Select, bits};
use crate::diag::{Diagnostic, Place};
use crate::graph::{Graph, NodeId, Op, Payload, Readers, StreamId};
use crate::lower::Lowered;
use crate::passes::exits;
use crate::stmt::{LevelKind, TensorId};
use samhw_primitives as prim;
use samhw_primitives::join::joiner::Joiner;
use samhw_primitives::scan::scanner_wide::Group;
use samhw_streams::Dir;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toml::Spanned;

/// Note of a channel that carries hints.
pub const HINT: &str = "hint";

/// A scanner that skips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// The joiner, or early exit, that tells it.
    pub join: NodeId,
    /// Its operand there; none if an early exit tells it.
    pub operand: Option<usize>,
    /// The scanner whose largest coordinates bound its fibers; itself where there is no other.
    pub bound: NodeId,
    /// Bits of a fiber's number in its hints.
    pub tag_w: u32,
}

/// The joiners and scanners that skip.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipping {
    /// Joiners, with the operands they tell (bit k: operand k).
    pub joins: BTreeMap<NodeId, u32>,
    /// Scanners.
    pub scans: BTreeMap<NodeId, Told>,
}

/// What the schedule wants to skip and cannot.
pub fn check(lowered: &Lowered) -> Result<(), Diagnostic> {
    let (graph, readers) = (&lowered.graph, lowered.graph.readers());
    for name in lowered.kernel.schedule.skip.iter().flatten() {
        let joins: Vec<NodeId> = (0..graph.nodes.len()).map(NodeId).filter(|&n| joins_at(lowered, n, name)).collect();
        if joins.iter().any(|&n| !tellable(lowered, &readers, n).is_empty()) {
            continue;
        }
        let needs = |n: &NodeId| {
            let joiner = logical_joiner(graph, &readers, *n);
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

/// Names of the variables at which something can skip.
pub fn skippable(lowered: &Lowered) -> BTreeSet<&str> {
    let readers = lowered.graph.readers();
    let joins = (0..lowered.graph.nodes.len()).map(NodeId).filter(|&n| !tellable(lowered, &readers, n).is_empty());
    joins.filter_map(|n| variable(lowered, n)).collect()
}

/// What of `lowered` skips: as `[schedule] skip` says.
pub fn skipping(lowered: &Lowered) -> Skipping {
    let mut out = Skipping::default();
    let (graph, readers) = (&lowered.graph, lowered.graph.readers());
    let words = bits(lowered);
    for n in (0..graph.nodes.len()).map(NodeId) {
        if matches!(graph.node(n).op, Op::Exit(_))
            && let Some(scan) = exits::scanner(lowered, &readers, n)
        {
            out.scans.insert(scan, Told { join: n, operand: None, bound: scan, tag_w: exits::TAG_W });
        }
        // Words have nothing to skip.
        if asked(lowered, n) && !words.joins.contains_key(&n) {
            let told = tellable(lowered, &readers, n);
            for (&k, &scan) in &told {
                let required = logical_joiner(graph, &readers, n).required(k as u32);
                // The next one in turn, so that each is asked by one where all require all.
                let others = told.range(k + 1..).chain(told.range(..k));
                let bound = others.filter(|(j, _)| required >> **j & 1 == 1).map(|(_, s)| *s).next();
                let bound = bound.unwrap_or(scan);
                out.scans.insert(scan, Told { join: n, operand: Some(k), bound, tag_w: prim::join::joiner::TAG_W });
                *out.joins.entry(n).or_insert(0) |= 1 << k;
            }
        }
    }
    out
}

/// Whether the schedule wants the join `n` to skip.
fn asked(lowered: &Lowered, n: NodeId) -> bool {
    lowered.kernel.schedule.skip.iter().flatten().any(|name| joins_at(lowered, n, name))
}

/// Whether node `n` is a join at the variable of this name.
fn joins_at(lowered: &Lowered, n: NodeId, name: &Spanned<String>) -> bool {
    variable(lowered, n).is_some_and(|v| v == name.get_ref())
}

/// The variable at which node `n` is a join.
pub(super) fn variable(lowered: &Lowered, n: NodeId) -> Option<&str> {
    let node = lowered.graph.node(n);
    match (&node.op, lowered.graph.stream(*node.outputs.first()?).payload) {
        (Op::Join { .. }, Payload::Crd(v)) => Some(&lowered.kernel.var(v).name),
        _ => None,
    }
}

/// Operands of join `n` that can be told, with their scanners.
pub fn tellable(lowered: &Lowered, readers: &Readers, n: NodeId) -> BTreeMap<usize, NodeId> {
    let graph = &lowered.graph;
    let Op::Join { keep, .. } = &graph.node(n).op else { return BTreeMap::new() };
    let joiner = logical_joiner(graph, readers, n);
    let able = (0..keep.len()).filter(|&k| joiner.required(k as u32) != 0);
    able.filter_map(|k| own_scanner(lowered, readers, n, k).map(|s| (k, s))).collect()
}

/// The scanner of a compressed level of an input that operand `k` of join `n` comes straight from.
pub(super) fn own_scanner(lowered: &Lowered, readers: &Readers, n: NodeId, k: usize) -> Option<NodeId> {
    scanner_of(lowered, readers, n, k).filter(|(_, kind)| *kind == LevelKind::Compressed).map(|(scan, _)| scan)
}

/// The scanner that operand `k` of join `n` comes straight from, and its level's kind, if it is that of an input or
/// of bit vectors.
pub(super) fn scanner_of(lowered: &Lowered, readers: &Readers, n: NodeId, k: usize) -> Option<(NodeId, LevelKind)> {
    let graph = &lowered.graph;
    let (crd, pos) = (graph.node(n).inputs[2 * k], graph.node(n).inputs[2 * k + 1]);
    let from = graph.stream(crd).from.0;
    let Op::Scan(u, l) = graph.node(from).op else { return None };
    let (used, kind) = (&graph.uses[u.0], graph.uses[u.0].levels[l]);
    let one = |s: StreamId| readers[s.0].len() == 1;
    let written = written_before(lowered, used.tensor, graph.node(from).stage);
    let fits = matches!(kind, LevelKind::Bitvector(_)) || !written;
    (fits && graph.stream(pos).from.0 == from && one(crd) && one(pos)).then_some((from, kind))
}

/// Whether a statement before `stage` writes the tensor. Its memories hold no word beyond the last that it wrote.
fn written_before(lowered: &Lowered, t: TensorId, stage: usize) -> bool {
    lowered.kernel.statements[..stage].iter().any(|s| s.result == t)
}

/// The joiner of node `n` without widths: its tables and the outputs somebody reads.
pub(super) fn logical_joiner(graph: &Graph, readers: &Readers, n: NodeId) -> Joiner {
    let node = graph.node(n);
    let (emit, keep) = match &node.op {
        Op::Join { emit, keep } => (emit.clone(), keep.clone()),
        _ => Default::default(),
    };
    let used = node.outputs.iter().enumerate().filter(|(_, s)| !readers[s.0].is_empty());
    let used = used.fold(0, |m, (i, _)| m | 1 << i);
    Joiner { emit, ref_w: vec![1; keep.len()], keep, crd_w: 1, stop_w: 1, used, skips: 0 }
}

impl Builder<'_> {
    /// A watch for the value that ends a reduction early.
    pub(super) fn early_exit(&self, n: NodeId, value: u64) -> Mapped {
        let scan = exits::scanner(self.lowered, &self.readers, n).and_then(|scan| exits::variable(self.graph(), scan));
        let crd_w = scan.map_or(self.stop_w, |v| self.crd_w(v));
        let (val_w, stop_w) = (self.width(self.graph().node(n).inputs[0]), self.stop_w);
        let p = prim::flow::early_exit::EarlyExit { value, val_w, stop_w, tag_w: exits::TAG_W, crd_w };
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs: vec![(0, Select::All)], config: vec![] }
    }

    /// The joiner of node `n`.
    pub(super) fn joiner(&self, n: NodeId) -> Joiner {
        let node = self.graph().node(n);
        let w = |k: usize| self.width(node.inputs[k]);
        let joiner = logical_joiner(self.graph(), &self.readers, n);
        Joiner {
            crd_w: w(0),
            ref_w: (0..joiner.keep.len()).map(|i| w(2 * i + 1)).collect(),
            stop_w: self.stop_w,
            skips: self.skipping.joins.get(&n).copied().unwrap_or(0),
            ..joiner
        }
    }

    /// A scanner that is told what to leave out.
    pub(super) fn skipping_scanner(&self, n: NodeId, ref_in_w: u32, ref_w: u32, crd_w: u32) -> Mapped {
        let queue_log2 = prim::memories::memory::ON_CHIP_QUEUE_LOG2;
        let tag_w = self.skipping.scans.get(&n).map_or(prim::join::joiner::TAG_W, |told| told.tag_w);
        let group = self.group(n, crd_w).unwrap_or(Group { crd_w, wide_log2: 0 });
        let p =
            prim::scan::scanner_skip::ScannerSkip { ref_in_w, ref_w, group, stop_w: self.stop_w, queue_log2, tag_w };
        let out = port(&p, Dir::Out, "out");
        let outs = vec![(out, Select::First), (out, Select::Second)];
        Mapped { primitive: Arc::new(p), ins: vec![(0, Select::All)], outs, config: vec![] }
    }

    /// Channels of the hints. They lead against the streams; no cell waits for them (docs/deadlock.md).
    pub(super) fn connect_hints(&mut self) {
        let (scans, first) = (self.skipping.scans.clone(), self.net.channels.len());
        for (&scan, told) in &scans {
            let stage = self.graph().node(scan).stage;
            let name = told.operand.map_or("skip".into(), |k| format!("skip{k}"));
            let skip = self.end(told.join, Dir::Out, &name);
            let to = self.end(scan, Dir::In, "skip");
            self.fan_out(skip, vec![(to, Select::All)], (vec![], vec![]), stage);
            let bounded = scans.iter().filter(|(_, t)| t.bound == scan);
            let to = bounded.map(|(&s, _)| (self.end(s, Dir::In, "bound"), Select::All)).collect();
            let last = self.end(scan, Dir::Out, "last");
            self.fan_out(last, to, (vec![], vec![]), stage);
        }
        self.net.channels[first..].iter_mut().for_each(|c| c.note = HINT.into());
    }

    /// A handshake port of a node's cell by name.
    fn end(&self, n: NodeId, dir: Dir, name: &str) -> End {
        let cell = CellId(n.0);
        (cell, port(self.net.cell(cell).primitive.as_ref(), dir, name))
    }
}
