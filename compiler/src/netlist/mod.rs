//! The netlist: configured primitives and one-to-one channels, memories included. What the
//! native engine runs and what emission prints; both read nothing else.

mod arith;
pub mod bits;
mod copies;
mod ends;
pub mod groups;
mod in_parts;
mod intervals;
mod joiners;
mod locators;
mod map;
mod memories;
mod parts;
mod ports;
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
pub use in_parts::InParts;
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

/// The part of the design to which a cell belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellPlace {
    /// The dataflow graph (`NAME_core`).
    Core,
    /// The memories behind the core's ports (`NAME_ram`).
    Memory,
}

/// An instance of a primitive.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Unique name of the cell, a Verilog identifier.
    pub name: String,
    /// The configured primitive.
    pub primitive: Arc<dyn Primitive>,
    /// Run-time values of its config ports, as indices of [`Netlist::config`].
    pub config: Vec<usize>,
    /// The part of the design with this cell.
    pub place: CellPlace,
    /// Statement of the cell.
    pub stage: usize,
}

/// One end of a channel: the cell and the number of its handshake input or output.
pub type End = (CellId, usize);

pub use samhw_primitives::arith::alu::Pace;
pub use samhw_streams::Select;

/// A connection from one handshake output to at most one handshake input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Unique name of the channel, a Verilog identifier.
    pub name: String,
    /// Producer; `None` for the start token from outside.
    pub from: Option<End>,
    /// Consumer; `None` if there is none (always ready), or for the done token to the outside.
    pub to: Option<End>,
    /// Payloads that the consumer receives.
    pub select: Select,
    /// The variables of the lists, outermost first (streams only).
    pub over: Over,
    /// Further variables in the keys of the leaves, or in the keys that accompany them.
    pub keyed: Vec<VarId>,
    /// Purpose of the channel, such as a memory port or a token; for the output of a FIFO, the reason for its depth.
    pub note: String,
}

/// The meaning of a run-time value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Size of a variable's dimension.
    Dim(VarId),
    /// Product of dimensions' sizes: the number of positions of a chain of dense levels.
    Chunk(Vec<VarId>),
    /// Number of words of this many bits that a bitvector level of the second variable has below each position of the
    /// first ones: the product of their sizes and a fiber's words.
    Words(Vec<VarId>, VarId, u32),
    /// Number of words of an array that may be written, and the array's size.
    Capacity(UseId, Part, u64),
    /// A setting of the host's packing for a level of a use.
    Setting(UseId, usize, Setting),
    /// Fill of a dense result as raw bits, from the statement with this number.
    Fill(usize),
}

/// A run-time input of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Name of the port.
    pub name: String,
    /// Meaning of the value.
    pub meaning: Meaning,
    /// Width in bits.
    pub width: u32,
}

/// An array in a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// Name, such as `B_seg1`, `B_crd1` or `B_vals`.
    pub name: String,
    /// The cell of the memory.
    pub cell: CellId,
    /// Packing of the array.
    pub of: UseId,
    /// Kind of the array.
    pub part: Part,
    /// Number of words as the host sees them; a word of more than 64 bits counts as several of 64.
    pub words: u64,
    /// Width of such a word in bits.
    pub width: u32,
    /// Whether the host loads the array (an operand).
    pub host_writes: bool,
    /// Whether the host reads the array (a result).
    pub host_reads: bool,
}

/// A status output of the core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Name of the port.
    pub name: String,
    /// Cell, and number of its status port.
    pub from: (CellId, usize),
    /// Width in bits.
    pub width: u32,
    /// Meaning of the value.
    pub tells: Tells,
}

/// A netlist of configured primitives.
#[derive(Debug, Clone, Default)]
pub struct Netlist {
    /// Name of the kernel.
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
    /// Number of the channel with the done token.
    pub done: Option<usize>,
    /// Start and end tokens of each statement, in order.
    pub statements: Vec<StatementTokens>,
}

