//! `NAME_ram`: the core with its arrays in on-chip memories that a host loads and reads.

use super::address::{self, AddressRegion};
use super::core::{kernel_text, run_ports, status_ports, unused};
use super::instance::{Body, Group};
use super::names::crosses;
use super::{Context, wire};
use crate::netlist::{CellId, CellPlace};
use samhw_hdl::{Connection, Expr, Instance, Item, Module, Port, PortGroup, Scope, Signal, Wire};

/// The host's wires.
struct HostPort {
    write: Signal,
    read: Signal,
    addr: Signal,
    wdata: Signal,
    rdata: Signal,
}

/// The module around `core`.
pub(super) fn module(cx: &Context, core: &Module, regions: &[AddressRegion]) -> Module {
    let net = cx.net;
    let word = regions.iter().map(|r| net.arrays[r.array].width).max().unwrap_or(1);
    let host = HostPort {
        write: Signal::new("host_write", 1),
        read: Signal::new("host_read", 1),
        addr: Signal::new("host_addr", address::width(regions)),
        wdata: Signal::new("host_wdata", word),
        rdata: Signal::new("host_rdata", word),
    };
    let mut ports = run_ports(cx);
    ports.push(PortGroup {
        comment: "Host: words of the arrays, while no run is going on.".into(),
        ports: vec![
            Port::input("host_write", 1),
            Port::input("host_read", 1),
            Port::input("host_addr", host.addr.width),
            Port::input("host_wdata", word),
            Port::output("host_rdata", word),
        ],
    });
    ports.extend(status_ports(cx));

    let mut made = Around {
        cx,
        host,
        scope: cx.names.scope.clone(),
        body: Body::default(),
        here: Vec::new(),
        registers: Vec::new(),
        answers: Vec::new(),
    };
    made.wires();
    for c in (0..net.cells.len()).map(CellId).filter(|&c| net.cell(c).place == CellPlace::Memory) {
        match regions.iter().find(|r| net.arrays[r.array].cell == c) {
            Some(region) => made.array(c, region),
            None => made.body.add(cx, &mut made.scope, c, vec![]),
        }
    }
    made.unread(regions);
    Module { name: format!("{}_ram", cx.name), header: header(cx, regions), ports, items: made.items(core) }
}

/// What is around the core, as it is put together.
struct Around<'a> {
    cx: &'a Context<'a>,
    host: HostPort,
    scope: Scope,
    body: Body,
    /// Where an array is addressed.
    here: Vec<Wire>,
    registers: Vec<Item>,
    /// What was read.
    answers: Vec<Expr>,
}

