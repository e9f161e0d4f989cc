//! The module `NAME_axi`.

use super::plan::{Axi, Mode, PortPlan};
use super::ports::{self, id_width, register_width};
use super::registers::{Holds, first_like};
use crate::emit::Context;
use crate::emit::address::int;
use crate::emit::core::{kernel_text, unused};
use crate::emit::instance::{Body, Group};
use crate::emit::names::crosses;
use crate::emit::ram::around;
use crate::netlist::{CellId, Meaning, Place};
use samhw_hdl::{Connection, Expr, Instance, Item, Module, Scope, Signal, Wire};
use samhw_primitives::Dir;
use samhw_primitives::memory::Read;

/// A module under construction.
struct Top<'a> {
    cx: &'a Context<'a>,
    axi: &'a Axi,
    scope: Scope,
    body: Body,
    config: Signal,
    /// One wire or group of wires per port of the bus.
    vectors: Vectors,
}

/// Wires with a lane per port.
struct Vectors {
    misaligned: Signal,
    beyond: Signal,
    full: Signal,
    moves: Signal,
    waits: Signal,
    fetch: Group,
    data_valid: Signal,
    data: Signal,
    store: Group,
    line: Group,
    ack: Signal,
    idle: Signal,
    loaded: Signal,
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
    let writable: u32 = axi.registers.iter().filter(|r| !matches!(r.holds, Holds::Status(_))).map(|r| r.words).sum();
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

fn one(name: &str) -> Expr {
    Signal::new(name, 1).all()
}

impl Top<'_> {
    /// `width` bits of a register, the largest number where it holds more.
    fn at_most(&self, holds: Holds, width: u32) -> Expr {
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
    fn low(&self, holds: Holds, width: u32) -> Expr {
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
        let lead = LEAD.iter().map(|n| Wire { signal: Signal::new(*n, 1), value: None }).collect();
        let wires = |c: &str, w: Vec<Wire>| (!w.is_empty()).then(|| Item::Wires(c.into(), w));
        [wires("run-time values", values), wires("status", statuses), wires("", lead)].into_iter().flatten().collect()
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

    /// What stands between the core and each array.
    fn adapters(&mut self) {
        let (cx, net) = (self.cx, self.cx.net);
        for (k, _) in net.channels.iter().enumerate().filter(|(_, c)| crosses(net, c)) {
            let g = Group::new(&cx.names.channels[k], cx.shape(k).width());
            self.body.nets.push(Item::Wires(String::new(), g.wires()));
        }
        for cell in (0..net.cells.len()).map(CellId).filter(|&c| net.cell(c).place == Place::Memory) {
            match self.axi.ports.iter().position(|p| net.arrays[p.array].cell == cell) {
                Some(number) => self.adapter(cell, number, &self.axi.ports[number]),
                // A temporary.
                None => self.body.add_reset(cx, &mut self.scope, cell, vec![], "port_rst"),
            }
        }
    }

    fn adapter(&mut self, cell: CellId, number: usize, p: &PortPlan) {
        let (cx, axi) = (self.cx, self.axi);
        let (n, request) = (number as u32, 8 + axi.options.address_width);
        let (addr_w, data_w) = (int(cx.net, p.array, "ADDR_W") as u32, int(cx.net, p.array, "DATA_W") as u32);
        let array = first_like(cx, p.array);
        let named = |list: Vec<(&str, Expr)>| list.into_iter().map(|(n, e)| (n.to_string(), e)).collect::<Vec<_>>();
        let lane =
            |g: &Group, k: u32, width: u32| [g.valid.bits(k, 1), g.ready.bits(k, 1), g.beat.bits(k * width, width)];
        let wires = |name: &str, [valid, ready, beat]: [Expr; 3]| {
            vec![(format!("{name}_valid"), valid), (format!("{name}_ready"), ready), (format!("{name}_beat"), beat)]
        };
        let base = Holds::Base(array);
        let v = &self.vectors;
        let mut connections: Vec<Vec<Connection>> = vec![
            named(vec![("clk", one("clk")), ("rst", one("port_rst"))]),
            named(vec![
                ("base", self.low(base, axi.options.address_width)),
                ("words", self.at_most(Holds::Words(array), addr_w + 1)),
                ("beyond", v.beyond.bits(n, 1)),
            ]),
        ];
        let mut params = vec![("ADDR_W", Expr::Integer(addr_w)), ("DATA_W", Expr::Integer(data_w))];
        let fetch = [
            wires("fetch", lane(&v.fetch, n, request)),
            named(vec![("data_valid", v.data_valid.bits(n, 1)), ("data_beat", v.data.all())]),
        ];
        let mut ends: Vec<usize> = Vec::new();
        ends.extend(cx.ins.get(&(cell, 0)));
        ends.extend(cx.outs.get(&(cell, 0)));
        let mut assigns = Vec::new();
        match p.mode {
            Mode::Write => {
                let k = n - axi.readers() as u32;
                connections.push(named(vec![("flush", one("flush")), ("idle", v.idle.bits(k, 1))]));
                connections.push(wires("store", lane(&v.store, k, request)));
                connections.push(wires("line", lane(&v.line, k, axi.options.data_width / 8 * 9)));
                connections.push(named(vec![("ack", v.ack.bits(k, 1))]));
                let port = cx.port(cell, Dir::In, 0);
                connections.insert(2, wires("write", self.body.input(cx, cell, 0, &port)));
            }
            Mode::Window(read) => {
                let kind = match read {
                    Read::Burst => 1,
                    Read::Pair => 2,
                    Read::Single | Read::None => 0,
                };
                params.push(("KIND", Expr::Integer(kind)));
                let (asks, answers) = (cx.port(cell, Dir::In, 0), cx.port(cell, Dir::Out, 0));
                connections.push(wires("read_req", self.body.input(cx, cell, 0, &asks)));
                if let Some(&k) = cx.outs.get(&(cell, 0)) {
                    let g = Group::new(&cx.names.channels[k], answers.wire_shape().width());
                    connections.push(wires("read_rsp", [g.valid.all(), g.ready.all(), g.beat.all()]));
                }
                connections.extend(fetch);
            }
            Mode::Load => {
                params.push(("WORDS", Expr::Integer(int(cx.net, p.array, "WORDS") as u32)));
                let k = axi.ports[..number].iter().filter(|p| p.mode == Mode::Load).count() as u32;
                connections.push(named(vec![("start", one("load")), ("done", v.loaded.bits(k, 1))]));
                connections.extend(fetch);
                let name = &cx.names.cells[cell.0];
                let host = [("host_write", 1), ("host_addr", addr_w), ("host_wdata", data_w)].map(|(port, width)| {
                    let signal = Signal::new(self.scope.name(&format!("{name}_{port}")), width);
                    self.body.nets.push(Item::Wires(String::new(), vec![Wire { signal: signal.clone(), value: None }]));
                    (port.to_string(), signal.all())
                });
                connections.push(host.to_vec());
                self.body.add_reset(cx, &mut self.scope, cell, host.to_vec(), "port_rst");
            }
        }
        let v = &self.vectors;
        let low = (p.size_log2 > 0).then(|| self.low(base, p.size_log2).binary("!=", Expr::zeros(p.size_log2)));
        assigns.push((v.misaligned.bits(n, 1), low.unwrap_or(Expr::literal(1, 0))));
        let any = |each: &dyn Fn(&Group) -> Expr| {
            let all = ends.iter().map(|&k| each(&Group::new(&cx.names.channels[k], 1)));
            all.reduce(|a, b| a.binary("||", b)).unwrap_or(Expr::literal(1, 0))
        };
        assigns.push((v.moves.bits(n, 1), any(&|g| g.valid.all().binary("&&", g.ready.all()))));
        assigns.push((v.waits.bits(n, 1), any(&|g| g.valid.all().binary("&&", Expr::Not(Box::new(g.ready.all()))))));
        assigns.push((v.full.bits(n, 1), self.overflow(cell).unwrap_or(Expr::literal(1, 0))));
        params.extend([
            ("SIZE_LOG2", Expr::Integer(p.size_log2)),
            ("BUS_LOG2", Expr::Integer(axi.bus_log2())),
            ("AXI_W", Expr::Integer(axi.options.address_width)),
            ("LINES_LOG2", Expr::Integer(p.lines_log2)),
            ("BURST_LOG2", Expr::Integer(axi.burst_log2())),
        ]);
        let name = &cx.net.arrays[p.array].name;
        let instance = Instance {
            comment: vec![format!("{n}: {name}, {}", p.mode.describe())],
            module: p.mode.module().into(),
            name: self.scope.name(&format!("{name}_at_bus")),
            params: params.into_iter().map(|(n, p)| (n.to_string(), p)).collect(),
            connections,
        };
        self.body.instances.extend([Item::Instance(instance), Item::Assigns(assigns)]);
    }

    /// The status that tells that the array of this memory was too small.
    fn overflow(&self, memory: CellId) -> Option<Expr> {
        let (cx, net) = (self.cx, self.cx.net);
        let mut from = net.channels[*cx.ins.get(&(memory, 0))?].from?.0;
        while net.cell(from).primitive.kind() == "fork" {
            from = net.channels[*cx.ins.get(&(from, 0))?].from?.0;
        }
        let all = net.statuses.iter().zip(&cx.names.statuses).filter(|(s, _)| s.error && s.from.0 == from);
        all.map(|(s, n)| Signal::new(n, s.width).all()).reduce(|a, b| a.binary("||", b))
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
