//! What a primitive tells the compiler, the emitter and the engines about itself.

use crate::Model;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Direction of a port, seen from the primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Into the primitive.
    In,
    /// Out of it.
    Out,
}

/// One payload of a beat.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// `crd`, `ref`, `val`, `addr`, `len`, `data` ...
    pub name: &'static str,
    /// Bits.
    pub width: u32,
}

impl Field {
    /// A field.
    pub const fn new(name: &'static str, width: u32) -> Self {
        Self { name, width }
    }
}

/// Shape of a port. Verilog names of port `x`: `x_valid`, `x_ready`, `x_beat` for the first
/// two kinds (`x_beat` packs, from the top bit, kind (2), stop, last field .. first field;
/// a plain beat has fields only), and plain `x` for the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A stream of beats with a handshake.
    Stream {
        /// Width of the stop field.
        stop_w: u32,
        /// One or two payloads.
        fields: Vec<Field>,
    },
    /// A handshake that carries fields only: memory requests, responses and writes.
    Plain {
        /// One or two payloads.
        fields: Vec<Field>,
    },
    /// An input that is stable while a kernel runs (a dimension, a capacity).
    Config {
        /// Bits.
        width: u32,
    },
    /// An output read after a run (a count, an error bit).
    Status {
        /// Bits.
        width: u32,
        /// Of what.
        tells: Tells,
    },
    /// An output handshake that nobody uses; the module knows by a parameter and ignores its
    /// ready. No channel, no number in [`crate::Io`].
    Open {
        /// Bits of the beat.
        width: u32,
    },
}

/// What a status output tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tells {
    /// Words written in the last run, those without room too; the most that it has bits for where
    /// there were more.
    Words,
    /// Whether there was no room for some: the result is not to be trusted.
    Overflow,
    /// Rounds of the last run.
    Rounds,
    /// Whether the last round asked for another one.
    Unfinished,
}

impl Shape {
    /// Bits of the packed beat, or of the wire.
    pub fn width(&self) -> u32 {
        match self {
            Self::Stream { stop_w, fields } => 2 + stop_w + fields.iter().map(|f| f.width).sum::<u32>(),
            Self::Plain { fields } => fields.iter().map(|f| f.width).sum(),
            Self::Config { width } | Self::Status { width, .. } | Self::Open { width } => *width,
        }
    }
    /// True if it has valid and ready.
    pub fn handshakes(&self) -> bool {
        matches!(self, Self::Stream { .. } | Self::Plain { .. })
    }
}

/// Place of a port in a vector of ports, for modules with a parameterised number of them.
///
/// The module has one group `V_valid`, `V_ready`, `V_beat` for vector `V`; lane `k` is bit `k`
/// of the first two and the slice `V_beat[k*width +: width]`. Where the port's beat is
/// narrower than the slice its last field is widened: zeros on inputs, dropped on outputs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lane {
    /// Name of the vector in Verilog (without suffix).
    pub vector: &'static str,
    /// Which lane.
    pub index: u32,
    /// Lanes of the vector; [`Primitive::ports`] lists all of them, in order.
    pub count: u32,
    /// Bits of one lane's beat.
    pub width: u32,
}

/// What a port is for, where others must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Role {
    /// What its shape says.
    #[default]
    Plain,
    /// Words for a memory that takes them in the cycle in which they come.
    Write,
    /// The token that says that all of a run is written.
    Finished,
    /// What a scanner may leave out. Nothing waits for it, and it numbers fibers across runs.
    Hint,
}

/// A port of a primitive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in Verilog (without suffix).
    pub name: Cow<'static, str>,
    /// Direction.
    pub dir: Dir,
    /// Shape.
    pub shape: Shape,
    /// Its place, if it is part of a vector.
    pub lane: Option<Lane>,
    /// What it is for.
    pub role: Role,
}

impl Port {
    /// A port of this shape.
    pub fn new(name: impl Into<Cow<'static, str>>, dir: Dir, shape: Shape) -> Self {
        Self { name: name.into(), dir, shape, lane: None, role: Role::Plain }
    }
    /// A stream port.
    pub fn stream(name: impl Into<Cow<'static, str>>, dir: Dir, stop_w: u32, fields: &[Field]) -> Self {
        Self::new(name, dir, Shape::Stream { stop_w, fields: fields.to_vec() })
    }
    /// A memory request, response or write port.
    pub fn plain(name: impl Into<Cow<'static, str>>, dir: Dir, fields: &[Field]) -> Self {
        Self::new(name, dir, Shape::Plain { fields: fields.to_vec() })
    }
    /// A configuration input.
    pub fn config(name: impl Into<Cow<'static, str>>, width: u32) -> Self {
        Self::new(name, Dir::In, Shape::Config { width })
    }
    /// A status output.
    pub fn status(name: impl Into<Cow<'static, str>>, width: u32, tells: Tells) -> Self {
        Self::new(name, Dir::Out, Shape::Status { width, tells })
    }
    /// An output handshake nobody uses; `width` is that of its beat.
    pub fn open(name: impl Into<Cow<'static, str>>, width: u32) -> Self {
        Self::new(name, Dir::Out, Shape::Open { width })
    }
    /// Shape of the beat on its wires: as a lane of a vector its last field fills the slice.
    pub fn wire_shape(&self) -> Shape {
        let mut shape = self.shape.clone();
        let missing = self.lane.as_ref().map_or(0, |l| l.width.saturating_sub(shape.width()));
        match &mut shape {
            Shape::Stream { fields, .. } | Shape::Plain { fields } => {
                if let Some(last) = fields.last_mut() {
                    last.width += missing;
                }
            }
            Shape::Config { width } | Shape::Status { width, .. } | Shape::Open { width } => *width += missing,
        }
        shape
    }
    /// This port with a role.
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }
    /// This port as a lane of a vector.
    pub fn in_lane(self, vector: &'static str, index: u32, count: u32, width: u32) -> Self {
        Self { lane: Some(Lane { vector, index, count, width }), ..self }
    }
}

