//! Kernels behind AXI: the Verilog with a simulated memory that checks the protocol and every byte written, and the
//! native engine with the same memory, which must do the same in the same cycles.
//!
//! `SAMHW_SEED` draws data, latencies and stalls; `SAMHW_FULL` runs more of them.

mod accesses;
mod coordinates;
mod corrupted;
mod counters;
mod driver;
mod faults;
mod joined;
mod kernels;
mod latency;
mod linux;
mod managers;
mod places;
mod program;
mod random;
mod tiles;

use samhw_compiler::diag::Source;
use samhw_compiler::emit::axi::{Holds, behind, emit_axi};
use samhw_compiler::frontend::{AxiOptions, KernelFile, Memory as Lives, parse};
use samhw_compiler::netlist::Netlist;
use samhw_rtlsim::Error as ToolError;
use samhw_sim::axi::{AxiBuilt, AxiEngine, AxiNative, Bill, Ended, Fail, Layout, Memory, Placing, Ran, Settings};
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use samhw_sim::verilator::{Error, Options};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

const LIMIT: u64 = 1 << 22;
/// Address of the register with the watchdog's cycles.
const WATCHDOG: u32 = 0x30;

fn seed() -> u64 {
    let seed = std::env::var("SAMHW_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    eprintln!("SAMHW_SEED={seed}");
    seed
}

fn full() -> bool {
    std::env::var_os("SAMHW_FULL").is_some()
}

fn file(text: &str) -> KernelFile {
    parse(Arc::new(Source { path: "axi.toml".into(), text: text.into() })).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

/// A kernel file with the data that it names.
fn problem(text: &str) -> Problem {
    let file = file(text);
    let loaded = load_operands(&file, &BTreeMap::new()).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    Problem::made(&file, loaded).unwrap_or_else(|d| panic!("{d:?}\n{text}"))
}

fn options(problem: &Problem) -> AxiOptions {
    match &problem.memory {
        Lives::Axi(options) => options.clone(),
        Lives::Ram => AxiOptions::default(),
    }
}

/// The Verilog of a kernel behind AXI; `None` where a tool is missing and may be.
fn build<'a>(problem: &Problem, net: &'a Netlist, options: &AxiOptions, assertions: bool) -> Option<AxiBuilt<'a>> {
    let own = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.cache"));
    let cache = std::env::var_os("SAMHW_CACHE").map_or_else(own, PathBuf::from);
    let design = emit_axi(&problem.lowered, net, options).expect("it fits the bus");
    let quick = Options { quick: true, assertions, ..Options::default() };
    match AxiBuilt::new(net, &design, quick, &cache) {
        Err(Fail::Engine(Error::Tools(e @ ToolError::ToolMissing { .. })))
            if std::env::var_os("SAMHW_REQUIRE_TOOLS").is_none() =>
        {
            eprintln!("skipped: {e}");
            None
        }
        other => Some(other.expect("the Verilog compiles")),
    }
}

/// A kernel with its memory, ready to start.
struct Bench<'a> {
    problem: &'a Problem,
    net: &'a Netlist,
    layout: Layout,
    engine: AxiEngine<'a>,
    /// Run-time values, as those of the netlist behind AXI.
    config: Vec<u64>,
}

impl<'a> Bench<'a> {
    fn new(
        problem: &'a Problem,
        net: &'a Netlist,
        built: &'a AxiBuilt<'a>,
        settings: &Settings,
        placing: Placing,
    ) -> Self {
        let layout = problem.layout(net, &built.axi, placing);
        let line = u64::from(built.axi.options.data_width / 8);
        let memory = Memory::new(settings.clone(), line, built.axi.masters(), layout.buffers.clone());
        let mut engine = AxiEngine::new(built, memory);
        let config = problem.config(&behind(&problem.lowered, net));
        engine.configure(&layout, &config).expect("registers");
        Self { problem, net, layout, engine, config }
    }

