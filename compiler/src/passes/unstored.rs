//! Temporaries that need not be stored: what one reader takes in the order in which it is written goes to it as
//! streams.
//!
//! Before: writers of T, then scanners of its levels, one below the other, and an array of its values. After: the
//! reader has the streams that the writers had, and values in place of references. T has no memory. Decision 133;
//! docs/deadlock.md says why none waits for another.

use crate::graph::{Graph, NodeId, Op, Readers, StreamId, Use, UseId, check};
use crate::levels::LevelKind;
use crate::lower::Lowered;
use crate::netlist::groups::{fused, groups};
use crate::stmt::TensorId;
use std::collections::{BTreeMap, BTreeSet};

/// Lets temporaries pass to their readers where possible.
pub fn apply(lowered: &mut Lowered) {
    for t in lowered.temporaries.clone() {
        let found = Handover::of(lowered, t).map(|found| (found.graph(), found.stages));
        // Streams that meet must have the same variables.
        let Some((graph, [from, to])) = found.filter(|(graph, _)| check(graph).is_ok()) else { continue };
        let stored = std::mem::replace(&mut lowered.graph, graph);
        if !groups(lowered).iter().any(|group| group.contains(&from) && group.contains(&to)) {
            lowered.graph = stored;
            continue;
        }
        let name = |t: TensorId| &lowered.kernel.tensor(t).name;
        let reader = lowered.kernel.statements[to].result;
        let note = format!("{} is not stored: it goes to the statement of {} as streams", name(t), name(reader));
        lowered.notes.push(note);
    }
}

/// A temporary whose streams its reader can take.
struct Handover<'a> {
    graph: &'a Graph,
    /// The writer's packing, and the reader's.
    uses: [UseId; 2],
    /// The statements that write and read it.
    stages: [usize; 2],
    /// Writers of levels that are not dense.
    levels: BTreeMap<usize, NodeId>,
    /// The writer of values.
    values: NodeId,
    /// Scanners of levels, outermost first.
    scans: Vec<NodeId>,
    array: NodeId,
    /// The coordinates of each level, as the reader takes them.
    coordinates: Vec<StreamId>,
    /// Streams of its references behind the last scanner.
    carried: BTreeSet<StreamId>,
}

impl<'a> Handover<'a> {
    fn of(lowered: &'a Lowered, t: TensorId) -> Option<Self> {
        let graph = &lowered.graph;
        let accesses = |n: &NodeId| graph.node(*n).op.access().is_some_and(|a| graph.uses[a.of.0].tensor == t);
        let viewed = |u: &Use| u.tensor != t && lowered.kernel.base(u.tensor) == t;
        let mut rounds = lowered.kernel.repeat.iter();
        let between = rounds.any(|r| r.condition == t || r.carry.iter().any(|(from, to)| *from == t || *to == t));
        if !fused(lowered, t) || between || graph.uses.iter().any(viewed) {
            return None;
        }
        let (mut levels, mut scans) = (BTreeMap::new(), BTreeMap::new());
        let (mut values, mut array) = (None, None);
        for n in (0..graph.nodes.len()).map(NodeId).filter(accesses) {
            let node = graph.node(n);
            let taken = match (&node.op, node.inputs.len()) {
                (Op::WriteLevel { level: (_, l), .. }, _) => levels.insert(*l, n),
                (Op::WriteValues { scatter: None, .. }, 1) => values.replace(n),
                (Op::Scan(_, l), 1) => scans.insert(*l, n),
                (Op::Array(_), _) => array.replace(n),
                _ => return None,
            };
            if taken.is_some() || node.family.is_some() {
                return None;
            }
        }
        let (values, array) = (values?, array?);
        let stages = [values, array].map(|n| graph.node(n).stage);
        let uses = [graph.node(values).op.access()?.of, graph.node(array).op.access()?.of];
        let scans = scans.into_values().collect();
        let (coordinates, carried) = (Vec::new(), BTreeSet::new());
        let mut found = Self { graph, uses, stages, levels, values, scans, array, coordinates, carried };
        if !found.packed_alike() {
            return None;
        }
        let readers = graph.readers();
        (found.coordinates, found.carried) = (found.coordinates(&readers)?, found.carried(&readers)?);
        (found.is_private(&readers) && found.in_order(&readers)).then_some(found)
    }

