//! Merging of a statement into a fused pass: the nodes that have an equivalent there.

use super::turns;
use crate::graph::{Graph, NodeId, Op, Payload, Readers, Stream, StreamId, Use, UseId};
use crate::lower::Lowered;
use crate::stmt::VarId;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes, streams, packings and variables of a statement that have a like in a pass.
pub(super) struct Merge<'a> {
    lowered: &'a Lowered,
    readers: &'a Readers,
    pass: &'a [usize],
    n: usize,
    nodes: BTreeMap<NodeId, NodeId>,
    streams: BTreeMap<StreamId, StreamId>,
    uses: BTreeMap<UseId, UseId>,
    vars: BTreeMap<VarId, VarId>,
    /// The node that first has a variable of the pass in place of this one.
    named: BTreeMap<VarId, NodeId>,
}

impl<'a> Merge<'a> {
    /// Statement `n` in `pass`, without nodes that stay apart.
    pub fn of(
        lowered: &'a Lowered,
        readers: &'a Readers,
        (pass, n): (&'a [usize], usize),
        apart: &BTreeSet<NodeId>,
    ) -> Self {
        let (nodes, streams, uses) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (vars, named) = (BTreeMap::new(), BTreeMap::new());
        let mut merge = Self { lowered, readers, pass, n, nodes, streams, uses, vars, named };
        for b in (0..lowered.graph.nodes.len()).map(NodeId) {
            if lowered.graph.node(b).stage == n
                && !apart.contains(&b)
                && let Some(a) = merge.twin(b, apart)
            {
                merge.join(a, b);
            }
        }
        merge
    }

    fn source(&self) -> &'a Graph {
        &self.lowered.graph
    }

    /// The node of the pass that does what `b` does, on the same streams.
    fn twin(&self, b: NodeId, apart: &BTreeSet<NodeId>) -> Option<NodeId> {
        let (graph, node) = (self.source(), self.source().node(b));
        let there = |a: &NodeId| self.pass.contains(&graph.node(*a).stage);
        let free = |a: &NodeId| !apart.contains(a) && self.nodes.values().all(|taken| taken != a);
        let fits = |a: &NodeId| there(a) && free(a) && self.same(*a, b);
        match node.inputs.first() {
            None => (0..b.0).map(NodeId).find(fits),
            Some(s) => self.readers[self.streams.get(s)?.0].iter().map(|r| r.0).find(fits),
        }
    }

    fn same(&self, a: NodeId, b: NodeId) -> bool {
        let (graph, of_a, of_b) = (self.source(), self.source().node(a), self.source().node(b));
        let inputs = of_b.inputs.iter().map(|s| self.streams.get(s));
        let outputs = || of_a.outputs.iter().zip(&of_b.outputs).map(|(s, t)| (graph.stream(*s), graph.stream(*t)));
        can_stand_once(&of_b.op)
            && of_a.family.map(|f| f.sharing) == of_b.family.map(|f| f.sharing)
            && of_a.inputs.len() == of_b.inputs.len()
            && of_a.inputs.iter().zip(inputs).all(|(s, t)| Some(s) == t)
            && self.alike(&of_a.op, &of_b.op)
            && outputs().all(|(s, t)| self.fits(of_b.op.access().is_some(), s, t))
    }

    /// Are these one operation, of packings and variables that can be the same?
    fn alike(&self, a: &Op, b: &Op) -> bool {
        let packings = match (a.access(), b.access()) {
            (Some(a), Some(b)) => self.packed_alike(a.of, b.of),
            (None, None) => true,
            _ => false,
        };
        let var = |op: &Op| op.clone().var_mut().copied();
        let vars = match (var(a), var(b)) {
            (Some(v), Some(w)) => self.one_variable(v, w, false),
            (v, w) => v == w,
        };
        let named = |v: Option<VarId>, own: VarId| v.unwrap_or(own);
        let renamed = |of: UseId| b.with_use(|_| of).with_var(|own| named(var(a), own));
        packings && vars && *a == a.access().map_or_else(|| renamed(UseId(0)), |access| renamed(access.of))
    }

