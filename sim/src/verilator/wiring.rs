//! The wiring of the engine to the emitted Verilog: ports of the top module, and the nets of every channel.

use super::probe::{Channels, channels};
use samhw_compiler::emit::Manifest;
use samhw_compiler::emit::manifest::Host;
use samhw_compiler::netlist::Netlist;
use samhw_rtlsim::{self as rtl, Dir, WordPort};

/// Signal numbers.
#[derive(Debug, Clone)]
pub(super) struct Wiring {
    pub start_valid: usize,
    pub start_ready: usize,
    pub done_valid: usize,
    pub done_ready: usize,
    pub store: WordPort,
    pub fetch: WordPort,
    /// Signals of the run-time inputs, in the order of [`Netlist::config`].
    pub config: Vec<usize>,
    /// Signals of the status outputs, in the order of [`Netlist::statuses`].
    pub statuses: Vec<usize>,
    /// Signals of the channels, in the order of [`Netlist::channels`].
    pub channels: Channels,
}

/// Names every signal the engine drives or sees; the channels in module `core`, if that is there.
pub(super) fn wire(net: &Netlist, emitted: &Manifest, core: Option<&str>, design: &mut rtl::Design) -> Wiring {
    let mut port = |name: &str, width, dir| design.port(name, width, dir);
    let (start_valid, start_ready) = (port("start_valid", 1, Dir::In), port("start_ready", 1, Dir::Out));
    let (done_valid, done_ready) = (port("done_valid", 1, Dir::Out), port("done_ready", 1, Dir::In));
    let (write, read) = (port("host_write", 1, Dir::In), port("host_read", 1, Dir::In));
    let Host { addr_width, data_width, .. } = emitted.host;
    let addr = port("host_addr", addr_width, Dir::In);
    let (wdata, rdata) = (port("host_wdata", data_width, Dir::In), port("host_rdata", data_width, Dir::Out));
    let config = emitted.config.iter().map(|c| port(&c.name, c.width, Dir::In)).collect();
    let statuses = emitted.status.iter().map(|s| port(&s.name, s.width, Dir::Out)).collect();
    let start = Some((start_valid, start_ready));
    let channels = match core {
        Some(core) => channels(net, emitted, core, start, design),
        None => vec![None; net.channels.len()],
    };
    Wiring {
        start_valid,
        start_ready,
        done_valid,
        done_ready,
        store: WordPort { strobe: write, addr, data: wdata },
        fetch: WordPort { strobe: read, addr, data: rdata },
        config,
        statuses,
        channels,
    }
}
