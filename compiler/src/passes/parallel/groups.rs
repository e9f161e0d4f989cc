//! Groups of streams that one parallelizer distributes: streams of equal structure that copies take from outside.

use super::{LoopRegion, NodePart};
use crate::graph::{NodeId, Op, Payload, StreamId};
use std::collections::BTreeMap;

/// The node and output that give a stream its structure: a node, and which of its copies' streams.
pub(super) type Structure = (NodeId, usize);

/// Streams that are dealt together, coordinates first, by the source of their structure.
pub(super) type Groups = BTreeMap<Structure, Vec<StreamId>>;

impl LoopRegion<'_> {
    /// True if something in a copy depends on items of two groups, which are dealt in different orders.
    pub(super) fn mixed(&self, parts: &[NodePart], groups: &Groups) -> bool {
        let mut of: BTreeMap<StreamId, usize> = BTreeMap::new();
        groups.values().enumerate().for_each(|(k, g)| of.extend(g.iter().map(|&s| (s, k))));
        self.nodes().filter(|n| parts[n.0] == NodePart::Inside).any(|n| {
            let node = self.graph().node(n);
            let mut met: Vec<usize> = node.inputs.iter().filter_map(|s| of.get(s)).copied().collect();
            met.dedup();
            of.extend(node.outputs.iter().filter_map(|&s| Some((s, *met.first()?))));
            met.len() > 1
        })
    }

    /// What gives a stream its structure: streams with the same structure are aligned. Each structure is
    /// found once: finding it looks at the structures of many others.
    fn structure(&self, s: StreamId) -> Structure {
        if let Some(&known) = self.structures.borrow().get(&s) {
            return known;
        }
        let found = self.found_structure(s);
        self.structures.borrow_mut().insert(s, found);
        found
    }

    fn found_structure(&self, s: StreamId) -> Structure {
        let graph = self.graph();
        let n = graph.stream(s).from.0;
        let node = graph.node(n);
        let same = |m: &dyn Fn(NodeId) -> bool| (self.nodes().find(|n| m(*n)).unwrap_or(n), 0);
        if let Op::Repeat = node.op {
            return self.structure(node.inputs[1]);
        }
        if matches!(node.op, Op::Locate(..) | Op::Zip | Op::Constant(..)) {
            return self.structure(node.inputs[0]);
        }
        // Droppers of the same misses, and scanners of every coordinate below the same items, go in step.
        if let Op::Drop { list: false, .. } = node.op {
            return same(&|m| graph.node(m).op == node.op && graph.node(m).inputs[1] == node.inputs[1]);
        }
        if self.every_coordinate(n) {
            let above = self.structure(node.inputs[0]);
            let over = &graph.stream(s).over;
            return same(&|m| {
                self.every_coordinate(m)
                    && graph.stream(graph.node(m).outputs[0]).over == *over
                    && self.structure(graph.node(m).inputs[0]) == above
            });
        }
        if let Op::Deal { copies, split, .. } = node.op {
            let streams = (node.outputs.len() - usize::from(split)) / copies as usize;
            return (n, graph.stream(s).from.1 / streams);
        }
        (n, 0)
    }

    /// True if `n` scans every coordinate below every leaf of its input.
    fn every_coordinate(&self, n: NodeId) -> bool {
        let node = self.graph().node(n);
        let dense = matches!(node.op, Op::Broadcast(_))
            || matches!(node.op, Op::Scan(u, l) if self.graph().uses[u.0].levels[l].is_dense());
        let sure = |s: &StreamId| {
            let s = self.graph().stream(*s);
            !s.may_be_empty || matches!(s.payload, Payload::Crd(_))
        };
        dense && node.inputs.iter().all(sure)
    }

    /// Streams that copies take from outside at the level of v, by what gives them their structure; coordinates first.
    pub(super) fn dealt(&self, parts: &[NodePart]) -> Groups {
        let mut groups = Groups::new();
        for n in self.nodes().filter(|n| parts[n.0] == NodePart::Inside) {
            for &s in &self.graph().node(n).inputs {
                let from = self.graph().stream(s).from.0;
                if parts[from.0] != NodePart::Outside || !self.has(s) {
                    continue;
                }
                let source = self.structure(s);
                let group = groups.entry(source).or_insert_with(|| self.coordinates(source));
                if !group.contains(&s) {
                    group.push(s);
                }
            }
        }
        groups
    }

    /// The coordinates with the structure that `source` gives.
    fn coordinates(&self, source: Structure) -> Vec<StreamId> {
        let crd =
            |s: &StreamId| self.graph().stream(*s).payload == Payload::Crd(self.v) && self.structure(*s) == source;
        (source.0.0..self.graph().nodes.len())
            .flat_map(|n| &self.graph().nodes[n].outputs)
            .copied()
            .find(crd)
            .into_iter()
            .collect()
    }

    /// The nodes as they are written again: each after what it takes, and one in a copy after all of what is dealt with that.
    pub(super) fn order(&self, parts: &[NodePart], groups: &Groups) -> Vec<NodeId> {
        let from = |s: &StreamId| self.graph().stream(*s).from.0;
        let mates: BTreeMap<StreamId, &Vec<StreamId>> =
            groups.values().flat_map(|g| g.iter().map(move |&s| (s, g))).collect();
        let mut done = vec![false; parts.len()];
        let mut order = Vec::new();
        loop {
            let before = order.len();
            for n in self.nodes() {
                let inputs = &self.graph().node(n).inputs;
                let dealt =
                    inputs.iter().filter(|_| parts[n.0] == NodePart::Inside).filter_map(|s| mates.get(s)).copied();
                if !done[n.0] && inputs.iter().chain(dealt.flatten()).all(|s| done[from(s).0]) {
                    done[n.0] = true;
                    order.push(n);
                }
            }
            if order.len() == before {
                debug_assert_eq!(order.len(), parts.len(), "what is dealt together does not depend on its copies");
                return order;
            }
        }
    }
}
