//! A run of a kernel behind AXI from its data to its results.

use super::{AxiBuilt, AxiEngine, Ended, Layout, Memory, Moved, Placing, Settings};
use crate::run::{Outcome, Problem};
use crate::verilator::Options;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::emit::axi::{Axi, emit_axi};
use samhw_compiler::frontend::AxiOptions;
use samhw_compiler::netlist::Netlist;
use std::path::Path;

/// What has gone over the bus, in words.
fn bill(moved: &Moved, line: u64, cycles: u64) -> String {
    let bytes = (moved.lines_read + moved.lines_written) * line;
    let least = moved.lines_read.max(moved.lines_written);
    format!(
        "{bytes} bytes over the bus: {} bursts, {} lines read and {} bursts, {} lines written in {cycles} cycles, {least} at least",
        moved.reads, moved.lines_read, moved.writes, moved.lines_written
    )
}

impl Problem {
    /// Where the arrays lie, and what is in those that the host writes.
    pub fn layout(&self, net: &Netlist, axi: &Axi, placing: Placing) -> Layout {
        Layout::new(net, axi, placing, |k| {
            // A copy that is read in pairs has a word more.
            let of = &net.arrays[k];
            let same = net.arrays.iter().filter(|a| a.host_writes && (a.of, a.part) == (of.of, of.part));
            let words = same.filter_map(|a| self.words(a)).max_by_key(|w| w.len());
            words.filter(|_| of.host_writes).map(|w| w.into_owned())
        })
    }

    /// Runs the emitted Verilog of `NAME_axi` under Verilator with a simulated memory.
    pub fn run_axi(
        &self,
        net: &Netlist,
        options: &AxiOptions,
        settings: &Settings,
        limit: u64,
        wave: Option<&Path>,
    ) -> Result<Outcome, Diagnostic> {
        let design = emit_axi(&self.lowered, net, options)?;
        let build = Options { trace: wave.is_some(), ..Options::default() };
        let built = AxiBuilt::new(net, &design, build, &samhw_rtlsim::default_cache())?;
        let layout = self.layout(net, &built.axi, Placing::Anywhere(settings.seed));
        let line = u64::from(options.data_width / 8);
        let mut engine = AxiEngine::new(&built, Memory::new(settings.clone(), line, layout.buffers.clone()));
        if let Some(path) = wave {
            engine.wave(path)?;
        }
        engine.configure(&layout, &self.config(net))?;
        engine.start()?;
        let ended = engine.finish(limit)?;
        let stuck = if ended.code == WATCHDOG { engine.stuck()?.join(", ") } else { String::new() };
        right(net, &built.axi, &ended, &stuck)?;
        let results = self.results(net, |a| {
            let k = net.arrays.iter().position(|b| b.name == a.name);
            k.map(|k| engine.fetch(&layout, k)).unwrap_or_default()
        })?;
        let notes = vec![bill(&engine.memory.moved(), line, ended.cycles)];
        Ok(Outcome { counts: ended.counts, results, notes })
    }
}

/// Error code of the watchdog.
const WATCHDOG: u32 = 7;

fn stuck_at(streams: &str) -> String {
    if streams.is_empty() { String::new() } else { format!("; stuck: {streams}") }
}

/// The run ended without an error.
fn right(net: &Netlist, axi: &Axi, ended: &Ended, stuck: &str) -> Result<(), Diagnostic> {
    let array = axi.ports.get(ended.port).map_or("?", |p| net.arrays[p.array].name.as_str());
    match ended.code {
        0 => Ok(()),
        6 => Err(Diagnostic::new("H010", format!("a result does not fit its memory: {array}"))
            .help("declare a larger nnz for the result, or leave nnz out")),
        code => Err(Diagnostic::new(
            "R010",
            format!("the hardware ended with error {code} at {array}{}", stuck_at(stuck)),
        )
        .help(
            "docs/axi.md lists the codes; without injected errors please report it with the kernel file and its data",
        )),
    }
}
