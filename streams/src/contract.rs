//! The interface that a primitive offers to the compiler, the emitter and the engines.

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
    /// Name of the field: `crd`, `ref`, `val`, `addr`, `len`, `data` ...
    pub name: &'static str,
    /// Width in bits.
    pub width: u32,
}

impl Field {
    /// Creates a field.
    pub const fn new(name: &'static str, width: u32) -> Self {
        Self { name, width }
    }
}

/// The shape of a port: its signals and its handshake. Verilog names of port `x`: `x_valid`, `x_ready`, `x_beat` for
/// the first two kinds (`x_beat` packs, from the top bit, kind (2), stop, last field .. first field; a plain beat has
/// fields only), and plain `x` for the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A stream of beats with a handshake.
    Stream {
        /// Width of the stop field in bits.
        stop_w: u32,
        /// One or two payloads.
        fields: Vec<Field>,
    },
    /// A handshake without kind and stop: memory requests, responses and writes.
    Plain {
        /// One or two payloads.
        fields: Vec<Field>,
    },
    /// An input that is stable while a kernel runs, such as a dimension or a capacity.
    Config {
        /// Width in bits.
        width: u32,
    },
    /// An output that is read after a run, such as a count or an error bit.
    Status {
        /// Width in bits.
        width: u32,
        /// The meaning of the value.
        tells: Tells,
    },
    /// An output handshake without a consumer; a parameter reports this to the module, which then ignores ready. No
    /// channel, no number in [`crate::Io`].
    Open {
        /// Width of the beat in bits.
        width: u32,
    },
}

/// The meaning of a status output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tells {
    /// Words written in the last run, including words without room; the count saturates at the output's width.
    Words,
    /// Whether some words had no room, which makes the result invalid.
    Overflow,
    /// Rounds of the last run.
    Rounds,
    /// Whether the last round requested another one.
    Unfinished,
}

impl Shape {
    /// Returns the width of the packed beat or of the wire, in bits.
    pub fn width(&self) -> u32 {
        match self {
            Self::Stream { stop_w, fields } => 2 + stop_w + fields.iter().map(|f| f.width).sum::<u32>(),
            Self::Plain { fields } => fields.iter().map(|f| f.width).sum(),
            Self::Config { width } | Self::Status { width, .. } | Self::Open { width } => *width,
        }
    }
    /// Returns true if the port has valid and ready.
    pub fn handshakes(&self) -> bool {
        matches!(self, Self::Stream { .. } | Self::Plain { .. })
    }
}

/// Position of a port in a vector of ports, for modules with a parameterised number of ports.
///
/// The module has one group `V_valid`, `V_ready`, `V_beat` for vector `V`; lane `k` is bit `k`
/// of the first two and the slice `V_beat[k*width +: width]`. Where the port's beat is
/// narrower than the slice its last field is widened: zeros on inputs, dropped on outputs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lane {
    /// Name of the vector in Verilog, without suffix.
    pub vector: &'static str,
    /// Index of the lane in the vector.
    pub index: u32,
    /// Number of lanes of the vector; [`Primitive::ports`] lists all of them, in order.
    pub count: u32,
    /// Width of one lane's beat in bits.
    pub width: u32,
}

/// The special purpose of a port, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Role {
    /// No special purpose: the shape says everything.
    #[default]
    Plain,
    /// Words for a memory that accepts them in the cycle in which they arrive.
    Write,
    /// The token that signals that all words of a run are written.
    Finished,
    /// Hints about coordinates that a scanner may skip. Nothing waits for it, and it numbers fibers across runs.
    Hint,
}

/// A port of a primitive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in Verilog, without suffix.
    pub name: Cow<'static, str>,
    /// Direction.
    pub dir: Dir,
    /// Shape.
    pub shape: Shape,
    /// Position in a vector of ports, if the port is part of one.
    pub lane: Option<Lane>,
    /// Special purpose of the port.
    pub role: Role,
}

impl Port {
    /// Creates a port of this shape.
    pub fn new(name: impl Into<Cow<'static, str>>, dir: Dir, shape: Shape) -> Self {
        Self { name: name.into(), dir, shape, lane: None, role: Role::Plain }
    }
    /// Creates a stream port.
    pub fn stream(name: impl Into<Cow<'static, str>>, dir: Dir, stop_w: u32, fields: &[Field]) -> Self {
        Self::new(name, dir, Shape::Stream { stop_w, fields: fields.to_vec() })
    }
    /// Creates a memory request, response or write port.
    pub fn plain(name: impl Into<Cow<'static, str>>, dir: Dir, fields: &[Field]) -> Self {
        Self::new(name, dir, Shape::Plain { fields: fields.to_vec() })
    }
    /// Creates a configuration input.
    pub fn config(name: impl Into<Cow<'static, str>>, width: u32) -> Self {
        Self::new(name, Dir::In, Shape::Config { width })
    }
    /// Creates a status output.
    pub fn status(name: impl Into<Cow<'static, str>>, width: u32, tells: Tells) -> Self {
        Self::new(name, Dir::Out, Shape::Status { width, tells })
    }
    /// Creates an output handshake without a consumer; `width` is the width of its beat in bits.
    pub fn open(name: impl Into<Cow<'static, str>>, width: u32) -> Self {
        Self::new(name, Dir::Out, Shape::Open { width })
    }
    /// Returns the shape of the beat on its wires: in a lane of a vector the last field fills the slice.
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
    /// Returns this port with a role.
    pub fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }
    /// Returns this port as a lane of a vector.
    pub fn in_lane(self, vector: &'static str, index: u32, count: u32, width: u32) -> Self {
        Self { lane: Some(Lane { vector, index, count, width }), ..self }
    }
}

