//! `samhw run`: simulate on data, check against the reference, report.

mod report;
mod schema;
mod tokens;
mod trace;
mod watched;

use crate::forecast::{self, forecast};
use crate::progress::Progress;
use crate::{Failure, input, output};
use clap::ValueEnum;
use report::{Phases, Report};
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::frontend::{KernelFile, Memory};
use samhw_compiler::netlist::Netlist;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::pipeline::at_statement;
use samhw_compiler::stmt::TensorId;
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::problem::packed_views;
use samhw_sim::run::{Outcome, Problem};
use samhw_sim::tensor::{Loaded, writable, write_file};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use watched::{Watched, seen};

pub use watched::Simulated;

/// Cycles after which a run is given up.
pub const LIMIT: u64 = 1 << 40;

/// What simulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The primitives' cycle models; needs no tools.
    Native,
    /// The emitted Verilog under Verilator.
    Verilator,
}

/// Simulate a kernel on data and check the result.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// Kernel file
    #[arg(required_unless_present = "json_schema")]
    kernel: Option<PathBuf>,
    /// What simulates
    #[arg(long, value_enum, default_value = "native")]
    engine: Engine,
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    watched: Watched,
    /// Cycles until the simulated memory of a kernel behind AXI answers [default: 1]
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    latency: Option<u64>,
    /// Print the JSON schema of that report
    #[arg(long)]
    json_schema: bool,
}

/// Options of every command that runs a kernel on data.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Data of an operand: NAME=FILE (.mtx, .tns, .npy, .npz, .gz of them); may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    tensor: Vec<String>,
    /// What happens to values of those files that the type cannot hold
    #[arg(long, value_parser = ["exact", "ones", "round"], default_value = "exact")]
    convert: String,
    /// Write a result: NAME=FILE (.mtx, .tns, .npy, .gz of them); may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    out: Vec<String>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &RunArgs) -> Result<(), Failure> {
    let Some(path) = args.kernel.as_ref().filter(|_| !args.json_schema) else {
        return output::print(&pretty(&schema::schema()));
    };
    args.watched.check(args.engine)?;
    let prepare = |file: &KernelFile, loaded| {
        if let (Memory::Ram, Some(cycles)) = (&file.hardware.memory, args.latency) {
            return Err(Diagnostic::new(
                "R030",
                "--latency goes with memory = \"axi\": memory on the chip has its own latency",
            )
            .at(Place::Option(format!("--latency {cycles}")))
            .help("set `memory = \"axi\"` under [hardware], or leave --latency out")
            .into());
        }
        let slow = Progress::start(|_, seconds| format!("computing the reference: {seconds:.0} seconds"));
        let problem = Problem::told(file, loaded, |expected| {
            if let Some(text) = forecast(expected) {
                output::complain(&text);
                slow.long.store(true, Ordering::Relaxed);
            }
        })?;
        drop(slow);
        let net = problem.netlist(Depths::Auto).map_err(|d| at_statement(file, d))?;
        problem.fits_bus(&net).map_err(|d| at_statement(file, d))?;
        Ok((problem, net))
    };
    let latency = args.latency.unwrap_or(1);
    let settings = Settings { latency: (latency, latency), ..Settings::default() };
    let staged = args.watched.staged()?;
    match args.engine {
        Engine::Native => execute(path, &args.common, "native", prepare, |problem, net| {
            let expected = problem.expected.clone();
            let long = forecast(&expected).is_some();
            let progress = Progress::start(move |n, seconds| forecast::progress(n, seconds, &expected));
            progress.long.store(long, Ordering::Relaxed);
            let mut observer = args.watched.observer();
            let watch = Watch { cycles: progress.count.clone(), observer: observer.as_mut() };
            let ran = match &problem.memory {
                Memory::Ram => problem.run_native_watched(net, LIMIT, watch),
                Memory::Axi(options) => problem.run_axi_native(net, options, &settings, LIMIT, watch).map(|ran| ran.0),
            };
            drop(progress);
            seen(problem, observer, staged, ran)
        }),
        Engine::Verilator => execute(path, &args.common, "verilator", prepare, |problem, net| {
            let wave = args.watched.wave.as_deref();
            Ok(match &problem.memory {
                Memory::Ram => problem.run_verilator(net, LIMIT, wave)?.into(),
                Memory::Axi(options) => problem.run_axi(net, options, &settings, LIMIT, wave)?.into(),
            })
        }),
    }
}

