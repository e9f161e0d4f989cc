//! The registers of a kernel behind AXI: where arrays are, sizes, counts.

use super::plan::{Axi, Mode};
use crate::emit::{Context, core};
use crate::netlist::Meaning;
use samhw_hdl::Scope;
use std::cell::Cell;

/// Byte address of the first register of a kernel's own.
pub(super) const OWN: u32 = 0x100;

/// A register that every kernel has: name, byte address, access, meaning.
pub const CONTROL: [(&str, u32, Access, &str); 13] = [
    ("ID", 0x00, Access::Read, "0x53414d48"),
    ("VERSION", 0x04, Access::Read, "1"),
    ("HASH_LO", 0x08, Access::Read, "tells kernels apart, low word"),
    ("HASH_HI", 0x0c, Access::Read, "high word"),
    ("CONTROL", 0x10, Access::Write, "1: start; 2: reset; 4: clear done, error, refused and the interrupt"),
    ("STATUS", 0x14, Access::Read, "bit 0 busy, 1 done, 2 error, 3 refused (a start while busy)"),
    ("IRQ_ENABLE", 0x18, Access::ReadWrite, "1: an interrupt when a run ends"),
    ("IRQ_PENDING", 0x1c, Access::ReadWrite, "1: a run has ended; write 1 to clear"),
    ("ERROR", 0x20, Access::Read, "of the last run: code in bits 7..0, port in bits 15..8"),
    ("WAITING", 0x24, Access::Read, "ports, by bit, with a beat that was not taken when the watchdog ended a run"),
    ("CYCLES_LO", 0x28, Access::Read, "clock cycles of the last run, low word"),
    ("CYCLES_HI", 0x2c, Access::Read, "high word"),
    (
        "WATCHDOG",
        0x30,
        Access::ReadWrite,
        "cycles without a transfer after which a run ends; 0: never; 1048576 after reset",
    ),
];

/// What a host may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read only.
    Read,
    /// Write only; reads as 0.
    Write,
    /// Both.
    ReadWrite,
}

impl Access {
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
    pub fn access(&self) -> Access {
        match self.holds {
            Holds::Base(_) | Holds::Words(_) | Holds::Config(_) => Access::ReadWrite,
            Holds::Status(_) | Holds::Stuck | Holds::Count(..) => Access::Read,
        }
    }
}

/// All registers of a kernel's own, by address: those that are written, then status.
pub(super) fn registers(cx: &Context, axi: &Axi) -> Vec<Register> {
    let net = cx.net;
    let mut out: Vec<Register> = Vec::new();
    let offset = Cell::new(OWN);
    let mut names = Scope::default();
    CONTROL.iter().for_each(|c| drop(names.name(c.0)));
    let mut add = |name: String, words: u32, holds, meaning: String| {
        let at = offset.replace(offset.get() + 4 * words);
        out.push(Register { name: names.name(&name.to_uppercase()), offset: at, words, holds, meaning });
    };
    for p in &axi.ports {
        let array = &net.arrays[p.array];
        if net.first_like(p.array) != p.array {
            continue;
        }
        let bytes = 1u32 << p.size_log2;
        let align = if bytes > 1 { format!(", a multiple of {bytes}") } else { String::new() };
        let name = &array.name;
        add(
            format!("{name}_base"),
            axi.options.address_width.div_ceil(32),
            Holds::Base(p.array),
            format!("byte address of {name}: words of {bytes} bytes, {}{align}", p.mode.describe()),
        );
        let what =
            if p.mode == Mode::Write { format!("words {name} has room for") } else { format!("words of {name}") };
        add(format!("{name}_words"), 1, Holds::Words(p.array), what);
    }
    for (k, c) in net.config.iter().enumerate() {
        if !matches!(c.meaning, Meaning::Capacity(..)) {
            add(cx.names.config[k].clone(), c.width.div_ceil(32), Holds::Config(k), core::meaning(cx, &c.meaning));
        }
    }
    for (k, s) in net.statuses.iter().enumerate() {
        let what =
            if s.error { "1: there was no room for some" } else { "words of the last run, those without room too" };
        add(cx.names.statuses[k].clone(), 1, Holds::Status(k), what.into());
    }
    let Some(probes) = &axi.probes else { return out };
    if net.statuses.is_empty() {
        // The module has a word there in any case.
        offset.set(offset.get() + 4);
    }
    let words = (probes.streams.len() as u32).div_ceil(32).max(1);
    let what = "streams, by bit, with a beat that was not taken when the watchdog ended a run";
    add("stuck".into(), words, Holds::Stuck, what.into());
    for (n, &cell) in probes.nodes.iter().enumerate() {
        let name = &net.cell(cell).name;
        for counted in Counted::ALL {
            let meaning = format!("{name}: {}", counted.meaning());
            add(format!("{name}_{}", counted.name()), 1, Holds::Count(n, counted), meaning);
        }
    }
    out
}
