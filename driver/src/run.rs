//! Runs: a simulation on data, checked against the reference.

use crate::LIMIT;
use crate::bus;
use crate::kernel::Sources;
use crate::report::Phases;
use samhw_compiler::data::DataSource;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_compiler::frontend::{AxiOptions, KernelFile, Memory};
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::pipeline::at_statement;
use samhw_compiler::stmt::TensorId;
use samhw_sim::axi::{Dram, Settings};
use samhw_sim::expected::Expected;
use samhw_sim::load::load_operands;
use samhw_sim::native::{Counts, Pressure, Watch, Watched};
use samhw_sim::observe::Tokens;
use samhw_sim::problem::packed_views;
use samhw_sim::reference::Rounds;
use samhw_sim::run::{Outcome, Problem};
use samhw_sim::tensor::{Coo, Loaded};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The engine that simulates a kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Engine {
    /// The primitives' cycle models, which need no tools.
    #[default]
    Native,
    /// The emitted Verilog, simulated by Verilator.
    Verilator,
}

impl Engine {
    /// Returns the engine's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Verilator => "verilator",
        }
    }
}

/// Options of a simulation.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// Latency in cycles of the simulated memory of a kernel behind AXI.
    pub latency: Option<u64>,
    /// DRAM channels of this memory.
    pub dram: Option<Dram>,
    /// Path of a waveform that the Verilator engine writes.
    pub wave: Option<PathBuf>,
    /// Probability, in percent, that a port is stalled in a cycle.
    pub stall: u64,
    /// Seed of the random stalls.
    pub seed: u64,
}

/// A finished run with its results and counters.
#[derive(Debug, Clone)]
pub struct Ran {
    /// Name of the engine.
    pub engine: &'static str,
    /// The kernel file.
    pub file: KernelFile,
    /// The kernel with its data.
    pub problem: Problem,
    /// The hardware.
    pub net: Netlist,
    /// Cycles and counters of the run.
    pub counts: Counts,
    /// Results by tensor.
    pub found: BTreeMap<TensorId, Coo>,
    /// Names of the results, in the order of the statements.
    pub results: Vec<(String, TensorId)>,
    /// Differences from the reference, one sentence each.
    pub wrong: Vec<String>,
    /// Number of values compared with error bounds.
    pub bounded: usize,
    /// Number of those values for which no bound is known.
    pub unknown: usize,
    /// Number of rounds, for a program that runs in rounds.
    pub rounds: Option<Rounds>,
    /// Notes for the user about how the kernel was simulated.
    pub notes: Vec<String>,
    /// The contents of this netlist's streams, if they were recorded.
    pub tokens: Option<(Netlist, Tokens)>,
    /// Wall-clock seconds of each phase.
    pub phases: Phases,
}

/// Lists the results of a kernel by name, in the order of its statements.
pub fn results(file: &KernelFile) -> Vec<(String, TensorId)> {
    let named = |t: TensorId| (file.kernel.tensor(t).name.clone(), t);
    file.kernel.results().map(named).collect()
}