/// Runs kernel file `path` on data with an engine: `prepare` makes the problem and its netlist,
/// `simulate` runs them. Checks the result, writes it where that was asked, reports.
pub fn execute(
    path: &Path,
    args: &Common,
    engine: &'static str,
    prepare: impl FnOnce(&KernelFile, BTreeMap<TensorId, Loaded>) -> Result<(Problem, Netlist), Failure>,
    simulate: impl FnOnce(&Problem, &Netlist) -> Result<Simulated, Failure>,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let file = input::kernel(path)?;
    let outs = input::pairs("--out", &args.out)?;
    let results: Vec<(&str, TensorId)> =
        file.kernel.statements.iter().map(|s| (file.kernel.tensor(s.result).name.as_str(), s.result)).collect();
    for (name, path) in &outs {
        let Some((_, t)) = results.iter().find(|(n, _)| n == name) else {
            let names: Vec<&str> = results.iter().map(|(n, _)| *n).collect();
            return Err(Diagnostic::new("R021", format!("{name} is not a result of this kernel"))
                .at(Place::Option(format!("--out {name}=...")))
                .help(format!("results are: {}", names.join(", ")))
                .into());
        };
        writable(path, file.kernel.tensor(*t).shape.len())?;
    }
    let policy = ValuePolicy::from_name(&args.convert).unwrap_or_default();
    let loaded = load_operands(&file, &input::tensors(&args.tensor, policy)?)?;
    let mut phases = Phases::from(begin);
    phases.reading = phases.next();
    let (mut problem, net) = prepare(&file, loaded)?;
    phases.preparing = phases.next();
    let Simulated { outcome, tokens, late } = simulate(&problem, &net)?;
    let Outcome { counts, results: found, rounds, notes } = outcome;
    phases.simulating = phases.next();
    let notes = [packed_views(&problem.lowered, &problem.packed, &net), notes].concat();
    let mut wrong: Vec<String> = problem.follow(rounds)?.into_iter().collect();
    let (mut bounded, mut unknown) = (0, 0);
    for &(name, t) in &results {
        match found.get(&t) {
            Some(coo) => {
                let verdict = problem.compare(t, coo)?;
                wrong.extend(verdict.difference.map(|difference| format!("{name}: {difference}")));
                bounded += verdict.bounded;
                unknown += verdict.unknown;
            }
            None => wrong.push(format!("{name}: not written")),
        }
    }
    for (name, path) in &outs {
        if let Some((t, coo)) = results.iter().find(|(n, _)| n == name).and_then(|(_, t)| found.get(t).map(|c| (*t, c)))
        {
            let fill = problem.wanted(t).map_or(0, |o| o.fill);
            write_file(path, coo, file.kernel.tensor(t).ty, fill)?;
        }
    }
    let report = Report {
        engine,
        problem: &problem,
        net: &net,
        counts: &counts,
        found: &found,
        results: &results,
        matches: wrong.is_empty(),
        bounded,
        unknown,
        rounds,
        notes: &notes,
        tokens: tokens.as_ref(),
        warnings: &file.warnings,
    };
    phases.checking = phases.next();
    let told = output::print(&if args.json { report.json(&phases).to_string() } else { report.text(&phases) });
    if wrong.is_empty() {
        told.and(late.map_err(Failure::from))
    } else {
        Err(Failure::Wrong(format!("the result differs from the reference: {}", wrong.join("; "))))
    }
}

fn pretty(v: &Value) -> String {
    serde_json::to_string_pretty(v).unwrap_or_default()
}
