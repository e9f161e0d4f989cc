//! The part of the manifest about a core behind AXI: its bus, the arrays at it, its registers.

use serde::{Deserialize, Serialize};

/// What stands around a core behind AXI.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ManifestAxi {
    /// Bits of the bus.
    pub data_width: u32,
    /// Bits of a byte address.
    pub address_width: u32,
    /// What the registers HASH_HI, HASH_LO hold, in hexadecimal.
    pub hash: String,
    /// Arrays at the bus.
    pub ports: Vec<AxiPort>,
    /// Registers of the kernel's own, by address.
    pub registers: Vec<ManifestRegister>,
}

/// An array at the bus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AxiPort {
    /// Its number in the register ERROR.
    pub number: usize,
    /// Array.
    pub array: String,
    /// How it is read or written, in words.
    pub mode: String,
    /// Bytes of a word in memory.
    pub word_bytes: u64,
    /// Number of the manager that serves it.
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
    /// What it holds.
    pub holds: Held,
    /// The same in words.
    pub meaning: String,
}

/// What a register holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Held {
    /// Byte address of the first word.
    Base {
        /// Array.
        array: String,
    },
    /// Words of an operand, or those a result has room for.
    Words {
        /// Array.
        array: String,
    },
    /// A run-time input.
    Config {
        /// Its name under `config`.
        config: String,
    },
    /// A status output.
    Status {
        /// Its name under `status`.
        status: String,
    },
    /// Streams that the watchdog found stuck, by bit.
    Stuck {
        /// Their names under `streams`, lowest bit first.
        streams: Vec<String>,
    },
    /// What is counted of a primitive.
    Count {
        /// Its name under `cells`.
        cell: String,
        /// `beats`, `stalled` or `starved`.
        what: String,
    },
}
