//! Runs of kernels behind AXI, from data to results.

use super::{AxiBuilt, AxiEngine, AxiNative, Ended, Fail, Layout, Memory, Moved, Placing, Settings, Unfinished};
use crate::memory::held;
use crate::native::{Watch, Watched};
use crate::rounds::rounds;
use crate::run::{Outcome, Problem, does_not_fit, fits};
use crate::verilator::Options;
use crate::wave::Wave;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::axi::{Axi, around, behind, emit_axi};
use samhw_compiler::frontend::{AxiOptions, Memory as Lives};
use samhw_compiler::netlist::Netlist;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;

/// Cycles of the watchdog after reset.
const WATCHDOG: u32 = 1 << 20;

/// The transfers of a run and the smallest number of cycles that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bill {
    /// Transfers on all buses.
    pub moved: Moved,
    /// Bytes of a line.
    pub line: u64,
    /// Cycles of the run.
    pub cycles: u64,
    /// Largest numbers of transfers on any bus.
    pub busiest: Moved,
}

impl Bill {
    /// Returns the bytes transferred, both directions together.
    pub fn bytes(&self) -> u64 {
        (self.moved.lines_read + self.moved.lines_written) * self.line
    }
    /// Returns the cycles that the lines need on buses that read and write one line per cycle.
    pub fn least(&self) -> u64 {
        self.busiest.lines_read.max(self.busiest.lines_written)
    }
}

impl Display for Bill {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let m = &self.moved;
        write!(
            f,
            "{} bytes over the bus: {} bursts, {} lines read and {} bursts, {} lines written in {} cycles, {} at least",
            self.bytes(),
            m.reads,
            m.lines_read,
            m.writes,
            m.lines_written,
            self.cycles,
            self.least()
        )
    }
}

impl Problem {
    /// Returns the layout of the arrays, with the contents that the host writes.
    pub fn layout(&self, net: &Netlist, axi: &Axi, placing: Placing) -> Layout {
        Layout::new(net, axi, placing, |k| {
            // A copy that is read in pairs has a word more.
            let of = &net.arrays[k];
            let same = net.arrays.iter().filter(|a| a.host_writes && (a.of, a.part) == (of.of, of.part));
            let words = same.filter_map(|a| self.words(a)).max_by_key(|w| w.len());
            words.filter(|_| of.host_writes).map(|w| w.into_owned())
        })
    }

    /// Checks that the AXI interface supports the kernel file's options; memory on the chip needs none.
    ///
    /// # Errors
    ///
    /// As [`around`].
    pub fn fits_bus(&self, net: &Netlist) -> Result<(), Diagnostic> {
        match &self.memory {
            Lives::Axi(options) => around(&self.lowered, &behind(&self.lowered, net), options).map(|_| ()),
            Lives::Ram => Ok(()),
        }
    }

    /// Simulates the emitted Verilog of `NAME_axi` under Verilator with a simulated memory; `wave` is the
    /// file for a waveform, `shared` observes the run.
    pub fn run_axi(
        &self,
        net: &Netlist,
        options: &AxiOptions,
        settings: &Settings,
        limit: u64,
        (wave, shared): (Option<&Path>, Arc<Watched>),
    ) -> Result<Outcome, Diagnostic> {
        let net = &behind(&self.lowered, net);
        let design = emit_axi(&self.lowered, net, options)?;
        let build = Options { trace: wave.is_some(), ..Options::default() };
        let cache = samhw_rtlsim::default_cache().map_err(Fail::from)?;
        let built = AxiBuilt::new(held(net, true)?, &design, build, &cache)?;
        let layout = self.layout(net, &built.axi, Placing::Driver(settings.seed));
        let line = u64::from(options.data_width / 8);
        let mut engine =
            AxiEngine::new(&built, Memory::new(settings.clone(), line, built.axi.masters(), layout.buffers.clone()));
        engine.watch(shared);
        let wave = wave.map(|path| Wave::begin(engine.model(), path)).transpose()?;
        let ran = engine
            .configure(&layout, &self.config(net))
            .and_then(|()| engine.start())
            .and_then(|()| engine.finish(limit));
        let late = wave.map_or(Ok(()), |wave| wave.end(engine.model()));
        let ended = ran?;
        let stuck = if ended.code == EXPIRED { engine.stuck()?.join(", ") } else { String::new() };
        let status: Vec<u64> = (0..net.statuses.len()).map(|k| engine.status(k)).collect::<Result<_, _>>()?;
        right(net, &built.axi, &ended, &stuck, &status)?;
        let results = self.results(net, |a| {
            let k = net.arrays.iter().position(|b| b.name == a.name);
            k.map(|k| engine.fetch(&layout, k)).unwrap_or_default()
        })?;
        let bill = Bill { moved: engine.memory.moved(), line, cycles: ended.cycles, busiest: engine.memory.busiest() };
        let rounds = rounds(net, |k| status[k]);
        let notes = said(&bill, &engine.memory, built.axi.masters());
        Ok(Outcome { counts: ended.counts, results, rounds, notes, late })
    }

