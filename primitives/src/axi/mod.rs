#![doc = include_str!("README.md")]

mod bounds;
mod elastic;
mod lane;
mod order;
mod places;
mod ranks;
mod read_mux;
mod reader;
mod run;
mod share;
mod tiles;
mod turn;
mod whole;
mod words;
mod write_mux;
mod writer;

#[cfg(test)]
mod tests;

pub use bounds::Bounds;
pub use elastic::Elastic;
pub use order::{Fiber, Order, WAIT_LOG2};
pub use places::{Here, PLACES_LOG2, Places};
pub use ranks::Ranks;
pub use read_mux::{ReadBus, ReadMux};
pub use reader::Reader;
pub use run::{Leads, Run, RunInputs, State};
pub use share::{SHARE_WAIT_LOG2, Share};
pub use tiles::TileReader;
pub use turn::Turn;
pub use whole::Whole;
pub use write_mux::{WriteBus, WriteMux};
pub use writer::{Writer, WriterInputs};

/// The form of an adapter's array, as the parameters of its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Width of a word's number in bits.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// log2 of the bytes of a word in memory.
    pub size_log2: u32,
    /// log2 of the bytes of a line.
    pub bus_log2: u32,
    /// Width of a byte address in bits.
    pub axi_w: u32,
    /// log2 of the number of lines that the adapter holds.
    pub lines_log2: u32,
    /// log2 of the longest burst, in lines.
    pub burst_log2: u32,
}

impl Form {
    /// log2 of the words of a line.
    fn lanes(&self) -> u32 {
        self.bus_log2 - self.size_log2
    }
    /// Number, from the line that `base` lies in, of the first word.
    fn offset(&self, base: u64) -> u64 {
        base >> self.size_log2 & ones(self.lanes())
    }
    /// Byte address of a line, counted from address 0.
    fn address(&self, line: u64) -> u64 {
        line << self.bus_log2 & ones(self.axi_w)
    }
    /// log2 of the lines of a group, which has 64 bytes as far as a burst may.
    fn group_log2(&self) -> u32 {
        6u32.saturating_sub(self.bus_log2).min(self.burst_log2)
    }
    /// Lines from `line` on up to a multiple of the longest burst.
    fn whole(&self, line: u64) -> u64 {
        (1 << self.burst_log2) - (line & ones(self.burst_log2))
    }
}

/// A requested burst.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Burst {
    /// ID of the burst.
    pub id: u64,
    /// Byte address of the first line.
    pub addr: u64,
    /// Number of lines minus one.
    pub len: u64,
}

/// A line that is written to memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteLine {
    /// Bytes of the line, lowest address in the lowest bits of the first word.
    pub data: [u64; 8],
    /// Mask of the bytes to write.
    pub strobe: u64,
    /// Whether the line is the last of its burst.
    pub last: bool,
}

/// The first error response and its reader or writer; a decode error takes precedence over a subordinate's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusError {
    /// Whether the error is DECERR rather than SLVERR.
    pub decode: bool,
    /// Number of the reader or writer.
    pub port: usize,
}

impl BusError {
    /// The error in a response, if it is one.
    fn of(resp: u64, id: u64) -> Option<Self> {
        (resp & 2 != 0).then_some(Self { decode: resp & 1 == 1, port: id as usize })
    }
}

/// Returns a number with the low `bits` bits set.
pub fn ones(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
