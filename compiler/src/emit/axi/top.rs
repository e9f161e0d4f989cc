//! The module `NAME_axi`.

use super::bus::{Axi, PortMode};

use super::ports::{self, id_width, register_width};
use super::registers::{Holds, HostAccess};
use super::vectors::{Master, SharedFetch, Vectors, one};
use crate::emit::Context;
use crate::emit::core::{kernel_text, unused};
use crate::emit::instance::Body;
use crate::emit::probes::Probes;
use crate::emit::ram::around;
use crate::netlist::Meaning;
use samhw_hdl::{Connection, Expr, Instance, Item, Module, Scope, Signal, Wire};

/// A module under construction.
pub(super) struct Top<'a> {
    pub cx: &'a Context<'a>,
    pub axi: &'a Axi,
    pub scope: Scope,
    pub body: Body,
    config: Signal,
    /// One wire or group of wires per port of the bus.
    pub vectors: Vectors,
}

/// The module around `core`.
pub(super) fn module(cx: &Context, core: &Module, axi: &Axi) -> Module {
    let mut scope = cx.names.scope.clone();
    let writable: u32 = axi.registers.iter().filter(|r| r.access() != HostAccess::Read).map(|r| r.words).sum();
    let config = Signal::new(scope.name("config_words"), (32 * writable).max(1));
    let mut nets = Vec::new();
    let mut net = |name: &str, width: u32| {
        let signal = Signal::new(scope.name(name), width.max(1));
        nets.push(Wire { signal: signal.clone(), value: None });
        signal
    };
    let (readers, all) = (axi.readers() as u32, axi.ports.len() as u32);
    let writers = all - readers;
    let masters = (0..axi.masters()).map(|m| Master::new(axi, m, &mut net)).collect();
    let shares = axi.shared().enumerate().map(|group| SharedFetch::new(axi, group, &mut net)).collect();
    let vectors = Vectors {
        misaligned: net("misaligned", all),
        disordered: net("disordered", all),
        beyond: net("beyond", all),
        full: net("full", all),
        moves: net("moves", all),
        waits: net("waits", all),
        masters,
        shares,
        idle: net("writer_idle", writers),
    };
    let mut top = Top { cx, axi, scope, body: Body::default(), config, vectors };
    let (lead, assigns) = top.lead();
    top.adapters();
    let mut items = vec![Item::Section("Core".into())];
    // Before what is read of it: a name is declared before it is used.
    let registers = Wire { signal: top.config.clone(), value: None };
    items.push(Item::Wires("what the host has written".into(), vec![registers]));
    items.extend(top.config_wires());
    items.extend(std::mem::take(&mut top.body.nets));
    items.push(Item::Instance(around(core, "core_rst")));
    items.push(Item::Section("Registers and what leads through a run".into()));
    items.push(Item::Wires("a lane per array at the bus".into(), nets));
    items.extend(lead);
    if !top.body.views.is_empty() {
        items.push(Item::Section("Requests in the widths of the arrays".into()));
        items.push(Item::Wires(String::new(), std::mem::take(&mut top.body.views)));
    }
    items.push(Item::Section("Arrays".into()));
    items.extend(std::mem::take(&mut top.body.instances));
    items.push(Item::Assigns(assigns));
    items.extend(unused(std::mem::take(&mut top.body.unused)));
    Module { name: format!("{}_axi", cx.name), header: header(cx, axi), ports: ports::groups(axi), items }
}

/// Names and widths of the wires between what leads, the bus and the adapters.
const LEAD: [&str; 17] = [
    "load",
    "start_valid",
    "start_ready",
    "done_valid",
    "done_ready",
    "flush",
    "stop_reads",
    "stop_writes",
    "reads_idle",
    "writes_idle",
    "writers_idle",
    "core_rst",
    "port_rst",
    "read_error",
    "read_decode",
    "write_error",
    "write_decode",
];

