//! The Verilog of `NAME_axi`, simulated with a host and a memory.

use super::bus::Bus;
use super::host::Host;
use super::layout::Layout;
use super::memory::Memory;
use super::protocol::Violation;
use crate::native::{Counts, TELL, Watched};
use crate::verilator::probe::{Channels, Probe, channels};
use crate::verilator::{self, Options};
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::Design;
use samhw_compiler::emit::axi::{Axi, Counted, Holds, PortPlan, prefix};
use samhw_compiler::netlist::{CellId, Netlist};
use samhw_rtlsim as rtl;
use std::path::Path;
use std::sync::Arc;

/// Byte addresses of registers every kernel has.
const CONTROL: u32 = 0x10;
const STATUS: u32 = 0x14;
const IRQ_ENABLE: u32 = 0x18;
const ERROR: u32 = 0x20;
const CYCLES: u32 = 0x28;

/// Seed of what is not reset.
const SEED: u64 = 1;

/// Cycles that a register takes at most, with a host that drives at random.
const PATIENCE: u64 = 256;

/// The reason why a simulation ended early.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fail {
    /// A tool or an assertion of the Verilog failed.
    #[error(transparent)]
    Engine(#[from] verilator::Error),
    /// A bus rule was violated, or an address outside of the buffers was accessed.
    #[error(transparent)]
    Bus(#[from] Violation),
}

impl From<rtl::Error> for Fail {
    fn from(e: rtl::Error) -> Self {
        Self::Engine(e.into())
    }
}

impl From<Fail> for Diagnostic {
    fn from(e: Fail) -> Self {
        match e {
            Fail::Engine(e) => e.into(),
            Fail::Bus(v) => Self::new("R010", v.to_string()).help(
                "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
            ),
        }
    }
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Clock cycles according to the register.
    pub cycles: u64,
    /// Error code; 0 for none.
    pub code: u32,
    /// Number of the port with the error.
    pub port: usize,
    /// Counters of the run.
    pub counts: Counts,
}

/// A compiled design with AXI.
pub struct AxiBuilt<'a> {
    netlist: &'a Netlist,
    /// The AXI interface around the core.
    pub axi: Axi,
    library: rtl::Library,
    bus: Bus,
    channels: Channels,
}

impl<'a> AxiBuilt<'a> {
    /// Compiles `emitted`, which was generated from `netlist` for AXI, or loads it from the cache.
    pub fn new(netlist: &'a Netlist, emitted: &Design, options: Options, cache: &Path) -> Result<Self, Fail> {
        let tools = rtl::Toolchain::find()?;
        let tops = &emitted.manifest.tops;
        let (Some(core), Some(top), Some(axi)) =
            (tops.iter().find(|t| t.kind == "core"), tops.iter().find(|t| t.kind == "axi"), &emitted.axi)
        else {
            return Err(rtl::Error::Mismatch { design: emitted.name.clone(), what: "it was not made for AXI".into() })?;
        };
        let mut design = rtl::Design::new(&top.module, emitted.verilog().cloned().collect());
        (design.trace, design.quick) = (options.trace, options.quick);
        if options.assertions {
            design.defines.push("SAMHW_ASSERT".into());
        }
        let managers = (0..axi.masters()).map(|m| prefix(axi, m)).collect();
        let bus = Bus::new(top, managers, &mut design);
        let channels = channels(netlist, &emitted.manifest, &core.module, None, &mut design);
        let library = rtl::build(&tools, &design, cache)?;
        Ok(Self { netlist, axi: axi.clone(), library, bus, channels })
    }
}

/// An instance of a compiled design with its memory.
pub struct AxiEngine<'a> {
    built: &'a AxiBuilt<'a>,
    probe: Probe<'a>,
    host: Host,
    /// The simulated memory.
    pub memory: Memory,
}

impl<'a> AxiEngine<'a> {
    /// Creates an instance after reset.
    pub fn new(built: &'a AxiBuilt<'a>, memory: Memory) -> Self {
        let mut probe = Probe::new(built.netlist, &built.channels, built.library.instance(SEED));
        for name in ["s_axi_awvalid", "s_axi_wvalid", "s_axi_bready", "s_axi_arvalid", "s_axi_rready"] {
            built.bus.set(&mut probe.sim, name, 0);
        }
        built.bus.drive(&mut probe.sim, &memory);
        probe.sim.reset();
        Self { built, probe, host: Host::default(), memory }
    }

