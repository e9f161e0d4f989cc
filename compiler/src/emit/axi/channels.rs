//! The channels of AXI4 managers in `NAME_axi`: shared by the ports that a manager serves, and merged for control.

use super::ports::{self, id_width};
use super::top::Top;
use super::vectors::{numbered, one};
use crate::emit::instance::Group;
use samhw_hdl::{Connection, Expr, Instance, Item, Signal, Wire};

/// Wires between a manager's channels and what leads, of those in [`LEAD`]: of both directions, then of reads and writes.
const OWN: [&str; 3] = ["s_idle", "_error", "_decode"];

impl Top<'_> {
    /// Returns the assignments for a manager that reads or writes nothing.
    pub(super) fn nothing(&mut self, m: usize) -> Vec<(Expr, Expr)> {
        let (axi, v) = (self.axi, &self.vectors.masters[m]);
        let (mut assigns, mut unused) = (Vec::new(), Vec::new());
        let mut none = |g: &Group| {
            assigns.push((g.valid.all(), Expr::literal(1, 0)));
            assigns.push((g.beat.all(), Expr::zeros(g.beat.width)));
            unused.push(g.ready.all());
        };
        let [reads, writes] = [false, true].map(|writes| !axi.served(m, writes).is_empty());
        if !reads {
            none(&v.fetch);
        }
        if !writes {
            none(&v.store);
            none(&v.line);
        }
        if !reads {
            unused.extend([v.data_valid.all(), v.data.all()]);
        }
        if !writes {
            unused.push(v.ack.all());
        }
        self.body.unused.extend(unused);
        assigns
    }

    /// The two sides of a manager.
    pub(super) fn master(&self, m: usize) -> [Item; 2] {
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
                    // Registered, port_rst comes a cycle after rst: until then, too, no request may leave.
                    named(&[("clk", one("clk")), ("rst", one("rst").binary("||", one("port_rst")))]),
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

    /// Returns the signals of all managers, and their combination: idle if all are; the error of the first
    /// one that has any.
    pub(super) fn all_masters(&self) -> (Vec<Wire>, Vec<(Expr, Expr)>) {
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
}
