//! Assignment of addresses to a kernel's own registers.

use super::bus::{Axi, PortMode};
use super::registers::{CONTROL, Counted, Holds, OWN, Register};
use crate::emit::{Context, core};
use crate::netlist::Meaning;
use samhw_hdl::Scope;
use samhw_streams::Tells;
use std::cell::Cell;

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
            if p.mode == PortMode::Write { format!("words {name} has room for") } else { format!("words of {name}") };
        add(format!("{name}_words"), 1, Holds::Words(p.array), what);
    }
    for (k, c) in net.config.iter().enumerate() {
        if !matches!(c.meaning, Meaning::Capacity(..)) {
            add(cx.names.config[k].clone(), c.width.div_ceil(32), Holds::Config(k), core::meaning(cx, &c.meaning));
        }
    }
    for (k, s) in net.statuses.iter().enumerate() {
        let what = match s.tells {
            Tells::Overflow => "1: there was no room for some",
            Tells::Words => "words of the last run, those without room too",
            Tells::Rounds => "rounds of the last run",
            Tells::Unfinished => "1: the last round asked for another, and `at_most` were run",
        };
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
