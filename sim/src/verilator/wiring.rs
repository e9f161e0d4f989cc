//! Where the engine finds things in the emitted Verilog: ports of the top module, and the nets
//! of every channel.

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
    /// As [`Netlist::config`].
    pub config: Vec<usize>,
    /// As [`Netlist::statuses`].
    pub statuses: Vec<usize>,
    /// As [`Netlist::channels`]; `None` for the done token, which the host takes.
    pub channels: Vec<Option<rtl::Channel>>,
}

/// Names every signal the engine drives or sees.
pub(super) fn wire(net: &Netlist, emitted: &Manifest, core: &str, design: &mut rtl::Design) -> Wiring {
    let mut port = |name: &str, width, dir| design.port(name, width, dir);
    let (start_valid, start_ready) = (port("start_valid", 1, Dir::In), port("start_ready", 1, Dir::Out));
    let (done_valid, done_ready) = (port("done_valid", 1, Dir::Out), port("done_ready", 1, Dir::In));
    let (write, read) = (port("host_write", 1, Dir::In), port("host_read", 1, Dir::In));
    let Host { addr_width, data_width } = emitted.host;
    let addr = port("host_addr", addr_width, Dir::In);
    let (wdata, rdata) = (port("host_wdata", data_width, Dir::In), port("host_rdata", data_width, Dir::Out));
    let config = emitted.config.iter().map(|c| port(&c.name, c.width, Dir::In)).collect();
    let statuses = emitted.status.iter().map(|s| port(&s.name, s.width, Dir::Out)).collect();
    let done = net.done();
    let channels = net
        .channels
        .iter()
        .zip(&emitted.streams)
        .enumerate()
        .map(|(k, (c, stream))| match c.from {
            // The token is one bit, and 1 when it is there.
            None => Some(rtl::Channel { valid: start_valid, ready: start_ready, beat: start_valid, record: false }),
            Some(_) if Some(k) == done => None,
            Some(_) => {
                let mut net_of =
                    |suffix: &str, width| design.net(format!("u_core.{}_{suffix}", stream.wires), core, width);
                let (valid, ready) = (net_of("valid", 1), net_of("ready", 1));
                Some(rtl::Channel { valid, ready, beat: net_of("beat", stream.width), record: false })
            }
        })
        .collect();
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