    /// Is the packing `b` the packing `a` under another name?
    fn packed_alike(&self, a: UseId, b: UseId) -> bool {
        if let Some(&other) = self.uses.get(&b) {
            return other == a;
        }
        let of = |u: UseId| Use { name: String::new(), slices: Vec::new(), ..self.source().uses[u.0].clone() };
        let part = |u: UseId| self.source().uses[u.0].parts();
        self.uses.values().all(|&taken| taken != a) && of(a) == of(b) && part(a) == part(b)
    }

    /// Can coordinates of `w` be taken for those of `v`: of one size in every run, and not of a
    /// loop that has coordinates already? `stored`: they are those of one packing.
    fn one_variable(&self, v: VarId, w: VarId, stored: bool) -> bool {
        if let Some(&of) = self.vars.get(&w) {
            return of == v;
        }
        let kernel = &self.lowered.kernel;
        let (one, other) = (kernel.var(v), kernel.var(w));
        let named = kernel.schedules().iter().any(|(_, schedule, _)| {
            schedule.skip.is_some() || schedule.wide.is_some() || !schedule.bitvector.is_empty()
        });
        one.max == other.max
            && (one.name == other.name || stored && !named)
            && self.vars.values().all(|&taken| taken != v)
    }

    fn fits(&self, stored: bool, s: &Stream, t: &Stream) -> bool {
        let packed = |u: UseId, l: usize, w: UseId, m: usize| l == m && self.packed_alike(u, w);
        s.over.len() == t.over.len()
            // A slice's loop has fewer coordinates than the level that it scans.
            && s.over.iter().zip(t.over.iter()).all(|(&v, &w)| self.one_variable(v, w, stored))
            && match (s.payload, t.payload) {
                (Payload::Crd(v), Payload::Crd(w)) | (Payload::Interval(v), Payload::Interval(w)) => {
                    self.one_variable(v, w, stored)
                }
                (Payload::Ref(u, l), Payload::Ref(w, m))
                | (Payload::Range(u, l), Payload::Range(w, m))
                | (Payload::Pos(u, l), Payload::Pos(w, m)) => packed(u, l, w, m),
                (a, b) => a == b,
            }
    }

    /// Node `a` does the work of `b`.
    fn join(&mut self, a: NodeId, b: NodeId) {
        let (of_a, of_b) = (self.source().node(a), self.source().node(b));
        self.nodes.insert(b, a);
        if let (Some(of), Some(own)) = (of_a.op.access(), of_b.op.access()) {
            self.uses.insert(own.of, of.of);
        }
        for (&s, &t) in of_a.outputs.iter().zip(&of_b.outputs) {
            self.streams.insert(t, s);
            let (theirs, own) = (self.source().stream(s), self.source().stream(t));
            for (&v, &w) in theirs.over.iter().zip(own.over.iter()) {
                self.vars.insert(w, v);
                self.named.entry(w).or_insert(b);
            }
        }
    }

    /// A node of the statement that must stay apart after all.
    pub fn fault(&self) -> Option<NodeId> {
        let last = || self.named.values().copied().max();
        let late = || turns::circle(&self.streams_of_pass()).then(last).flatten();
        self.clash().or_else(|| self.split()).or_else(late)
    }

    /// What gives a loop the variable that another loop of the statement has.
    fn clash(&self) -> Option<NodeId> {
        let graph = self.source();
        let own = graph.nodes.iter().filter(|n| n.stage == self.n).flat_map(|n| &n.outputs);
        let all: BTreeSet<VarId> = own.flat_map(|s| graph.stream(*s).over.iter().copied()).collect();
        let taken = |(w, v): &(&VarId, &VarId)| v != w && all.contains(v) && !self.vars.contains_key(v);
        self.vars.iter().find(taken).map(|(w, _)| self.named[w])
    }

    /// What feeds a join that is not shared, or only one of its joins. How a join goes depends on what
    /// it alone reads, and what it leaves is not for others.
    fn split(&self) -> Option<NodeId> {
        let halves = |(b, a): &(&NodeId, &NodeId)| self.joins(**b, true) != self.joins(**a, false);
        self.nodes.iter().find(halves).map(|(b, _)| *b)
    }

