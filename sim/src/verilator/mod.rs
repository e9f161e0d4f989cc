//! The Verilator engine: simulates the emitted Verilog of a netlist with the same counters as the native engine, equal
//! in every cycle.
//!
//! [`Built`] is a compiled design, good for any data that fit; [`Verilator`] an instance of it
//! with its memories.

mod error;
pub(crate) mod probe;
#[cfg(test)]
mod tests;
mod wiring;

pub use error::Error;

use crate::native::{Counts, TELL, Watched};
use probe::Probe;
use samhw_compiler::emit::Design;
use samhw_compiler::netlist::Netlist;
use samhw_rtlsim as rtl;
use std::path::Path;
use std::sync::Arc;
use wiring::{Wiring, wire};

/// Cycles without a transfer on any channel after which nothing is expected to move again.
const QUIET: u64 = 1 << 17;

/// Seed of what is not reset.
const SEED: u64 = 1;

/// Options of compiling a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether a waveform can be written; slower.
    pub trace: bool,
    /// Whether the Verilog's assertions are checked; slower.
    pub assertions: bool,
    /// Whether to halve the compilation time at the cost of simulation speed.
    pub quick: bool,
    /// Family to whose cells the design is mapped first, if any. What is left of the core has no channels to count on:
    /// a run gives its cycles and results alone.
    pub mapped: Option<rtl::Family>,
}

/// A compiled design.
pub struct Built<'a> {
    netlist: &'a Netlist,
    library: rtl::Library,
    wiring: Wiring,
    mapped: bool,
    /// Host address of each array's first word, as [`Netlist::arrays`].
    bases: Vec<Option<u64>>,
}

impl<'a> Built<'a> {
    /// Compiles `emitted`, which was generated from `netlist`, or loads it from the cache in folder `cache` (see
    /// [`rtl::default_cache`]).
    pub fn new(netlist: &'a Netlist, emitted: &Design, options: Options, cache: &Path) -> Result<Self, Error> {
        let tools = rtl::Toolchain::find()?;
        let module = |kind: &str| emitted.manifest.tops.iter().find(|t| t.kind == kind).map(|t| t.module.as_str());
        let (core, top) = (module("core").unwrap_or_default(), module("ram").unwrap_or_default());
        let mut design = rtl::Design::new(top, emitted.verilog().cloned().collect());
        (design.trace, design.quick) = (options.trace, options.quick);
        if options.assertions {
            design.defines.push("SAMHW_ASSERT".into());
        }
        let wiring = wire(netlist, &emitted.manifest, options.mapped.is_none().then_some(core), &mut design);
        if let Some(family) = options.mapped {
            design = rtl::mapped(&design, family, cache)?;
        }
        let library = rtl::build(&tools, &design, cache)?;
        let bases = emitted.manifest.arrays.iter().map(|a| a.base).collect();
        Ok(Self { netlist, library, wiring, mapped: options.mapped.is_some(), bases })
    }

    /// Returns whether runs count transfers on channels, which mapped designs do not.
    pub fn counts(&self) -> bool {
        !self.mapped
    }
}

/// An instance of a compiled design.
pub struct Verilator<'a> {
    built: &'a Built<'a>,
    probe: Probe<'a>,
}

impl<'a> Verilator<'a> {
    /// Creates an instance after reset; `config` holds a value per entry of [`Netlist::config`].
    pub fn new(built: &'a Built<'a>, config: &[u64]) -> Self {
        let wiring = &built.wiring;
        let mut probe = Probe::new(built.netlist, &wiring.channels, built.library.instance(SEED));
        let sim = &mut probe.sim;
        for s in [wiring.start_valid, wiring.store.strobe, wiring.fetch.strobe] {
            sim.set(s, 0);
        }
        sim.set(wiring.done_ready, 1);
        for (&s, &v) in wiring.config.iter().zip(config) {
            sim.set(s, v);
        }
        sim.reset();
        Self { built, probe }
    }

    /// Lets `shared` observe and cancel later runs.
    pub fn watch(&mut self, shared: Arc<Watched>) {
        self.probe.shared = shared;
    }

    /// The running model, whose waveform can be written.
    pub(crate) fn model(&mut self) -> &mut rtl::Instance {
        &mut self.probe.sim
    }

    /// Sets the run-time inputs between runs.
    pub fn configure(&mut self, config: &[u64]) {
        for (&s, &v) in self.built.wiring.config.iter().zip(config) {
            self.probe.sim.set(s, v);
        }
    }

    /// Loads `words` into array number `array` of the netlist, from its first word on.
    pub fn store(&mut self, array: usize, words: &[u64]) -> Result<(), Error> {
        let (base, room) = self.place(array);
        if words.len() as u64 > room {
            let array = self.built.netlist.arrays[array].name.clone();
            return Err(Error::TooLarge { array, words: words.len() as u64, room });
        }
        Ok(self.probe.sim.store(&self.built.wiring.store, base, words)?)
    }

    /// Reads all words of array number `array` of the netlist.
    pub fn fetch(&mut self, array: usize) -> Result<Vec<u64>, Error> {
        let (base, room) = self.place(array);
        let mut words = vec![0; usize::try_from(room).unwrap_or(usize::MAX)];
        self.probe.sim.fetch(&self.built.wiring.fetch, base, &mut words)?;
        Ok(words)
    }

    /// Host address of an array and the number of its words; none if the host does not see it.
    fn place(&self, array: usize) -> (u64, u64) {
        let base = self.built.bases[array];
        (base.unwrap_or(0), if base.is_some() { self.built.netlist.arrays[array].words.max(1) } else { 0 })
    }

    /// Returns the value of status output `k` of the netlist.
    pub fn status(&self, k: usize) -> u64 {
        self.probe.sim.get(self.built.wiring.statuses[k])
    }

    /// Runs the design from the start token to the done token. The next run may begin in the cycle in which this one
    /// ended.
    pub fn run(&mut self, limit: u64) -> Result<Counts, Error> {
        let w = &self.built.wiring;
        self.probe.sim.restart();
        self.probe.sim.set(w.start_valid, 1);
        let mut taken = false;
        while !taken {
            self.probe.sim.eval()?;
            taken = self.probe.sim.get(w.start_ready) == 1;
            if self.probe.sim.cycle() >= limit {
                return Err(Error::Limit { cycles: limit, waiting: self.probe.waiting() });
            }
            self.probe.sim.run(1, None)?;
        }
        self.probe.sim.set(w.start_valid, 0);
        let (mut moved, mut quiet) = (0, 0);
        while self.probe.sim.get(w.done_valid) == 0 {
            let cycle = self.probe.sim.cycle();
            if self.probe.shared.tell(cycle) || cycle >= limit {
                return Err(Error::Limit { cycles: cycle, waiting: self.probe.waiting() });
            }
            let ran = self.probe.sim.run((limit - cycle).min(TELL), Some(w.done_valid))?;
            let before = std::mem::replace(&mut moved, self.probe.moved());
            quiet = if moved == before { quiet + ran } else { 0 };
            if quiet >= QUIET && self.built.counts() && self.probe.sim.get(w.done_valid) == 0 {
                return Err(Error::Deadlock { cycle: self.probe.sim.cycle(), waiting: self.probe.waiting() });
            }
        }
        Ok(self.probe.counts(self.probe.sim.cycle()))
    }
}
