//! The module `NAME_axi`.

use super::plan::{Axi, Mode};
use super::ports::{self, id_width, register_width};
use super::registers::{Access, Holds};
use crate::emit::Context;
use crate::emit::core::{kernel_text, unused};
use crate::emit::instance::{Body, Group};
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

/// Wires with a lane per port.
pub(super) struct Vectors {
    pub misaligned: Signal,
    pub beyond: Signal,
    pub full: Signal,
    pub moves: Signal,
    pub waits: Signal,
    pub fetch: Group,
    pub data_valid: Signal,
    pub data: Signal,
    pub store: Group,
    pub line: Group,
    pub ack: Signal,
    pub idle: Signal,
    pub loaded: Signal,
}

/// The module around `core`.
pub(super) fn module(cx: &Context, core: &Module, axi: &Axi) -> Module {
    let mut scope = cx.names.scope.clone();
    let mut nets = Vec::new();
    let mut net = |name: &str, width: u32| {
        let signal = Signal::new(scope.name(name), width.max(1));
        nets.push(Wire { signal: signal.clone(), value: None });
        signal
    };
    let writable: u32 = axi.registers.iter().filter(|r| r.access() != Access::Read).map(|r| r.words).sum();
    let (readers, all) = (axi.readers() as u32, axi.ports.len() as u32);
    let writers = all - readers;
    let request = 8 + axi.options.address_width;
    let line = axi.options.data_width / 8 * 9;
    let config = net("config_words", 32 * writable);
    let mut group = |name: &str, lanes: u32, width: u32| Group {
        valid: net(&format!("{name}_valid"), lanes),
        ready: net(&format!("{name}_ready"), lanes),
        beat: net(&format!("{name}_beat"), lanes * width),
    };
    let (fetch, store, lines) =
        (group("fetch", readers, request), group("store", writers, request), group("line", writers, line));
    let loaders = axi.ports.iter().filter(|p| p.mode == Mode::Load).count() as u32;
    let vectors = Vectors {
        misaligned: net("misaligned", all),
        beyond: net("beyond", all),
        full: net("full", all),
        moves: net("moves", all),
        waits: net("waits", all),
        fetch,
        data_valid: net("data_valid", readers),
        data: net("data_beat", axi.options.data_width),
        store,
        line: lines,
        ack: net("ack", writers),
        idle: net("writer_idle", writers),
        loaded: net("loader_done", loaders),
    };
    let mut top = Top { cx, axi, scope, body: Body::default(), config, vectors };
    let (lead, assigns) = top.lead();
    top.adapters();
    let mut items = vec![Item::Section("Core".into())];
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
const LEAD: [&str; 18] = [
    "load",
    "loaded",
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

pub(super) fn one(name: &str) -> Expr {
    Signal::new(name, 1).all()
}

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
                Meaning::Capacity(u, part, _) => {
                    let array = net.arrays.iter().position(|a| a.of == u && a.part == part && a.host_reads);
                    array.map_or(Expr::zeros(c.width), |a| self.at_most(Holds::Words(a), c.width))
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
                    ("beyond", v.beyond.all()),
                    ("full", v.full.all()),
                    ("moves", v.moves.all()),
                    ("waits", v.waits.all()),
                ]),
                counted.to_vec(),
                lead,
            ],
        );
        let shared = |n: u32| {
            vec![
                ("N", Expr::Integer(n)),
                ("BUS_LOG2", Expr::Integer(axi.bus_log2())),
                ("AXI_W", Expr::Integer(axi.options.address_width)),
                ("ID_W", Expr::Integer(id)),
            ]
        };
        let side = |w: &str| {
            named(&[
                ("stop", one(&format!("stop_{w}s"))),
                ("idle", one(&format!("{w}s_idle"))),
                ("error", one(&format!("{w}_error"))),
                ("error_decode", one(&format!("{w}_decode"))),
                ("error_port", port(&format!("{w}_port"))),
            ])
        };
        let group = |name: &str, g: &Group| {
            [("valid", &g.valid), ("ready", &g.ready), ("beat", &g.beat)]
                .map(|(s, w)| (format!("{name}_{s}"), w.all()))
                .to_vec()
        };
        let read = instance(
            "samhw_axi_read_mux",
            "u_reads",
            shared(readers.max(1)),
            vec![
                clock("port_rst"),
                side("read"),
                group("fetch", &v.fetch),
                named(&[("data_valid", v.data_valid.all()), ("data_beat", v.data.all())]),
                ports::same(ports::read(axi)),
            ],
        );
        let write = instance(
            "samhw_axi_write_mux",
            "u_writes",
            shared((all - readers).max(1)),
            vec![
                clock("port_rst"),
                side("write"),
                group("store", &v.store),
                group("line", &v.line),
                named(&[("ack", v.ack.all())]),
                ports::same(ports::write(axi)),
            ],
        );
        let ids = Item::Wires(
            String::new(),
            ["read_port", "write_port"].map(|n| Wire { signal: Signal::new(n, id), value: None }).into(),
        );
        let mut assigns: Vec<(Expr, Expr)> =
            ports::constants(axi).into_iter().map(|(n, w, x)| (Signal::new(n, w).all(), Expr::literal(w, x))).collect();
        assigns.push((one("writers_idle"), every(&v.idle)));
        let loads = axi.ports.iter().any(|p| p.mode == Mode::Load);
        assigns.push((one("loaded"), if loads { every(&v.loaded) } else { Expr::literal(1, 1) }));
        if !loads {
            assigns.push((v.loaded.all(), Expr::literal(1, 1)));
            self.body.unused.extend([v.loaded.all(), one("load")]);
        }
        if readers == 0 {
            assigns.push((v.fetch.valid.all(), Expr::literal(1, 0)));
            assigns.push((v.fetch.beat.all(), Expr::zeros(v.fetch.beat.width)));
            self.body.unused.extend([v.fetch.ready.all(), v.data_valid.all(), v.data.all()]);
        }
        self.body.unused.push(self.config.all());
        (vec![ids, regs, read, write], assigns)
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
