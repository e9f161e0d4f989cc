//! An instance of a primitive with its parameters and connections.

use super::{Context, wire};
use crate::netlist::CellId;
use samhw_hdl::{Connection, Expr, Instance, Item, Scope, Signal, Wire};
use samhw_streams::{Dir, Param, Port, Shape};

/// The contents of a module under construction.
#[derive(Default)]
pub(super) struct Body {
    /// Nets, declared before they are used.
    pub nets: Vec<Item>,
    /// Views that consumers have of the beats.
    pub views: Vec<Wire>,
    /// Instances.
    pub instances: Vec<Item>,
    /// Bits without a reader.
    pub unused: Vec<Expr>,
}

/// The wires of a handshake.
pub(super) struct Group {
    pub valid: Signal,
    pub ready: Signal,
    pub beat: Signal,
}

impl Group {
    /// Creates the wires `NAME_valid`, `NAME_ready`, `NAME_beat`.
    pub fn new(name: &str, width: u32) -> Self {
        let one = |suffix: &str, width| Signal::new(format!("{name}_{suffix}"), width);
        Self { valid: one("valid", 1), ready: one("ready", 1), beat: one("beat", width) }
    }
    /// Returns the declarations of the three wires.
    pub fn wires(&self) -> Vec<Wire> {
        [&self.valid, &self.ready, &self.beat].map(|s| Wire { signal: s.clone(), value: None }).into()
    }
}

/// The value of a parameter.
pub(super) fn param(p: &Param) -> Expr {
    match p {
        Param::Int(n) => Expr::Integer(*n),
        Param::Bits(width, words) => Expr::Literal(*width, words.clone()),
    }
}

impl Body {
    /// Adds the instance of a cell; `host` are connections of its host wires.
    pub fn add(&mut self, cx: &Context, scope: &mut Scope, cell: CellId, host: Vec<Connection>) {
        self.add_reset(cx, scope, cell, host, "rst");
    }

    /// Adds the instance of a cell with its reset connected to wire `rst`.
    pub fn add_reset(&mut self, cx: &Context, scope: &mut Scope, cell: CellId, host: Vec<Connection>, rst: &str) {
        let primitive = &cx.net.cell(cell).primitive;
        let made = cx.instance(cell);
        let mut connections = vec![vec![
            ("clk".to_string(), Signal::new("clk", 1).all()),
            ("rst".to_string(), Signal::new(rst, 1).all()),
        ]];
        let ports = primitive.ports();
        let (mut ins, mut outs, mut configs, mut statuses) = (0, 0, 0, 0);
        let mut lanes: Vec<[Expr; 3]> = Vec::new();
        let mut plain: Vec<Connection> = Vec::new();
        for p in &ports {
            match p.shape {
                Shape::Config { width } => {
                    plain.push((p.name.to_string(), self.config(cx, cell, configs, width)));
                    configs += 1;
                    continue;
                }
                Shape::Status { .. } => {
                    plain.push((p.name.to_string(), status(cx, cell, statuses)));
                    statuses += 1;
                    continue;
                }
                Shape::Open { width } => lanes.push(self.open(scope, &cx.names.cells[cell.0], p, width)),
                _ if p.dir == Dir::In => {
                    lanes.push(self.input(cx, cell, ins, p));
                    ins += 1;
                }
                _ => {
                    lanes.push(cx.outs.get(&(cell, outs)).map_or([Expr::Open, Expr::Open, Expr::Open], |&k| {
                        let g = Group::new(&cx.names.channels[k], p.wire_shape().width());
                        [g.valid.all(), g.ready.all(), g.beat.all()]
                    }));
                    outs += 1;
                }
            }
            let (name, last) = p.lane.as_ref().map_or((&*p.name, true), |l| (l.vector, l.index + 1 == l.count));
            if last {
                connections.push(vector(name, std::mem::take(&mut lanes)));
            }
        }
        if !plain.is_empty() {
            connections.push(plain);
        }
        if !host.is_empty() {
            connections.push(host);
        }
        self.instances.push(Item::Instance(Instance {
            comment: vec![comment(cx, cell)],
            module: made.module.to_string(),
            name: cx.names.cells[cell.0].clone(),
            params: made.params.iter().map(|(n, p)| (n.to_string(), param(p))).collect(),
            connections,
        }));
    }

    fn config(&mut self, cx: &Context, cell: CellId, number: usize, width: u32) -> Expr {
        let k = cx.net.cell(cell).config[number];
        let value = Signal::new(&cx.names.config[k], cx.net.config[k].width);
        if value.width > width {
            self.unused.push(value.all());
        }
        wire::resized(&value, width)
    }

    /// Returns the wires of consumer input `number` of a cell: valid, ready, beat.
    pub fn input(&mut self, cx: &Context, cell: CellId, number: usize, p: &Port) -> [Expr; 3] {
        let Some(&k) = cx.ins.get(&(cell, number)) else { return [Expr::literal(1, 0), Expr::Open, Expr::Open] };
        let from = cx.shape(k);
        let g = Group::new(&cx.names.channels[k], from.width());
        let to = p.wire_shape();
        let mut beat = g.beat.all();
        if let Some(value) = wire::view(&g.beat, &from, cx.net.channels[k].select, &to) {
            let signal = Signal::new(&cx.names.views[k], to.width());
            beat = signal.all();
            self.views.push(Wire { signal, value: Some(value) });
            self.unused.push(g.beat.all());
        }
        [g.valid.all(), g.ready.all(), beat]
    }

    /// An output that the module knows to be unused.
    fn open(&mut self, scope: &mut Scope, cell: &str, p: &Port, width: u32) -> [Expr; 3] {
        let name = scope.group(&format!("{cell}_{}", p.name), &["_valid", "_beat"]);
        let g = Group::new(&name, width);
        let wires = [&g.valid, &g.beat].map(|s| Wire { signal: s.clone(), value: None });
        self.nets.push(Item::Wires("not used".into(), wires.into()));
        self.unused.extend([g.valid.all(), g.beat.all()]);
        [g.valid.all(), Expr::literal(1, 1), g.beat.all()]
    }
}

/// Connections of a handshake with these lanes, the first at the bottom.
fn vector(name: &str, lanes: Vec<[Expr; 3]>) -> Vec<Connection> {
    let suffixes = ["valid", "ready", "beat"];
    let all = |s: usize| Expr::concat(lanes.iter().rev().map(|l| Some(l[s].clone())));
    suffixes.iter().enumerate().map(|(s, suffix)| (format!("{name}_{suffix}"), all(s))).collect()
}

fn status(cx: &Context, cell: CellId, number: usize) -> Expr {
    let k = cx.net.statuses.iter().position(|s| s.from == (cell, number));
    k.map_or(Expr::Open, |k| Signal::new(&cx.names.statuses[k], cx.net.statuses[k].width).all())
}

fn comment(cx: &Context, cell: CellId) -> String {
    let primitive = &cx.net.cell(cell).primitive;
    let text = primitive.describe();
    if text.is_empty() { primitive.kind().to_string() } else { format!("{}: {text}", primitive.kind()) }
}
