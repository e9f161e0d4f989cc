//! Counters inside the Verilog of a core, for the same channels and primitives as in the native engine.

use crate::native::{CellCount, ChannelCount, Counts, Watched};
use samhw_compiler::emit::Manifest;
use samhw_compiler::netlist::{CellId, Netlist};
use samhw_rtlsim as rtl;
use std::sync::Arc;

/// The wires of every channel, as [`Netlist::channels`]; `None` for the done token, which the outside takes.
pub(crate) type Channels = Vec<Option<rtl::Channel>>;

/// Names the wires of every channel in module `core`, which is instance `u_core` of the top.
pub(crate) fn channels(
    net: &Netlist,
    emitted: &Manifest,
    core: &str,
    start: Option<(usize, usize)>,
    design: &mut rtl::Design,
) -> Channels {
    let done = net.done;
    let all = net.channels.iter().zip(&emitted.streams).enumerate();
    all.map(|(k, (c, stream))| {
        let mut net_of = |suffix: &str, width| design.net(format!("u_core.{}_{suffix}", stream.wires), core, width);
        if Some(k) == done && c.from.is_some() {
            return None;
        }
        // The start token is one bit, and 1 when it is there.
        let (valid, ready) = match start.filter(|_| c.from.is_none()) {
            Some(ports) => ports,
            None => (net_of("valid", 1), net_of("ready", 1)),
        };
        let beat = if c.from.is_none() { valid } else { net_of("beat", stream.width) };
        Some(rtl::Channel { valid, ready, beat, record: false })
    })
    .collect()
}

/// A running design, watched.
pub(crate) struct Probe<'a> {
    net: &'a Netlist,
    channels: &'a Channels,
    pub sim: rtl::Instance,
    /// The state that other threads see of a run, and whether they cancel it.
    pub shared: Arc<Watched>,
    /// Number of each watched channel, as [`Netlist::channels`].
    watched: Vec<Option<usize>>,
}

impl<'a> Probe<'a> {
    /// Observes every channel and primitive of `sim`.
    pub fn new(net: &'a Netlist, channels: &'a Channels, mut sim: rtl::Instance) -> Self {
        let watched: Vec<Option<usize>> = channels.iter().map(|c| c.as_ref().map(|c| sim.watch(c))).collect();
        for cell in (0..net.cells.len()).map(CellId) {
            let at = |to: bool| -> Vec<usize> {
                let ends = net.channels.iter().map(|c| if to { c.to } else { c.from });
                ends.zip(&watched).filter(|(e, _)| e.is_some_and(|(c, _)| c == cell)).filter_map(|(_, w)| *w).collect()
            };
            sim.watch_node(&rtl::Node { inputs: at(true), outputs: at(false) });
        }
        Self { net, channels, sim, shared: Arc::default(), watched }
    }

    /// Returns the number of transfers so far, on all channels.
    pub fn moved(&self) -> u64 {
        self.watched.iter().flatten().map(|&c| self.sim.channel(c).transfers).sum()
    }

    /// Returns all counters of a run of `cycles` cycles.
    pub fn counts(&self, cycles: u64) -> Counts {
        let channel = |w: &Option<usize>| {
            let count = w.map(|c| self.sim.channel(c)).unwrap_or_default();
            ChannelCount { beats: count.transfers, stalled: count.waits, when: count.when, hash: count.hash }
        };
        let channels: Vec<ChannelCount> = self.watched.iter().map(channel).collect();
        let mut cells: Vec<CellCount> = (0..self.net.cells.len())
            .map(|c| {
                let n = self.sim.node(c);
                CellCount { beats: 0, busy: n.busy, stalled: n.stalled, starved: n.starved }
            })
            .collect();
        for (c, count) in self.net.channels.iter().zip(&channels) {
            if let Some((cell, _)) = c.to {
                cells[cell.0].beats += count.beats;
            }
        }
        Counts { cycles, channels, cells }
    }

    /// Returns the names of the channels with a beat that is not taken.
    pub fn held(&self) -> Vec<&'a str> {
        let waits = |c: &rtl::Channel| self.sim.get(c.valid) == 1 && self.sim.get(c.ready) == 0;
        let named = self.net.channels.iter().zip(self.channels);
        named.filter(|(_, c)| c.as_ref().is_some_and(waits)).map(|(c, _)| c.name.as_str()).collect()
    }

    /// Returns the names of these channels as text.
    pub fn waiting(&self) -> String {
        let names = self.held();
        if names.is_empty() {
            "no stream holds a beat".into()
        } else {
            format!("streams {} hold beats that no node takes", names.join(", "))
        }
    }
}
