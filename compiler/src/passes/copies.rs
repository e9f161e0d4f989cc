//! Rewriting of graphs with copies of some nodes, used by `parallel` and `lanes`.

use crate::graph::{Arg, Family, Graph, Leaves, NodeId, Op, Stream, StreamId};
use crate::schedule::Sharing;
use crate::stmt::Operator;
use std::collections::HashMap;

/// A graph under construction next to the one it comes from.
pub(super) struct Rewrite<'a> {
    pub old: &'a Graph,
    pub new: Graph,
    /// Streams outside the copies, by their streams in the old graph.
    pub outside: HashMap<StreamId, StreamId>,
    /// Streams in each copy, by their streams in the old graph.
    pub copies: Vec<HashMap<StreamId, StreamId>>,
    /// Streams of turns, which report how items were dealt to the copies.
    pub turns: HashMap<StreamId, StreamId>,
    /// The way in which copies share the memories that they read, if they do.
    pub sharing: Option<Sharing>,
    /// Families of copies: by node, and by number and copy where copies of a family have memories of their own.
    families: HashMap<(usize, usize), usize>,
}

impl<'a> Rewrite<'a> {
    pub fn new(old: &'a Graph, copies: usize) -> Self {
        let new = Graph { uses: old.uses.clone(), ..Graph::default() };
        Self {
            old,
            new,
            outside: HashMap::new(),
            copies: vec![HashMap::new(); copies],
            turns: HashMap::new(),
            sharing: None,
            families: HashMap::new(),
        }
    }

    /// The family of copy `c` of node `n`.
    fn family(&mut self, n: NodeId, c: usize) -> Option<Family> {
        // Numbers of the old graph's families are below those of new ones.
        let next = |f: &Self| {
            f.old.nodes.iter().filter_map(|n| Some(n.family?.number + 1)).max().unwrap_or(0) + f.families.len()
        };
        let sharing = match (self.sharing, self.old.node(n).family) {
            (None, None) => return None,
            (Some(Sharing::Shared), Some(family)) => return Some(family),
            (Some(sharing), Some(family)) => return Some(Family { sharing, ..family }),
            (None, Some(family)) => family.sharing,
            (Some(sharing), None) => sharing,
        };
        let key = self.old.node(n).family.map_or((n.0, usize::MAX), |f| (f.number, c));
        let new = next(self);
        let number = *self.families.entry(key).or_insert(new);
        Some(Family { number, sharing })
    }

    /// Adds node `n` with inputs from outside the copies.
    pub fn keep(&mut self, n: NodeId) {
        let node = self.old.node(n);
        let inputs = node.inputs.iter().map(|s| self.outside[s]).collect();
        let made = self.write(n, node.name.clone(), node.op.clone(), inputs, |s| s.clone());
        self.belong(node.family);
        self.outside.extend(node.outputs.iter().copied().zip(made));
    }

    /// Adds node `n` for copy `c`, with inputs from the copy or from outside. `op` and `change` make the copy's
    /// operation and streams.
    pub fn copy(&mut self, n: NodeId, c: usize, op: Op, change: impl Fn(&Stream) -> Stream) {
        let node = self.old.node(n);
        let at = |s: &StreamId| self.copies[c].get(s).or_else(|| self.outside.get(s)).copied();
        let inputs = node.inputs.iter().filter_map(at).collect();
        let made = self.write(n, format!("{}_c{c}", node.name), op, inputs, change);
        let family = self.family(n, c);
        self.belong(family);
        self.copies[c].extend(node.outputs.iter().copied().zip(made));
        if let Some(turn) = node.inputs.iter().find_map(|s| self.turns.get(s)).copied() {
            self.turns.extend(node.outputs.iter().map(|&s| (s, turn)));
        }
    }

    /// Adds node `n` once for all copies, with inputs that they share.
    pub fn lead(&mut self, n: NodeId, op: Op, change: impl Fn(&Stream) -> Stream) {
        let node = self.old.node(n);
        let at = |s: &StreamId| self.copies[0].get(s).or_else(|| self.outside.get(s)).copied();
        let inputs = node.inputs.iter().filter_map(at).collect();
        let made = self.write(n, node.name.clone(), op, inputs, change);
        self.belong(node.family);
        for copy in &mut self.copies {
            copy.extend(node.outputs.iter().copied().zip(made.iter().copied()));
        }
    }