    /// Whether both packings are lists of coordinates, perhaps below dense levels.
    fn packed_alike(&self) -> bool {
        let [written, read] = self.uses.map(|u| &self.graph.uses[u.0]);
        let lists =
            |kind: &LevelKind| kind.lists_coordinates() && !kind.repeats() && !kind.is_singleton() && !kind.is_linked();
        let plain = |used: &Use| {
            used.levels.iter().all(|kind| kind.is_dense() || lists(kind))
                && used.levels.last().is_some_and(lists)
                && used.slices.is_empty()
                && used.chunk.is_none()
                && !used.backwards
        };
        let listed = written.levels.iter().filter(|kind| lists(kind)).count();
        plain(written)
            && plain(read)
            && written.mode_order == read.mode_order
            && (self.levels.len(), self.scans.len()) == (listed, written.levels.len())
    }

    /// The coordinates of each level, as writers take them.
    fn written(&self) -> Option<Vec<StreamId>> {
        let mut all = Vec::new();
        for (&l, &writer) in &self.levels {
            let inputs = &self.graph.node(writer).inputs;
            let mut above = Vec::new();
            let mut position = inputs.get(1).copied();
            for dense in (all.len()..l).rev() {
                // Positions in dense levels are made of the coordinates there.
                let place = self.graph.node(self.graph.stream(position?).from.0);
                position = match (dense == all.len(), &place.op, &place.inputs[..]) {
                    (true, ..) => {
                        above.extend(position);
                        None
                    }
                    (false, Op::Locate(..), &[crd, parent]) => {
                        above.push(crd);
                        let repeat = self.graph.node(self.graph.stream(parent).from.0);
                        (repeat.op == Op::Repeat).then(|| repeat.inputs[0])
                    }
                    _ => return None,
                };
            }
            all.extend(above.into_iter().rev());
            all.push(inputs[0]);
        }
        Some(all)
    }

    /// Whether the writers alone take what their statement makes, and nothing in it comes only when a list is over, or
    /// from copies.
    fn is_private(&self, readers: &Readers) -> bool {
        let mut own: BTreeSet<NodeId> = self.levels.values().copied().chain([self.values]).collect();
        for n in (0..self.graph.nodes.len()).map(NodeId).rev() {
            if own.contains(&n) {
                own.extend(self.graph.node(n).inputs.iter().map(|s| self.graph.stream(*s).from.0));
            }
        }
        let kept = |n: &NodeId| {
            let node = self.graph.node(*n);
            let late = matches!(
                node.op,
                Op::Divide(_)
                    | Op::Reduce { kept: 2.., .. }
                    | Op::Deal { .. }
                    | Op::Serialize { .. }
                    | Op::Stitch { .. }
            );
            let inside = |s: &StreamId| readers[s.0].iter().all(|(reader, _)| own.contains(reader));
            node.stage == self.stages[0] && !late && node.outputs.iter().all(inside)
        };
        own.iter().all(kept)
    }

    /// Whether the reader goes through all lists once, each below its coordinate.
    fn in_order(&self, readers: &Readers) -> bool {
        let below = |pair: &[NodeId]| {
            let list = self.graph.node(pair[0]).outputs[1];
            self.graph.node(pair[1]).inputs == [list] && readers[list.0].len() == 1
        };
        let first = self.graph.node(self.scans[0]).inputs[0];
        let root = self.graph.node(self.graph.stream(first).from.0).op == Op::Root;
        let value = self.graph.stream(self.graph.node(self.values).inputs[0]);
        root && self.scans.windows(2).all(below) && !value.may_be_empty
    }

