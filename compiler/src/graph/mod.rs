//! The SAM graph: primitives and streams, without hardware details such as widths, forks, FIFOs and memories. One
//! output may feed any number of inputs here.

mod ascends;
mod check;
mod joins;
mod keys;
mod names;
mod node_kind;
mod op;
mod prune;
mod signature;
mod text;

pub use check::check;
pub use joins::{Grouped, Joins, Skipping, Told};
pub use names::NodeNames;
pub use node_kind::NodeKind;
pub use op::{AluFun, Arg, Measured, Op};
pub use signature::{Access, How, Signature};

use crate::levels::LevelKind;
use crate::schedule::Sharing;
use crate::stmt::{Kernel, TensorId, VarId};
use crate::types::Type;
use smallvec::SmallVec;
use std::sync::Arc;

/// Index of a [`Node`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);
/// Index of a [`Stream`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub usize);
/// Index of a [`Use`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UseId(pub usize);

/// A packing of a tensor that the hardware reads or writes. A tensor read in two orders has two uses; accesses that
/// read the same packing share one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Name of the arrays: the tensor's name, with a number from the second packing on.
    pub name: String,
    /// The packed tensor.
    pub tensor: TensorId,
    /// Level kinds, outermost stored level first.
    pub levels: Vec<LevelKind>,
    /// `mode_order[l]` is the mode that level `l` holds.
    pub mode_order: Vec<usize>,
    /// Whether the packing differs from the declared one.
    pub repacked: bool,
    /// The slices of the tensor in this packing, of a mode each, by mode; none where it is all of the tensor.
    pub slices: Vec<Slice>,
    /// The run of stored entries in this packing, if it does not hold all of them.
    pub chunk: Option<Chunk>,
    /// Whether the lists of its last level are read from their end.
    pub backwards: bool,
}

/// One of `chunks` runs of equal length, into which stored entries are divided in storage order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Number of the run.
    pub at: u64,
    /// Number of runs.
    pub chunks: u64,
}

impl Chunk {
    /// Returns the range of this run among `n` entries.
    pub fn range(&self, n: u64) -> std::ops::Range<u64> {
        n * self.at / self.chunks..n * (self.at + 1) / self.chunks
    }
}

/// A slice: every `lanes`-th coordinate of a mode from `lane` on; coordinate c becomes c / lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// Mode of the tensor.
    pub mode: usize,
    /// The variable of the mode in the statement.
    pub of: VarId,
    /// The variable of the slice's coordinates.
    pub var: VarId,
    /// Number of the slice.
    pub lane: u64,
    /// Number of slices.
    pub lanes: u64,
    /// Whether all slices are as long as the first. What is beyond the mode's end has no meaning.
    pub even: bool,
}

impl Slice {
    /// Returns the mode, the number of the slice, the number of slices, and whether they are even.
    pub fn part(&self) -> (usize, u64, u64, bool) {
        (self.mode, self.lane, self.lanes, self.even)
    }
    /// Returns the size of the slice of a mode of size `n`.
    pub fn size(&self, n: u64) -> u64 {
        let first = if self.even { 0 } else { self.lane };
        n.saturating_sub(first).div_ceil(self.lanes)
    }
}

impl Use {
    /// Returns whether this and `other` pack a tensor in the same way, each perhaps a part of it.
    pub fn packs_as(&self, other: &Self) -> bool {
        let packing = |u: &Self| (u.tensor, u.repacked);
        packing(self) == packing(other) && self.levels == other.levels && self.mode_order == other.mode_order
    }
    /// Returns whether level `l` is read from the end of its lists.
    pub fn is_backwards(&self, l: usize) -> bool {
        self.backwards && l + 1 == self.levels.len()
    }
    /// Returns whether the arrays of this and `other` hold the same words. Tables have seeds and may differ.
    pub fn holds_as(&self, other: &Self) -> bool {
        self.packs_as(other) && self.parts() == other.parts() && self.chunk == other.chunk
    }
    /// Returns the largest size of level `l`.
    pub fn size(&self, kernel: &Kernel, l: usize) -> u64 {
        let mode = self.mode_order[l];
        match self.slice_of(mode) {
            Some(s) => kernel.var(s.var).max,
            None => kernel.tensor(self.tensor).shape[mode],
        }
    }
    /// Returns the slice of a mode, if this is cut there.
    pub fn slice_of(&self, mode: usize) -> Option<&Slice> {
        self.slices.iter().find(|s| s.mode == mode)
    }
    /// Returns which part of the tensor this is.
    pub fn parts(&self) -> Vec<(usize, u64, u64, bool)> {
        self.slices.iter().map(Slice::part).collect()
    }
    /// Cuts a mode that is whole.
    pub fn cut(&mut self, slice: Slice) {
        self.slices.push(slice);
        self.slices.sort_by_key(|s| s.mode);
    }
}