    /// Simulates with the native engine and models of the AXI interface; `watch` observes the run.
    pub fn run_axi_native(
        &self,
        net: &Netlist,
        options: &AxiOptions,
        settings: &Settings,
        limit: u64,
        watch: Watch,
    ) -> Result<(Outcome, Bill), Diagnostic> {
        let net = &behind(&self.lowered, net);
        let axi = around(&self.lowered, held(net, true)?, options)?;
        let layout = self.layout(net, &axi, Placing::Driver(settings.seed));
        let line = u64::from(options.data_width / 8);
        let memory = Memory::new(settings.clone(), line, axi.masters(), layout.buffers.clone());
        let run = AxiNative { net, axi: &axi, layout: &layout, config: self.config(net), watchdog: WATCHDOG };
        let ran = run.run::<false>(memory, limit, watch);
        if let Err(Unfinished::Full(status)) = &ran {
            fits(net, |k| status[k])?;
        }
        let ran = ran?;
        right(net, &axi, &ran.ended, "", &ran.status)?;
        let results = self.results(net, |a| {
            let k = net.arrays.iter().position(|b| b.name == a.name);
            k.map(|k| ran.memory.fetch(&layout, k)).unwrap_or_default()
        })?;
        let bill = Bill { moved: ran.memory.moved(), line, cycles: ran.ended.cycles, busiest: ran.memory.busiest() };
        let rounds = rounds(net, |k| ran.status[k]);
        let notes = said(&bill, &ran.memory, axi.masters());
        Ok((Outcome { counts: ran.ended.counts, results, rounds, notes, late: Ok(()) }, bill))
    }
}

/// What went over the bus; of several managers also what each has of it.
fn said(bill: &Bill, memory: &Memory, managers: usize) -> Vec<String> {
    let own = |k: usize| {
        let moved = memory.moved_by(k);
        let lines = moved.lines_read + moved.lines_written;
        let rows = match memory.rows_by(k) {
            (0, _) => String::new(),
            (bursts, hits) => format!(", {} % rows open", hits * 100 / bursts),
        };
        format!("{k}: {} ({} %{rows})", lines * bill.line, lines * 100 / bill.cycles.max(1))
    };
    let each = (managers > 1 || memory.rows_by(0).0 > 0).then(|| {
        let all: Vec<String> = (0..managers).map(own).collect();
        format!("bytes at each manager, of a line a cycle: {}", all.join(", "))
    });
    std::iter::once(bill.to_string()).chain(each).collect()
}

/// Error code of the watchdog.
const EXPIRED: u32 = 7;

fn stuck_at(streams: &str) -> String {
    if streams.is_empty() { String::new() } else { format!("; stuck: {streams}") }
}

/// The run ended without an error.
fn right(net: &Netlist, axi: &Axi, ended: &Ended, stuck: &str, status: &[u64]) -> Result<(), Diagnostic> {
    let status = |k: usize| status.get(k).copied().unwrap_or(0);
    let array = axi.ports.get(ended.port).map_or("?", |p| net.arrays[p.array].name.as_str());
    match ended.code {
        // What has no array behind the bus, such as a list on the chip, tells it by its status only.
        0 => fits(net, status),
        6 => Err(fits(net, status).err().unwrap_or_else(|| does_not_fit(net, array, status))),
        code => Err(Diagnostic::new(
            "R010",
            format!("the hardware ended with error {code} at {array}{}", stuck_at(stuck)),
        )
        .help(
            "docs/axi.md lists the codes; without injected errors please report it with the kernel file and its data",
        )),
    }
}
