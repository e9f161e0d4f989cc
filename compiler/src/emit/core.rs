//! `NAME_core`: the dataflow graph, with a group of ports per memory.

use super::instance::{Body, Group};
use super::names::crosses;
use super::{Context, wire};
use crate::netlist::{CellId, CellPlace, Meaning};
use samhw_hdl::{Expr, Item, Module, Port, PortGroup, Signal, Wire};
use samhw_streams::Shape;

/// Returns the module `NAME_core`.
pub(super) fn module(cx: &Context) -> Module {
    let net = cx.net;
    let mut ports = run_ports(cx);
    ports.extend(memory_ports(cx));
    ports.extend(status_ports(cx));
    ports.extend(cx.probes.as_ref().map(super::probes::Probes::ports));
    let mut body = Body::default();
    let mut ends = Vec::new();
    for (k, c) in net.channels.iter().enumerate() {
        if crosses(net, c) {
            continue;
        }
        let shape = cx.shape(k);
        let g = Group::new(&cx.names.channels[k], shape.width());
        let mut wires = g.wires();
        if c.from.is_none() {
            // The token has a payload only so that engines can count it as any other beat.
            wires = vec![Wire { signal: g.beat.clone(), value: Some(Expr::literal(shape.width(), 1)) }];
        } else if net.done == Some(k) {
            wires.drain(..2);
            body.unused.push(g.beat.all());
        } else if c.to.is_none() {
            ends.push((g.ready.all(), Expr::literal(1, 1)));
            body.unused.extend([g.valid.all(), g.beat.all()]);
        }
        body.nets.push(Item::Wires(about(cx, k, &shape), wires));
    }
    let mut scope = cx.names.scope.clone();
    let mut cells: Vec<CellId> =
        (0..net.cells.len()).map(CellId).filter(|&c| net.cell(c).place == CellPlace::Core).collect();
    cells.sort_by_key(|&c| net.cell(c).stage);
    let mut stage = None;
    for c in cells {
        if stage != Some(net.cell(c).stage) {
            stage = Some(net.cell(c).stage);
            let statement = cx.lowered.kernel.statements.get(net.cell(c).stage);
            body.instances.extend(statement.map(|s| Item::Section(cx.lowered.kernel.statement_text(s))));
        }
        body.add(cx, &mut scope, c, vec![]);
    }
    let mut items = vec![Item::Section("Streams".into())];
    items.extend(body.nets);
    if !body.views.is_empty() {
        items.push(Item::Section("What consumers see of a stream: one payload of two, or other widths".into()));
        items.push(Item::Wires(String::new(), body.views));
    }
    if !ends.is_empty() {
        items.push(Item::Section("Streams that nobody reads".into()));
        items.push(Item::Assigns(ends));
    }
    items.extend(body.instances);
    if let Some(probes) = &cx.probes {
        items.push(Item::Section("What is counted".into()));
        items.push(Item::Assigns(probes.assigns(cx)));
    }
    items.extend(unused(body.unused));
    Module { name: format!("{}_core", cx.name), header: header(cx), ports, items }
}

/// The sink of what nobody reads, each once.
pub(super) fn unused(bits: Vec<Expr>) -> Option<Item> {
    let mut once: Vec<Expr> = Vec::new();
    for e in bits {
        if !once.contains(&e) {
            once.push(e);
        }
    }
    (!once.is_empty()).then_some(Item::Unused(once))
}

/// `crd, ref over i, j; latency: ..`
fn about(cx: &Context, channel: usize, shape: &Shape) -> String {
    let c = &cx.net.channels[channel];
    if !matches!(shape, Shape::Stream { .. }) {
        return c.note.clone();
    }
    let fields: Vec<&str> = wire::fields(shape).iter().map(|f| f.name).collect();
    let over: Vec<&str> = c.over.iter().map(|&v| cx.lowered.kernel.var(v).name.as_str()).collect();
    let mut text = fields.join(", ");
    if !over.is_empty() {
        text += &format!(" over {}", over.join(", "));
    }
    if !c.note.is_empty() {
        text += &format!("; {}", c.note);
    }
    text
}

/// Returns the ports that all tops have: clock, tokens, run-time values.
pub(super) fn run_ports(cx: &Context) -> Vec<PortGroup> {
    let group = |comment: &str, ports| PortGroup { comment: comment.into(), ports };
    let mut out = vec![group("", vec![Port::input("clk", 1), Port::input("rst", 1)])];
    let mut tokens = Vec::new();
    if let Some(k) = cx.net.start() {
        let g = Group::new(&cx.names.channels[k], 1);
        tokens.extend([Port::input(g.valid.name, 1), Port::output(g.ready.name, 1)]);
    }
    if let Some(k) = cx.net.done {
        let g = Group::new(&cx.names.channels[k], 1);
        tokens.extend([Port::output(g.valid.name, 1), Port::input(g.ready.name, 1)]);
    }
    out.push(group("One start token begins a run; a done token ends it, when all results are written.", tokens));
    // Some are only looked at by what stands around the core.
    let used = |k: usize| cx.net.cells.iter().any(|c| c.config.contains(&k));
    let config = cx.net.config.iter().zip(&cx.names.config).enumerate().filter(|(k, _)| used(*k));
    let config: Vec<Port> = config.map(|(_, (c, n))| Port::input(n, c.width)).collect();
    if !config.is_empty() {
        out.push(group("Stable from start to done.", config));
    }
    out
}