    /// The joins that read what node `of` gives: of the statement, by their likes, or of the pass.
    fn joins(&self, of: NodeId, own: bool) -> BTreeSet<Option<NodeId>> {
        let graph = self.source();
        let readers = graph.node(of).outputs.iter().flat_map(|s| &self.readers[s.0]).map(|r| r.0);
        let joins = readers.filter(|n| matches!(graph.node(*n).op, Op::Join { .. }));
        joins.map(|n| if own { self.nodes.get(&n).copied() } else { Some(n) }).collect()
    }

    /// What each node of the pass reads and gives, the statement in it.
    fn streams_of_pass(&self) -> Vec<turns::Meeting> {
        let graph = self.source();
        let number = |s: &StreamId| self.streams.get(s).copied().unwrap_or(*s);
        let step = |n: NodeId| {
            let all = |streams: &[StreamId]| streams.iter().map(|s| (number(s), self.stream(*s).over)).collect();
            turns::Meeting { inputs: all(&graph.node(n).inputs), outputs: all(&graph.node(n).outputs) }
        };
        let inside = |n: &NodeId| {
            let stage = graph.node(*n).stage;
            self.pass.contains(&stage) || stage == self.n && !self.nodes.contains_key(n)
        };
        (0..graph.nodes.len()).map(NodeId).filter(inside).map(step).collect()
    }

    /// A stream of the statement, or of the pass, as it is in the pass.
    fn stream(&self, s: StreamId) -> Stream {
        let stream = self.source().stream(s);
        if self.source().node(stream.from.0).stage != self.n {
            return stream.clone();
        }
        let var = |v: VarId| self.vars.get(&v).copied().unwrap_or(v);
        stream.renamed(|u| self.uses.get(&u).copied().unwrap_or(u), var)
    }

    /// The graph without what stands elsewhere already, if that goes through a packing, with the
    /// names of these packings.
    pub fn graph(&self) -> Option<(Graph, String)> {
        let mut graph = self.source().clone();
        let through = self.nodes.values().filter_map(|a| graph.node(*a).op.access()).filter(|a| a.level.is_some());
        let names: BTreeSet<&str> = through.map(|a| graph.uses[a.of.0].name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        for (t, s) in &self.streams {
            graph.streams[s.0].may_be_empty |= graph.streams[t.0].may_be_empty;
        }
        for n in 0..graph.nodes.len() {
            if graph.nodes[n].stage != self.n {
                continue;
            }
            let node = &mut graph.nodes[n];
            node.inputs.iter_mut().for_each(|s| *s = self.streams.get(s).copied().unwrap_or(*s));
            let var = |v: VarId| self.vars.get(&v).copied().unwrap_or(v);
            node.op = node.op.with_use(|u| self.uses.get(&u).copied().unwrap_or(u)).with_var(var);
            for s in node.outputs.clone() {
                graph.streams[s.0] = self.stream(s);
            }
        }
        let kept: Vec<bool> = (0..graph.nodes.len()).map(|n| !self.nodes.contains_key(&NodeId(n))).collect();
        Some((graph.keeping(&kept).without_uses(|u| self.uses.contains_key(&u)), names))
    }
}

/// Whether several statements can have the results of one such node.
fn can_stand_once(op: &Op) -> bool {
    match op {
        Op::Root
        | Op::Scan(..)
        | Op::ScanGroup(..)
        | Op::ScanPart(..)
        | Op::Broadcast(_)
        | Op::Unpack(_)
        | Op::Origin
        | Op::Expand { .. }
        | Op::Repeat
        | Op::Join { .. }
        | Op::Locate(..)
        | Op::Within(_)
        | Op::Span(..)
        | Op::Between(..)
        | Op::Single
        | Op::Place(..)
        | Op::Array(_)
        | Op::Slice(_)
        | Op::Constant(..)
        | Op::Alu { .. }
        | Op::Reduce { .. }
        | Op::Collapse(_)
        | Op::Divide(_)
        | Op::Measure(_)
        | Op::Prefix { .. }
        | Op::Zip => true,
        // Each statement has its own writers, copies and ends.
        Op::Pack(..)
        | Op::Tiles(..)
        | Op::Exit(..)
        | Op::Drop { .. }
        | Op::WriteLevel { .. }
        | Op::WriteValues { .. }
        | Op::Deal { .. }
        | Op::Stitch { .. }
        | Op::Serialize { .. } => false,
    }
}