    /// A run of the Verilog, and one of the native engine with the same memory: both end alike.
    fn run(&mut self, what: &str) -> Ended {
        let ran = self.native(what);
        let ended = self.verilog(what);
        let of = |e: &Ended| (e.code, e.port, e.cycles);
        assert_eq!(of(&ran.ended), of(&ended), "{what}: code, port and cycles of native engine and Verilog");
        if ended.code == 0 {
            let done = self.net.done;
            let channels = ran.ended.counts.channels.iter().zip(&ended.counts.channels).enumerate();
            for (k, (native, verilog)) in channels.filter(|(k, _)| Some(*k) != done) {
                assert_eq!(native, verilog, "{what}: stream {}", self.net.channels[k].name);
            }
            assert_eq!(ran.memory.moved(), self.engine.memory.moved(), "{what}");
            assert_eq!(ran.memory.buffers, self.engine.memory.buffers, "{what}: memory afterwards");
        }
        ended
    }

    /// The native engine with all registers as they are.
    fn native(&mut self, what: &str) -> Ran {
        let (net, memory) = (behind(&self.problem.lowered, self.net), self.engine.memory.clone());
        let config = (0..net.config.len()).map(|k| self.engine.get(Holds::Config(k)).expect("registers").unwrap_or(0));
        let config = config.collect();
        let watchdog = self.engine.read(WATCHDOG).expect("registers");
        let layout = Layout { buffers: memory.buffers.clone(), sizes: self.layout.sizes.clone() };
        let run = AxiNative { net: &net, axi: self.engine.axi(), layout: &layout, config, watchdog };
        run.run::<true>(memory, LIMIT, Watch::default()).unwrap_or_else(|e| panic!("{what}: {e}"))
    }

    /// A run of the Verilog alone.
    fn verilog(&mut self, what: &str) -> Ended {
        self.engine.start().expect("registers");
        let ended = self.engine.finish(LIMIT).unwrap_or_else(|e| panic!("{what}: {e}"));
        self.engine.clear().expect("registers");
        assert!(!self.engine.ended(), "the interrupt is cleared");
        ended
    }

    /// The results are those of the reference.
    fn right(&self, what: &str) {
        let (problem, net) = (self.problem, self.net);
        let results = problem.results(net, |a| {
            let k = net.arrays.iter().position(|b| b.name == a.name).expect("an array");
            self.engine.fetch(&self.layout, k)
        });
        let results = results.unwrap_or_else(|d| panic!("{what}: {d:?}"));
        assert!(!results.is_empty());
        for (t, coo) in &results {
            let verdict = problem.compare(*t, coo).expect("comparable");
            assert_eq!(verdict.difference, None, "{what}");
        }
    }

    /// Whatever was before: the kernel is reset and gets all registers again, and its run is right.
    fn again(&mut self, what: &str) {
        self.engine.reset(LIMIT).unwrap_or_else(|e| panic!("{what}: {e}"));
        self.engine.write(WATCHDOG, 1 << 20).expect("registers");
        self.engine.clear().expect("registers");
        self.engine.configure(&self.layout, &self.config).expect("registers");
        self.succeed(what);
    }

    /// A run without an error, and right.
    fn succeed(&mut self, what: &str) -> u64 {
        // What is not written must not look right.
        for b in self.engine.memory.buffers.iter_mut().filter(|b| b.writable) {
            b.bytes.fill(0xA5);
        }
        let ended = self.run(what);
        assert_eq!((ended.code, ended.port), (0, 0), "{what}");
        self.right(what);
        assert!(self.engine.memory.idle(), "{what}: something is still on the bus");
        ended.cycles
    }
}

/// What a right run costs where each line takes `latency` cycles, by the native engine: others hold the Verilog's cycles
/// against it.
fn bill(problem: &Problem, net: &Netlist, latency: u64) -> Bill {
    let settings = Settings { latency: (latency, latency), ..Settings::default() };
    let ran = problem.run_axi_native(net, &options(problem), &settings, LIMIT, Watch::default());
    let (outcome, bill) = ran.unwrap_or_else(|d| panic!("{d:?}"));
    assert!(!outcome.results.is_empty());
    for (t, coo) in &outcome.results {
        assert_eq!(problem.compare(*t, coo).expect("comparable").difference, None);
    }
    bill
}

/// Memories of all kinds.
fn memories(rng: &mut Rng) -> Vec<Settings> {
    let mut draw = |latency, lines_per_16, stall, reorder| Settings {
        latency,
        lines_per_16,
        stall,
        reorder,
        seed: rng.bits(),
        ..Settings::default()
    };
    vec![
        draw((1, 1), 0, 0, false),
        draw((100, 100), 8, 0, false),
        draw((1, 200), 0, 30, true),
        draw((1, 20), 5, 70, true),
    ]
}
