//! What stands around a core: how each array reaches memory behind the bus, and the registers.

use super::registers::Register;
use crate::emit::probes::Probes;
use crate::frontend::AxiOptions;
use samhw_primitives::axi::{Fiber, Form, Here};
use samhw_primitives::memories::memory::Read;
use std::ops::Range;

/// Longest bursts, in lines.
const BURST_LOG2: u32 = 4;

/// What goes between the core and an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortMode {
    /// A window that runs ahead of the core's reads.
    Window(Read),
    /// All of it is fetched once and kept on the chip.
    Whole(Read),
    /// A memory on the chip, loaded before each run: what is read in pairs.
    Load,
    /// The tile in use and the next one, as the array with this number tells them.
    Tiles {
        /// How the core reads.
        read: Read,
        /// The array that tells.
        starts: usize,
        /// log2 of the tiles told that may wait.
        hints_log2: u32,
        /// log2 of the words that each position told has in the array.
        per_log2: u32,
    },
    /// Words combined to bursts.
    Write,
}

impl PortMode {
    /// Its Verilog module.
    pub fn module(self) -> &'static str {
        match self {
            Self::Window(_) => "samhw_axi_reader",
            Self::Whole(_) => "samhw_axi_whole",
            Self::Load => "samhw_axi_loader",
            Self::Tiles { .. } => "samhw_axi_tiles",
            Self::Write => "samhw_axi_writer",
        }
    }
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Window(_) => "read through a window",
            Self::Whole(_) => "copied to the chip, and read there as it comes",
            Self::Load => "copied to the chip before each run",
            Self::Tiles { .. } => "copied to the chip tile by tile",
            Self::Write => "written",
        }
    }
}

/// An array behind the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    /// Number of the array in [`crate::netlist::Netlist::arrays`].
    pub array: usize,
    /// What goes between.
    pub mode: PortMode,
    /// Number of the manager that serves it.
    pub master: usize,
    /// Number of the array whose lines it takes, which holds the same: it asks for none of its own.
    pub follows: Option<usize>,
    /// Bits of a word's number.
    pub addr_w: u32,
    /// Bits of a word.
    pub data_w: u32,
    /// Words of the memory that it is copied to, if it is.
    pub room: u64,
    /// log2 of the bytes of a word in memory.
    pub size_log2: u32,
    /// log2 of the lines its adapter holds.
    pub lines_log2: u32,
    /// log2 of its longest burst, in lines.
    pub burst_log2: u32,
    /// Its window begins with the run, ahead of the core's first request.
    pub ahead: bool,
    /// Of coordinates and segments that are read: what must hold of them.
    pub watch: Option<Watch>,
}

impl PortPlan {
    /// Where it is among the ports: written after read, behind the bus itself before what follows,
    /// then by managers.
    pub(super) fn place(&self) -> (bool, bool, usize) {
        (self.mode == PortMode::Write, self.follows.is_some(), self.master)
    }
}

/// What words that are read must be. `size` is the run-time value that coordinates are below: the
/// size of their dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watch {
    /// Coordinates, or words of bits, that are read fiber by fiber.
    Fibers {
        /// Number of the run-time value.
        size: usize,
        /// What holds in each.
        fiber: Fiber,
    },
    /// So do those read here and there.
    Places {
        /// Number of the run-time value.
        size: usize,
        /// How they are read.
        here: Here,
        /// Number of the array that tells their reader where fibers begin and end.
        segments: usize,
    },
    /// Segments do not go back, nor beyond the words of this array.
    Segments(usize),
    /// Ranks count the ones of words.
    Ranks {
        /// Number of the array that has the words.
        words: usize,
        /// They are read fiber by fiber, else one by one.
        bursts: bool,
    },
}

impl Watch {
    /// Its Verilog module.
    pub fn module(self) -> &'static str {
        match self {
            Self::Fibers { .. } => "samhw_axi_order",
            Self::Places { .. } => "samhw_axi_places",
            Self::Segments(_) => "samhw_axi_bounds",
            Self::Ranks { .. } => "samhw_axi_ranks",
        }
    }
}

/// What stands around a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axi {
    /// Widths and limits asked for.
    pub options: AxiOptions,
    /// Arrays behind the bus, by the number that errors name: those that managers read, those that
    /// follow them, those written.
    pub ports: Vec<PortPlan>,
    /// Registers of the kernel's own.
    pub registers: Vec<Register>,
    /// What the registers HASH hold.
    pub hash: u64,
    /// What is counted, if anything is.
    pub probes: Option<Probes>,
}

impl Axi {
    /// log2 of the bytes of a line.
    pub fn bus_log2(&self) -> u32 {
        (self.options.data_width / 8).trailing_zeros()
    }
    /// log2 of the longest burst, in lines.
    pub fn burst_log2(&self) -> u32 {
        BURST_LOG2.min(12 - self.bus_log2())
    }
    /// The parameters of what stands between the core and an array.
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
    /// Number of arrays that are read.
    pub fn readers(&self) -> usize {
        self.ports.iter().filter(|p| p.mode != PortMode::Write).count()
    }
    /// AXI4 managers.
    pub fn masters(&self) -> usize {
        self.ports.iter().map(|p| p.master + 1).max().unwrap_or(1)
    }
    /// Numbers of the ports that a manager reads for, or writes for.
    pub fn served(&self, master: usize, writes: bool) -> Range<usize> {
        let of = (writes, false, master);
        let before = self.ports.iter().filter(|p| p.place() < of).count();
        let n = self.ports.iter().filter(|p| p.place() == of).count();
        before..before + n
    }
    /// Number of the port whose lines a port takes: its own, if it follows none.
    pub fn source(&self, number: usize) -> usize {
        let of = self.ports[number].follows;
        of.and_then(|array| self.ports.iter().position(|p| p.array == array)).unwrap_or(number)
    }
    /// Ports that fetch alike, tile by tile, each group's first one asking the manager.
    pub fn shared(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let tiles = |p: &PortPlan| matches!(p.mode, PortMode::Tiles { .. });
        let group = move |(lead, p): (usize, &PortPlan)| {
            let follows = |n: &usize| self.ports[*n].follows == Some(p.array);
            let others: Vec<usize> = (0..self.ports.len()).filter(follows).collect();
            (tiles(p) && !others.is_empty()).then(|| [vec![lead], others].concat())
        };
        self.ports.iter().enumerate().filter_map(group)
    }
    /// Whether array number `array` has words on the chip.
    pub fn on_chip(&self, array: usize) -> bool {
        self.ports.iter().find(|p| p.array == array).is_none_or(|p| p.mode == PortMode::Load)
    }
}