/// The payload of a stream's leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// Coordinates of a variable.
    Crd(VarId),
    /// Intervals {last, first} of coordinates of a variable; each leaf represents all of them, as do the leaves of the
    /// streams with it.
    Interval(VarId),
    /// Keys of this many bits, which combine the coordinates of several variables.
    Key(u32),
    /// The root position above every first level: always 0.
    Root,
    /// Positions in level `.1` of a use.
    Ref(UseId, usize),
    /// A range of positions `{end, begin}` in a level with repeated coordinates.
    Range(UseId, usize),
    /// Positions in a chain of dense levels of a result, up to level `.1`.
    Pos(UseId, usize),
    /// Values of this type.
    Val(Type),
    /// For each item, the number of the copy that received it, out of this many copies.
    Copy(u32),
}

/// The variables of a stream's lists, outermost first; streams share them. (A chain of matrices has a stream per matrix
/// and loop, each below all the loops outside.)
pub type Over = Arc<[VarId]>;

/// The leaves of a new stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaves {
    /// Payload of the leaves.
    pub payload: Payload,
    /// The variables of the lists, outermost first.
    pub over: Over,
    /// Whether a leaf can be N; for coordinates, whether a list can be empty.
    pub may_be_empty: bool,
}

impl Leaves {
    /// Creates leaves that may be absent if `may_be_empty` is true.
    pub fn maybe(payload: Payload, over: impl Into<Over>, may_be_empty: bool) -> Self {
        Self { payload, over: over.into(), may_be_empty }
    }
    /// Creates leaves that are all present.
    pub fn sure(payload: Payload, over: impl Into<Over>) -> Self {
        Self::maybe(payload, over, false)
    }
    /// Creates leaves that may be absent.
    pub fn absent(payload: Payload, over: impl Into<Over>) -> Self {
        Self::maybe(payload, over, true)
    }
}

/// A stream of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// The node and output that drive the stream.
    pub from: (NodeId, usize),
    /// Payload of the leaves.
    pub payload: Payload,
    /// The variables of the lists, outermost first; their number is the stream's depth.
    pub over: Over,
    /// Whether a leaf can be N; for coordinates, which are never N, whether a list can be empty.
    pub may_be_empty: bool,
}

impl Stream {
    /// Returns the same operation on other packings and variables.
    pub(crate) fn renamed(&self, used: impl Fn(UseId) -> UseId, var: impl Fn(VarId) -> VarId) -> Self {
        let payload = match self.payload {
            Payload::Crd(v) => Payload::Crd(var(v)),
            Payload::Interval(v) => Payload::Interval(var(v)),
            Payload::Ref(u, l) => Payload::Ref(used(u), l),
            Payload::Range(u, l) => Payload::Range(used(u), l),
            Payload::Pos(u, l) => Payload::Pos(used(u), l),
            Payload::Root | Payload::Key(_) | Payload::Val(_) | Payload::Copy(_) => self.payload,
        };
        let over = self.over.iter().map(|&v| var(v)).collect();
        Self { from: self.from, payload, over, may_be_empty: self.may_be_empty }
    }
    /// Returns the leaves for another stream of the same kind.
    pub fn leaves(&self) -> Leaves {
        Leaves::maybe(self.payload, self.over.clone(), self.may_be_empty)
    }
}

