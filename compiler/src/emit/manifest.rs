//! `NAME.json`: the description of an emitted kernel for simulators, FPGA flows and users' scripts. Described field by
//! field in docs/hardware.md.

mod axi;
mod build;
mod results;

pub use axi::{AxiPort, Held, ManifestAxi, ManifestRegister};
pub(super) use build::{axi, of};
pub(super) use results::part_levels;
pub use results::{ManifestResult, PartLevel, ResultArray, ResultLevel, ResultPart};

use serde::{Deserialize, Serialize};

/// Version of the format, which increases when a field changes its meaning or is removed.
pub const VERSION: u32 = 1;

/// The manifest of an emitted kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`].
    pub version: u32,
    /// Name of the kernel.
    pub kernel: String,
    /// The statements, with every reduction explicit.
    pub statements: Vec<String>,
    /// Loop order of each statement, outermost first.
    pub order: Vec<Vec<String>>,
    /// Top modules of the kernel.
    pub tops: Vec<ManifestTop>,
    /// Run-time inputs of every top module.
    pub config: Vec<ManifestConfig>,
    /// Status outputs of every top module.
    pub status: Vec<ManifestStatus>,
    /// The host port of `NAME_ram`.
    pub host: Host,
    /// Packings of tensors, in the order of [`ManifestArray::packing`].
    pub packings: Vec<Packing>,
    /// Arrays in memories.
    pub arrays: Vec<ManifestArray>,
    /// Results that copies or lanes store in parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ManifestResult>,
    /// Streams, memory ports and tokens, in the netlist's order.
    pub streams: Vec<ManifestStream>,
    /// Primitives, in the netlist's order.
    pub cells: Vec<ManifestCell>,
    /// The AXI interface around the core, if the arrays are behind AXI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axi: Option<ManifestAxi>,
}

/// A top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestTop {
    /// Kind of the module: `core`, `ram` or `axi`.
    pub kind: String,
    /// Name of the module; its file is `MODULE.v`.
    pub module: String,
    /// Ports of the module.
    pub ports: Vec<Port>,
}

/// A port of a top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// Name of the port.
    pub name: String,
    /// Direction: `input` or `output`.
    pub direction: String,
    /// Width in bits.
    pub width: u32,
}

/// A run-time input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestConfig {
    /// Name of the port.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Meaning of the value in words.
    pub meaning: String,
    /// Origin of the value.
    pub value: ManifestValue,
}

/// The origin of a run-time value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum ManifestValue {
    /// Size of the dimension.
    Dim {
        /// Variable.
        variable: String,
        /// Largest size.
        max: u64,
        /// Smallest size.
        min: u64,
    },
    /// Product of the sizes of these dimensions.
    Product {
        /// Names of the variables.
        variables: Vec<String>,
    },
    /// Words of a bitvector level: the product of the sizes of `variables`, times the size of `variable` over `bits`,
    /// rounded up.
    Words {
        /// Variables of the dense levels above.
        variables: Vec<String>,
        /// Variable of the level.
        variable: String,
        /// Width of a word in bits.
        bits: u32,
    },
    /// Number of words that may be written into the array: `words` with `NAME_ram`.
    Capacity {
        /// Array.
        array: String,
        /// Words of the on-chip memory.
        words: u64,
    },
    /// A setting of the host's packing for a level of an operand.
    Setting {
        /// Number of its packing.
        packing: usize,
        /// Number of the level.
        level: usize,
        /// `multiplier` or `last`: the multiplier of a table's hash function, or the number of the last slot.
        what: String,
    },
    /// Fill of a result as raw bits.
    Fill {
        /// Tensor.
        tensor: String,
        /// The fill, if it does not depend on sizes.
        constant: Option<u64>,
    },
}

/// A status output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestStatus {
    /// Name of the port.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Name of the cell with the status.
    pub cell: String,
    /// Whether a nonzero value means that the result is invalid.
    pub error: bool,
}

/// The host port of `NAME_ram`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Width of `host_addr` in bits.
    pub addr_width: u32,
    /// Width of `host_wdata` and `host_rdata` in bits.
    pub data_width: u32,
    /// Cycles from `host_read` until the word is on `host_rdata`.
    pub read_cycles: u32,
}

/// A packing: the storage of a tensor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// Prefix of the names of the arrays.
    pub name: String,
    /// Name of the tensor.
    pub tensor: String,
    /// Element type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Largest size of each mode, in index order.
    pub shape: Vec<u64>,
    /// Kinds of the levels, outermost first.
    pub levels: Vec<String>,
    /// Mode of each level.
    pub mode_order: Vec<usize>,
    /// Whether the packing differs from the order declared for the tensor.
    pub repacked: bool,
    /// Declared fill as a raw value.
    pub fill: Option<u64>,
}

/// An array in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestArray {
    /// Name of the array.
    pub name: String,
    /// Number of the packing.
    pub packing: usize,
    /// Name of the tensor.
    pub tensor: String,
    /// Kind of the array: `seg`, `crd` or `vals`.
    pub part: String,
    /// Number of the level, outermost 0; `None` for values.
    pub level: Option<usize>,
    /// Number of words of the on-chip memory.
    pub words: u64,
    /// Width of a word in bits.
    pub width: u32,
    /// `input` (the host writes it), `output` (the host reads it) or `internal`.
    pub direction: String,
    /// Host address of the first word; `None` if internal.
    pub base: Option<u64>,
    /// Ports of the core for the array, without `_valid`, `_ready`, `_beat`.
    pub ports: Vec<String>,
}

/// One end of a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamEnd {
    /// Name of the cell.
    pub cell: String,
    /// Name of the port.
    pub port: String,
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestStream {
    /// Name in the netlist.
    pub name: String,
    /// Prefix of the wires `_valid`, `_ready` and `_beat` in `NAME_core`.
    pub wires: String,
    /// Producer; `None` if the stream comes from outside.
    pub from: Option<StreamEnd>,
    /// Consumer; `None` if the stream goes to the outside or has no consumer.
    pub to: Option<StreamEnd>,
    /// Width of the stop field in bits; `None` if the beat has payloads only.
    pub stop_width: Option<u32>,
    /// Payloads of the beat, lowest bits first.
    pub fields: Vec<ManifestPayload>,
    /// Bits of the beat: kind (2), stop, last payload .. first payload from the top.
    pub width: u32,
    /// Payloads that the consumer gets: `all`, `first` or `second`.
    pub select: String,
    /// The variables of the lists, outermost first.
    pub over: Vec<String>,
    /// Depth of the FIFO in front of the stream.
    pub fifo_depth: Option<u32>,
    /// Purpose of the channel, or the reason for the depth of the FIFO.
    pub note: String,
}

/// A payload of a beat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestPayload {
    /// Name: `crd`, `ref`, `val`, `addr` ...
    pub name: String,
    /// Width in bits.
    pub width: u32,
}

/// A primitive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestCell {
    /// Name in the netlist.
    pub name: String,
    /// Instance name.
    pub instance: String,
    /// Kind of the primitive.
    pub kind: String,
    /// Short description.
    pub description: String,
    /// Number of the statement.
    pub stage: usize,
    /// Part of the design: `core` or `memory`.
    pub place: String,
    /// Verilog module.
    pub module: String,
    /// Parameters, as names and Verilog literals.
    pub parameters: Vec<(String, String)>,
    /// Names of the run-time inputs of the primitive.
    pub config: Vec<String>,
}

impl Manifest {
    /// Returns the manifest as JSON text.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: no maps with odd keys, no floats.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
