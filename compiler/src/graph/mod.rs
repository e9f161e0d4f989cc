//! The SAM graph: primitives and the streams between them, before hardware detail (widths,
//! forks, FIFOs, memories). One output may feed any number of inputs here.

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
pub use op::{AluFun, Arg, Op};
pub use signature::{Access, How, Signature};

use crate::levels::LevelKind;
use crate::schedule::Sharing;
use crate::stmt::{Kernel, TensorId, VarId};
use crate::types::Type;
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

/// One packing of a tensor that hardware reads or writes. A tensor read in two orders has
/// two uses; accesses that read the same packing share one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// Name of its arrays; the tensor's name, with a number from the second packing on.
    pub name: String,
    /// The tensor.
    pub tensor: TensorId,
    /// Level kinds, outermost stored level first.
    pub levels: Vec<LevelKind>,
    /// `mode_order[l]` is the mode that level `l` holds.
    pub mode_order: Vec<usize>,
    /// True if the packing differs from the declared one.
    pub repacked: bool,
    /// The part of the tensor that this packing holds, if not all of it.
    pub slice: Option<Slice>,
    /// The run of stored entries that this packing holds, if not all of them.
    pub chunk: Option<Chunk>,
}

/// Of entries cut into `chunks` runs of equal length, in storage order, number `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Number of the run.
    pub at: u64,
    /// Number of runs.
    pub chunks: u64,
}

impl Chunk {
    /// The entries of this run, of `n` in all.
    pub fn range(&self, n: u64) -> std::ops::Range<u64> {
        n * self.at / self.chunks..n * (self.at + 1) / self.chunks
    }
}

/// Every `lanes`-th coordinate of a mode from `lane` on; coordinate c is c / lanes in the slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// Mode of the tensor.
    pub mode: usize,
    /// The variable that the mode has in the statement.
    pub of: VarId,
    /// The variable of the slice's coordinates.
    pub var: VarId,
    /// Number of the slice.
    pub lane: u64,
    /// Number of slices.
    pub lanes: u64,
}

impl Slice {
    /// What it has of a tensor: the mode, and which of how many slices.
    pub fn part(&self) -> (usize, u64, u64) {
        (self.mode, self.lane, self.lanes)
    }
    /// Coordinates of the slice where the whole has `n`.
    pub fn size(&self, n: u64) -> u64 {
        n.saturating_sub(self.lane).div_ceil(self.lanes)
    }
}

impl Use {
    /// Largest size of level `l`.
    pub fn size(&self, kernel: &Kernel, l: usize) -> u64 {
        let mode = self.mode_order[l];
        match self.slice.filter(|s| s.mode == mode) {
            Some(s) => kernel.var(s.var).max,
            None => kernel.tensor(self.tensor).shape[mode],
        }
    }
}

/// What a stream's leaves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// Coordinates of a variable.
    Crd(VarId),
    /// Intervals {last, first} of coordinates of a variable: a leaf stands for all of them, and so
    /// do those of streams that come with it.
    Interval(VarId),
    /// Coordinates of several variables in one number of this many bits.
    Key(u32),
    /// The one position above every first level: always 0.
    Root,
    /// Positions in level `.1` of a use.
    Ref(UseId, usize),
    /// A range of positions `{end, begin}` in a level with repeated coordinates.
    Range(UseId, usize),
    /// Positions in a chain of dense levels of a result, up to level `.1`.
    Pos(UseId, usize),
    /// Values of this type.
    Val(Type),
    /// Which of this many copies of the graph got an item.
    Copy(u32),
}

/// Variables that the lists of a stream range over, outermost first: one list, which streams share.
/// (A chain of matrices has a stream per matrix and loop, each below all the loops outside.)
pub type Over = Arc<[VarId]>;

/// What a new stream is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaves {
    /// What the leaves are.
    pub payload: Payload,
    /// The variables its lists range over, outermost first.
    pub over: Over,
    /// Whether a leaf can be N; of coordinates, whether a list can be empty.
    pub may_be_empty: bool,
}

