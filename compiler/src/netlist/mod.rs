//! The netlist: configured primitives and one-to-one channels, memories included. What the
//! native engine runs and what emission prints; both read nothing else.

mod arith;
pub mod bits;
mod copies;
mod ends;
pub mod groups;
mod intervals;
mod joiners;
mod locators;
mod map;
mod memories;
mod parts;
mod realize;
mod repeat;
pub mod room;
mod runs;
mod scanners;
mod sizes;
pub mod skipping;
mod wide;
mod writers;

use crate::levels::{Part, Setting};
pub use ends::Ends;
pub use realize::realize;
pub use runs::level_crd_w;
pub use sizes::{DEFAULT_NNZ, Sizes, declared, defaulted};

use crate::graph::{Over, UseId};
use crate::stmt::VarId;
use samhw_streams::{Class, Port, Primitive, Shape, Tells};
use std::sync::Arc;

/// Index of a [`Cell`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub usize);

/// What part of the design a cell belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellPlace {
    /// The dataflow graph (`NAME_core`).
    Core,
    /// Behind its memory ports (`NAME_ram`).
    Memory,
}

/// An instance of a primitive.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Unique name, a Verilog identifier.
    pub name: String,
    /// What it is.
    pub primitive: Arc<dyn Primitive>,
    /// Run-time values of its config ports, as indices of [`Netlist::config`].
    pub config: Vec<usize>,
    /// Where it stands.
    pub place: CellPlace,
    /// Statement it belongs to.
    pub stage: usize,
}

/// One end of a channel: the cell and the number of its handshake input or output.
pub type End = (CellId, usize);

pub use samhw_primitives::arith::alu::Pace;
pub use samhw_streams::Select;

/// A connection from one handshake output to at most one handshake input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Unique name, a Verilog identifier.
    pub name: String,
    /// Producer; `None`: the start token from outside.
    pub from: Option<End>,
    /// Consumer; `None`: nobody (always ready), or the done token to the outside.
    pub to: Option<End>,
    /// Which payloads the consumer sees.
    pub select: Select,
    /// The variables its lists range over, outermost first (streams only).
    pub over: Over,
    /// Further variables that the keys of its leaves hold, or of those beside it.
    pub keyed: Vec<VarId>,
    /// Why it is there: a memory port, a token; of a FIFO's output, why it is as deep as it is.
    pub note: String,
}

/// Meaning of a run-time value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Size of a dimension.
    Dim(VarId),
    /// Product of the sizes of dimensions: positions of a dense chain.
    Chunk(Vec<VarId>),
    /// Words of that many bits that a bitvector level of the second has below each position of the first: the product
    /// of their sizes and the number of words of a fiber.
    Words(Vec<VarId>, VarId, u32),
    /// Words of an array that may be written, and how many that are.
    Capacity(UseId, Part, u64),
    /// What the host's packing says of a level of a use.
    Setting(UseId, usize, Setting),
    /// Value where a dense result has nothing: raw bits, from the statement with this number.
    Fill(usize),
}

/// A run-time input of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Port name.
    pub name: String,
    /// What it holds.
    pub meaning: Meaning,
    /// Bits.
    pub width: u32,
}

/// An array in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// `B_seg1`, `B_crd1`, `B_vals`.
    pub name: String,
    /// The memory.
    pub cell: CellId,
    /// Packing it belongs to.
    pub of: UseId,
    /// Which array.
    pub part: Part,
    /// Words it holds, as the host sees them: one of more than 64 bits as several of 64.
    pub words: u64,
    /// Bits of such a word.
    pub width: u32,
    /// The host loads it (an operand).
    pub host_writes: bool,
    /// The host reads it (a result).
    pub host_reads: bool,
}

/// A status output of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Port name.
    pub name: String,
    /// Cell and number of its status port.
    pub from: (CellId, usize),
    /// Bits.
    pub width: u32,
    /// What it tells.
    pub tells: Tells,
}

/// A netlist.
#[derive(Debug, Clone, Default)]
pub struct Netlist {
    /// Kernel name.
    pub name: String,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Channels.
    pub channels: Vec<Channel>,
    /// Run-time inputs.
    pub config: Vec<Config>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Status outputs.
    pub statuses: Vec<Status>,
    /// Number of the channel that carries the done token.
    pub done: Option<usize>,
    /// Who begins and ends each statement, in order.
    pub statements: Vec<StatementTokens>,
}

