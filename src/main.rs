//! The `samhw` command line: one file per command, all thin.

mod cache;
mod calibrate;
mod completions;
mod device;
mod estimate;
mod explain;
mod explore;
mod fmt;
mod fpga;
mod generate;
mod graph;
mod input;
mod interrupt;
mod man;
mod output;
mod primitives;
mod progress;
mod run;
mod schema;
mod staging;
mod sweep;
mod tools;
mod waiting;
mod words;

use clap::{CommandFactory, Parser, Subcommand};
use samhw_compiler::diag::Diagnostic;
use samhw_system::stack;
use std::process::ExitCode;

/// Sparse tensor accelerators from array expressions.
#[derive(Debug, Parser)]
#[command(name = "samhw", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    style: output::Style,
}

#[derive(Debug, Subcommand)]
enum Command {
    Gen(generate::GenArgs),
    Run(run::RunArgs),
    Graph(graph::GraphArgs),
    Fpga(fpga::FpgaArgs),
    Device(device::DeviceArgs),
    Estimate(estimate::EstimateArgs),
    Explore(explore::ExploreArgs),
    Explain(explain::ExplainArgs),
    Sweep(sweep::SweepArgs),
    Calibrate(calibrate::CalibrateArgs),
    Primitives(primitives::PrimitivesArgs),
    Tools(tools::ToolsArgs),
    Cache(cache::CacheArgs),
    Fmt(fmt::FmtArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The reason why a command failed.
pub enum Failure {
    /// Exit status 1: the result differs from the reference, or the hardware is at fault.
    Wrong(String),
    /// Exit status 2: bad input.
    Input(String),
    /// Exit status 3: a tool is missing.
    Tool(String),
    /// Exit status 130: Ctrl-C.
    Interrupted,
    /// The exit status of a command that was run, which has said why itself.
    Ended(u8),
}

impl Failure {
    /// The exit status.
    fn status(&self) -> u8 {
        match self {
            Self::Wrong(_) => 1,
            Self::Input(_) => 2,
            Self::Tool(_) => 3,
            Self::Interrupted => interrupt::STATUS,
            Self::Ended(status) => *status,
        }
    }

    /// The message.
    fn text(&self) -> &str {
        match self {
            Self::Wrong(text) | Self::Input(text) | Self::Tool(text) => text,
            Self::Interrupted => "interrupted",
            Self::Ended(_) => "",
        }
    }
}

impl From<samhw_compiler::diag::Diagnostic> for Failure {
    fn from(d: samhw_compiler::diag::Diagnostic) -> Self {
        vec![d].into()
    }
}

impl From<Vec<samhw_compiler::diag::Diagnostic>> for Failure {
    fn from(d: Vec<samhw_compiler::diag::Diagnostic>) -> Self {
        let text = samhw_compiler::diag::painted(&d) + &explain::hint(&d);
        match d.first().map(|d| d.code) {
            // The hardware got stuck, or what it wrote is no tensor.
            Some("R010" | "R011" | "R012" | "R013" | "T041") => Self::Wrong(text),
            Some("R001" | "R002") => Self::Tool(text),
            _ => Self::Input(text),
        }
    }
}

/// Has all threads allocate from one heap: of any but the first thread's it grows by a page at a time,
/// a call of the kernel each (a fifth of what large graphs take).
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn one_heap() {
    // SAFETY: a number is given to the allocator, before there is a second thread.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn one_heap() {}

fn main() -> ExitCode {
    one_heap();
    samhw_system::news::listen(Box::new(waiting::Told::new()));
    match interrupt::install().and_then(|()| stack::spawn(work)) {
        // The panic has been reported.
        Ok(worker) => worker.join().unwrap_or(ExitCode::from(101)),
        Err(e) => {
            output::complain(&format!("no thread can be started: {e}"));
            ExitCode::from(2)
        }
    }
}

fn work() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| words::explained(error, &Cli::command()).exit());
    cli.style.set();
    let done = limits().and_then(|()| execute(cli.command));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.text().is_empty() {
                output::complain(failure.text());
            }
            ExitCode::from(failure.status())
        }
    }
}

/// What the environment says of limits is read before anything is done.
fn limits() -> Result<(), Failure> {
    samhw_system::tool_seconds().map(drop).map_err(|e| {
        Diagnostic::new("R029", e.to_string()).help("set it to a number, to 0 for no limit, or not at all").into()
    })
}

fn execute(command: Command) -> Result<(), Failure> {
    match command {
        Command::Gen(args) => generate::main(&args),
        Command::Tools(args) => tools::main(&args),
        Command::Cache(args) => cache::main(&args),
        Command::Run(args) => run::main(&args),
        Command::Graph(args) => graph::main(&args),
        Command::Fpga(args) => fpga::main(&args),
        Command::Device(args) => device::main(&args),
        Command::Estimate(args) => estimate::main(&args),
        Command::Explore(args) => explore::main(&args),
        Command::Explain(args) => explain::main(&args),
        Command::Sweep(args) => sweep::main(&args),
        Command::Calibrate(args) => calibrate::main(&args),
        Command::Primitives(args) => primitives::main(&args),
        Command::Fmt(args) => fmt::main(&args),
        Command::Schema(args) => schema::main(&args),
        Command::Completions(args) => completions::main(&args),
        Command::Man(args) => man::main(&args),
    }
}
