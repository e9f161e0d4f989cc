//! `samhw run`: simulate on data, check against the reference, report.

mod junit;
mod trace;
mod watched;

use crate::input::{self, Choices, KernelArgs};
use crate::progress::Progress;
use crate::{Failure, output};
use clap::ValueEnum;
use junit::Case;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::frontend::KernelFile;
use samhw_compiler::netlist::Netlist;
use samhw_compiler::stmt::TensorId;
use samhw_driver::coverage::Coverage;
use samhw_driver::forecast::{self, forecast};
use samhw_driver::run::{self, Options, Ran, execute, results};
use samhw_driver::{report, schema};
use samhw_sim::axi::Dram;
use samhw_sim::native::Watch;
use samhw_sim::run::{Outcome, Problem};
use samhw_sim::tensor::{Loaded, cannot_write, may_write, writable, write_file};
use samhw_system::replace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use watched::{Watched, seen};

/// The engine that simulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Cycle-exact models of the primitives; needs no tools.
    Native,
    /// The emitted Verilog under Verilator.
    Verilator,
}

impl From<Engine> for run::Engine {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::Native => Self::Native,
            Engine::Verilator => Self::Verilator,
        }
    }
}

/// Simulate a kernel on data and check the result.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw run examples/spmv.toml
  samhw run spmm.toml --tensor B=B.mtx --out X=X.mtx --set schedule.lanes.j=8
  samhw run \"y(i) = A(i,j) * x(j)\" -f A:csr -t A=A.mtx -t x=x.npy
  samhw run *.toml --repeat 10 --stall 0.3 --junit report.xml")]
pub struct RunArgs {
    /// Kernel files, `-` for standard input, or an expression: "y(i) = A(i,j) * x(j)", "ij,j->i"
    #[arg(required_unless_present = "json_schema", value_name = "KERNEL")]
    kernels: Vec<OsString>,
    #[command(flatten)]
    choices: Choices,
    /// Simulator
    #[arg(long, value_enum, default_value = "native")]
    engine: Engine,
    #[command(flatten)]
    common: Common,
    /// Report as CSV, one line for each run
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    watched: Watched,
    /// Cycles until simulated memory behind AXI answers [default: 1]
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    latency: Option<u64>,
    /// Simulate memory behind AXI as DRAM, one channel for each manager
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(Dram::NAMES), conflicts_with = "latency")]
    memory: Option<String>,
    /// Clock of the kernel in MHz, for the timing of DRAM [default: 200]
    #[arg(long, value_name = "MHZ", value_parser = clap::value_parser!(u64).range(1..=2000), requires = "memory")]
    mhz: Option<u64>,
    /// Probability, from 0 to 0.99, that a port is stalled in a cycle; results must not change
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0")]
    stall: u64,
    /// Seed for stalls, and added to the seeds of random data in the kernel file
    #[arg(long)]
    seed: Option<u64>,
    /// Run N times: with this seed, the next one, and so on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Write a JUnit report with one test case for each run
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
    /// Report which primitives, parameters, levels and schedules were reached; the file collects
    /// them over all runs
    #[arg(long, value_name = "FILE.json")]
    coverage: Option<PathBuf>,
    /// Print the JSON schema of the report of --json
    #[arg(long)]
    json_schema: bool,
}

/// Options of every command that runs a kernel on data.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Conversion of values in files that the type cannot hold: refuse them, take 1, or round
    #[arg(long, value_parser = ["exact", "ones", "round"], default_value = "exact")]
    convert: String,
    /// File to write a result to: .mtx, .tns or .npy, also with .gz; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    out: Vec<String>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &RunArgs) -> Result<(), Failure> {
    if args.json_schema {
        return output::print(&pretty(&schema::schema()));
    }
    args.watched.check(args.engine)?;
    [&args.junit, &args.coverage].into_iter().flatten().try_for_each(|path| may_write(path))?;
    if let Some(given) = args.common.out.first().filter(|_| args.runs() > 1) {
        let problem = Diagnostic::new("R020", "several runs would write their results to the same file");
        return Err(problem.at(Place::Option(format!("--out {given}"))).help("write the results of one run").into());
    }
    if args.csv {
        output::print(report::CSV_HEADER)?;
    }
    let mut all = Runs::default();
    for kernel in &args.kernels {
        for turn in 0..args.repeat {
            all.run(args, kernel, turn)?;
        }
    }
    all.end(args)
}

