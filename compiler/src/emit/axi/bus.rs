//! The AXI interface around a core: the adapter of each array, and the registers.

use super::registers::Register;
use crate::emit::probes::Probes;
use crate::frontend::AxiOptions;
use samhw_primitives::axi::{Fiber, Form, Here};
use samhw_primitives::memories::memory::Read;
use std::ops::Range;

/// Longest bursts, in lines.
const BURST_LOG2: u32 = 4;

/// The kind of adapter between the core and an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortMode {
    /// A window that prefetches ahead of the core's reads.
    Window(Read),
    /// An on-chip copy of the whole array, fetched once.
    Whole(Read),
    /// The current tile and the next one, as the array with this number announces them.
    Tiles {
        /// The way in which the core reads.
        read: Read,
        /// The array that announces the tiles.
        starts: usize,
        /// log2 of the number of announced tiles that may wait.
        hints_log2: u32,
        /// log2 of the number of words in the array for each announced position.
        per_log2: u32,
    },
    /// A write port that combines words into bursts.
    Write,
}

impl PortMode {
    /// Returns the Verilog module.
    pub fn module(self) -> &'static str {
        match self {
            Self::Window(_) => "samhw_axi_reader",
            Self::Whole(_) => "samhw_axi_whole",
            Self::Tiles { .. } => "samhw_axi_tiles",
            Self::Write => "samhw_axi_writer",
        }
    }
    /// Describes the adapter in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Window(_) => "read through a window",
            Self::Whole(_) => "copied to the chip, and read there as soon as a word has come",
            Self::Tiles { .. } => "copied to the chip tile by tile",
            Self::Write => "written",
        }
    }
}

/// The adapter of an array behind the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    /// Number of the array in [`crate::netlist::Netlist::arrays`].
    pub array: usize,
    /// Kind of the adapter.
    pub mode: PortMode,
    /// Number of the manager that serves the array.
    pub master: usize,
    /// Number of an array with the same contents whose lines this array reuses instead of its own requests.
    pub follows: Option<usize>,
    /// Width of a word's index in bits.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// Number of words of the on-chip copy, if there is one.
    pub room: u64,
    /// log2 of the number of bytes of a word in memory.
    pub size_log2: u32,
    /// log2 of the number of lines that the adapter holds.
    pub lines_log2: u32,
    /// log2 of the longest burst in lines.
    pub burst_log2: u32,
    /// Whether the window starts with the run, ahead of the core's first request.
    pub ahead: bool,
    /// Condition on the coordinates and segments that are read.
    pub watch: Option<Watch>,
}

impl PortPlan {
    /// Returns the place of the port among all ports: written after read, behind the bus itself before what
    /// follows, then by managers.
    pub(super) fn place(&self) -> (bool, bool, usize) {
        (self.mode == PortMode::Write, self.follows.is_some(), self.master)
    }
}

/// A condition on the words that are read. `size` is the run-time value that coordinates are below: the size of their
/// dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Coordinates, or words of bits, that are read fiber by fiber and are below a size.
    Fibers {
        /// Number of the run-time value with the size.
        size: usize,
        /// Condition on each fiber.
        fiber: Fiber,
    },
    /// Coordinates read at random that are below a size.
    Places {
        /// Number of the run-time value with the size.
        size: usize,
        /// The way in which the coordinates are read.
        here: Here,
        /// Number of the array of segments that delimit the fibers.
        segments: usize,
    },
    /// Segments that never decrease and never exceed the number of words of this array.
    Segments(usize),
    /// Ranks that count the set bits of words.
    Ranks {
        /// Number of the array of words.
        words: usize,
        /// Whether the ranks are read fiber by fiber rather than one by one.
        bursts: bool,
    },
}

impl Watch {
    /// Returns the Verilog module.
    pub fn module(self) -> &'static str {
        match self {
            Self::Fibers { .. } => "samhw_axi_order",
            Self::Places { .. } => "samhw_axi_places",
            Self::Segments(_) => "samhw_axi_bounds",
            Self::Ranks { .. } => "samhw_axi_ranks",
        }
    }
}

/// The AXI interface around a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axi {
    /// Options from the kernel file.
    pub options: AxiOptions,
    /// Arrays behind the bus, in the order of the numbers in errors: arrays read by managers, arrays that reuse lines,
    /// arrays written.
    pub ports: Vec<PortPlan>,
    /// The kernel's own registers.
    pub registers: Vec<Register>,
    /// Contents of the registers HASH.
    pub hash: u64,
    /// The observed nodes and streams, if there are counters.
    pub probes: Option<Probes>,
}

impl Axi {
    /// Returns log2 of the bytes of a line.
    pub fn bus_log2(&self) -> u32 {
        (self.options.data_width / 8).trailing_zeros()
    }
    /// Returns log2 of the longest burst in lines.
    pub fn burst_log2(&self) -> u32 {
        BURST_LOG2.min(12 - self.bus_log2())
    }
    /// Returns the parameters of the adapter of a port.
    pub fn form(&self, port: &PortPlan) -> Form {
        Form {
            addr_w: port.addr_w,
            data_w: port.data_w,
            size_log2: port.size_log2,
            bus_log2: self.bus_log2(),
            axi_w: self.options.address_width,
            lines_log2: port.lines_log2,
            burst_log2: port.burst_log2,
        }
    }
    /// Returns the number of arrays that are read.
    pub fn readers(&self) -> usize {
        self.ports.iter().filter(|p| p.mode != PortMode::Write).count()
    }
    /// Returns the number of AXI4 managers.
    pub fn masters(&self) -> usize {
        self.ports.iter().map(|p| p.master + 1).max().unwrap_or(1)
    }
    /// Returns the numbers of the ports for which a manager reads or writes.
    pub fn served(&self, master: usize, writes: bool) -> Range<usize> {
        let of = (writes, false, master);
        let before = self.ports.iter().filter(|p| p.place() < of).count();
        let n = self.ports.iter().filter(|p| p.place() == of).count();
        before..before + n
    }
    /// Returns the number of the port whose lines a port uses: its own, or the port that it follows.
    pub fn source(&self, number: usize) -> usize {
        let of = self.ports[number].follows;
        of.and_then(|array| self.ports.iter().position(|p| p.array == array)).unwrap_or(number)
    }
    /// Returns groups of ports that fetch the same tiles; the first port of each group sends the requests.
    pub fn shared(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let tiles = |p: &PortPlan| matches!(p.mode, PortMode::Tiles { .. });
        let group = move |(lead, p): (usize, &PortPlan)| {
            let follows = |n: &usize| self.ports[*n].follows == Some(p.array);
            let others: Vec<usize> = (0..self.ports.len()).filter(follows).collect();
            (tiles(p) && !others.is_empty()).then(|| [vec![lead], others].concat())
        };
        self.ports.iter().enumerate().filter_map(group)
    }
    /// Returns whether words of array number `array` are on the chip.
    pub fn on_chip(&self, array: usize) -> bool {
        self.ports.iter().all(|p| p.array != array)
    }
}