/// Value of a Verilog parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Param {
    /// A plain integer (a width, a depth).
    Int(u32),
    /// A vector of `width` bits, least significant word first, such as a truth table or a constant.
    Bits(u32, Vec<u64>),
}

impl Param {
    /// Returns the value as a Verilog literal.
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

/// The Verilog module that a primitive instantiates, with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Name of the module; the library of primitives contains its text.
    pub module: &'static str,
    /// Parameters in the order of the module's header.
    pub params: Vec<(&'static str, Param)>,
}

/// A lag between two outputs: a leaf of output `late` leaves only after the whole list below it has left on output
/// `early`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lag {
    /// Handshake output that comes late.
    pub late: usize,
    /// Handshake output that runs ahead.
    pub early: usize,
}

/// The number of leaves that a primitive emits for the leaves that it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// One leaf for each, or one for a list that is folded.
    Even,
    /// At most one leaf for each: the primitive drops some.
    Filters,
    /// A list of leaves for each.
    Expands,
}

/// The class of a primitive, for passes over all cells of a netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Class {
    /// A primitive that no pass treats specially.
    #[default]
    Other,
    /// A FIFO.
    Fifo {
        /// Capacity in beats.
        depth: u32,
    },
    /// A register in a connection.
    Relay,
    /// A fork: copies every beat to several consumers.
    Fork,
    /// Starts a run.
    Root,
    /// Repeats references.
    Repeater,
    /// A scanner that skips coordinates according to hints.
    SkippingScanner,
    /// A search in the coordinates of a level, which reads them in random order, or a scan that reads them part by part.
    Search,
    /// A unit that groups several items into one.
    Grouping,
    /// A workspace that folds lists and emits each list as a whole.
    Workspace,
    /// A writer that stores values and fills the gaps between them.
    GapFiller,
    /// A unit that merges the items of the graph's copies in order.
    Serializer {
        /// Number of copies of the graph.
        copies: u32,
        /// Height of an item in lists.
        height: u32,
    },
}

/// The property that makes a primitive large, for advice on a smaller one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bulk {
    /// Coordinates and references.
    #[default]
    Coordinates,
    /// Groups of coordinates, which are compared with each other.
    Groups,
    /// Hints, with which it skips coordinates.
    Hints,
    /// Words of a bit vector.
    Words,
    /// Values.
    Values {
        /// Bits of a value.
        bits: u32,
    },
    /// A workspace for a fiber.
    Workspace {
        /// Words of a bank.
        words: u32,
        /// Bits of a value.
        bits: u32,
    },
    /// A workspace for a matrix.
    Matrix {
        /// Bits of a value.
        bits: u32,
    },
    /// Copies of the graph, which it feeds.
    Feeds,
    /// Copies of the graph, whose items it merges.
    Merges,
}

/// A configured primitive: its Verilog module, ports, cycle model and properties.
///
/// Handshake ports are numbered for [`crate::Io`] in the order of [`Self::ports`],
/// inputs and outputs separately, config and status ports left out; config and status ports
/// are numbered likewise among themselves.
pub trait Primitive: fmt::Debug + Send + Sync {
    /// Returns the primitive's name: its folder, and its `kind` in reports ("joiner").
    fn kind(&self) -> &'static str;
    /// Returns the class of the primitive for passes over the netlist.
    fn class(&self) -> Class {
        Class::Other
    }
    /// Returns what makes the primitive large.
    fn bulk(&self) -> Bulk {
        Bulk::Coordinates
    }
    /// Returns the number of words of a workspace, all banks together.
    fn workspace(&self) -> u64 {
        0
    }
    /// Returns the Verilog module and its parameters.
    fn instance(&self) -> Instance;
    /// Returns the ports in Verilog order.
    fn ports(&self) -> Vec<Port>;
    /// Returns the number of a handshake port among those of its direction.
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
    /// Creates a cycle model in reset state. `config` holds the config ports' values.
    fn model(&self, config: &[u64]) -> Box<dyn Model>;
    /// Returns the cycles from the edge that takes an input beat to the edge at which its output beat can be taken,
    /// without stalls (and including round trips of an on-chip memory).
    fn latency(&self) -> u32;
    /// Returns this primitive with queues of `2**log2` words for memory requests; `None` if it has no such queue.
    fn queued(&self, log2: u32) -> Option<Arc<dyn Primitive>> {
        let _ = log2;
        None
    }
    /// Returns the largest number of cycles without a transfer at its ports while the primitive works.
    fn silence(&self) -> u64 {
        64
    }
    /// Returns whether handshake input `k` takes a leaf only after the leaf above its list has arrived on another
    /// input. If not, it waits with the end of the list.
    fn waits(&self, k: usize) -> bool {
        let _ = k;
        true
    }
    /// Returns the lag between two outputs, if one waits for whole lists of another.
    fn lag(&self) -> Option<Lag> {
        None
    }
    /// Returns how many leaves the primitive emits for the leaves that it takes.
    fn rate(&self) -> Rate {
        Rate::Even
    }
    /// Describes the primitive in one line for the graph drawing: format, operator, truth table.
    fn describe(&self) -> String {
        String::new()
    }
}