    /// The coordinates of each level, as the reader can take them. A dropper knows of a coordinate that it is the last one
    /// only when the lists of all others are over: where they would meet, lists that are empty stay. What collapses them
    /// leaves them out, as it does those of coordinates that a dense level has in addition.
    fn coordinates(&self, readers: &Readers) -> Option<Vec<StreamId>> {
        let written = self.written()?;
        let all: Vec<StreamId> = written.iter().map(|s| self.undropped(*s)).collect();
        let collapses = |&scan: &NodeId| {
            let to = self.graph.node(scan).outputs.iter().flat_map(|s| &readers[s.0]);
            to.map(|(n, _)| self.graph.node(*n)).all(|node| matches!(node.op, Op::Collapse(_) | Op::Scan(..)))
        };
        let as_it_is = all == written && self.levels.len() == all.len();
        (as_it_is || all.len() > 1 && self.scans.iter().all(collapses)).then_some(all)
    }

    /// The stream with all lists, also those that are empty.
    fn undropped(&self, mut s: StreamId) -> StreamId {
        loop {
            let (from, output) = self.graph.stream(s).from;
            let node = self.graph.node(from);
            if !matches!(node.op, Op::Drop { list: true, .. }) {
                return s;
            }
            s = node.inputs[output];
        }
    }

    /// The streams that pass references on to the array, which is all that takes them.
    fn carried(&self, readers: &Readers) -> Option<BTreeSet<StreamId>> {
        let mut all = BTreeSet::new();
        let mut open = vec![self.graph.node(*self.scans.last()?).outputs[1]];
        while let Some(s) = open.pop() {
            all.insert(s);
            for &(n, input) in readers[s.0].iter().filter(|(n, _)| *n != self.array) {
                let node = self.graph.node(n);
                if !matches!(node.op, Op::Collapse(_) | Op::Divide(_) | Op::Slice(_) | Op::Zip) {
                    return None;
                }
                let signature = node.op.signature(node.inputs.len());
                let passes = signature.outputs.iter().zip(&node.outputs).filter(|(o, _)| o.passes == Some(input));
                open.extend(passes.map(|(_, s)| *s));
            }
        }
        Some(all)
    }

    /// The graph in which the temporary is not stored.
    fn graph(&self) -> Graph {
        let mut graph = self.graph.clone();
        let mut gone: BTreeSet<NodeId> = self.levels.values().chain(&self.scans).copied().collect();
        gone.extend([self.values, self.array]);
        let (array, value) = (self.graph.node(self.array), self.graph.node(self.values).inputs[0]);
        let mut taken = BTreeMap::from([(array.outputs[0], array.inputs[0])]);
        for (&scan, &level) in self.scans.iter().zip(&self.coordinates) {
            let [crd, list] = self.graph.node(scan).outputs[..] else { continue };
            if self.carried.len() > 1 && self.carried.contains(&list) && !self.bundled(level, value) {
                // What is next takes both from one node.
                let zip = &mut graph.nodes[scan.0];
                (zip.op, zip.inputs) = (Op::Zip, vec![level, value]);
                gone.remove(&scan);
                graph.rename(scan, format!("zip_{}", self.graph.uses[self.uses[1].0].name));
                continue;
            }
            taken.insert(crd, level);
            if self.carried.contains(&list) {
                taken.insert(list, value);
                taken.entry(array.outputs[0]).and_modify(|of| *of = if *of == list { value } else { *of });
            }
        }
        for &s in &self.carried {
            graph.streams[s.0].payload = self.graph.stream(array.outputs[0]).payload;
        }
        for node in &mut graph.nodes {
            node.inputs.iter_mut().for_each(|s| *s = taken.get(s).copied().unwrap_or(*s));
        }
        let first = self.graph.node(self.scans[0]).inputs[0];
        let others = |n: usize| !gone.contains(&NodeId(n)) && graph.nodes[n].inputs.contains(&first);
        if !(0..graph.nodes.len()).any(others) {
            gone.insert(self.graph.stream(first).from.0);
        }
        let kept: Vec<bool> = (0..graph.nodes.len()).map(|n| !gone.contains(&NodeId(n))).collect();
        graph.keeping(&kept).pruned().without_uses(|u| self.uses.contains(&u))
    }

    /// Whether one node gives both as a bundle.
    fn bundled(&self, crd: StreamId, value: StreamId) -> bool {
        let [(node, first), (other, second)] = [crd, value].map(|s| self.graph.stream(s).from);
        let signature = self.graph.node(node).op.signature(self.graph.node(node).inputs.len());
        node == other && second == first + 1 && signature.outputs[first].bundled
    }
}
