//! `NAME.json`: what simulators, FPGA flows and users' scripts need to know of an emitted
//! kernel. Described field by field in docs/hardware.md.

mod axi;
mod build;

pub use axi::{AxiPort, Held, ManifestAxi, ManifestRegister};
pub(super) use build::{axi, of};

use serde::{Deserialize, Serialize};

/// Version of the format; grows when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The whole file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`].
    pub version: u32,
    /// Kernel name.
    pub kernel: String,
    /// The statements, every reduction explicit.
    pub statements: Vec<String>,
    /// Loop order per statement, outermost first.
    pub order: Vec<Vec<String>>,
    /// Modules that stand for the whole kernel.
    pub tops: Vec<ManifestTop>,
    /// Run-time inputs of every top.
    pub config: Vec<ManifestConfig>,
    /// Status outputs of every top.
    pub status: Vec<ManifestStatus>,
    /// Width of the host port of `NAME_ram`.
    pub host: Host,
    /// Packings of tensors, in the order of [`ManifestArray::packing`].
    pub packings: Vec<Packing>,
    /// Arrays.
    pub arrays: Vec<ManifestArray>,
    /// Streams, memory ports and tokens, in the netlist's order.
    pub streams: Vec<ManifestStream>,
    /// Primitives, in the netlist's order.
    pub cells: Vec<ManifestCell>,
    /// What stands around the core, if its arrays are behind AXI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axi: Option<ManifestAxi>,
}

/// A top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestTop {
    /// `core`, `ram` or `axi`.
    pub kind: String,
    /// Module name; the file is `MODULE.v`.
    pub module: String,
    /// Its ports.
    pub ports: Vec<Port>,
}

/// A port of a top module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Port {
    /// Name.
    pub name: String,
    /// `input` or `output`.
    pub direction: String,
    /// Bits.
    pub width: u32,
}

/// A run-time input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestConfig {
    /// Port name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// The same in words.
    pub meaning: String,
    /// Where its value comes from.
    pub value: ManifestValue,
}

/// Where a run-time value comes from.
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
        /// Variables.
        variables: Vec<String>,
    },
    /// Words of a bitvector level: the product of the sizes of `variables`, times the size of `variable` over `bits`,
    /// rounded up.
    Words {
        /// Variables of the dense levels above.
        variables: Vec<String>,
        /// Variable of the level.
        variable: String,
        /// Bits of a word.
        bits: u32,
    },
    /// Words that may be written into the array: `words` with `NAME_ram`.
    Capacity {
        /// Array.
        array: String,
        /// Words of the on-chip memory.
        words: u64,
    },
    /// What the host's packing says of a level of an operand.
    Setting {
        /// Number of its packing.
        packing: usize,
        /// Level.
        level: usize,
        /// `multiplier` or `last`: what chooses slots of a table, and the number of the last one.
        what: String,
    },
    /// Value of a result where nothing is stored, as raw bits.
    Fill {
        /// Tensor.
        tensor: String,
        /// The value, where it does not depend on sizes.
        constant: Option<u64>,
    },
}

/// A status output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestStatus {
    /// Port name.
    pub name: String,
    /// Bits.
    pub width: u32,
    /// Cell it comes from.
    pub cell: String,
    /// Nonzero means that the result is not to be trusted.
    pub error: bool,
}

/// The host port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Bits of `host_addr`.
    pub addr_width: u32,
    /// Bits of `host_wdata` and `host_rdata`.
    pub data_width: u32,
    /// Cycles from `host_read` to its word on `host_rdata`.
    pub read_cycles: u32,
}

/// How a tensor is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    /// First part of the names of its arrays.
    pub name: String,
    /// Tensor.
    pub tensor: String,
    /// Element type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Largest sizes, per mode (index order).
    pub shape: Vec<u64>,
    /// Level kinds, outermost first.
    pub levels: Vec<String>,
    /// Mode that each level holds.
    pub mode_order: Vec<usize>,
    /// Differs from the order declared for the tensor.
    pub repacked: bool,
    /// Declared raw value where nothing is stored.
    pub fill: Option<u64>,
}

/// An array in memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestArray {
    /// Name.
    pub name: String,
    /// Number of its packing.
    pub packing: usize,
    /// Tensor.
    pub tensor: String,
    /// `seg`, `crd` or `vals`.
    pub part: String,
    /// Level, outermost 0; none for values.
    pub level: Option<usize>,
    /// Words of the on-chip memory.
    pub words: u64,
    /// Bits of a word.
    pub width: u32,
    /// `input` (the host writes it), `output` (the host reads it) or `internal`.
    pub direction: String,
    /// Host address of its first word; none if internal.
    pub base: Option<u64>,
    /// Ports of the core that read or write it, without `_valid`, `_ready`, `_beat`.
    pub ports: Vec<String>,
}

/// One end of a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StreamEnd {
    /// Cell.
    pub cell: String,
    /// Port.
    pub port: String,
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestStream {
    /// Name in the netlist.
    pub name: String,
    /// Its wires in `NAME_core` are these letters and `_valid`, `_ready`, `_beat`.
    pub wires: String,
    /// Producer; none: from outside.
    pub from: Option<StreamEnd>,
    /// Consumer; none: to the outside, or nobody.
    pub to: Option<StreamEnd>,
    /// Bits of the stop field; none if the beat has payloads only.
    pub stop_width: Option<u32>,
    /// Payloads of the beat, lowest bits first.
    pub fields: Vec<ManifestPayload>,
    /// Bits of the beat: kind (2), stop, last payload .. first payload from the top.
    pub width: u32,
    /// What the consumer gets: `all`, `first` or `second` payload.
    pub select: String,
    /// The variables its lists range over, outermost first.
    pub over: Vec<String>,
    /// Depth of the FIFO it comes out of.
    pub fifo_depth: Option<u32>,
    /// Why it is there, or why that FIFO is as deep as it is.
    pub note: String,
}

/// A payload of a beat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestPayload {
    /// `crd`, `ref`, `val`, `addr` ...
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// A primitive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestCell {
    /// Name in the netlist.
    pub name: String,
    /// Instance name.
    pub instance: String,
    /// What it is.
    pub kind: String,
    /// In a few words.
    pub description: String,
    /// Number of its statement.
    pub stage: usize,
    /// `core` or `memory`.
    pub place: String,
    /// Verilog module.
    pub module: String,
    /// Parameters: name and Verilog literal.
    pub parameters: Vec<(String, String)>,
    /// Names of the run-time values that it takes.
    pub config: Vec<String>,
}

impl Manifest {
    /// As text.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: no maps with odd keys, no floats.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
