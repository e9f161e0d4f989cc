//! `NAME_registers.md`: the registers and ports of a kernel behind AXI, for people.

use super::plan::Axi;
use super::registers::CONTROL;
use crate::emit::Context;

/// Errors: code, name in C, meaning.
pub(super) const ERRORS: [(u32, &str, &str); 10] = [
    (1, "READ_SLVERR", "a read was answered with SLVERR"),
    (2, "READ_DECERR", "a read was answered with DECERR"),
    (3, "WRITE_SLVERR", "a write was answered with SLVERR"),
    (4, "WRITE_DECERR", "a write was answered with DECERR"),
    (5, "BEYOND", "a request beyond the array: segments or coordinates are wrong, or the length is"),
    (6, "CAPACITY", "a result did not fit: the COUNT registers say what was needed"),
    (7, "WATCHDOG", "nothing moved for as long as WATCHDOG allows; the port waited for is one of WAITING"),
    (8, "SIZE", "a size is larger than the hardware takes; the run did not begin"),
    (9, "ALIGNMENT", "a base is no multiple of its word's bytes; the run did not begin"),
    (
        10,
        "COORDINATES",
        "coordinates are not below the size of their dimension, or do not rise within a fiber; segments go back or too far; ranks do not count",
    ),
];

/// The page.
pub(super) fn page(cx: &Context, axi: &Axi) -> String {
    let mut out = format!(
        "# Registers of {0}_axi\n\nAXI4-Lite, 32 bits. Kernel hash {1:016x}. While it is busy, what is written to the \
         kernel's own registers is ignored.\n\n| address | name | access | meaning |\n|---|---|---|---|\n",
        cx.name, axi.hash
    );
    for (name, offset, access, meaning) in CONTROL {
        out += &format!("| {offset:03x} | {name} | {} | {meaning} |\n", access.name());
    }
    for r in &axi.registers {
        let end = if r.words > 1 { format!(" .. {:03x}", r.offset + 4 * r.words - 1) } else { String::new() };
        out += &format!("| {:03x}{end} | {} | {} | {} |\n", r.offset, r.name, r.access().name(), r.meaning);
    }
    out += "\n# Ports\n\nThe port in ERROR, the bits of WAITING; the manager that serves it.\n\n\
            | port | array | bytes of a word | manager | |\n|---|---|---|---|---|\n";
    for (k, p) in axi.ports.iter().enumerate() {
        let name = &cx.net.arrays[p.array].name;
        let manager = super::ports::prefix(axi, p.master);
        out += &format!("| {k} | {name} | {} | {manager} | {} |\n", 1 << p.size_log2, p.mode.describe());
    }
    if let Some(probes) = &axi.probes {
        out += "\n# Streams\n\nThe bits of STUCK.\n\n| bit | stream |\n|---|---|\n";
        for (bit, &k) in probes.streams.iter().enumerate() {
            out += &format!("| {bit} | {} |\n", cx.net.channels[k].name);
        }
    }
    out += "\n# Errors\n\n| code | name | meaning |\n|---|---|---|\n";
    for (code, name, meaning) in ERRORS {
        out += &format!("| {code} | {name} | {meaning} |\n");
    }
    out
}
