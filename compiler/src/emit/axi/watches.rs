//! Watches of the words between an array at the bus and the core, hints of tiles, overflows.

use super::adapters::named;
use super::bus::{PortPlan, Watch};
use super::registers::Holds;
use super::top::Top;
use super::vectors::one;
use crate::emit::instance::Group;
use crate::netlist::CellId;
use samhw_hdl::{Expr, Instance, Signal};
use samhw_primitives::axi::{PLACES_LOG2, WAIT_LOG2};
use samhw_streams::{Dir, Shape};

impl Top<'_> {
    /// Adds a watch on the words that the core reads of array number `n` at the bus.
    pub(super) fn watch(&mut self, cell: CellId, n: u32, p: &PortPlan, watch: Watch) -> Option<Instance> {
        let (cx, net) = (self.cx, self.cx.net);
        // The channel, with the widths of its fields.
        let channel = |k: &usize| {
            let widths: Vec<u32> = match cx.shape(*k) {
                Shape::Plain { fields } => fields.iter().map(|f| f.width).collect(),
                _ => vec![],
            };
            (Group::new(&cx.names.channels[*k], widths.iter().sum::<u32>().max(1)), widths)
        };
        let (asked, asks) = channel(cx.ins.get(&(cell, 0))?);
        let (told, _) = channel(cx.outs.get(&(cell, 0))?);
        let taken = |g: &Group| g.valid.all().binary("&&", g.ready.all());
        let size = |k: usize| Signal::new(&cx.names.config[k], net.config[k].width);
        let (params, connections) = match watch {
            Watch::Fibers { size: k, fiber } => {
                let (limit, len_w) = (size(k), asks.get(1).copied()?);
                let params = vec![
                    ("ADDR_W", len_w),
                    ("DATA_W", p.data_w),
                    ("LIMIT_W", limit.width),
                    ("KIND", fiber.kind()),
                    ("WAIT_LOG2", WAIT_LOG2),
                ];
                let len = asked.beat.bits(asks.first().copied()?, len_w);
                let connections = vec![
                    named(vec![("limit", limit.all())]),
                    named(vec![("asked", taken(&asked)), ("asked_len", len)]),
                    named(vec![("told", taken(&told)), ("crd", told.beat.bits(0, p.data_w))]),
                ];
                (params, connections)
            }
            Watch::Places { size: k, here, segments } => {
                let limit = size(k);
                let (bound, _) = channel(cx.outs.get(&(net.arrays[segments].cell, 0))?);
                let params = vec![
                    ("ADDR_W", p.addr_w),
                    ("DATA_W", p.data_w),
                    ("LIMIT_W", limit.width),
                    ("PAIRS", u32::from(here.pairs)),
                    ("REPEATS", u32::from(here.repeats)),
                    ("WAIT_LOG2", PLACES_LOG2),
                ];
                let connections = vec![
                    named(vec![("limit", limit.all())]),
                    named(vec![("bound", taken(&bound)), ("bounds", bound.beat.all())]),
                    named(vec![("asked", taken(&asked)), ("asked_beat", asked.beat.all())]),
                    named(vec![("told", taken(&told)), ("crd", told.beat.all())]),
                ];
                (params, connections)
            }
            Watch::Ranks { words, bursts } => {
                let (word, widths) = channel(cx.outs.get(&(net.arrays[words].cell, 0))?);
                let params = vec![
                    ("ADDR_W", p.addr_w),
                    ("RANK_W", p.data_w),
                    ("WIDTH", widths.first().copied()?),
                    ("BURSTS", u32::from(bursts)),
                    ("WAIT_LOG2", WAIT_LOG2),
                ];
                let connections = vec![
                    named(vec![("asked", taken(&asked)), ("asked_beat", asked.beat.all())]),
                    named(vec![("word_told", taken(&word)), ("word", word.beat.all())]),
                    named(vec![("told", taken(&told)), ("rank", told.beat.all())]),
                ];
                (params, connections)
            }
            Watch::Segments(array) => {
                let limit_w = self.axi.ports.iter().find(|p| p.array == array)?.addr_w + 1;
                let params = vec![("DATA_W", p.data_w), ("LIMIT_W", limit_w)];
                let connections = vec![
                    named(vec![("limit", self.at_most(Holds::Words(net.first_like(array)), limit_w))]),
                    named(vec![("told", taken(&told)), ("bounds", told.beat.all())]),
                ];
                (params, connections)
            }
        };
        let mut all = vec![named(vec![("clk", one("clk")), ("rst", one("port_rst"))])];
        all.extend(connections);
        all.push(named(vec![("wrong", self.vectors.disordered.bits(n, 1))]));
        Some(Instance {
            comment: vec![],
            module: watch.module().into(),
            name: self.scope.name(&format!("{}_watch", net.arrays[p.array].name)),
            params: params.into_iter().map(|(n, p)| (n.to_string(), Expr::Integer(p))).collect(),
            connections: all,
        })
    }

    /// Returns the ports that tell the core where a tile begins and ends, as array `starts` has it in
    /// positions of `2**per_log2` words.
    pub(super) fn hint(&self, starts: usize, addr_w: u32, per_log2: u32) -> Vec<(&'static str, Expr)> {
        let (cx, cell) = (self.cx, self.cx.net.arrays[starts].cell);
        let width = cx.port(cell, Dir::Out, 0).wire_shape().width();
        let told = cx.outs.get(&(cell, 0)).map(|&k| Group::new(&cx.names.channels[k], width));
        told.map_or(vec![], |g| {
            let field = width / 2;
            let bits = field.min(addr_w.saturating_sub(per_log2));
            let above = addr_w.saturating_sub(per_log2 + bits);
            let place = |low: u32| {
                let zeros = |n: u32| (n > 0).then(|| Expr::zeros(n));
                [zeros(above), Some(g.beat.bits(low, bits)), zeros(per_log2)]
            };
            let beat = Expr::concat([place(field), place(0)].concat());
            vec![("hint_valid", g.valid.all().binary("&&", g.ready.all())), ("hint_beat", beat)]
        })
    }

    /// Whether the array of this memory was too small. Where one status tells of two arrays, what
    /// was counted tells which.
    pub(super) fn overflow(&self, memory: CellId, p: &PortPlan) -> Option<Expr> {
        let (cx, net) = (self.cx, self.cx.net);
        let status = |k: usize| Signal::new(&cx.names.statuses[k], net.statuses[k].width);
        let any = net.overflow(memory).into_iter().map(|k| status(k).all()).reduce(|a, b| a.binary("||", b))?;
        let Some((k, array)) = net.counted(p.array) else { return Some(any) };
        let count = status(k);
        let width = count.width.max(self.axi.ports.iter().find(|p| p.array == array)?.addr_w + 1);
        let pad = (width > count.width).then(|| Expr::zeros(width - count.width));
        let many = Expr::concat([pad, Some(count.all())]);
        let room = self.at_most(Holds::Words(array), width);
        Some(any.binary("&&", many.binary(if p.array == array { ">" } else { "<=" }, room)))
    }
}
