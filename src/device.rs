//! `samhw device`: what `samhw run` does, with a board as engine.

use crate::input::KernelArgs;
use crate::interrupt::Heed;
use crate::run::{Common, checked};
use crate::{Failure, output};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::emit::emit;
use samhw_compiler::pipeline::at_statement;
use samhw_driver::design;
use samhw_fpga::board;
use samhw_fpga::host::{Error, Host, Job, Ran};
use samhw_fpga::port::Port;
use samhw_fpga::{Board, Kernel};
use samhw_sim::native::Counts;
use samhw_sim::rounds::rounds;
use samhw_sim::run::{Outcome, Problem, fits};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Requests without an answer after which the next line speed is tried.
const GREETINGS: u32 = 3;

/// Run a kernel on a board that holds its bitstream, and check the result.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw device examples/spmv.toml --port /dev/ttyUSB0
  samhw device spmm.toml --port /dev/ttyUSB0 --tensor B=B.mtx --out X=X.mtx")]
pub struct DeviceArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Serial port of the board
    #[arg(long)]
    port: PathBuf,
    /// Bits per second [default: try the speeds of all boards]
    #[arg(long)]
    baud: Option<u32>,
    /// Stop waiting for a run after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn main(args: &DeviceArgs) -> Result<(), Failure> {
    let heed = Heed::new();
    checked(
        &args.kernel,
        &args.common,
        "board",
        |file, loaded| {
            design::on_chip(file)?;
            let problem = Problem::made(file, loaded)?;
            let net = problem.declared_netlist().map_err(|d| at_statement(file, d))?;
            Ok((problem, net))
        },
        |problem, net| {
            let kernel = design::kernel(&emit(&problem.lowered, net))?;
            let words = |a| problem.words(a).map(std::borrow::Cow::into_owned);
            let job = Job {
                config: problem.config(net),
                arrays: net.arrays.iter().filter_map(|a| Some((a.name.clone(), words(a)?))).collect(),
                limit: Duration::from_secs(args.limit),
            };
            let mut ran = run(args, &kernel, &job, heed.flag())?;
            if ran.resets > 0 {
                output::note(&format!("the board was reset during the run, which was begun again: {}", ran.resets));
            }
            if ran.repeats > 0 {
                output::note(&format!("requests repeated on a bad line: {}", ran.repeats));
            }
            fits(net, |k| ran.statuses.get(k).copied().unwrap_or(0))?;
            let results = problem.results(net, |a| ran.arrays.remove(&a.name).unwrap_or_default())?;
            let counts = Counts { cycles: ran.cycles, channels: vec![], cells: vec![] };
            let rounds = rounds(net, |k| ran.statuses.get(k).copied().unwrap_or(0));
            Ok(Outcome { counts, results, rounds, notes: vec![], late: Ok(()) })
        },
    )
}

/// Runs the job at the first line speed at which the board answers.
fn run(args: &DeviceArgs, kernel: &Kernel, job: &Job, cancel: &AtomicBool) -> Result<Ran, Failure> {
    let mut speeds: Vec<u32> = match args.baud {
        Some(baud) => vec![baud],
        None => board::names().into_iter().filter_map(|n| board::find(n).ok()).map(|b: Board| b.baud).collect(),
    };
    speeds.sort_unstable_by(|a, b| b.cmp(a));
    speeds.dedup();
    let mut heard = 0;
    for baud in &speeds {
        let mut host = Host::new(Port::open(&args.port, *baud)?, kernel, cancel);
        match host.hello(GREETINGS) {
            Err(Error::Silent { heard: n }) => heard += n,
            Err(e) => return Err(explain(args, e)),
            Ok(()) => return host.run(job).map_err(|e| explain(args, e)),
        }
    }
    Err(explain(args, Error::Silent { heard }))
}

/// An error in the user's words.
fn explain(args: &DeviceArgs, e: Error) -> Failure {
    let place = Place::Option(format!("--port {}", args.port.display()));
    let d = match e {
        Error::Cancelled => return Failure::Interrupted,
        Error::Silent { heard: 0 } => Diagnostic::new("F012", "the board does not answer")
            .help("is the bitstream loaded? it is lost without power, unless it was written to flash")
            .help("is this the right port? boards with two have the serial line on the second"),
        Error::Silent { heard } => {
            Diagnostic::new("F012", format!("the board does not answer: {heard} bytes came, no whole reply"))
                .help("does --baud agree with the board's file, and is no other program on the port?")
        }
        Error::Other { found: (magic, id), want } => {
            let what = if magic == 0x314d_4853 { "another design" } else { "something else" };
            Diagnostic::new("F013", format!("the board holds {what}: it says {id:08x}, this kernel is {want:08x}"))
                .help("load the bitstream that `samhw fpga` made from this kernel file")
        }
        Error::Reset => Diagnostic::new("F014", "the board was reset again and again during the run")
            .help("is its power supply stable? was its button pressed?"),
        Error::Endless { cycles } => {
            let d = Diagnostic::new("R010", format!("the run did not end: {cycles} cycles so far"));
            d.help("set a longer --limit")
        }
        Error::TooLarge { array, words, room } => {
            Diagnostic::new("F015", format!("{array} has {words} words, its memory on the board holds {room}"))
                .help("declare a larger nnz, and make a new bitstream")
        }
        Error::Io(e) => Diagnostic::new("F010", format!("the port failed: {e}")).help("was the board unplugged?"),
    };
    d.at(place).into()
}