/// Where the tokens of a statement are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementTokens {
    /// The statement.
    pub stage: usize,
    /// Number of its group.
    pub group: usize,
    /// What takes its start token.
    pub begin: CellId,
    /// What gives a token when all its writers are done.
    pub end: CellId,
}

impl Netlist {
    /// The cell.
    pub fn cell(&self, c: CellId) -> &Cell {
        &self.cells[c.0]
    }
    /// The handshake ports of a cell's primitive in one direction, in Io order.
    pub fn handshakes(&self, c: CellId, dir: samhw_streams::Dir) -> Vec<Port> {
        self.cell(c).primitive.ports().into_iter().filter(|p| p.dir == dir && p.shape.handshakes()).collect()
    }
    /// Shape of a channel's beats on its wires, as its producer gives them; the start token's as
    /// its consumer takes them.
    pub fn shape(&self, channel: &Channel) -> Shape {
        let of = |(c, p): End, dir| self.handshakes(c, dir).into_iter().nth(p).map(|port| port.wire_shape());
        let from = channel.from.and_then(|end| of(end, samhw_streams::Dir::Out));
        from.or_else(|| channel.to.and_then(|end| of(end, samhw_streams::Dir::In)))
            .unwrap_or(Shape::Plain { fields: Vec::new() })
    }
    /// Whether a channel is a stream between nodes of the graph, not one of memories or tokens.
    pub fn is_stream(&self, channel: &Channel) -> bool {
        let core = |end: Option<End>| end.is_some_and(|(c, _)| self.cell(c).place == CellPlace::Core);
        core(channel.from) && core(channel.to) && matches!(self.shape(channel), Shape::Stream { .. })
    }
    /// Checks that every handshake port has exactly one channel. An error is a fault of the
    /// compiler, not of the user.
    pub fn check(&self) -> Result<(), String> {
        for c in (0..self.cells.len()).map(CellId) {
            for dir in [samhw_streams::Dir::In, samhw_streams::Dir::Out] {
                for (p, port) in self.handshakes(c, dir).iter().enumerate() {
                    let end = Some((c, p));
                    let side =
                        |ch: &&Channel| if dir == samhw_streams::Dir::In { ch.to == end } else { ch.from == end };
                    let n = self.channels.iter().filter(side).count();
                    if n != 1 {
                        return Err(format!("port {} of {} has {n} channels", port.name, self.cell(c).name));
                    }
                }
            }
        }
        Ok(())
    }
    /// The same with queues of `2**log2` words for what waits for memory.
    pub fn queued(&self, log2: u32) -> Self {
        let mut net = self.clone();
        for cell in &mut net.cells {
            if let Some(p) = cell.primitive.queued(log2) {
                cell.primitive = p;
            }
        }
        net
    }
    /// The first array that holds the same as this one: copies of operands hold what their first one does.
    pub fn first_like(&self, array: usize) -> usize {
        let a = &self.arrays[array];
        let same = |b: &Array| a.host_writes && b.host_writes && (a.of, a.part) == (b.of, b.part);
        self.arrays.iter().position(same).unwrap_or(array)
    }
    /// Numbers of the status outputs that tell that the array of this memory was too small.
    pub fn overflow(&self, memory: CellId) -> Vec<usize> {
        let writer = |to: CellId| self.channels.iter().find(|c| c.to == Some((to, 0))).and_then(|c| c.from);
        let mut from = writer(memory);
        while let Some((cell, _)) = from.filter(|(c, _)| self.cell(*c).primitive.class() == Class::Fork) {
            from = writer(cell);
        }
        let of = |s: &Status| s.tells == Tells::Overflow && from.is_some_and(|(c, _)| c == s.from.0);
        (0..self.statuses.len()).filter(|&k| of(&self.statuses[k])).collect()
    }
    /// Where one status tells that either of two arrays of a level was too small: the number of the status that counts the words of one of
    /// them, and of that array.
    pub fn counted(&self, array: usize) -> Option<(usize, usize)> {
        let a = &self.arrays[array];
        let (Part::Seg(level) | Part::Crd(level) | Part::Runs(level, _)) = a.part else { return None };
        let of = |b: &Array| b.host_reads && b.of == a.of && b.part.holds_entries(level);
        let crd = self.arrays.iter().position(of)?;
        let cell = self.statuses[*self.overflow(self.arrays[crd].cell).first()?].from.0;
        let count = self.statuses.iter().position(|s| s.tells == Tells::Words && s.from.0 == cell)?;
        Some((count, crd))
    }
    /// Number of the channel that carries the start token.
    pub fn start(&self) -> Option<usize> {
        self.channels.iter().position(|c| c.from.is_none())
    }
}