/// Value of a Verilog parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Param {
    /// A plain integer (a width, a depth).
    Int(u32),
    /// A vector of `width` bits, least significant word first (a truth table, a constant).
    Bits(u32, Vec<u64>),
}

impl Param {
    /// As a Verilog literal.
    pub fn literal(&self) -> String {
        match self {
            Self::Int(n) => n.to_string(),
            Self::Bits(width, words) => {
                let digits: String = words.iter().rev().map(|w| format!("{w:016x}")).collect();
                let keep = width.div_ceil(4) as usize;
                format!("{width}'h{}", &digits[digits.len().saturating_sub(keep)..])
            }
        }
    }
}

/// Which module a primitive instantiates, with which parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Name of the module; the library of primitives has its text.
    pub module: &'static str,
    /// Parameters in the order of the module's header.
    pub params: Vec<(&'static str, Param)>,
}

/// An output that comes late: a leaf of output `late` leaves only after the whole list below
/// it has left on output `early`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag {
    /// Handshake output that waits.
    pub late: usize,
    /// Handshake output that goes ahead.
    pub early: usize,
}

/// Leaves that a primitive gives out for those it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// One for one, or a list folded into one.
    Even,
    /// It drops some.
    Filters,
    /// A list for each.
    Expands,
}

/// What a primitive is to those who look at all cells of a netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Class {
    /// One that nobody need know.
    #[default]
    Other,
    /// A buffer of so many beats.
    Fifo {
        /// Beats.
        depth: u32,
    },
    /// A register on a connection.
    Relay,
    /// Gives every beat to several consumers.
    Fork,
    /// Starts a run.
    Root,
    /// Repeats references.
    Repeater,
    /// Leaves out what hints say.
    SkippingScanner,
    /// Searches a level's coordinates, which it reads here and there.
    Search,
    /// Makes one item of several.
    Grouping,
    /// Gives whole lists at once, when it has folded them.
    Workspace,
    /// Stores values, and fills gaps between them.
    GapFiller,
    /// Puts items of copies in order.
    Serializer {
        /// Copies of the graph.
        copies: u32,
        /// Height of an item.
        height: u32,
    },
}

/// A configured primitive.
///
/// Handshake ports are numbered for [`crate::Io`] in the order of [`Self::ports`],
/// inputs and outputs separately, config and status ports left out; config and status ports
/// are numbered likewise among themselves.
pub trait Primitive: fmt::Debug + Send + Sync {
    /// The primitive's name: its folder, and its `kind` in reports ("joiner").
    fn kind(&self) -> &'static str;
    /// What others must know it as.
    fn class(&self) -> Class {
        Class::Other
    }
    /// Verilog module and parameters.
    fn instance(&self) -> Instance;
    /// Ports in Verilog order.
    fn ports(&self) -> Vec<Port>;
    /// Number of a handshake port among those of its direction.
    ///
    /// # Panics
    ///
    /// The primitive has no such port: whoever asks does not know it.
    fn handshake(&self, dir: Dir, name: &str) -> usize {
        let ports = self.ports();
        let mut handshakes = ports.iter().filter(|p| p.dir == dir && p.shape.handshakes());
        let found = handshakes.position(|p| p.name == name);
        found.unwrap_or_else(|| panic!("{} has no port {name} ({dir:?})", self.kind()))
    }
    /// A cycle model in reset state. `config` holds the config ports' values.
    fn model(&self, config: &[u64]) -> Box<dyn Model>;
    /// Cycles from the edge that takes an input beat to the edge at which the output beat it
    /// causes can be taken, with nothing in the way (memory round trips of an on-chip memory
    /// included).
    fn latency(&self) -> u32;
    /// The same with queues of `2**log2` words for what waits for memory; `None` where it has no such queue.
    fn queued(&self, log2: u32) -> Option<Arc<dyn Primitive>> {
        let _ = log2;
        None
    }
    /// Cycles in which nothing may pass its ports although it works.
    fn silence(&self) -> u64 {
        64
    }
    /// Whether handshake input `k` takes a leaf only when the leaf above its list has come on another
    /// input. If not, it waits with the end of the list.
    fn waits(&self, k: usize) -> bool {
        let _ = k;
        true
    }
    /// Whether one of its outputs waits for whole lists of another.
    fn lag(&self) -> Option<Lag> {
        None
    }
    /// How many leaves it gives out for those it takes.
    fn rate(&self) -> Rate {
        Rate::Even
    }
    /// One line for the graph drawing: format, operator, truth table.
    fn describe(&self) -> String {
        String::new()
    }
}
