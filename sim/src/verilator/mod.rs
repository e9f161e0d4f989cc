//! The Verilator engine: runs the emitted Verilog of a netlist, and counts what the native
//! engine counts, cycle by cycle the same.
//!
//! [`Built`] is a compiled design, good for any data that fit; [`Verilator`] an instance of it
//! with its memories.

mod error;
#[cfg(test)]
mod tests;
mod wiring;

pub use error::Error;

use crate::native::{CellCount, ChannelCount, Counts};
use samhw_compiler::emit::Design;
use samhw_compiler::netlist::{CellId, Netlist};
use samhw_rtlsim as rtl;
use std::path::Path;
use wiring::{Wiring, wire};

/// Cycles without a transfer on any channel after which nothing is expected to move again.
const QUIET: u64 = 1 << 17;

/// Seed of what is not reset.
const SEED: u64 = 1;

/// How a design is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Can write a waveform; slower.
    pub trace: bool,
    /// Checks the assertions in the Verilog; slower.
    pub assertions: bool,
    /// Compiled in half the time; runs slower.
    pub quick: bool,
}

/// A compiled design.
pub struct Built<'a> {
    netlist: &'a Netlist,
    library: rtl::Library,
    wiring: Wiring,
    /// Host address of each array's first word, as [`Netlist::arrays`].
    bases: Vec<Option<u64>>,
}

impl<'a> Built<'a> {
    /// Compiles `emitted`, which was made from `netlist`, or takes it from the cache in folder
    /// `cache` (see [`rtl::default_cache`]).
    pub fn new(netlist: &'a Netlist, emitted: &Design, options: Options, cache: &Path) -> Result<Self, Error> {
        let tools = rtl::Toolchain::find()?;
        let module = |kind: &str| emitted.manifest.tops.iter().find(|t| t.kind == kind).map(|t| t.module.as_str());
        let (core, top) = (module("core").unwrap_or_default(), module("ram").unwrap_or_default());
        let mut design = rtl::Design::new(top, emitted.verilog().cloned().collect());
        (design.trace, design.quick) = (options.trace, options.quick);
        if options.assertions {
            design.defines.push("SAMHW_ASSERT".into());
        }
        let wiring = wire(netlist, &emitted.manifest, core, &mut design);
        let library = rtl::build(&tools, &design, cache)?;
        let bases = emitted.manifest.arrays.iter().map(|a| a.base).collect();
        Ok(Self { netlist, library, wiring, bases })
    }
}

/// An instance of a design.
pub struct Verilator<'a> {
    built: &'a Built<'a>,
    sim: rtl::Instance,
    /// Number of each watched channel, as [`Netlist::channels`].
    watched: Vec<Option<usize>>,
}

impl<'a> Verilator<'a> {
    /// A design after reset; `config` holds a value per entry of [`Netlist::config`].
    pub fn new(built: &'a Built<'a>, config: &[u64]) -> Self {
        let (net, wiring) = (built.netlist, &built.wiring);
        let mut sim = built.library.instance(SEED);
        let watched: Vec<Option<usize>> = wiring.channels.iter().map(|c| c.as_ref().map(|c| sim.watch(c))).collect();
        for cell in (0..net.cells.len()).map(CellId) {
            let at = |to: bool| -> Vec<usize> {
                let ends = net.channels.iter().map(|c| if to { c.to } else { c.from });
                ends.zip(&watched).filter(|(e, _)| e.is_some_and(|(c, _)| c == cell)).filter_map(|(_, w)| *w).collect()
            };
            sim.watch_node(&rtl::Node { inputs: at(true), outputs: at(false) });
        }
        for s in [wiring.start_valid, wiring.store.strobe, wiring.fetch.strobe] {
            sim.set(s, 0);
        }
        sim.set(wiring.done_ready, 1);
        for (&s, &v) in wiring.config.iter().zip(config) {
            sim.set(s, v);
        }
        sim.reset();
        Self { built, sim, watched }
    }

    /// Writes a waveform from now on; the design must have been built for it.
    pub fn wave(&mut self, path: &Path) -> Result<(), Error> {
        Ok(self.sim.wave(path)?)
    }

    /// Sets the run-time inputs, between runs.
    pub fn configure(&mut self, config: &[u64]) {
        for (&s, &v) in self.built.wiring.config.iter().zip(config) {
            self.sim.set(s, v);
        }
    }

