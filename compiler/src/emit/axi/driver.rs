//! `NAME.h` and `NAME.c`: registers as C constants, and a driver in freestanding C99. What depends
//! on the kernel goes into the templates; `@` stands before it.

use super::bus::{Axi, PortMode};
use super::c_names::{CNames, field};
use super::counters;
use super::joined;
use super::map::ERRORS;
use super::registers::{CONTROL, Holds, Register};
use crate::emit::Context;
use crate::emit::backend::{Artifact, Backend, Emitted};
use crate::netlist::Meaning;
use crate::stmt::VarId;
use samhw_streams::Tells;

/// The header `NAME.h` and the driver `NAME.c`.
pub(in crate::emit) struct CDriver;

impl Backend for CDriver {
    fn artifacts(&self, of: &Emitted) -> Vec<Artifact> {
        let Some((axi, names)) = of.axi else { return vec![] };
        let fill = |text: String| names.fill(&text.replace("@TOP", &of.top.name));
        let texts = [("h", header(of.cx, axi, names)), ("c", source(of.cx, axi))];
        texts.into_iter().map(|(end, text)| (format!("{}.{end}", names.file), fill(text))).collect()
    }
}

/// A C type of this number of 32-bit words.
fn integer(words: u32) -> &'static str {
    if words > 1 { "uint64_t" } else { "uint32_t" }
}

/// True of a register that the driver computes from the sizes it is given.
pub(super) fn computed(cx: &Context, r: &Register) -> bool {
    product(cx, r).is_some_and(|vars| vars.iter().all(|v| size(cx, *v).is_some()))
}

/// The variables of which a register holds the product of the sizes.
fn product<'a>(cx: &'a Context, r: &Register) -> Option<&'a [VarId]> {
    match r.holds {
        Holds::Config(k) => match &cx.net.config[k].meaning {
            Meaning::Chunk(vars) => Some(vars),
            _ => None,
        },
        _ => None,
    }
}

/// The run-time value that is the size of a variable.
fn size(cx: &Context, variable: VarId) -> Option<Holds> {
    let of = cx.net.config.iter().position(|c| matches!(&c.meaning, Meaning::Dim(w) if *w == variable));
    of.map(Holds::Config)
}

/// The inputs of a run, in the order of the registers.
fn arguments<'a>(cx: &'a Context, axi: &'a Axi) -> impl Iterator<Item = &'a Register> {
    let told = |r: &&Register| matches!(r.holds, Holds::Base(_) | Holds::Words(_) | Holds::Config(_));
    axi.registers.iter().filter(told).filter(|r| !computed(cx, r))
}

/// What a run reports, in the order of the registers.
fn statuses(axi: &Axi) -> impl Iterator<Item = &Register> {
    axi.registers.iter().filter(|r| matches!(r.holds, Holds::Status(_)))
}

/// A line for each item.
fn lines(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("\n")
}

fn header(cx: &Context, axi: &Axi, names: &CNames) -> String {
    let own = axi.registers.iter().map(|r| (r.name.as_str(), r.offset));
    let registers = CONTROL.iter().map(|c| (c.0, c.1)).chain(own);
    let define = |(name, offset): (&str, u32)| format!("#define @NAME_{name} 0x{offset:03x}u");
    let error =
        |(code, name, meaning): &(u32, &str, &str)| format!("#define @NAME_ERROR_{name} {code} /* {meaning} */");
    let port = |(k, name): (usize, &String)| format!("#define @NAME_{name} {k}");
    let argument = |r: &Register| {
        // All of an address, whatever the bus has: the driver refuses what is beyond.
        let ty = if matches!(r.holds, Holds::Base(_)) { "uint64_t" } else { integer(r.words) };
        format!("    {ty} {}; /* {} */", field(r), r.meaning)
    };
    let status = |r: &Register| format!("    uint32_t {}; /* {} */", field(r), r.meaning);
    include_str!("templates/driver.h")
        .replace("@HASH", &format!("{:016x}", axi.hash))
        .replace("@WIDTH", &axi.options.address_width.to_string())
        .replace("@REGISTERS", &lines(registers.map(define)))
        .replace("@ERRORS", &lines(ERRORS.iter().map(error)))
        .replace("@PORTS", &lines(names.ports.iter().enumerate().map(port)))
        .replace("@ARGUMENTS", &lines(arguments(cx, axi).map(argument)))
        .replace("@STATUSES", &lines(statuses(axi).map(status)))
        .replace("@COUNTERS", &counters::declarations(cx, axi))
        .replace("@JOINED", &joined::declarations(cx, axi))
}