/// Status outputs.
pub(super) fn status_ports(cx: &Context) -> Vec<PortGroup> {
    let ports: Vec<Port> =
        cx.net.statuses.iter().zip(&cx.names.statuses).map(|(s, n)| Port::output(n, s.width)).collect();
    if ports.is_empty() {
        return vec![];
    }
    vec![PortGroup { comment: "Valid from done to the next start.".into(), ports }]
}

/// A group per memory.
fn memory_ports(cx: &Context) -> Vec<PortGroup> {
    let net = cx.net;
    let mut out = Vec::new();
    for m in (0..net.cells.len()).map(CellId).filter(|&c| net.cell(c).place == CellPlace::Memory) {
        let mut ports = Vec::new();
        let mut texts = Vec::new();
        for (k, c) in net.channels.iter().enumerate() {
            let to = c.to.is_some_and(|(cell, _)| cell == m);
            if !to && c.from.is_none_or(|(cell, _)| cell != m) {
                continue;
            }
            let shape = cx.shape(k);
            let g = Group::new(&cx.names.channels[k], shape.width());
            let side = |s: &Signal, out: bool| {
                if out { Port::output(&s.name, s.width) } else { Port::input(&s.name, s.width) }
            };
            ports.extend([side(&g.valid, to), side(&g.ready, !to), side(&g.beat, to)]);
            let fields: Vec<&str> = wire::fields(&shape).iter().rev().map(|f| f.name).collect();
            let what = cx.names.channels[k].strip_prefix(&cx.names.cells[m.0]).unwrap_or("");
            texts.push(format!("{} {{{}}}", what.trim_start_matches('_'), fields.join(", ")));
        }
        out.push(PortGroup { comment: format!("{}: {}", net.cell(m).name, texts.join(", ")), ports });
    }
    out
}

/// The statements and the formats of their tensors.
pub(super) fn kernel_text(cx: &Context) -> Vec<String> {
    let text = cx.lowered.kernel.to_string();
    let lines = text.lines().skip(1).filter(|l| !l.starts_with("  order "));
    lines.map(|l| format!(" {l}")).collect()
}

fn header(cx: &Context) -> Vec<String> {
    let mut out = vec![
        "SPDX-License-Identifier: Apache-2.0".into(),
        String::new(),
        format!("{}_core: the dataflow graph of", cx.name),
        String::new(),
    ];
    out.extend(kernel_text(cx));
    let order = cx
        .lowered
        .orders
        .iter()
        .map(|o| o.iter().map(|&v| cx.lowered.kernel.var(v).name.as_str()).collect::<Vec<_>>().join(", "));
    let order: Vec<String> = order.filter(|o| !o.is_empty()).collect();
    out.push(String::new());
    if !order.is_empty() {
        out.push(format!("  Loops       {}.", order.join("; ")));
    }
    let values: Vec<String> =
        cx.net.config.iter().zip(&cx.names.config).map(|(c, n)| format!("{n} {}", meaning(cx, &c.meaning))).collect();
    for (k, v) in values.iter().enumerate() {
        out.push(format!(
            "  {:12}{v}{}",
            if k == 0 { "Run time" } else { "" },
            if k + 1 < values.len() { "," } else { "." }
        ));
    }
    out.extend(
        [
            "  Consumes    one start token per run, and the answers to its read requests: in order,",
            "              after any number of cycles.",
            "  Produces    read requests, any number outstanding; writes; one done token per run. It is",
            "              then ready for the next run, without a reset.",
            "  Handshake   a beat moves at an edge with valid and ready. valid does not wait for ready",
            "              and a beat offered stays until it is taken. Of {a, b} b is in the low bits.",
            "  Reset       synchronous, valid bits and state.",
        ]
        .map(str::to_string),
    );
    out
}

/// Describes a run-time value in words.
pub(super) fn meaning(cx: &Context, m: &Meaning) -> String {
    let kernel = &cx.lowered.kernel;
    match m {
        Meaning::Dim(v) => format!("the size of {}, at most {}", kernel.var(*v).name, kernel.var(*v).max),
        Meaning::Chunk(vs) => {
            let names: Vec<&str> = vs.iter().map(|v| kernel.var(*v).name.as_str()).collect();
            if names.len() == 1 {
                format!("the size of {}", names[0])
            } else {
                format!("the product of the sizes of {}", names.join(", "))
            }
        }
        Meaning::Words(vs, v, width) => {
            let times: String = vs.iter().map(|v| format!(" times the size of {}", kernel.var(*v).name)).collect();
            format!("the size of {} over {width}, rounded up{times}", kernel.var(*v).name)
        }
        Meaning::Capacity(u, part, words) => {
            let array = cx.net.arrays.iter().find(|a| a.of == *u && a.part == *part);
            format!("words that {} has room for: {words} on the chip", array.map_or("the array", |a| &a.name))
        }
        Meaning::Setting(u, l, setting) => setting.meaning(&cx.lowered.graph.uses[u.0].name, *l),
        Meaning::Fill(s) => {
            let name = &kernel.tensor(kernel.statements[*s].result).name;
            format!("the value of {name} where nothing is stored")
        }
    }
}
