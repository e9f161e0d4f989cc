//! The graph with lanes: everything that depends on the variable once for each.

use super::VariableLevel;
use crate::facts::identity;
use crate::graph::{Graph, NodeId, Op, Payload, Slice, Stream, StreamId, UseId};
use crate::passes::copies::Rewrite;
use crate::stmt::VarId;
use crate::view::{Points, Window};
use std::collections::{BTreeMap, BTreeSet};

impl VariableLevel<'_> {
    /// The graph with the lanes of `slices` in place of what depends on the variable.
    pub(super) fn rewrite(&self, slices: &[Slice]) -> Graph {
        let graph = self.graph();
        let mut w = Rewrite::new(graph, slices.len());
        let uses = self.banks(&mut w, slices);
        let free = self.statement().indices.contains(&self.v);
        let apart = if slices.iter().all(|s| s.even) { self.apart() } else { None };
        let mut inside = vec![false; graph.nodes.len()];
        for n in (0..graph.nodes.len()).map(NodeId) {
            let node = graph.node(n);
            let has = |s: &StreamId| graph.stream(*s).over.contains(&self.v);
            let from = |s: &StreamId| inside[graph.stream(*s).from.0.0];
            let writes = matches!(node.op, Op::WriteLevel { .. } | Op::WriteValues { .. });
            // The sum of all lanes is no lane's.
            let inner = node.inputs.iter().any(|s| from(s) && (free || !self.folds(graph.stream(*s).from.0)));
            inside[n.0] = node.stage == self.stage && (node.outputs.iter().any(has) || inner || writes && free);
            if !inside[n.0] {
                w.keep(n);
                continue;
            }
            if apart.as_ref().is_some_and(|apart| !apart[n.0]) {
                let op = renamed(&node.op, &uses[0], self.v, slices[0].var);
                w.lead(n, op, |s| moved(s, &uses[0], self.v, slices[0].var));
                continue;
            }
            for (c, slice) in slices.iter().enumerate() {
                let op = renamed(&node.op, &uses[c], self.v, slice.var);
                let own = self.number(&mut w, n, c, slice);
                w.copy(n, c, op, |s| moved(s, &uses[c], self.v, slice.var));
                w.copies[c].extend(own);
            }
            if let (true, Op::Reduce { op, .. }) = (!free && self.folds(n), &node.op) {
                let ty = graph.value_type(n).unwrap_or(self.statement().ty);
                w.combine(n, *op, identity(*op, ty));
            }
        }
        w.new
    }

    /// Gives node `n` of lane `c`, if it computes with coordinates of v, those of the whole variable instead
    /// of the lane's. Returns the streams of the lane's own.
    fn number(&self, w: &mut Rewrite, n: NodeId, c: usize, slice: &Slice) -> Vec<(StreamId, StreamId)> {
        let node = self.graph().node(n);
        let crd = |s: &&StreamId| self.graph().stream(**s).payload == Payload::Crd(self.v);
        let mut own = Vec::new();
        for &s in node.inputs.iter().filter(|_| matches!(node.op, Op::Alu { .. })).filter(crd) {
            let local = w.copies[c][&s];
            let count = self.lowered.kernel.var(slice.var).max;
            let window = Window {
                from: Points::all(count),
                to: Points::Steps { first: slice.lane, step: slice.lanes as i64, count },
                size: self.lowered.kernel.var(self.v).max.max(count * slice.lanes),
            };
            let stream = w.new.stream(local).clone();
            let mut whole = stream.leaves();
            whole.payload = Payload::Crd(self.v);
            let name = format!("number_{}_l{}", self.name(), slice.lane);
            let pair = w.new.add(name, Op::Slice(window), vec![local, local], vec![whole, stream.leaves()], node.stage);
            own.push((s, local));
            w.copies[c].insert(s, pair[0]);
        }
        own
    }

    /// Per lane the bank of each packing that has v; lane 0's takes the place of the whole.
    fn banks(&self, w: &mut Rewrite, slices: &[Slice]) -> Vec<BTreeMap<UseId, UseId>> {
        let mut out = vec![BTreeMap::new(); slices.len()];
        let levels = self.levels();
        for u in levels.iter().map(|at| at.0).collect::<BTreeSet<_>>() {
            let whole = w.new.uses[u.0].clone();
            for (map, slice) in out.iter_mut().zip(slices) {
                let mut bank = whole.clone();
                bank.name = format!("{}_l{}", whole.name, slice.lane);
                for (_, l) in levels.iter().filter(|at| at.0 == u) {
                    bank.cut(Slice { mode: whole.mode_order[*l], ..*slice });
                }
                let id = if slice.lane == 0 { u } else { UseId(w.new.uses.len()) };
                map.insert(u, id);
                if slice.lane == 0 {
                    w.new.uses[u.0] = bank;
                } else {
                    w.new.uses.push(bank);
                }
            }
        }
        out
    }
}

/// The operation of a lane.
fn renamed(op: &Op, uses: &BTreeMap<UseId, UseId>, v: VarId, var: VarId) -> Op {
    match op {
        Op::Broadcast(x) if *x == v => Op::Broadcast(var),
        op => op.with_use(|u| uses.get(&u).copied().unwrap_or(u)),
    }
}

/// The stream of a lane.
fn moved(s: &Stream, uses: &BTreeMap<UseId, UseId>, v: VarId, var: VarId) -> Stream {
    s.renamed(|u| uses.get(&u).copied().unwrap_or(u), |x| if x == v { var } else { x })
}
