//! The registers of a kernel behind AXI: base addresses, sizes and counters.

/// Byte address of the first register of a kernel's own.
pub(super) const OWN: u32 = 0x100;

/// The registers common to all kernels: name, byte address, access, meaning.
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

/// The host's access to a register.
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
    /// Returns `R`, `W` or `RW`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "R",
            Self::Write => "W",
            Self::ReadWrite => "RW",
        }
    }
}

/// The contents of a kernel's own register. Arrays are numbers in [`crate::netlist::Netlist::arrays`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Byte address of the array's first word.
    Base(usize),
    /// Number of words of an array: of an operand its words, of a result the room for words.
    Words(usize),
    /// The run-time value with this number.
    Config(usize),
    /// The status output with this number.
    Status(usize),
    /// The streams that the watchdog found stuck, one bit each.
    Stuck,
    /// A counter of a node, by its number among the observed nodes.
    Count(usize, Counted),
}

/// The events that a node's counter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Beats taken, on all inputs.
    Beats,
    /// Cycles without a transfer in which an output was stalled.
    Stalled,
    /// Cycles without a transfer and without a stalled output.
    Starved,
}

impl Counted {
    /// All counters, in the order of the registers.
    pub const ALL: [Self; 3] = [Self::Beats, Self::Stalled, Self::Starved];

    /// Returns the suffix of the register's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Beats => "beats",
            Self::Stalled => "stalled",
            Self::Starved => "starved",
        }
    }
    /// Returns the meaning in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Beats => "beats taken, on all inputs",
            Self::Stalled => "cycles in which nothing moved and an output waited",
            Self::Starved => "cycles in which nothing moved and no output waited",
        }
    }
}

/// A kernel's own register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Name in upper case.
    pub name: String,
    /// Byte address.
    pub offset: u32,
    /// 32-bit words: the low one first.
    pub words: u32,
    /// Contents of the register.
    pub holds: Holds,
    /// Meaning of the contents in words.
    pub meaning: String,
}

impl Register {
    /// Returns the host's access to the register.
    pub fn access(&self) -> HostAccess {
        match self.holds {
            Holds::Base(_) | Holds::Words(_) | Holds::Config(_) => HostAccess::ReadWrite,
            Holds::Status(_) | Holds::Stuck | Holds::Count(..) => HostAccess::Read,
        }
    }
}