impl RunArgs {
    /// Number of runs.
    fn runs(&self) -> u64 {
        self.kernels.len() as u64 * self.repeat
    }
}

/// The probability of stalls in percent.
fn share(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=0.99).contains(&share) => Ok((share * 100.0).round() as u64),
        _ => Err("expected a number from 0 to 0.99".into()),
    }
}

/// Runs so far.
#[derive(Default)]
struct Runs {
    cases: Vec<Case>,
    coverage: Coverage,
    /// How the first one ended that failed.
    failed: Option<Failure>,
}

impl Runs {
    /// Runs a kernel once. What is wrong with it does not keep others from being run.
    fn run(&mut self, args: &RunArgs, kernel: &OsStr, turn: u64) -> Result<(), Failure> {
        let begin = Instant::now();
        let seed = args.seed.map(|seed| seed.wrapping_add(turn)).or((args.repeat > 1).then_some(turn));
        let ended = one(args, kernel, seed, &mut self.coverage);
        let alone = args.runs() == 1;
        let failure = match &ended {
            Ok(()) => None,
            Err(Failure::Wrong(text)) => Some(("failure", text.clone())),
            Err(other) => Some(("error", other.text().to_owned())),
        };
        if let (Some((_, text)), false) = (&failure, alone) {
            let turn = seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
            output::complain(&format!("{}{turn}:\n{text}", kernel.display()));
        }
        let name = seed.map_or("run".into(), |seed| format!("seed {seed}"));
        self.cases.push(Case {
            kernel: kernel.to_string_lossy().into_owned(),
            name,
            seconds: begin.elapsed().as_secs_f64(),
            failure,
        });
        match ended {
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            Err(failure) if self.failed.is_none() => {
                self.failed = Some(failure);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Writes what all have given.
    fn end(mut self, args: &RunArgs) -> Result<(), Failure> {
        if let Some(path) = &args.junit {
            junit::write(path, &self.cases)?;
        }
        if let Some(path) = &args.coverage {
            self.cover(path, args)?;
        }
        let failed = self.cases.iter().filter(|case| case.failure.is_some()).count();
        match self.failed {
            None => Ok(()),
            Some(failure) if self.cases.len() == 1 => Err(failure),
            Some(failure) => {
                output::complain(&format!("{failed} of {} runs failed", self.cases.len()));
                Err(Failure::Ended(failure.status()))
            }
        }
    }

    /// Adds the coverage of these runs to the file, and reports it.
    fn cover(&mut self, path: &Path, args: &RunArgs) -> Result<(), Failure> {
        if let Ok(text) = std::fs::read_to_string(path) {
            let report: Value = serde_json::from_str(&text).unwrap_or_default();
            if !self.coverage.merge(&report) {
                let problem =
                    Diagnostic::new("K035", "this file is not a coverage report, so nothing was written to it");
                let place = Place::File(path.into(), None);
                return Err(problem.at(place).help("name another file, or delete this one").into());
            }
        }
        let text = format!("{:#}\n", self.coverage.json());
        replace(path, |out| out.write_all(text.as_bytes())).map_err(|e| cannot_write(path, &e))?;
        if args.csv || args.common.json {
            output::note(&self.coverage.line());
            return Ok(());
        }
        output::print(&self.coverage.line())
    }
}

/// Runs one kernel and reports.
fn one(args: &RunArgs, kernel: &OsStr, seed: Option<u64>, coverage: &mut Coverage) -> Result<(), Failure> {
    let begin = Instant::now();
    let options = Options {
        engine: args.engine.into(),
        latency: args.latency,
        dram: args.memory.as_deref().and_then(|name| Dram::named(name, args.mhz.unwrap_or(200))),
        wave: args.watched.wave.clone(),
        stall: args.stall,
        seed: seed.unwrap_or_default(),
    };
    let policy = ValuePolicy::from_name(&args.common.convert).unwrap_or_default();
    let (mut file, sources) = args.choices.read(kernel, policy)?;
    run::reseed(&mut file, seed);
    let outs = outs(&file, &args.common)?;
    let prepare = |file: &KernelFile, loaded| {
        let slow = Progress::start(|_, seconds| format!("computing the reference: {seconds:.0} seconds"));
        Ok(options.prepare(file, loaded, |expected| {
            if let Some(text) = forecast(expected) {
                output::note(&text);
                slow.long.store(true, Ordering::Relaxed);
            }
        })?)
    };
    let (mut tokens, mut late, staged) = (None, Ok(()), args.watched.staged()?);
    let mut observer = args.watched.observer(args.engine)?;
    let simulate = |problem: &Problem, net: &Netlist| {
        let expected = problem.expected.clone();
        let long = forecast(&expected).is_some();
        let native = options.engine == run::Engine::Native;
        let progress = native.then(|| Progress::start(move |n, seconds| forecast::progress(n, seconds, &expected)));
        let shared = progress.as_ref().map(|progress| progress.watched.clone()).unwrap_or_default();
        if let Some(progress) = &progress {
            progress.long.store(long, Ordering::Relaxed);
        }
        let ran = options.simulate(problem, net, Watch { shared, observer: observer.as_mut() });
        drop(progress);
        let seen = seen(problem, observer, staged, ran)?;
        (tokens, late) = (seen.tokens, seen.late);
        Ok::<_, Failure>(seen.outcome)
    };
    let known = file.warnings.len();
    let mut ran = execute(file, &sources, (options.engine.name(), begin), prepare, simulate)?;
    output::warn(&ran.file.warnings[known..]);
    ran.tokens = tokens;
    coverage.add(&ran);
    write(&ran, &outs)?;
    let told = if args.csv { output::print(&ran.csv()) } else { tell(&ran, &args.common) };
    told.and(ended(&ran)).and(late.map_err(Failure::from))
}

/// Runs a kernel on data with an engine: `prepare` makes the problem and its netlist, `simulate`
/// runs them. Checks the result, writes it where that was asked, reports.
pub fn checked(
    kernel: &KernelArgs,
    args: &Common,
    engine: &'static str,
    prepare: impl FnOnce(&KernelFile, BTreeMap<TensorId, Loaded>) -> Result<(Problem, Netlist), Failure>,
    simulate: impl FnOnce(&Problem, &Netlist) -> Result<Outcome, Failure>,
) -> Result<(), Failure> {
    let begin = Instant::now();
    let (file, sources) = kernel.read(ValuePolicy::from_name(&args.convert).unwrap_or_default())?;
    let outs = outs(&file, args)?;
    let ran = execute(file, &sources, (engine, begin), prepare, simulate)?;
    write(&ran, &outs)?;
    tell(&ran, args).and(ended(&ran))
}

/// Where results are to be written, if that is possible.
fn outs(file: &KernelFile, args: &Common) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let outs = input::pairs("--out", &args.out)?;
    let results = results(file);
    for (name, path) in &outs {
        let Some((_, t)) = results.iter().find(|(n, _)| n == name) else {
            let names: Vec<&str> = results.iter().map(|(n, _)| n.as_str()).collect();
            return Err(Diagnostic::new("R021", format!("{name} is not a result of this kernel"))
                .at(Place::Option(format!("--out {name}=...")))
                .help(format!("results are: {}", names.join(", ")))
                .into());
        };
        if let Some((other, _)) = outs.iter().find(|(other, at)| *other < name && *at == path) {
            return Err(Diagnostic::new("R020", format!("{other} and {name} would be written to the same file"))
                .at(Place::Option(format!("--out {name}={}", path.display())))
                .help("give each result a file of its own")
                .into());
        }
        writable(path, file.kernel.tensor(*t).shape.len())?;
    }
    Ok(outs)
}

fn write(ran: &Ran, outs: &BTreeMap<String, PathBuf>) -> Result<(), Failure> {
    for (name, path) in outs {
        let result = ran.results.iter().find(|(n, _)| n == name);
        if let Some((t, coo)) = result.and_then(|(_, t)| Some((*t, ran.found.get(t)?))) {
            let fill = ran.problem.wanted(t).map_or(0, |o| o.fill);
            write_file(path, coo, ran.file.kernel.tensor(t).ty, fill)?;
        }
    }
    Ok(())
}

fn tell(ran: &Ran, args: &Common) -> Result<(), Failure> {
    output::print(&if args.json { ran.json().to_string() } else { ran.text() })
}

/// How the run ended: well if its results are those of the reference.
fn ended(ran: &Ran) -> Result<(), Failure> {
    match ran.wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Wrong(format!("the result differs from the reference: {}", ran.wrong.join("; ")))),
    }
}

fn pretty(v: &Value) -> String {
    serde_json::to_string_pretty(v).unwrap_or_default()
}