    /// Loads `words` into array number `array` of the netlist, from its first word on.
    pub fn store(&mut self, array: usize, words: &[u64]) -> Result<(), Error> {
        let (base, room) = self.place(array);
        if words.len() as u64 > room {
            let array = self.built.netlist.arrays[array].name.clone();
            return Err(Error::TooLarge { array, words: words.len() as u64, room });
        }
        Ok(self.sim.store(&self.built.wiring.store, base, words)?)
    }

    /// Reads all words of array number `array` of the netlist.
    pub fn fetch(&mut self, array: usize) -> Result<Vec<u64>, Error> {
        let (base, room) = self.place(array);
        let mut words = vec![0; usize::try_from(room).unwrap_or(usize::MAX)];
        self.sim.fetch(&self.built.wiring.fetch, base, &mut words)?;
        Ok(words)
    }

    /// Host address of an array and the number of its words; none if the host does not see it.
    fn place(&self, array: usize) -> (u64, u64) {
        let base = self.built.bases[array];
        (base.unwrap_or(0), if base.is_some() { self.built.netlist.arrays[array].words.max(1) } else { 0 })
    }

    /// Value of status output `k` of the netlist.
    pub fn status(&self, k: usize) -> u64 {
        self.sim.get(self.built.wiring.statuses[k])
    }

    /// Runs from the start token to the done token. The next run may begin in the cycle in
    /// which this one ended.
    pub fn run(&mut self, limit: u64) -> Result<Counts, Error> {
        let w = &self.built.wiring;
        self.sim.restart();
        self.sim.set(w.start_valid, 1);
        let mut taken = false;
        while !taken {
            self.sim.eval()?;
            taken = self.sim.get(w.start_ready) == 1;
            if self.sim.cycle() >= limit {
                return Err(Error::Limit { cycles: limit, waiting: self.waiting() });
            }
            self.sim.run(1, None)?;
        }
        self.sim.set(w.start_valid, 0);
        let mut moved = 0;
        while self.sim.get(w.done_valid) == 0 {
            let left = limit - self.sim.cycle();
            if left == 0 {
                return Err(Error::Limit { cycles: limit, waiting: self.waiting() });
            }
            let ran = self.sim.run(left.min(QUIET), Some(w.done_valid))?;
            let before = std::mem::replace(&mut moved, self.moved());
            if ran == QUIET && moved == before && self.sim.get(w.done_valid) == 0 {
                return Err(Error::Deadlock { cycle: self.sim.cycle(), waiting: self.waiting() });
            }
        }
        Ok(self.counts())
    }

    /// Transfers so far, on all channels.
    fn moved(&self) -> u64 {
        self.watched.iter().flatten().map(|&c| self.sim.channel(c).transfers).sum()
    }

    fn counts(&self) -> Counts {
        let net = self.built.netlist;
        let channel = |w: &Option<usize>| {
            let count = w.map(|c| self.sim.channel(c)).unwrap_or_default();
            ChannelCount { beats: count.transfers, stalled: count.waits, hash: count.hash }
        };
        let channels: Vec<ChannelCount> = self.watched.iter().map(channel).collect();
        let mut cells: Vec<CellCount> = (0..net.cells.len())
            .map(|c| {
                let n = self.sim.node(c);
                CellCount { beats: 0, busy: n.busy, stalled: n.stalled, starved: n.starved }
            })
            .collect();
        for (c, count) in net.channels.iter().zip(&channels) {
            if let Some((cell, _)) = c.to {
                cells[cell.0].beats += count.beats;
            }
        }
        Counts { cycles: self.sim.cycle(), channels, cells }
    }

    /// The channels that hold a beat nobody takes.
    fn waiting(&self) -> String {
        let waits = |c: &rtl::Channel| self.sim.get(c.valid) == 1 && self.sim.get(c.ready) == 0;
        let named = self.built.netlist.channels.iter().zip(&self.built.wiring.channels);
        let names: Vec<&str> =
            named.filter(|(_, c)| c.as_ref().is_some_and(waits)).map(|(c, _)| c.name.as_str()).collect();
        if names.is_empty() {
            "no stream holds a beat".into()
        } else {
            format!("streams {} hold beats nobody takes", names.join(", "))
        }
    }
}
