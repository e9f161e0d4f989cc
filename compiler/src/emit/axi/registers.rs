//! The registers of a kernel behind AXI: where arrays are, sizes, counts.

/// Byte address of the first register of a kernel's own.
pub(super) const OWN: u32 = 0x100;

/// A register that every kernel has: name, byte address, access, meaning.
pub const CONTROL: [(&str, u32, HostAccess, &str); 13] = [
    ("ID", 0x00, HostAccess::Read, "0x53414d48"),
    ("VERSION", 0x04, HostAccess::Read, "1"),
    ("HASH_LO", 0x08, HostAccess::Read, "tells kernels apart, low word"),
    ("HASH_HI", 0x0c, HostAccess::Read, "high word"),
    ("CONTROL", 0x10, HostAccess::Write, "1: start; 2: reset; 4: clear done, error, refused and the interrupt"),
    ("STATUS", 0x14, HostAccess::Read, "bit 0 busy, 1 done, 2 error, 3 refused (a start while busy)"),
    ("IRQ_ENABLE", 0x18, HostAccess::ReadWrite, "1: an interrupt when a run ends"),
    ("IRQ_PENDING", 0x1c, HostAccess::ReadWrite, "1: a run has ended; write 1 to clear"),
    ("ERROR", 0x20, HostAccess::Read, "of the last run: code in bits 7..0, port in bits 15..8"),
    ("WAITING", 0x24, HostAccess::Read, "ports, by bit, with a beat that was not taken when the watchdog ended a run"),
    ("CYCLES_LO", 0x28, HostAccess::Read, "clock cycles of the last run, low word"),
    ("CYCLES_HI", 0x2c, HostAccess::Read, "high word"),
    (
        "WATCHDOG",
        0x30,
        HostAccess::ReadWrite,
        "cycles without a transfer after which a run ends; 0: never; 1048576 after reset",
    ),
];

/// What a host may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostAccess {
    /// Read only.
    Read,
    /// Write only; reads as 0.
    Write,
    /// Both.
    ReadWrite,
}

impl HostAccess {
    /// `R`, `W`, `RW`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "R",
            Self::Write => "W",
            Self::ReadWrite => "RW",
        }
    }
}

/// What a register of a kernel's own holds. Arrays are numbers in [`crate::netlist::Netlist::arrays`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Byte address of the array's first word.
    Base(usize),
    /// Words of the array: of an operand those it has, of a result those there is room for.
    Words(usize),
    /// Run-time value with this number.
    Config(usize),
    /// Status output with this number.
    Status(usize),
    /// Streams, by bit, that the watchdog found stuck.
    Stuck,
    /// What is counted of a node, by its number among those that are watched.
    Count(usize, Counted),
}

/// What is counted of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Beats taken, on all inputs.
    Beats,
    /// Cycles without a transfer in which an output waited.
    Stalled,
    /// Cycles with neither.
    Starved,
}

impl Counted {
    /// In the order of the registers.
    pub const ALL: [Self; 3] = [Self::Beats, Self::Stalled, Self::Starved];

    /// Last part of a register's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Beats => "beats",
            Self::Stalled => "stalled",
            Self::Starved => "starved",
        }
    }
    /// In words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Beats => "beats taken, on all inputs",
            Self::Stalled => "cycles in which nothing moved and an output waited",
            Self::Starved => "cycles in which nothing moved and no output waited",
        }
    }
}

/// A register of a kernel's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Name, upper case.
    pub name: String,
    /// Byte address.
    pub offset: u32,
    /// 32-bit words: the low one first.
    pub words: u32,
    /// What it holds.
    pub holds: Holds,
    /// The same in words.
    pub meaning: String,
}

impl Register {
    /// What a host may do.
    pub fn access(&self) -> HostAccess {
        match self.holds {
            Holds::Base(_) | Holds::Words(_) | Holds::Config(_) => HostAccess::ReadWrite,
            Holds::Status(_) | Holds::Stuck | Holds::Count(..) => HostAccess::Read,
        }
    }
}