/// A node of the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Unique name of the node, a Verilog identifier.
    pub name: String,
    /// The node's operation.
    pub op: Op,
    /// Input streams.
    pub inputs: Vec<StreamId>,
    /// Output streams.
    pub outputs: Vec<StreamId>,
    /// Statement of the node; a stage starts after the previous one has finished.
    pub stage: usize,
    /// The family of the node, if several copies of it share memories that they read.
    pub family: Option<Family>,
}

/// Copies of one node that share memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// Number of the family.
    pub number: usize,
    /// The way in which the copies share the memories.
    pub sharing: Sharing,
}

/// All consumers of each stream, by its number: node and input number.
pub type Readers = Vec<SmallVec<[(NodeId, usize); 2]>>;

/// A SAM graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// Nodes, producers before consumers.
    pub nodes: Vec<Node>,
    /// Streams.
    pub streams: Vec<Stream>,
    /// Packings that the graph reads and writes.
    pub uses: Vec<Use>,
    /// Names of the nodes.
    pub names: NodeNames,
    /// The kinds of joins, once the rest of the graph is complete.
    pub joins: Joins,
}

impl Graph {
    /// Returns the node.
    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n.0]
    }
    /// Returns the stream.
    pub fn stream(&self, s: StreamId) -> &Stream {
        &self.streams[s.0]
    }
    /// Returns the type of a node's output values, or of its input values if it outputs none.
    pub fn value_type(&self, n: NodeId) -> Option<Type> {
        let node = self.node(n);
        // Items of a dropper may be values of another type than those that it looks at.
        let items = usize::from(matches!(node.op, Op::Drop { .. }));
        node.outputs.iter().skip(items).chain(&node.inputs).find_map(|&s| match self.stream(s).payload {
            Payload::Val(ty) => Some(ty),
            _ => None,
        })
    }
    /// Returns the depth of a stream.
    pub fn depth(&self, s: StreamId) -> usize {
        self.stream(s).over.len()
    }
    /// Returns the current numbers of nodes, streams and uses.
    pub(crate) fn mark(&self) -> [usize; 3] {
        [self.nodes.len(), self.streams.len(), self.uses.len()]
    }
    /// Drops what was added since `mark`.
    pub(crate) fn truncate(&mut self, mark: [usize; 3]) {
        self.nodes.drain(mark[0]..).for_each(|node| self.names.forget(&node.name));
        self.streams.truncate(mark[1]);
        self.uses.truncate(mark[2]);
    }
    /// Returns all consumers of every stream.
    pub fn readers(&self) -> Readers {
        let mut out = vec![SmallVec::new(); self.streams.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            for (k, s) in node.inputs.iter().enumerate() {
                out[s.0].push((NodeId(n), k));
            }
        }
        out
    }
    /// Adds a node whose output streams exist.
    pub fn push(&mut self, node: Node) {
        let id = NodeId(self.nodes.len());
        self.names.count(&node.name);
        for (k, s) in node.outputs.iter().enumerate() {
            self.streams[s.0].from = (id, k);
        }
        self.nodes.push(node);
    }
    /// Gives a node another name, with a number where others have it already.
    pub(crate) fn rename(&mut self, n: NodeId, name: String) {
        self.names.forget(&self.nodes[n.0].name);
        self.nodes[n.0].name = self.unused(name);
        self.names.count(&self.nodes[n.0].name);
    }
    /// The name, with a number where others begin with it already.
    fn unused(&self, name: String) -> String {
        let count = self.names.begun(&name);
        if count == 0 { name } else { format!("{name}_{}", count + 1) }
    }
    /// Adds a node with new output streams and returns these.
    pub fn add(
        &mut self,
        name: String,
        op: Op,
        inputs: Vec<StreamId>,
        outputs: Vec<Leaves>,
        stage: usize,
    ) -> Vec<StreamId> {
        let id = NodeId(self.nodes.len());
        let first = self.streams.len();
        for (k, Leaves { payload, over, may_be_empty }) in outputs.into_iter().enumerate() {
            self.streams.push(Stream { from: (id, k), payload, over, may_be_empty });
        }
        let outputs: Vec<StreamId> = (first..self.streams.len()).map(StreamId).collect();
        let name = self.unused(name);
        self.names.count(&name);
        self.nodes.push(Node { name, op, inputs, outputs: outputs.clone(), stage, family: None });
        outputs
    }
}
