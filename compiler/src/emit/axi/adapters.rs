//! Instances of the adapters between the core and each array in `NAME_axi`.

use super::bus::{PortMode, PortPlan};
use super::plan::extra;
use super::registers::Holds;
use super::top::Top;
use super::vectors::{SharedFetch, one};
use crate::emit::instance::Group;
use crate::emit::names::crosses;
use crate::netlist::{CellId, CellPlace};
use samhw_hdl::{Connection, Expr, Instance, Item, Signal, Wire};
use samhw_primitives::axi::SHARE_WAIT_LOG2;
use samhw_primitives::memories::memory::Read;
use samhw_streams::Dir;

/// An array at the bus.
#[derive(Clone, Copy)]
struct At<'p> {
    /// The memory that it is in the netlist.
    cell: CellId,
    /// Its number among the ports.
    number: usize,
    /// Its lane at its manager.
    own: u32,
    p: &'p PortPlan,
}

pub(super) fn named(list: Vec<(&str, Expr)>) -> Vec<Connection> {
    list.into_iter().map(|(n, e)| (n.to_string(), e)).collect()
}

/// The part of lane `k` of a group of vectors.
fn lane(g: &Group, k: u32, width: u32) -> [Expr; 3] {
    [g.valid.bits(k, 1), g.ready.bits(k, 1), g.beat.bits(k * width, width)]
}

/// The three wires of a stream.
fn wires(name: &str, [valid, ready, beat]: [Expr; 3]) -> Vec<Connection> {
    vec![(format!("{name}_valid"), valid), (format!("{name}_ready"), ready), (format!("{name}_beat"), beat)]
}