impl Leaves {
    /// Leaves of which some may not be there, or all are.
    pub fn maybe(payload: Payload, over: impl Into<Over>, may_be_empty: bool) -> Self {
        Self { payload, over: over.into(), may_be_empty }
    }
    /// Leaves that are all there.
    pub fn sure(payload: Payload, over: impl Into<Over>) -> Self {
        Self::maybe(payload, over, false)
    }
    /// Leaves of which some may not be there.
    pub fn absent(payload: Payload, over: impl Into<Over>) -> Self {
        Self::maybe(payload, over, true)
    }
}

/// A stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream {
    /// Node and output that drive it.
    pub from: (NodeId, usize),
    /// What its leaves are.
    pub payload: Payload,
    /// The variables its lists range over, outermost first; its length is the depth.
    pub over: Over,
    /// Whether a leaf can be N; of coordinates, which never are N: whether a list can be empty.
    pub may_be_empty: bool,
}

impl Stream {
    /// The same of other packings and variables.
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
    /// What another stream of the same is of.
    pub fn leaves(&self) -> Leaves {
        Leaves::maybe(self.payload, self.over.clone(), self.may_be_empty)
    }
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Unique name, a Verilog identifier.
    pub name: String,
    /// The primitive.
    pub op: Op,
    /// Streams it takes.
    pub inputs: Vec<StreamId>,
    /// Streams it drives.
    pub outputs: Vec<StreamId>,
    /// Statement it belongs to; a stage starts when the one before has finished.
    pub stage: usize,
    /// The copies of one node that it belongs to, if they share the memories that they read.
    pub family: Option<Family>,
}

/// Copies of one node that share memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// Tells families apart.
    pub number: usize,
    /// How they share.
    pub sharing: Sharing,
}

/// Every consumer of each stream, by its number: node and input number.
pub type Readers = Vec<Vec<(NodeId, usize)>>;

/// A graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// Nodes, producers before consumers.
    pub nodes: Vec<Node>,
    /// Streams.
    pub streams: Vec<Stream>,
    /// Packings read and written.
    pub uses: Vec<Use>,
    /// What the nodes are called.
    pub names: NodeNames,
    /// How joins are made, of a graph that is otherwise done.
    pub joins: Joins,
}

impl Graph {
    /// The node.
    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n.0]
    }
    /// The stream.
    pub fn stream(&self, s: StreamId) -> &Stream {
        &self.streams[s.0]
    }
    /// Type of the values that a node makes, else of those that it takes.
    pub fn value_type(&self, n: NodeId) -> Option<Type> {
        let node = self.node(n);
        node.outputs.iter().chain(&node.inputs).find_map(|&s| match self.stream(s).payload {
            Payload::Val(ty) => Some(ty),
            _ => None,
        })
    }
    /// Depth of a stream.
    pub fn depth(&self, s: StreamId) -> usize {
        self.stream(s).over.len()
    }
    /// How much of it there is.
    pub(crate) fn mark(&self) -> [usize; 3] {
        [self.nodes.len(), self.streams.len(), self.uses.len()]
    }
    /// Drops what was added since `mark`.
    pub(crate) fn truncate(&mut self, mark: [usize; 3]) {
        self.nodes.drain(mark[0]..).for_each(|node| self.names.forget(&node.name));
        self.streams.truncate(mark[1]);
        self.uses.truncate(mark[2]);
    }
    /// Every consumer of every stream.
    pub fn readers(&self) -> Readers {
        let mut out = vec![Vec::new(); self.streams.len()];
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
    /// Adds a node with the given outputs; returns its streams.
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
        let count = self.names.begun(&name);
        let name = if count == 0 { name } else { format!("{name}_{}", count + 1) };
        self.names.count(&name);
        self.nodes.push(Node { name, op, inputs, outputs: outputs.clone(), stage, family: None });
        outputs
    }
}