    /// The node written last is one of these.
    fn belong(&mut self, family: Option<Family>) {
        if let Some(last) = self.new.nodes.last_mut() {
            last.family = family;
        }
    }

    fn write(
        &mut self,
        n: NodeId,
        name: String,
        op: Op,
        mut inputs: Vec<StreamId>,
        change: impl Fn(&Stream) -> Stream,
    ) -> Vec<StreamId> {
        let node = self.old.node(n);
        let bundled = op.signature(inputs.len()).inputs.into_iter().map(|input| input.bundled);
        let pairs: Vec<usize> = bundled.enumerate().filter_map(|(k, bundled)| bundled.then_some(k)).collect();
        for k in pairs {
            (inputs[k], inputs[k + 1]) = self.paired(inputs[k], inputs[k + 1], node.stage);
        }
        let outputs = node.outputs.iter().map(|&s| change(self.old.stream(s)).leaves());
        let outputs = outputs.collect();
        self.new.add(name, op, inputs, outputs, node.stage)
    }

    /// Combines two streams of one shape into the bundle that joiners and collapse units take.
    pub fn paired(&mut self, a: StreamId, b: StreamId, stage: usize) -> (StreamId, StreamId) {
        let (x, y) = (self.new.stream(a).clone(), self.new.stream(b).clone());
        let from = self.new.node(x.from.0);
        let bundled = from.op.signature(from.inputs.len()).outputs[x.from.1].bundled;
        if x.from.0 == y.from.0 && bundled && y.from.1 == x.from.1 + 1 {
            return (a, b);
        }
        let outputs = vec![x.leaves(), y.leaves()];
        let out = self.new.add("zip".into(), Op::Zip, vec![a, b], outputs, stage);
        (out[0], out[1])
    }

    /// Adds up the results of the copies of reducer `n` by a tree: values, or fibers of one level.
    pub fn combine(&mut self, n: NodeId, op: Operator, identity: u64) {
        let node = self.old.node(n).clone();
        let of = |c: &HashMap<StreamId, StreamId>| node.outputs.iter().map(|s| c[s]).collect::<Vec<_>>();
        let mut parts: Vec<Vec<StreamId>> = self.copies.iter().map(of).collect();
        while parts.len() > 1 {
            let mut next = Vec::new();
            for pair in parts.chunks(2) {
                next.push(match pair {
                    [a, b] => self.fold(&node.name, op, identity, (a, b), node.stage),
                    alone => alone[0].clone(),
                });
            }
            parts = next;
        }
        if let Some(all) = parts.pop() {
            for (&s, new) in node.outputs.iter().zip(all) {
                self.new.streams[new.0].may_be_empty = self.old.stream(s).may_be_empty;
                self.outside.insert(s, new);
            }
        }
    }

    fn fold(
        &mut self,
        name: &str,
        op: Operator,
        identity: u64,
        (a, b): (&[StreamId], &[StreamId]),
        stage: usize,
    ) -> Vec<StreamId> {
        let alu = Op::Alu { fun: op.into(), args: vec![Arg::Stream(identity); 2], emit: 0b1110 };
        let over = self.new.stream(a[0]).over.clone();
        let ([crd_a, val_a], [crd_b, val_b]) = (a, b) else {
            let out = Leaves::absent(self.new.stream(a[0]).payload, over);
            return self.new.add(format!("{name}_tree"), alu, vec![a[0], b[0]], vec![out], stage);
        };
        let ((crd_a, val_a), (crd_b, val_b)) = (self.paired(*crd_a, *val_a, stage), self.paired(*crd_b, *val_b, stage));
        let union = Op::Join { emit: vec![0b1110], keep: vec![vec![0b1010], vec![0b1100]] };
        let crd = self.new.stream(crd_a).payload;
        let values = self.new.stream(val_a).payload;
        let val = Leaves::absent(values, over.clone());
        let outputs = vec![Leaves::absent(crd, over.clone()), val.clone(), val];
        let met = self.new.add(format!("{name}_meet"), union, vec![crd_a, val_a, crd_b, val_b], outputs, stage);
        let out = Leaves::sure(values, over);
        let sum = self.new.add(format!("{name}_tree"), alu, vec![met[1], met[2]], vec![out], stage);
        vec![met[0], sum[0]]
    }
}