impl Top<'_> {
    /// Adds the adapter between the core and each array.
    pub(super) fn adapters(&mut self) {
        let (cx, net) = (self.cx, self.cx.net);
        for (k, _) in net.channels.iter().enumerate().filter(|(_, c)| crosses(net, c)) {
            let g = Group::new(&cx.names.channels[k], cx.shape(k).width());
            self.body.nets.push(Item::Wires(String::new(), g.wires()));
        }
        for cell in (0..net.cells.len()).map(CellId).filter(|&c| net.cell(c).place == CellPlace::Memory) {
            match self.axi.ports.iter().position(|p| net.arrays[p.array].cell == cell) {
                Some(number) => self.adapter(cell, number, &self.axi.ports[number]),
                // A temporary.
                None => self.body.add_reset(cx, &mut self.scope, cell, vec![], "port_rst"),
            }
        }
        let first = |s: &SharedFetch| &net.arrays[self.axi.ports[s.ports[0]].array].name;
        let names: Vec<String> =
            self.vectors.shares.iter().map(|s| self.scope.name(&format!("{}_shared", first(s)))).collect();
        let made = self.vectors.shares.iter().zip(names).map(|(s, name)| Item::Instance(self.share(s, name)));
        let shares: Vec<Item> = made.collect();
        self.body.instances.extend(shares);
    }

    /// Between ports that fetch alike and their manager.
    fn share(&self, s: &SharedFetch, name: String) -> Instance {
        let (axi, lead) = (self.axi, s.ports[0]);
        let p = &axi.ports[lead];
        let own = (lead - axi.served(p.master, false).start) as u32;
        let at = &self.vectors.masters[p.master];
        let line = vec![("line_valid", at.data_valid.bits(own, 1)), ("line_beat", at.data.all())];
        let data = vec![("data_valid", s.data_valid.all()), ("data_beat", s.data.all())];
        let params = [
            ("N", s.ports.len() as u32),
            ("BUS_LOG2", axi.bus_log2()),
            ("AXI_W", axi.options.address_width),
            ("WAIT_LOG2", SHARE_WAIT_LOG2),
        ];
        Instance {
            comment: vec![format!("what {} arrays fetch alike", s.ports.len())],
            module: "samhw_axi_share".into(),
            name,
            params: params.map(|(n, value)| (n.to_string(), Expr::Integer(value))).into(),
            connections: vec![
                named(vec![("clk", one("clk")), ("rst", one("port_rst"))]),
                wires("fetch", [s.fetch.valid.all(), s.fetch.ready.all(), s.fetch.beat.all()]),
                named(data),
                wires("ask", lane(&at.fetch, own, self.request())),
                named(line),
            ],
        }
    }

    fn adapter(&mut self, cell: CellId, number: usize, p: &PortPlan) {
        // Its lane at its manager, or that of what it follows.
        let lanes = self.axi.served(p.master, p.mode == PortMode::Write);
        let own = (self.axi.source(number) - lanes.start) as u32;
        let at = At { cell, number, own, p };
        let (mut params, mut connections) = (Vec::new(), self.region(at));
        match p.mode {
            PortMode::Write => connections.extend(self.written(at)),
            PortMode::Window(read) | PortMode::Tiles { read, .. } | PortMode::Whole(read) => {
                params.extend(self.kind(at, read));
                connections.extend(self.read(at));
            }
        }
        let watch = p.watch.and_then(|w| self.watch(cell, number as u32, p, w));
        let assigns = self.states(at, watch.is_some());
        let params = [("ADDR_W", p.addr_w), ("DATA_W", p.data_w)].into_iter().chain(params).chain(self.bus(p));
        let name = &self.cx.net.arrays[p.array].name;
        let instance = Instance {
            comment: vec![format!("{number}: {name}, {}", p.mode.describe())],
            module: p.mode.module().into(),
            name: self.scope.name(&format!("{name}_at_bus")),
            params: params.map(|(n, value)| (n.to_string(), Expr::Integer(value))).collect(),
            connections,
        };
        self.body.instances.push(Item::Instance(instance));
        self.body.instances.extend(watch.map(Item::Instance));
        self.body.instances.push(Item::Assigns(assigns));
    }

    /// Parameters that all adapters have of the bus.
    fn bus(&self, p: &PortPlan) -> Vec<(&'static str, u32)> {
        let axi = self.axi;
        let mut out = vec![
            ("SIZE_LOG2", p.size_log2),
            ("BUS_LOG2", axi.bus_log2()),
            ("AXI_W", axi.options.address_width),
            ("BURST_LOG2", p.burst_log2),
        ];
        if !matches!(p.mode, PortMode::Whole(_)) {
            out.push(("LINES_LOG2", p.lines_log2));
        }
        out
    }

    /// Clock, and where the array lies.
    fn region(&self, At { number, p, .. }: At) -> Vec<Vec<Connection>> {
        let array = self.cx.net.first_like(p.array);
        vec![
            named(vec![("clk", one("clk")), ("rst", one("port_rst"))]),
            named(vec![
                ("base", self.low(Holds::Base(array), self.axi.options.address_width)),
                ("words", self.at_most(Holds::Words(array), p.addr_w + 1)),
                ("beyond", self.vectors.beyond.bits(number as u32, 1)),
            ]),
        ]
    }

    /// Connections of what stores words.
    fn written(&mut self, At { cell, number, own, p }: At) -> Vec<Vec<Connection>> {
        let (cx, axi) = (self.cx, self.axi);
        let port = cx.port(cell, Dir::In, 0);
        let write = wires("write", self.body.input(cx, cell, 0, &port));
        let (v, at) = (&self.vectors, &self.vectors.masters[p.master]);
        let idle = v.idle.bits((number - axi.readers()) as u32, 1);
        vec![
            write,
            named(vec![("flush", one("flush")), ("idle", idle)]),
            wires("store", lane(&at.store, own, self.request())),
            wires("line", lane(&at.line, own, axi.options.data_width / 8 * 9)),
            named(vec![("ack", at.ack.bits(own, 1))]),
        ]
    }

    /// Parameters of what reads words.
    fn kind(&self, At { p, .. }: At, read: Read) -> Vec<(&'static str, u32)> {
        let kind = match read {
            Read::Burst => 1,
            Read::Pair => 2,
            Read::Single | Read::None => 0,
        };
        let mut out = vec![("KIND", kind)];
        if let PortMode::Whole(_) = p.mode {
            out.push(("WORDS", p.room as u32));
        }
        if let PortMode::Tiles { hints_log2, .. } = p.mode {
            out.extend([("EXTRA", extra(self.cx.net, p.array) as u32), ("HINTS_LOG2", hints_log2)]);
        }
        out
    }

    /// Connections of what reads words.
    fn read(&mut self, at: At) -> Vec<Vec<Connection>> {
        let (cx, At { cell, p, .. }) = (self.cx, at);
        let mut out = Vec::new();
        match p.mode {
            PortMode::Whole(_) => out.push(named(vec![("start", one("load"))])),
            PortMode::Window(_) if p.ahead => out.push(named(vec![("start", one("load"))])),
            PortMode::Window(_) => out.push(named(vec![("start", Expr::literal(1, 0))])),
            PortMode::Tiles { .. } | PortMode::Write => {}
        }
        if let PortMode::Tiles { starts, per_log2, .. } = p.mode {
            out.push(named(self.hint(starts, p.addr_w, per_log2)));
        }
        let (asks, answers) = (cx.port(cell, Dir::In, 0), cx.port(cell, Dir::Out, 0));
        out.push(wires("read_req", self.body.input(cx, cell, 0, &asks)));
        if let Some(&k) = cx.outs.get(&(cell, 0)) {
            let g = Group::new(&cx.names.channels[k], answers.wire_shape().width());
            out.push(wires("read_rsp", [g.valid.all(), g.ready.all(), g.beat.all()]));
        }
        let [asks, data] = self.fetch(at);
        let shared = self.vectors.shares.iter().any(|s| s.ports.contains(&at.number));
        out.push(if p.follows.is_some() && !shared { self.follows(at) } else { asks });
        out.push(data);
        out
    }

    /// Its requests, where another array's bring its lines: taken at once, and asked of nobody.
    fn follows(&mut self, At { p, .. }: At) -> Vec<Connection> {
        let name = format!("{}_fetch", self.cx.net.arrays[p.array].name);
        let mut own = |wire: &str, width: u32| {
            let signal = Signal::new(self.scope.name(&format!("{name}_{wire}")), width);
            self.body.nets.push(Item::Wires(String::new(), vec![Wire { signal: signal.clone(), value: None }]));
            self.body.unused.push(signal.all());
            signal.all()
        };
        let [valid, beat] = [own("valid", 1), own("beat", 8 + self.axi.options.address_width)];
        wires("fetch", [valid, Expr::literal(1, 1), beat])
    }

    /// Its requests to the manager, or to what shares them, and its data.
    fn fetch(&self, At { own, number, p, .. }: At) -> [Vec<Connection>; 2] {
        let place = |s: &SharedFetch| s.ports.iter().position(|n| *n == number).map(|k| k as u32);
        if let Some((s, k)) = self.vectors.shares.iter().find_map(|s| Some((s, place(s)?))) {
            let data = vec![("data_valid", s.data_valid.bits(k, 1)), ("data_beat", s.data.all())];
            return [wires("fetch", lane(&s.fetch, k, self.request())), named(data)];
        }
        let at = &self.vectors.masters[p.master];
        let data = vec![("data_valid", at.data_valid.bits(own, 1)), ("data_beat", at.data.all())];
        [wires("fetch", lane(&at.fetch, own, self.request())), named(data)]
    }

    /// Bits of a request to a manager.
    fn request(&self) -> u32 {
        8 + self.axi.options.address_width
    }

    /// What the registers show of it; `watched`: something looks at the order of its words.
    fn states(&self, At { cell, number, p, .. }: At, watched: bool) -> Vec<(Expr, Expr)> {
        let (cx, v, n) = (self.cx, &self.vectors, number as u32);
        let never = || Expr::literal(1, 0);
        let base = Holds::Base(cx.net.first_like(p.array));
        let low = (p.size_log2 > 0).then(|| self.low(base, p.size_log2).binary("!=", Expr::zeros(p.size_log2)));
        let ends: Vec<usize> = cx.ins.get(&(cell, 0)).into_iter().chain(cx.outs.get(&(cell, 0))).copied().collect();
        let any = |each: &dyn Fn(&Group) -> Expr| {
            let all = ends.iter().map(|&k| each(&Group::new(&cx.names.channels[k], 1)));
            all.reduce(|a, b| a.binary("||", b)).unwrap_or(never())
        };
        let mut out = vec![
            (v.misaligned.bits(n, 1), low.unwrap_or(never())),
            (v.moves.bits(n, 1), any(&|g| g.valid.all().binary("&&", g.ready.all()))),
            (v.waits.bits(n, 1), any(&|g| g.valid.all().binary("&&", Expr::Not(Box::new(g.ready.all()))))),
            (v.full.bits(n, 1), self.overflow(cell, p).unwrap_or(never())),
        ];
        if !watched {
            out.push((v.disordered.bits(n, 1), never()));
        }
        out
    }
}