impl Around<'_> {
    /// Wires of the channels to the core.
    fn wires(&mut self) {
        let (cx, net) = (self.cx, self.cx.net);
        for (k, _) in net.channels.iter().enumerate().filter(|(_, c)| crosses(net, c)) {
            let g = Group::new(&cx.names.channels[k], cx.shape(k).width());
            self.body.nets.push(Item::Wires(String::new(), g.wires()));
        }
    }

    /// A memory that the host loads or reads.
    fn array(&mut self, c: CellId, region: &AddressRegion) {
        let cx = self.cx;
        let array = &cx.net.arrays[region.array];
        let name = &cx.names.cells[c.0];
        let hit = Signal::new(self.scope.name(&format!("{name}_here")), 1);
        let mut hit_value = vec![];
        if self.host.addr.width > region.log2 {
            let high = self.host.addr.width - region.log2;
            let at = Expr::literal(high, region.base >> region.log2);
            hit_value.push(self.host.addr.bits(region.log2, high).binary("==", at));
        }
        if array.host_reads && region.words < 1 << region.log2 {
            let low = self.host.addr.bits(0, region.log2);
            hit_value.push(low.binary("<", Expr::Number(region.log2, region.words)));
        }
        let value = hit_value.into_iter().reduce(|a, b| a.binary("&&", b)).unwrap_or(Expr::literal(1, 1));
        self.here.push(Wire { signal: hit.clone(), value: Some(value) });
        let addr_w =
            (address::int(cx.net, region.array, "ADDR_W") + address::int(cx.net, region.array, "PARTS_LOG2")) as u32;
        let low = self.host.addr.bits(0, region.log2.min(addr_w));
        let zeros = (addr_w > region.log2).then(|| Expr::zeros(addr_w - region.log2));
        let mut connections: Vec<Connection> = vec![("host_addr".into(), Expr::concat([zeros, Some(low)]))];
        if array.host_reads {
            let data = Signal::new(self.scope.name(&format!("{name}_rdata")), array.width);
            let read = Signal::new(self.scope.name(&format!("{name}_read")), 1);
            self.body.nets.push(Item::Wires(String::new(), vec![Wire { signal: data.clone(), value: None }]));
            connections.insert(0, ("host_read".into(), self.host.read.all().binary("&&", hit.all())));
            connections.push(("host_rdata".into(), data.all()));
            let asked = Signal::new(self.scope.name(&format!("{name}_asked")), 1);
            self.registers.push(Item::Register {
                signal: asked.clone(),
                enable: Some(self.host.read.all()),
                next: hit.all(),
            });
            self.registers.push(Item::Register { signal: read.clone(), enable: None, next: asked.all() });
            let mask = if self.host.rdata.width == 1 {
                read.all()
            } else {
                Expr::Repeat(self.host.rdata.width, Box::new(read.all()))
            };
            self.answers.push(mask.binary("&", wire::resized(&data, self.host.rdata.width)));
        } else {
            connections.insert(0, ("host_write".into(), self.host.write.all().binary("&&", hit.all())));
            connections.push(("host_wdata".into(), wire::resized(&self.host.wdata, array.width)));
        }
        self.body.add(cx, &mut self.scope, c, connections);
    }

    /// Says which of the host's wires nothing reads.
    fn unread(&mut self, regions: &[AddressRegion]) {
        let (host, unused) = (&self.host, &mut self.body.unused);
        let written = regions.iter().map(|r| &self.cx.net.arrays[r.array]).filter(|a| a.host_writes);
        let widest_written = written.map(|a| a.width).max().unwrap_or(0);
        if widest_written == 0 {
            unused.push(host.write.all());
        }
        if widest_written < host.wdata.width {
            unused.push(host.wdata.all());
        }
        if self.answers.is_empty() {
            unused.push(host.read.all());
        }
        if regions.is_empty() {
            unused.push(host.addr.all());
        }
    }

    /// The text of the module.
    fn items(self, core: &Module) -> Vec<Item> {
        let Self { host, body, here, registers, answers, .. } = self;
        let mut items = vec![Item::Section("Core".into())];
        items.extend(body.nets);
        items.push(Item::Instance(around(core, "rst")));
        items.push(Item::Section("Host: which array an address is in, and the word read from it".into()));
        items.push(Item::Wires(String::new(), here));
        items.extend(registers);
        let answer = answers.into_iter().reduce(|a, b| a.binary("|", b)).unwrap_or(Expr::zeros(host.rdata.width));
        items.push(Item::Assigns(vec![(host.rdata.all(), answer)]));
        if !body.views.is_empty() {
            items.push(Item::Section("Requests in the widths of the memories".into()));
            items.push(Item::Wires(String::new(), body.views));
        }
        items.push(Item::Section("Memories".into()));
        items.extend(body.instances);
        items.extend(unused(body.unused));
        items
    }
}

/// The core, every port at the wire of its name, and its reset at `rst`.
pub(super) fn around(core: &Module, rst: &str) -> Instance {
    let connections = core.ports.iter().flat_map(|g| g.ports.chunks(3));
    let wire = |s: &Signal| if s.name == "rst" { Signal::new(rst, 1).all() } else { s.all() };
    let connections = connections.map(|ports| ports.iter().map(|p| (p.signal.name.clone(), wire(&p.signal))).collect());
    Instance {
        comment: vec![],
        module: core.name.clone(),
        name: "u_core".into(),
        params: vec![],
        connections: connections.collect(),
    }
}

fn header(cx: &Context, regions: &[AddressRegion]) -> Vec<String> {
    let mut out = vec![
        "SPDX-License-Identifier: Apache-2.0".into(),
        String::new(),
        format!("{0}_ram: {0}_core with its arrays in on-chip memories, for", cx.name),
        String::new(),
    ];
    out.extend(kernel_text(cx));
    out.extend(
        [
            "",
            "  Host        host_write stores host_wdata at host_addr; host_read gives the word at",
            "              host_addr on host_rdata two cycles later, where it stays until the next",
            "              host_read; 0 where no array is read. Not between start and done.",
            "  Arrays      base    words   bits",
        ]
        .map(str::to_string),
    );
    for r in regions {
        let a = &cx.net.arrays[r.array];
        let use_ = if a.host_reads { "read" } else { "written" };
        out.push(format!("              {:<7} {:<7} {:<4} {}, {use_} by the host", r.base, r.words, a.width, a.name));
    }
    out.push("  Start, done, run-time values, status and reset: as the core's.".into());
    out
}