    /// Returns the AXI interface around the core.
    pub fn axi(&self) -> &'a Axi {
        &self.built.axi
    }

    /// Returns the arrays at the bus, by number.
    pub fn ports(&self) -> &[PortPlan] {
        &self.built.axi.ports
    }

    /// Lets `shared` observe and cancel later runs.
    pub fn watch(&mut self, shared: Arc<Watched>) {
        self.probe.shared = shared;
    }

    /// The running model, whose waveform can be written.
    pub(crate) fn model(&mut self) -> &mut rtl::Instance {
        &mut self.probe.sim
    }

    /// Simulates one clock cycle.
    pub fn clock(&mut self) -> Result<(), Fail> {
        let bus = &self.built.bus;
        let after = self.host.before(bus, &self.probe.sim)?;
        bus.clock(&mut self.probe.sim, &mut self.memory)??;
        after(&mut self.host, bus, &mut self.probe.sim);
        Ok(())
    }

    /// Ends a transfer at the register at `offset`.
    fn transfer(&mut self, offset: u32) -> Result<(), Fail> {
        for _ in 0..PATIENCE {
            if !self.host.busy() {
                return match self.host.response {
                    0 => Ok(()),
                    other => Err(Violation(format!("the registers answer {other} at {offset:#x}, not OKAY")).into()),
                };
            }
            self.clock()?;
        }
        Err(verilator::Error::Limit { cycles: PATIENCE, waiting: "a register does not answer".into() })?
    }

    /// Writes a register. An answer other than OKAY is an error, here and where registers are read.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), Fail> {
        self.write_bytes(offset, value, 15)
    }

    /// Writes the bytes of a register that `strobe` selects, lowest first.
    pub fn write_bytes(&mut self, offset: u32, value: u32, strobe: u32) -> Result<(), Fail> {
        self.host.write(&self.built.bus, &mut self.probe.sim, offset, (value, strobe), false);
        self.transfer(offset)
    }

    /// Makes the host drive every signal of later transfers at a random time, except transfers that start a run.
    pub fn at_random(&mut self, seed: u64) {
        self.host.at_random(seed);
    }

    /// Reads a register.
    pub fn read(&mut self, offset: u32) -> Result<u32, Fail> {
        self.host.read(&self.built.bus, &mut self.probe.sim, offset);
        self.transfer(offset)?;
        Ok(self.host.value)
    }

    /// Writes one of the kernel's own registers.
    pub fn set(&mut self, holds: Holds, value: u64) -> Result<(), Fail> {
        let Some(r) = self.built.axi.registers.iter().find(|r| r.holds == holds) else { return Ok(()) };
        let (offset, words) = (r.offset, r.words);
        for k in 0..words {
            self.write(offset + 4 * k, (value >> (32 * k)) as u32)?;
        }
        Ok(())
    }

    /// Reads one of the kernel's own registers; `None` if there is none for `holds`.
    pub fn get(&mut self, holds: Holds) -> Result<Option<u64>, Fail> {
        let Some(r) = self.built.axi.registers.iter().find(|r| r.holds == holds) else { return Ok(None) };
        let (offset, words, mut value) = (r.offset, r.words, 0);
        for k in 0..words {
            value |= u64::from(self.read(offset + 4 * k)?) << (32 * k);
        }
        Ok(Some(value))
    }

    /// Returns the value of status output `k` of the netlist.
    pub fn status(&mut self, k: usize) -> Result<u64, Fail> {
        Ok(self.get(Holds::Status(k))?.unwrap_or(0))
    }

    /// Word `word` of what a register of the kernel's own holds.
    fn own(&mut self, holds: Holds, word: u32) -> Result<Option<u32>, Fail> {
        let offset = self.built.axi.registers.iter().find(|r| r.holds == holds).map(|r| r.offset + 4 * word);
        offset.map(|o| self.read(o)).transpose()
    }

    /// Returns the counters of every node in the last run, by cell of the netlist; empty without counters.
    pub fn counted(&mut self) -> Result<Vec<(CellId, [u32; 3])>, Fail> {
        let nodes = self.built.axi.probes.as_ref().map(|p| p.nodes.clone()).unwrap_or_default();
        let mut out = Vec::new();
        for (n, cell) in nodes.into_iter().enumerate() {
            let mut counts = [0; 3];
            for (value, counted) in counts.iter_mut().zip(Counted::ALL) {
                *value = self.own(Holds::Count(n, counted), 0)?.unwrap_or_default();
            }
            out.push((cell, counts));
        }
        Ok(out)
    }

    /// Returns the names of the streams that the watchdog found stuck; empty without counters.
    pub fn stuck(&mut self) -> Result<Vec<&'a str>, Fail> {
        let built = self.built;
        let mut out = Vec::new();
        for (bit, &stream) in built.axi.probes.iter().flat_map(|p| &p.streams).enumerate() {
            let word = self.own(Holds::Stuck, bit as u32 / 32)?.unwrap_or_default();
            if word >> (bit % 32) & 1 == 1 {
                out.push(built.netlist.channels[stream].name.as_str());
            }
        }
        Ok(out)
    }

    /// Writes base addresses, lengths and run-time values, and enables the interrupt.
    pub fn configure(&mut self, layout: &Layout, config: &[u64]) -> Result<(), Fail> {
        self.rest(PATIENCE)?;
        for (buffer, size) in layout.buffers.iter().zip(&layout.sizes) {
            self.set(Holds::Base(buffer.array), buffer.base)?;
            self.set(Holds::Words(buffer.array), (buffer.bytes.len() / size) as u64)?;
        }
        for (k, &value) in config.iter().enumerate() {
            self.set(Holds::Config(k), value)?;
        }
        self.write(IRQ_ENABLE, 1)
    }

    /// Starts a run.
    pub fn start(&mut self) -> Result<(), Fail> {
        self.memory.begin();
        self.built.bus.drive(&mut self.probe.sim, &self.memory);
        self.probe.sim.restart();
        self.host.write(&self.built.bus, &mut self.probe.sim, CONTROL, (1, 15), true);
        self.transfer(CONTROL)
    }

    /// Returns the number of transfers since the last start, on all channels of the core.
    pub fn transfers(&self) -> u64 {
        self.probe.moved()
    }

    /// Returns the names of the channels with a beat that is not taken in this cycle.
    pub fn held(&self) -> Vec<&'a str> {
        self.probe.held()
    }

    /// Returns true if a run has ended, which raises the interrupt.
    pub fn ended(&self) -> bool {
        self.built.bus.get(&self.probe.sim, "irq") == 1
    }

    /// Runs until the interrupt, and clears it.
    pub fn finish(&mut self, limit: u64) -> Result<Ended, Fail> {
        while !self.ended() {
            let cycle = self.probe.sim.cycle();
            if cycle.is_multiple_of(TELL) && self.probe.shared.tell(cycle) || cycle >= limit {
                return Err(verilator::Error::Limit { cycles: cycle, waiting: self.probe.waiting() })?;
            }
            self.clock()?;
        }
        let counts = self.probe.counts(self.probe.sim.cycle());
        let error = self.read(ERROR)?;
        let cycles = u64::from(self.read(CYCLES)?) | u64::from(self.read(CYCLES + 4)?) << 32;
        let counts = Counts { cycles, ..counts };
        Ok(Ended { cycles, code: error & 0xff, port: (error >> 8 & 0xff) as usize, counts })
    }

    /// Clears the results of a run.
    pub fn clear(&mut self) -> Result<(), Fail> {
        self.write(CONTROL, 4)
    }

    /// Resets the kernel while the bus is active, and waits for the end of the reset.
    pub fn reset(&mut self, limit: u64) -> Result<(), Fail> {
        self.write(CONTROL, 2)?;
        self.rest(limit)
    }

    /// Waits until the kernel is not busy, asking at most this number of times.
    fn rest(&mut self, times: u64) -> Result<(), Fail> {
        for _ in 0..times {
            if self.read(STATUS)? & 1 == 0 {
                return Ok(());
            }
        }
        Err(verilator::Error::Limit { cycles: times, waiting: "the kernel stays busy".into() })?
    }

    /// Reads the words of array number `array` from memory.
    pub fn fetch(&self, layout: &Layout, array: usize) -> Vec<u64> {
        self.memory.fetch(layout, array)
    }
}