/// The cells of a statement's start and end tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementTokens {
    /// Number of the statement.
    pub stage: usize,
    /// Number of the statement's group.
    pub group: usize,
    /// The cell that takes the start token.
    pub begin: CellId,
    /// The cell that emits a token when all writers of the statement are done.
    pub end: CellId,
}

impl Netlist {
    /// Returns the cell.
    pub fn cell(&self, c: CellId) -> &Cell {
        &self.cells[c.0]
    }
    /// Returns the handshake ports of a cell's primitive in one direction, in the order of [`samhw_streams::Io`].
    pub fn handshakes(&self, c: CellId, dir: samhw_streams::Dir) -> Vec<Port> {
        let mut ports = self.cell(c).primitive.ports();
        ports.retain(|p| p.dir == dir && p.shape.handshakes());
        ports
    }
    /// Returns the port at which channels begin (`Dir::Out`) or end (`Dir::In`).
    pub fn port(&self, (c, port): End, dir: samhw_streams::Dir) -> Option<Port> {
        self.handshakes(c, dir).into_iter().nth(port)
    }
    /// Returns the shape of a channel's beats on its wires, as the producer emits them; for the start token, as the
    /// consumer takes it.
    pub fn shape(&self, channel: &Channel) -> Shape {
        let of = |end: End, dir| self.port(end, dir).map(|port| port.wire_shape());
        let from = channel.from.and_then(|end| of(end, samhw_streams::Dir::Out));
        from.or_else(|| channel.to.and_then(|end| of(end, samhw_streams::Dir::In)))
            .unwrap_or(Shape::Plain { fields: Vec::new() })
    }
    /// Returns whether a channel is a stream between nodes of the graph, rather than a memory port or a token.
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
    /// Returns the netlist with queues of `2**log2` words for memory requests.
    pub fn queued(&self, log2: u32) -> Self {
        let mut net = self.clone();
        for cell in &mut net.cells {
            if let Some(p) = cell.primitive.queued(log2) {
                cell.primitive = p;
            }
        }
        net
    }
    /// Returns the first array with the same contents; copies of operands have the contents of their first copy.
    pub fn first_like(&self, array: usize) -> usize {
        let a = &self.arrays[array];
        let same = |b: &Array| a.host_writes && b.host_writes && (a.of, a.part) == (b.of, b.part);
        self.arrays.iter().position(same).unwrap_or(array)
    }
    /// Returns the numbers of the status outputs that report an overflow of this memory's array.
    pub fn overflow(&self, memory: CellId) -> Vec<usize> {
        let writer = |to: CellId| self.channels.iter().find(|c| c.to == Some((to, 0))).and_then(|c| c.from);
        let mut from = writer(memory);
        while let Some((cell, _)) = from.filter(|(c, _)| self.cell(*c).primitive.class() == Class::Fork) {
            from = writer(cell);
        }
        let of = |s: &Status| s.tells == Tells::Overflow && from.is_some_and(|(c, _)| c == s.from.0);
        (0..self.statuses.len()).filter(|&k| of(&self.statuses[k])).collect()
    }
    /// For a status that reports an overflow of either of two arrays, returns the number of the status that counts the
    /// words of one of them, and that array.
    pub fn counted(&self, array: usize) -> Option<(usize, usize)> {
        let a = &self.arrays[array];
        let (Part::Seg(level) | Part::Crd(level) | Part::Runs(level, _)) = a.part else { return None };
        let of = |b: &Array| b.host_reads && b.of == a.of && b.part.holds_entries(level);
        let crd = self.arrays.iter().position(of)?;
        let cell = self.statuses[*self.overflow(self.arrays[crd].cell).first()?].from.0;
        let count = self.statuses.iter().position(|s| s.tells == Tells::Words && s.from.0 == cell)?;
        Some((count, crd))
    }
    /// Returns the number of the channel with the start token.
    pub fn start(&self) -> Option<usize> {
        self.channels.iter().position(|c| c.from.is_none())
    }
}