/// Stores of a 32-bit word after the other of what a register holds.
fn stores(cx: &Context, axi: &Axi, r: &Register) -> String {
    let factor = |v: &VarId| {
        let holds = size(cx, *v);
        let register = axi.registers.iter().find(|r| Some(r.holds) == holds);
        register.map(|r| format!("(uint64_t)a->{}", field(r)))
    };
    let factors = product(cx, r).filter(|_| computed(cx, r));
    let value = match factors {
        Some(vars) => format!("({})", vars.iter().filter_map(factor).collect::<Vec<_>>().join(" * ")),
        None => format!("a->{}", field(r)),
    };
    lines((0..r.words).map(|word| match word {
        0 => format!("    @name_write(k, @NAME_{}, (uint32_t){value});", r.name),
        _ => format!("    @name_write(k, @NAME_{} + {}u, (uint32_t)({value} >> {}));", r.name, 4 * word, 32 * word),
    }))
}

/// An array in memory as the driver has it.
struct Span<'a> {
    base: &'a Register,
    words: &'a Register,
    /// Number of its first port.
    port: usize,
    /// Bytes of a word.
    bytes: u32,
    written: bool,
}

/// All arrays, in the order of their registers.
fn spans(axi: &Axi) -> impl Iterator<Item = Span<'_>> {
    axi.registers.iter().filter_map(|base| {
        let Holds::Base(array) = base.holds else { return None };
        let words = axi.registers.iter().find(|r| r.holds == Holds::Words(array))?;
        let port = axi.ports.iter().position(|p| p.array == array)?;
        let of = &axi.ports[port];
        Some(Span { base, words, port, bytes: 1 << of.size_log2, written: of.mode == PortMode::Write })
    })
}

/// The error of what lies on the chip only and had no room: no port is about it.
fn full(cx: &Context, axi: &Axi) -> String {
    let net = cx.net;
    let behind: Vec<usize> = net.arrays.iter().flat_map(|a| net.overflow(a.cell)).collect();
    let inside = |k: &usize| net.statuses.get(*k).is_some_and(|s| s.tells == Tells::Overflow) && !behind.contains(k);
    let told = |r: &Register| matches!(r.holds, Holds::Status(k) if inside(&k)).then(|| format!("r->{}", field(r)));
    let told: Vec<String> = axi.registers.iter().filter_map(told).collect();
    if told.is_empty() {
        return String::new();
    }
    let any = told.join(" | ");
    format!("    if (r->error == 0u && ({any}) != 0u)\n        r->error = @NAME_ERROR_CAPACITY;\n")
}

fn source(cx: &Context, axi: &Axi) -> String {
    let told = |s: &Span| format!("a->{}, (uint64_t)a->{} * {}u", field(s.base), field(s.words), s.bytes);
    let range = |s: Span| {
        let refused = format!("        *port = {}u;\n        return @NAME_ERROR_ADDRESS;", s.port);
        format!("    if (@name_beyond({})) {{\n{refused}\n    }}", told(&s))
    };
    let clean = |s: Span| format!("    @NAME_CACHE_CLEAN({});", told(&s));
    let invalidate = |s: Span| {
        let high = match s.base.words {
            1 => String::new(),
            _ => format!(" | (uint64_t)@name_read(k, @NAME_{} + 4u) << 32", s.base.name),
        };
        format!(
            "    @NAME_CACHE_INVALIDATE(@name_read(k, @NAME_{0}){high},\n                           \
             (uint64_t)@name_read(k, @NAME_{1}) * {2}u);",
            s.base.name, s.words.name, s.bytes
        )
    };
    let held = arguments(cx, axi).chain(axi.registers.iter().filter(|r| computed(cx, r)));
    let read = |r: &Register| format!("    r->{} = @name_read(k, @NAME_{});", field(r), r.name);
    let zero = |r: &Register| format!("    r->{} = 0u;", field(r));
    let joined = joined::definitions(cx, axi);
    include_str!("templates/driver.c")
        .replace("@INCLUDE\n", if joined.is_empty() { "\n" } else { "\n#include <stddef.h>\n\n" })
        .replace("@RANGES", &lines(spans(axi).map(range)))
        .replace("@STORES", &lines(held.map(|r| stores(cx, axi, r))))
        .replace("@CLEAN", &lines(spans(axi).map(clean)))
        .replace("@INVALIDATE", &lines(spans(axi).filter(|s| s.written).map(invalidate)))
        .replace("@READS", &lines(statuses(axi).map(read)))
        .replace("@FULL", &full(cx, axi))
        .replace("@ZEROS", &lines(statuses(axi).map(zero)))
        + &counters::definitions(cx, axi)
        + &joined
}
