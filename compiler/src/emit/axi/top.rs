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
    pub disordered: Signal,
    pub beyond: Signal,
    pub full: Signal,
    pub moves: Signal,
    pub waits: Signal,
    pub masters: Vec<Master>,
    pub idle: Signal,
    pub loaded: Signal,
}

/// Wires of a manager, with a lane per port that it serves.
pub(super) struct Master {
    pub fetch: Group,
    pub data_valid: Signal,
    pub data: Signal,
    pub store: Group,
    pub line: Group,
    pub ack: Signal,
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
    let masters = (0..axi.masters()).map(|m| {
        let [readers, writers] = [false, true].map(|writes| axi.served(m, writes).len() as u32);
        let mut own = |name: &str, width: u32| net(&numbered(axi, m, name), width);
        let mut group = |name: &str, lanes: u32, width: u32| Group {
            valid: own(&format!("{name}_valid"), lanes),
            ready: own(&format!("{name}_ready"), lanes),
            beat: own(&format!("{name}_beat"), lanes * width),
        };
        let (fetch, store, line) =
            (group("fetch", readers, request), group("store", writers, request), group("line", writers, line));
        let (data_valid, data) = (own("data_valid", readers), own("data_beat", axi.options.data_width));
        Master { fetch, data_valid, data, store, line, ack: own("ack", writers) }
    });
    let masters = masters.collect();
    let loaders = axi.ports.iter().filter(|p| p.mode == Mode::Load).count() as u32;
    let vectors = Vectors {
        misaligned: net("misaligned", all),
        disordered: net("disordered", all),
        beyond: net("beyond", all),
        full: net("full", all),
        moves: net("moves", all),
        waits: net("waits", all),
        masters,
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

/// Wires between a manager's channels and what leads, of those in [`LEAD`]: of both directions, then of reads and writes.
const OWN: [&str; 3] = ["s_idle", "_error", "_decode"];

/// A name, with the number of the manager where there are several.
fn numbered(axi: &Axi, master: usize, name: &str) -> String {
    if axi.masters() == 1 { name.into() } else { format!("{name}_{master}") }
}

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
            let (v, none) = (&self.vectors.masters[m], axi.served(m, false).is_empty());
            if none {
                assigns.push((v.fetch.valid.all(), Expr::literal(1, 0)));
                assigns.push((v.fetch.beat.all(), Expr::zeros(v.fetch.beat.width)));
                let unused = [v.fetch.ready.all(), v.data_valid.all(), v.data.all()];
                self.body.unused.extend(unused);
            }
            let (v, none) = (&self.vectors.masters[m], axi.served(m, true).is_empty());
            if none {
                for g in [&v.store, &v.line] {
                    assigns.push((g.valid.all(), Expr::literal(1, 0)));
                    assigns.push((g.beat.all(), Expr::zeros(g.beat.width)));
                }
                let unused = [v.store.ready.all(), v.line.ready.all(), v.ack.all()];
                self.body.unused.extend(unused);
            }
        }
        if axi.masters() > 1 {
            let (wires, all) = self.all_masters();
            items.insert(1, Item::Wires("of each manager".into(), wires));
            assigns.extend(all);
        }
        let v = &self.vectors;
        assigns.push((one("writers_idle"), every(&v.idle)));
        let loads = axi.ports.iter().any(|p| p.mode == Mode::Load);
        assigns.push((one("loaded"), if loads { every(&v.loaded) } else { Expr::literal(1, 1) }));
        if !loads {
            assigns.push((v.loaded.all(), Expr::literal(1, 1)));
            self.body.unused.push(v.loaded.all());
        }
        if !axi.ports.iter().any(|p| matches!(p.mode, Mode::Load | Mode::Whole(_))) {
            self.body.unused.push(one("load"));
        }
        self.body.unused.push(self.config.all());
        (items, assigns)
    }

    /// The two sides of a manager.
    fn master(&self, m: usize) -> [Item; 2] {
        let (axi, v, id) = (self.axi, &self.vectors.masters[m], id_width(self.axi));
        let named = |list: &[(&str, Expr)]| list.iter().map(|(n, e)| (n.to_string(), e.clone())).collect::<Vec<_>>();
        let group = |name: &str, g: &Group| {
            [("valid", &g.valid), ("ready", &g.ready), ("beat", &g.beat)]
                .map(|(s, w)| (format!("{name}_{s}"), w.all()))
                .to_vec()
        };
        let side = |writes: bool, lanes: Vec<Connection>| {
            let w = if writes { "write" } else { "read" };
            let own = |name: &str| one(&numbered(axi, m, &format!("{w}{name}")));
            let port = Signal::new(numbered(axi, m, &format!("{w}_port")), id).all();
            let wires = if writes { ports::write(axi) } else { ports::read(axi) };
            let params = [
                ("N", axi.served(m, writes).len().max(1) as u32),
                ("BUS_LOG2", axi.bus_log2()),
                ("AXI_W", axi.options.address_width),
                ("ID_W", id),
            ];
            Item::Instance(Instance {
                comment: vec![],
                module: format!("samhw_axi_{w}_mux"),
                name: numbered(axi, m, &format!("u_{w}s")),
                params: params.map(|(n, p)| (n.to_string(), Expr::Integer(p))).into(),
                connections: vec![
                    named(&[("clk", one("clk")), ("rst", one("port_rst"))]),
                    named(&[
                        ("stop", one(&format!("stop_{w}s"))),
                        ("idle", own(OWN[0])),
                        ("error", own(OWN[1])),
                        ("error_decode", own(OWN[2])),
                        ("error_port", port),
                    ]),
                    lanes,
                    ports::of_master(axi, m, wires),
                ],
            })
        };
        let data = named(&[("data_valid", v.data_valid.all()), ("data_beat", v.data.all())]);
        let acks = named(&[("ack", v.ack.all())]);
        let writes = [group("store", &v.store), group("line", &v.line), acks].concat();
        [side(false, [group("fetch", &v.fetch), data].concat()), side(true, writes)]
    }

    /// What is known of several managers, and what that is together: idle if all are; the error of the first one that has any.
    fn all_masters(&self) -> (Vec<Wire>, Vec<(Expr, Expr)>) {
        let (axi, id) = (self.axi, id_width(self.axi));
        let (mut wires, mut assigns) = (Vec::new(), Vec::new());
        for (w, writes) in [("read", false), ("write", true)] {
            let wire = |name: &str, m: usize| {
                Signal::new(numbered(axi, m, &format!("{w}{name}")), if name == "_port" { id } else { 1 })
            };
            for name in OWN.iter().chain(&["_port"]) {
                wires.extend((0..axi.masters()).map(|m| Wire { signal: wire(name, m), value: None }));
            }
            let all = |name: &str, op: &'static str| {
                let each = (0..axi.masters()).map(|m| wire(name, m).all());
                each.reduce(|a, b| a.binary(op, b)).unwrap_or(Expr::literal(1, 0))
            };
            let first = |of: &dyn Fn(usize) -> Expr| {
                let choose =
                    |rest: Expr, m| Expr::Choice(Box::new(wire(OWN[1], m).all()), Box::new(of(m)), Box::new(rest));
                (0..axi.masters() - 1).rev().fold(of(axi.masters() - 1), choose)
            };
            // Ports are numbered through: readers, then writers, each by their managers.
            let start = |m: usize| axi.served(m, writes).start - if writes { axi.readers() } else { 0 };
            let port = |m: usize| match start(m) {
                0 => wire("_port", m).all(),
                before => wire("_port", m).all().binary("+", Expr::literal(id, before as u64)),
            };
            assigns.push((one(&format!("{w}{}", OWN[0])), all(OWN[0], "&&")));
            assigns.push((one(&format!("{w}{}", OWN[1])), all(OWN[1], "||")));
            assigns.push((one(&format!("{w}{}", OWN[2])), first(&|m| wire(OWN[2], m).all())));
            assigns.push((Signal::new(format!("{w}_port"), id).all(), first(&port)));
        }
        (wires, assigns)
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
