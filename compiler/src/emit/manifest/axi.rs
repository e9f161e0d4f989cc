//! The part of the manifest about AXI: the bus, its arrays and the registers.

use serde::{Deserialize, Serialize};

/// The AXI interface around a core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestAxi {
    /// Width of the data bus in bits.
    pub data_width: u32,
    /// Width of a byte address in bits.
    pub address_width: u32,
    /// Contents of the registers HASH_HI and HASH_LO, in hexadecimal.
    pub hash: String,
    /// Arrays at the bus.
    pub ports: Vec<AxiPort>,
    /// The kernel's own registers, by address.
    pub registers: Vec<ManifestRegister>,
}

/// An array at the bus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AxiPort {
    /// Number of the array in the register ERROR.
    pub number: usize,
    /// Name of the array.
    pub array: String,
    /// Description of the access.
    pub mode: String,
    /// Bytes of a word in memory.
    pub word_bytes: u64,
    /// Number of the manager that serves the array.
    pub master: usize,
}

/// A register.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestRegister {
    /// Name.
    pub name: String,
    /// Byte address.
    pub offset: u32,
    /// 32-bit words, the low one first.
    pub words: u32,
    /// `R` or `RW`.
    pub access: String,
    /// Contents of the register.
    pub holds: Held,
    /// Meaning of the contents in words.
    pub meaning: String,
}

/// The contents of a register.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Held {
    /// Byte address of the first word of an array.
    Base {
        /// Array.
        array: String,
    },
    /// Number of words of an operand, or of a result's room.
    Words {
        /// Array.
        array: String,
    },
    /// A run-time input.
    Config {
        /// Name of the input under `config`.
        config: String,
    },
    /// A status output.
    Status {
        /// Name of the output under `status`.
        status: String,
    },
    /// The streams that the watchdog found stuck, one bit each.
    Stuck {
        /// Names of the streams under `streams`, lowest bit first.
        streams: Vec<String>,
    },
    /// A counter of a primitive.
    Count {
        /// Name of the primitive under `cells`.
        cell: String,
        /// Counted events: `beats`, `stalled` or `starved`.
        what: String,
    },
}
