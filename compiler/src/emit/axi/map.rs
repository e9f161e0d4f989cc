//! `NAME_registers.md`: the registers and ports of a kernel behind AXI, for people.

use super::bus::Axi;
use super::registers::{CONTROL, OWN};
use super::{layout, ports};
use crate::emit::Context;
use crate::emit::backend::{Artifact, Backend, Emitted};

/// The errors that a run can end with: code, name in C, meaning.
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

/// The page `NAME_registers.md`.
pub(in crate::emit) struct RegisterPage;

impl Backend for RegisterPage {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let Some((axi, _)) = of.axi else { return vec![] };
        vec![(format!("{}_registers.md", of.cx.name), page(of.cx, axi))]
    }
}

fn page(cx: &Context, axi: &Axi) -> String {
    let statements: String = super::super::core::kernel_text(cx).iter().map(|line| format!("    {line}\n")).collect();
    let mut out = format!(
        "# Registers of {0}_axi\n\n{statements}\n\
         AXI4-Lite, 32 bits. Kernel hash {1:016x}: it tells this hardware from other. A write changes the bytes that its strobes say. What is written to the \
         kernel's own registers, from {2:03x} on, is ignored while it is busy; they keep their values from run to run, and are 0 after a reset by `rst`. \
         Writing a register that is read only changes nothing. An address without a register is answered with SLVERR.\n\n\
         | address | name | access | meaning |\n|---|---|---|---|\n",
        cx.name, axi.hash, OWN
    );
    for (name, offset, access, meaning) in CONTROL {
        out += &format!("| {offset:03x} | {name} | {} | {meaning} |\n", access.name());
    }
    for r in &axi.registers {
        let end = if r.words > 1 { format!(" .. {:03x}", r.offset + 4 * r.words - 1) } else { String::new() };
        out += &format!("| {:03x}{end} | {} | {} | {} |\n", r.offset, r.name, r.access().name(), r.meaning);
    }
    out += RUN;
    out += &layout::sections(cx, axi);
    out += &pins(axi);
    out += "\n# Ports of errors\n\nThe port in ERROR, the bits of WAITING; the manager that serves it.\n\n\
            | port | array | bytes of a word | manager | |\n|---|---|---|---|---|\n";
    for (k, p) in axi.ports.iter().enumerate() {
        let name = &cx.net.arrays[p.array].name;
        let manager = ports::prefix(axi, p.master);
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

/// The pins of the module, one line for each bus.
fn pins(axi: &Axi) -> String {
    let (id, addr, data) = (ports::id_width(axi), axi.options.address_width, axi.options.data_width);
    let mut out = format!(
        "\n# Pins\n\n| pins | |\n|---|---|\n| `clk` | the one clock |\n\
         | `rst` | synchronous reset, high; only while nothing is on the bus. While the bus works use CONTROL. |\n\
         | `irq` | high from the end of a run, if IRQ_ENABLE is 1, until IRQ_PENDING is cleared |\n\
         | `s_axi_...` | AXI4-Lite subordinate: registers. Addresses of {} bits, data of 32 |\n",
        ports::register_width(axi)
    );
    for m in 0..axi.masters() {
        out += &format!(
            "| `{}_...` | AXI4 manager: arrays. IDs of {id} bits, addresses of {addr}, data of {data}. INCR bursts of whole lines of {} bytes, at most {} of \
             them, none across 4 KiB; AxCACHE 0011, AxPROT 000. The memory may answer bursts of different IDs in any order. |\n",
            ports::prefix(axi, m),
            data / 8,
            1 << axi.burst_log2(),
        );
    }
    out
}

/// How a host makes the kernel run.
const RUN: &str = "
# A run

1. Wait until bit 0 of STATUS is 0: the kernel is busy for 8 cycles after `rst`, and after a reset through CONTROL until the bus is still and 8 cycles more.
2. Put the operands into memory. Write BASE and WORDS of every array, the sizes and the fills; later runs write what has changed.
3. Write 1 to IRQ_ENABLE for an interrupt, then 1 to CONTROL. The arrays now belong to the kernel: they must be in memory, not in a cache, and stay as they are.
4. Wait for the interrupt, or until bit 1 of STATUS is 1. ERROR is 0 or says what happened; after an error the kernel has reset itself, and the results are not to be
   trusted. The COUNT registers say how many words of each result there are, or were needed.
5. Write 4 to CONTROL. A start while the kernel is busy does nothing but set bit 3 of STATUS.

To give up waiting, write 2 to CONTROL. The arrays belong to the kernel until bit 0 of STATUS is 0 again.
";