impl Top<'_> {
    /// `width` bits of a register, the largest number where it holds more.
    pub(super) fn at_most(&self, holds: Holds, width: u32) -> Expr {
        let Some((low, have)) = self.place(holds) else { return Expr::zeros(width) };
        if width >= have {
            return Expr::concat([
                (width > have).then(|| Expr::zeros(width - have)),
                Some(self.config.bits(low, have)),
            ]);
        }
        let over = self.config.bits(low + width, have - width).binary("!=", Expr::zeros(have - width));
        Expr::Choice(
            Box::new(over),
            Box::new(Expr::Repeat(width, Box::new(Expr::literal(1, 1)))),
            Box::new(self.config.bits(low, width)),
        )
    }
    /// Lowest bit and width of a register in the vector of all.
    fn place(&self, holds: Holds) -> Option<(u32, u32)> {
        let r = self.axi.registers.iter().find(|r| r.holds == holds)?;
        Some(((r.offset - super::registers::OWN) * 8, 32 * r.words))
    }
    /// `width` bits of a register.
    pub(super) fn low(&self, holds: Holds, width: u32) -> Expr {
        let Some((low, have)) = self.place(holds) else { return Expr::zeros(width) };
        let some = self.config.bits(low, width.min(have));
        Expr::concat([(width > have).then(|| Expr::zeros(width - have)), Some(some)])
    }

    /// Wires of the core that are not at memories: run-time values, status, tokens.
    fn config_wires(&self) -> Vec<Item> {
        let (cx, net) = (self.cx, self.cx.net);
        let values = net.config.iter().zip(&cx.names.config).enumerate().map(|(k, (c, name))| {
            let value = match c.meaning {
                Meaning::Capacity(u, part, words) => {
                    let array = net.arrays.iter().position(|a| a.of == u && a.part == part && a.host_reads);
                    // What only the hardware reads lies on the chip.
                    array.map_or(Expr::literal(c.width, words), |a| self.at_most(Holds::Words(a), c.width))
                }
                _ => self.low(Holds::Config(k), c.width),
            };
            Wire { signal: Signal::new(name, c.width), value: Some(value) }
        });
        let values: Vec<Wire> = values.collect();
        let statuses = net.statuses.iter().zip(&cx.names.statuses);
        let statuses = statuses.map(|(s, n)| Wire { signal: Signal::new(n, s.width), value: None }).collect();
        let probes = self.axi.probes.iter().flat_map(Probes::signals);
        let probes: Vec<Wire> = probes.map(|signal| Wire { signal, value: None }).collect();
        let lead = LEAD.iter().map(|n| Wire { signal: Signal::new(*n, 1), value: None }).collect();
        let wires = |c: &str, w: Vec<Wire>| (!w.is_empty()).then(|| Item::Wires(c.into(), w));
        let all = [("run-time values", values), ("status", statuses), ("what is counted", probes), ("", lead)];
        all.into_iter().filter_map(|(what, list)| wires(what, list)).collect()
    }

    /// The registers, the two sides of the bus, and what is assigned.
    fn lead(&mut self) -> (Vec<Item>, Vec<(Expr, Expr)>) {
        let (axi, v) = (self.axi, &self.vectors);
        let (readers, all, id) = (axi.readers() as u32, axi.ports.len() as u32, id_width(axi));
        let mut status: Vec<Option<Expr>> = Vec::new();
        for (s, name) in self.cx.net.statuses.iter().zip(&self.cx.names.statuses).rev() {
            status.push((s.width < 32).then(|| Expr::zeros(32 - s.width)));
            status.push(Some(Signal::new(name, s.width).bits(0, s.width.min(32))));
        }
        let statuses = (self.cx.net.statuses.len() as u32).max(1);
        let status = if status.is_empty() { Expr::zeros(32) } else { Expr::concat(status) };
        let clock = |rst: &str| vec![("clk".to_string(), one("clk")), ("rst".to_string(), one(rst))];
        let instance = |module: &str, name: &str, params: Vec<(&str, Expr)>, connections| {
            let params = params.into_iter().map(|(n, p)| (n.to_string(), p)).collect();
            Item::Instance(Instance { comment: vec![], module: module.into(), name: name.into(), params, connections })
        };
        let named = |list: &[(&str, Expr)]| list.iter().map(|(n, e)| (n.to_string(), e.clone())).collect::<Vec<_>>();
        let port = |name: &str| Signal::new(name, id).all();
        let oversized = self.oversized();
        let mut lead: Vec<Connection> = LEAD.iter().map(|n| (n.to_string(), one(n))).collect();
        lead.extend(named(&[("read_port", port("read_port")), ("write_port", port("write_port"))]));
        let nothing = Probes::default();
        let probes = axi.probes.as_ref().unwrap_or(&nothing);
        let counted = probes.signals().map(|s| {
            let value = if axi.probes.is_some() { s.all() } else { Expr::zeros(s.width) };
            (s.name, value)
        });
        let regs = instance(
            "samhw_axi_regs",
            "u_regs",
            vec![
                ("ADDR_W", Expr::Integer(register_width(axi))),
                ("CONFIG", Expr::Integer(self.config.width / 32)),
                ("STATUS", Expr::Integer(statuses)),
                ("READERS", Expr::Integer(readers)),
                ("WRITERS", Expr::Integer(all - readers)),
                ("ID_W", Expr::Integer(id)),
                ("NODES", Expr::Integer(probes.nodes.len() as u32)),
                ("BEATS_W", Expr::Integer(probes.beats_width)),
                ("STREAMS", Expr::Integer(probes.streams.len() as u32)),
                ("HASH", Expr::literal(64, axi.hash)),
            ],
            vec![
                clock("rst"),
                ports::same(ports::lite(axi)),
                named(&[("irq", one("irq")), ("config_words", self.config.all()), ("status_words", status)]),
                named(&[
                    ("oversized", oversized),
                    ("misaligned", v.misaligned.all()),
                    ("disordered", v.disordered.all()),
                    ("beyond", v.beyond.all()),
                    ("full", v.full.all()),
                    ("moves", v.moves.all()),
                    ("waits", v.waits.all()),
                ]),
                counted.to_vec(),
                lead,
            ],
        );
        let mut items = vec![Item::Wires(
            String::new(),
            ["read_port", "write_port"].map(|n| Wire { signal: Signal::new(n, id), value: None }).into(),
        )];
        items.push(regs);
        let mut assigns = Vec::new();
        for m in 0..axi.masters() {
            items.extend(self.master(m));
            assigns.extend(
                ports::constants(axi, m).into_iter().map(|(n, w, x)| (Signal::new(n, w).all(), Expr::literal(w, x))),
            );
            assigns.extend(self.nothing(m));
        }
        if axi.masters() > 1 {
            let (wires, all) = self.all_masters();
            items.insert(1, Item::Wires("of each manager".into(), wires));
            assigns.extend(all);
        }
        let v = &self.vectors;
        assigns.push((one("writers_idle"), every(&v.idle)));
        if !axi.ports.iter().any(|p| p.ahead || matches!(p.mode, PortMode::Whole(_))) {
            self.body.unused.push(one("load"));
        }
        self.body.unused.push(self.config.all());
        (items, assigns)
    }

    /// 1 if a size is larger than the hardware takes.
    fn oversized(&self) -> Expr {
        let kernel = &self.cx.lowered.kernel;
        let over = self.cx.net.config.iter().enumerate().filter_map(|(k, c)| {
            let (low, have) = self.place(Holds::Config(k))?;
            match &c.meaning {
                Meaning::Dim(v) => {
                    Some(self.config.bits(low, have).binary(">", Expr::Number(have, kernel.var(*v).max)))
                }
                Meaning::Chunk(_) if c.width < have => {
                    let rest = have - c.width;
                    Some(self.config.bits(low + c.width, rest).binary("!=", Expr::zeros(rest)))
                }
                _ => None,
            }
        });
        over.reduce(|a, b| a.binary("||", b)).unwrap_or(Expr::literal(1, 0))
    }
}

/// 1 if all bits are.
fn every(bits: &Signal) -> Expr {
    bits.all().binary("==", Expr::Repeat(bits.width, Box::new(Expr::literal(1, 1))))
}

fn header(cx: &Context, axi: &Axi) -> Vec<String> {
    let mut out = vec![
        "SPDX-License-Identifier: Apache-2.0".into(),
        String::new(),
        format!("{0}_axi: {0}_core with its arrays in memory behind AXI4 and registers behind AXI4-Lite, for", cx.name),
        String::new(),
    ];
    out.extend(kernel_text(cx));
    out.extend([String::new(), "  Ports       number, array: what errors name".into()]);
    for (k, p) in axi.ports.iter().enumerate() {
        let array = &cx.net.arrays[p.array].name;
        out.push(format!("              {k:<3} {array}: words of {} bytes, {}", 1 << p.size_log2, p.mode.describe()));
    }
    out.push("  Registers   address, name".into());
    for r in &axi.registers {
        out.push(format!("              {:03x} {}: {}", r.offset, r.name, r.meaning));
    }
    out.push("              and those of samhw_axi_regs below 100.".into());
    out.push(
        "  Reset       synchronous; only while nothing is on the bus. While the bus works use register CONTROL.".into(),
    );
    out
}
