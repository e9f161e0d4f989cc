//! Names in the Verilog: the netlist's names, if they are legal and unused. One scope serves core and memories, so that
//! a name means one thing in both.

use crate::netlist::{CellPlace, Channel, Netlist, Select};
use samhw_hdl::Scope;
use samhw_streams::Dir;

/// Names of everything in a netlist, by its number there.
pub(super) struct Names {
    /// Prefixes of the channels' wires `_valid`, `_ready` and `_beat`.
    pub channels: Vec<String>,
    /// Names of the consumer's view of a beat, where that differs from the beat.
    pub views: Vec<String>,
    /// Run-time inputs.
    pub config: Vec<String>,
    /// Status outputs.
    pub statuses: Vec<String>,
    /// Instances.
    pub cells: Vec<String>,
    /// Scope of the names in use.
    pub scope: Scope,
}

/// Names that mean the same in every kernel.
const FIXED: [&str; 14] = [
    "clk",
    "rst",
    "irq",
    "host_write",
    "host_read",
    "host_addr",
    "host_wdata",
    "host_rdata",
    "node_beats",
    "node_moves",
    "node_waits",
    "stream_waits",
    "u_core",
    "_unused_ok",
];
const HANDSHAKE: [&str; 3] = ["_valid", "_ready", "_beat"];

impl Names {
    /// Allocates all names, those of ports first.
    pub fn new(net: &Netlist) -> Self {
        let mut scope = Scope::default();
        for name in FIXED {
            scope.name(name);
        }
        let mut channels = vec![String::new(); net.channels.len()];
        let (start, done) = (net.start(), net.done);
        for (k, wish) in [(start, "start"), (done, "done")] {
            if let Some(k) = k {
                channels[k] = scope.group(wish, &HANDSHAKE);
            }
        }
        let config = net.config.iter().map(|c| scope.name(&c.name)).collect();
        for (k, c) in net.channels.iter().enumerate() {
            if let Some(name) = memory_port(net, c) {
                channels[k] = scope.group(&name, &HANDSHAKE);
            }
        }
        let statuses = net.statuses.iter().map(|s| scope.name(&s.name)).collect();
        let cells = net.cells.iter().map(|c| scope.name(&c.name)).collect();
        for (k, c) in net.channels.iter().enumerate() {
            if channels[k].is_empty() {
                channels[k] = scope.group(&c.name, &HANDSHAKE);
            }
        }
        let views = net.channels.iter().zip(&channels).map(|(c, name)| {
            let what = match c.select {
                Select::All => "fit",
                Select::First => "first",
                Select::Second => "second",
            };
            scope.name(&format!("{name}_{what}"))
        });
        let views = views.collect();
        Self { channels, views, config, statuses, cells, scope }
    }
}

/// `B_seg1_req`, `B_seg1_rsp`, `X_vals_write` for a channel between core and memory.
fn memory_port(net: &Netlist, c: &Channel) -> Option<String> {
    let memory = |(cell, k): (crate::netlist::CellId, usize), dir| {
        let found = net.cell(cell);
        (found.place == CellPlace::Memory).then(|| {
            let port = net.handshakes(cell, dir).swap_remove(k);
            format!("{}_{}", found.name, port.name.strip_prefix("read_").unwrap_or(&port.name))
        })
    };
    c.from.and_then(|end| memory(end, Dir::Out)).or_else(|| c.to.and_then(|end| memory(end, Dir::In)))
}

/// True if the channel is a port of the core.
pub(super) fn crosses(net: &Netlist, c: &Channel) -> bool {
    memory_port(net, c).is_some()
}
