//! The SAM graph: primitives and the streams between them, before hardware detail (widths,
//! forks, FIFOs, memories). One output may feed any number of inputs here.

mod ascends;
mod check;
mod joins;
mod keys;
mod names;
mod prune;
mod signature;
mod text;

pub use check::check;
pub use joins::{Grouped, Joins, Skipping, Told};
pub use names::NodeNames;
pub use signature::{Access, How, Signature};

use crate::levels::LevelKind;
use crate::schedule::Sharing;
use crate::stmt::{Fun, Kernel, Operator, Prefix, Shared, TensorId, VarId};
use crate::types::Type;
use crate::view::Window;
use samhw_primitives::scan::scanner_span::SpanEnd;
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

/// Variables that the lists of a stream range over, outermost first: one list, which streams share. (A chain of
/// matrices has a stream per matrix and loop, each below all the loops outside.)
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

impl From<Operator> for AluFun {
    fn from(op: Operator) -> Self {
        match op {
            Operator::Fun(f) => Self::Fun(f),
            Operator::Call(f) => Self::Call(f),
        }
    }
}

/// An ALU operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arg {
    /// The next input stream; reads as this raw value where it is N.
    Stream(u64),
    /// A constant, raw bits.
    Const(u64),
}

/// What an ALU computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AluFun {
    /// A function of the language.
    Fun(Fun),
    /// Its operand (used to put a fill where a leaf is N).
    Id,
    /// A constant at every leaf of its input.
    Const,
    /// Its operand, which is of this type, as a value of the output's.
    Convert(Type),
    /// The product of its operands, which are whole numbers of these types, as a value of the output's; of one operand, its square.
    Product([Type; 2]),
    /// The truth of a function, whose operands are of this type, as 1 or 0 of the output's.
    Truth(Fun, Type),
    /// A function of the kernel file: its program.
    Call(Shared),
}

/// A primitive. Inputs and outputs are listed as `inputs -> outputs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// `-> ref`: one leaf, 0.
    Root,
    /// `ref -> crd, ref`: a level of a use (dense, compressed, or singleton below a unique parent).
    Scan(UseId, usize),
    /// `range -> crd, ref` or `ref -> crd, range`: a level whose coordinates repeat.
    ScanGroup(UseId, usize),
    /// `ref -> crd, ref`: every coordinate of the variable, for an operand without it.
    Broadcast(VarId),
    /// `words, refs -> crd, ref`: coordinates of a level of this kind that its scanner gives in words: bit vectors, blocks, runs.
    Unpack(LevelKind),
    /// `crd -> words`, or `crd, val -> words, val` of runs: what the writer of a level in blocks or runs stores.
    Pack(UseId, usize),
    /// `ref, crd -> ref`
    Repeat,
    /// `crd0, ref0, crd1, ref1 .. -> crd, ref0, ref1 ..`
    Join {
        /// Truth table, bit P in word P/64.
        emit: Vec<u64>,
        /// One truth table per operand.
        keep: Vec<Vec<u64>>,
    },
    /// `crd, parent -> ref`: position of a coordinate in a level of a use.
    Locate(UseId, usize),
    /// `val -> crd`: a whole number as a coordinate of this variable's dimension; N where it is outside.
    Within(VarId),
    /// `lo, hi -> crd`: the coordinates of the variable between two bounds, whole numbers of one
    /// type; an end of the level has no input.
    Span(VarId, [SpanEnd; 2]),
    /// `crd -> crd`: each coordinate as a list of it alone; N as an empty one.
    Single,
    /// `crd, parent -> ref`: as `Locate`, of a computed coordinate in a dense level.
    Place(UseId, usize),
    /// `ref -> val`
    Array(UseId),
    /// `ref -> range`: where positions of level `.2` of a use begin and end below one of level `.1`; nobody needs them in the
    /// graph: memory behind a bus fetches them ahead.
    Tiles(UseId, usize, usize),
    /// `ref -> crd, ref`: a part of a dense level of a use, whose own coordinates are those of this variable.
    ScanPart(UseId, usize, VarId, Window),
    /// `crd, x -> crd, x`: what a window selects, at the coordinates where it stands.
    Slice(Window),
    /// `x -> crd`: one coordinate of this variable at every leaf.
    Constant(VarId, u64),
    /// `val .. -> val`
    Alu {
        /// Function.
        fun: AluFun,
        /// Operands.
        args: Vec<Arg>,
        /// Truth table over the stream operands: where the result is there.
        emit: u64,
    },
    /// `crd (levels), val -> crd (levels), val`: folds one list level, keeps `kept` levels.
    Reduce {
        /// Operator.
        op: Operator,
        /// Kept levels: 0, 1 or 2.
        kept: usize,
    },
    /// `crd1, crd0, x -> key, x`; key = crd1 and this many bits of crd0.
    Collapse(u32),
    /// `key, x -> crd1, crd0, x`
    Divide(u32),
    /// `val -> val`, or `crd, val -> val` of a place: what a scan of each list gives at its leaves.
    Prefix {
        /// What it makes of values.
        how: Prefix,
        /// Where no operand is at a coordinate the value is N, or changes nothing.
        steady: bool,
    },
    /// `interval -> val`: how many coordinates each one has, cut to the output's type; `parity`: 1
    /// where that is odd, else 0.
    Length {
        /// Only whether it is odd.
        parity: bool,
    },
    /// `val -> val`: tells the scanner that the lists come from where this raw value decides one's reduction.
    Exit(u64),
    /// `a, b -> (a, b)`: two streams of one shape as one bundle.
    Zip,
    /// `outer, inner -> outer, inner`
    Drop {
        /// Inner items are lists (else leaves).
        list: bool,
        /// Leaves with this value go too.
        explicit: Option<u64>,
    },
    /// `crd [, pos] ->`: the arrays of a compressed level of a result.
    WriteLevel {
        /// Result and level.
        level: (UseId, usize),
        /// Height of the lists that one seg entry stands for; 0: no seg array.
        seg_height: u8,
        /// Number of dense levels directly above (then `pos` is given).
        chain: u8,
        /// A list without leaves has no parent either, and gets no seg entry.
        skip_empty: bool,
    },
    /// `val [, pos] ->`
    WriteValues {
        /// Result.
        of: UseId,
        /// Number of dense levels directly above (then `pos` is given).
        chain: u8,
        /// A chunk without leaves has no parent either, and is not written.
        skip_empty: bool,
        /// Values come in any order, any number of them at one position: what makes one of two.
        scatter: Option<Fun>,
    },
    /// `x0, x1 .. -> copy 0's x0, x1 .., copy 1's x0 .. [, turn]`: leaves dealt to copies of a graph.
    Deal {
        /// Number of copies.
        copies: u32,
        /// Who gets the next leaf.
        deal: samhw_primitives::copies::parallelizer::Deal,
        /// Each leaf is a list of its own, and there is the output `turn`.
        split: bool,
    },
    /// `crd, val [, next lane's crd, val] -> crd, val [, previous lane's crd, val]`: whole sums at the borders of lanes.
    Stitch {
        /// What makes one of two parts.
        op: Operator,
        /// A lane follows.
        next: bool,
        /// A lane is before this one.
        prev: bool,
    },
    /// `turn, copy 0's x, copy 1's x .. -> x`: items back in the order they were dealt in.
    Serialize {
        /// Height of the items.
        height: u8,
    },
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