/// Runs a kernel on its data: `prepare` makes the problem and its netlist, `simulate` runs them. `begin`: when reading
/// the kernel began.
pub fn execute<E: From<Diagnostic> + From<Diagnostics>>(
    mut file: KernelFile,
    sources: &Sources,
    (engine, begin): (&'static str, Instant),
    prepare: impl FnOnce(&KernelFile, BTreeMap<TensorId, Loaded>) -> Result<(Problem, Netlist), E>,
    simulate: impl FnOnce(&Problem, &Netlist) -> Result<Outcome, E>,
) -> Result<Ran, E> {
    let loaded = load_operands(&file, sources)?;
    let mut phases = Phases::from(begin);
    phases.reading = phases.lap();
    let (mut problem, net) = prepare(&file, loaded)?;
    let wasted = bus::warnings(&file, &problem.lowered, &net);
    file.warnings.extend(wasted);
    phases.preparing = phases.lap();
    let Outcome { counts, results: found, rounds, notes, late: _ } = simulate(&problem, &net)?;
    phases.simulating = phases.lap();
    let (packed, lanes) = (packed_views(&problem.lowered, &problem.packed, &net), problem.lowered.redirected.clone());
    let notes = [lanes, packed, notes].concat();
    let mut wrong: Vec<String> = problem.follow(rounds)?.into_iter().collect();
    let results = results(&file);
    let (mut bounded, mut unknown) = (0, 0);
    for (name, t) in &results {
        match found.get(t) {
            Some(coo) => {
                let verdict = problem.compare(*t, coo)?;
                wrong.extend(verdict.difference.map(|difference| format!("{name}: {difference}")));
                bounded += verdict.bounded;
                unknown += verdict.unknown;
            }
            None => wrong.push(format!("{name}: not written")),
        }
    }
    phases.checking = phases.lap();
    Ok(Ran {
        engine,
        file,
        problem,
        net,
        counts,
        found,
        results,
        wrong,
        bounded,
        unknown,
        rounds,
        notes,
        tokens: None,
        phases,
    })
}

/// Changes the seeds of the kernel file's random data: the file's own seeds are combined with `seed`.
pub fn reseed(file: &mut KernelFile, seed: Option<u64>) {
    for source in file.data.values_mut() {
        if let (DataSource::Generated(generator), Some(seed)) = (source, seed) {
            generator.seed = generator.seed.wrapping_add(seed);
        }
    }
}

impl Options {
    /// Prepares a kernel's data and hardware; `tell` receives the expected cost of the run.
    pub fn prepare(
        &self,
        file: &KernelFile,
        loaded: BTreeMap<TensorId, Loaded>,
        tell: impl FnOnce(&Expected),
    ) -> Result<(Problem, Netlist), Diagnostics> {
        self.suits(&file.hardware.memory)?;
        let problem = Problem::told(file, loaded, tell)?;
        let net = problem.netlist(Depths::Auto).map_err(|d| at_statement(file, d))?;
        problem.fits_bus(&net).map_err(|d| at_statement(file, d))?;
        Ok((problem, net))
    }

    /// Refuses options that go with other memory.
    fn suits(&self, memory: &Memory) -> Result<(), Diagnostic> {
        let refuse = |what: &str, option: String| Err(Diagnostic::new("R030", what).at(Place::Option(option)));
        if let (Memory::Ram, Some(dram)) = (memory, &self.dram) {
            let what = "--memory needs memory = \"axi\": memory on the chip has its own latency";
            return refuse(what, format!("--memory {}", dram.name()))
                .map_err(|d| d.help("set `memory = \"axi\"` under [hardware], or leave --memory out"));
        }
        match (memory, self.latency) {
            (Memory::Ram, Some(cycles)) => refuse(
                "--latency needs memory = \"axi\": memory on the chip has its own latency",
                format!("--latency {cycles}"),
            )
            .map_err(|d| d.help("set `memory = \"axi\"` under [hardware], or leave --latency out")),
            (Memory::Ram, None) if self.stall > 0 && self.engine == Engine::Verilator => refuse(
                "only the native engine can stall the ports between primitives, as --stall asks",
                format!("--stall {}", self.stall as f64 / 100.0),
            )
            .map_err(|d| d.help("use --engine native; kernels behind AXI are stalled at the bus by both engines")),
            _ => Ok(()),
        }
    }

    /// Simulates the kernel; `watch` observes the run, with an observer on the native engine only.
    pub fn simulate(&self, problem: &Problem, net: &Netlist, watch: Watch<'_>) -> Result<Outcome, Diagnostic> {
        let latency = self.latency.unwrap_or(1);
        let settings =
            Settings { latency: (latency, latency), stall: self.stall, seed: self.seed.max(1), ..Settings::default() };
        let settings = |options: &AxiOptions| match &self.dram {
            Some(dram) => settings.clone().of_dram(dram, u64::from(options.data_width / 8)),
            None => settings.clone(),
        };
        let pressure = (self.stall > 0).then(|| Pressure { rng: Rng::new(self.seed), percent: self.stall });
        let wave = self.wave.as_deref();
        match (self.engine, &problem.memory) {
            (Engine::Native, Memory::Ram) => problem.run_native_watched(net, LIMIT, pressure, watch),
            (Engine::Native, Memory::Axi(options)) => {
                Ok(problem.run_axi_native(net, options, &settings(options), LIMIT, watch)?.0)
            }
            (Engine::Verilator, Memory::Ram) => problem.run_verilator(net, LIMIT, wave, watch.shared),
            (Engine::Verilator, Memory::Axi(options)) => {
                problem.run_axi(net, options, &settings(options), LIMIT, (wave, watch.shared))
            }
        }
    }
}

/// Runs a kernel on the native engine for at most `limit` cycles; memories on the chip have the sizes that the file
/// declares.
pub fn simulated(problem: &Problem, file: &KernelFile, net: &Netlist, limit: u64) -> Result<Outcome, Diagnostics> {
    let Memory::Axi(options) = &problem.memory else { return Ok(problem.run_native(net, limit)?) };
    let net = problem.netlist(Depths::Auto).map_err(|d| at_statement(file, d))?;
    problem.fits_bus(&net).map_err(|d| at_statement(file, d))?;
    Ok(problem.run_axi_native(&net, options, &Settings::default(), limit, Watch::default())?.0)
}

/// Runs a kernel on its data; `tell` receives the expected cost of the run.
pub fn run(
    file: KernelFile,
    sources: &Sources,
    options: &Options,
    watched: Arc<Watched>,
    tell: impl FnOnce(&Expected),
) -> Result<Ran, Diagnostics> {
    execute(
        file,
        sources,
        (options.engine.name(), Instant::now()),
        |file, loaded| options.prepare(file, loaded, tell),
        |problem, net| Ok(options.simulate(problem, net, Watch { shared: watched, observer: None })?),
    )
}
