//! Speed of the engines and of code generation.

use crate::cycles::spmspm;
use crate::kernel::{Kernel, LIMIT, one};
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result};
use clock::{median, seconds};
use samhw_compiler::draw;
use samhw_compiler::emit::emit;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::pipeline::declared_netlist;
use std::hint::black_box;
use std::path::Path;

pub mod cli;
pub mod clock;
mod engine;
mod peers;

/// Least cycles per second of the native engine.
const NATIVE: f64 = 1e6;
/// Most seconds from kernel file to result under Verilator, with an empty cache.
const COLD: f64 = 10.0;
/// The same when the kernel has been compiled before.
const CACHED: f64 = 1.0;
/// Most seconds from kernel file to Verilog.
const GENERATE: f64 = 0.050;
/// Runs per measurement; the median counts.
const RUNS: usize = 5;

/// What has been measured so far.
struct Report {
    table: Table,
    missed: usize,
}

impl Report {
    fn row(&mut self, what: &str, measured: String, wanted: &str, ok: bool) {
        self.missed += usize::from(!ok);
        self.table.row(vec![what.into(), measured, wanted.into(), verdict(ok)]);
    }
    /// Adds what calls of the command line took, or why they failed; their wall time counts.
    fn calls(&mut self, what: &str, result: std::result::Result<cli::Taken, String>, most: f64) {
        let ok = result.as_ref().is_ok_and(|t| t.wall <= most);
        let measured = match result {
            Ok(t) => shown(t.wall) + &t.processors.map_or_else(String::new, |p| format!(" ({})", shown(p))),
            Err(why) => why,
        };
        self.row(what, measured, &format!("<= {}", shown(most)), ok);
    }
}

/// Seconds as text.
fn shown(s: f64) -> String {
    if s < 0.1 { format!("{:.1} ms", s * 1e3) } else { format!("{s:.2} s") }
}

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    let mut report = Report { table: Table::new(&["what", "measured", "wanted", ""]), missed: 0 };
    let inputs = shared::find("bench/inputs", "SpM*SpM on SAM's inputs");
    if let Some(inputs) = &inputs {
        native(&mut report, "native engine, SpM*SpM ikj, SAM's inputs", spmspm(), inputs)?;
    }
    engine::rows(&mut report)?;
    generation(&mut report, spmspm())?;
    match cli::Cli::beside() {
        Some(cli) => command_line(&mut report, &cli, inputs.as_deref())?,
        None => println!("skipped the command line: build it first (cargo build --release)"),
    }
    report.table.print();
    println!("medians of {RUNS}; seconds of {}", clock::kind());
    peers::print();
    Ok(Verdict::of(report.missed))
}

/// Cycles per second of the native engine, its set-up and the reading of its results included.
fn native(report: &mut Report, what: &str, kernel: &Kernel, inputs: &Path) -> Result<()> {
    let problem = kernel.problem(inputs)?;
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let mut cycles = 0;
    let mut run = || -> Result<()> {
        cycles = problem.run_native(&net, LIMIT).map_err(one)?.counts.cycles;
        Ok(())
    };
    let taken: Vec<f64> = (0..RUNS).map(|_| seconds(&mut run)).collect::<Result<_>>()?;
    let rate = cycles as f64 / median(taken);
    let measured = format!("{:.2} M cycles/s ({} cycles)", rate / 1e6, grouped(cycles));
    report.row(what, measured, ">= 1 M cycles/s", rate >= NATIVE);
    Ok(())
}

/// Time from the text of a kernel file to all that `samhw gen` writes, without writing it.
fn generation(report: &mut Report, kernel: &Kernel) -> Result<()> {
    let generate = || -> Result<()> {
        let compiled = kernel.compiled()?;
        let net = declared_netlist(&compiled.lowered).map_err(one)?;
        black_box((emit(&compiled.lowered, &net), draw::svg(&compiled.lowered, &net, &compiled.choice, None)));
        Ok(())
    };
    let taken: Vec<f64> = (0..RUNS).map(|_| seconds(generate)).collect::<Result<_>>()?;
    let s = median(taken);
    report.row("kernel file to Verilog, in process", shown(s), &format!("<= {}", shown(GENERATE)), s <= GENERATE);
    Ok(())
}

/// What a user waits for: `samhw gen`, and `samhw run` under Verilator. Wall time, since other
/// processes do the work.
fn command_line(report: &mut Report, cli: &cli::Cli, inputs: Option<&Path>) -> Result<()> {
    let place = cli::Folder::new()?;
    let file = place.path.join("k.toml");
    std::fs::write(&file, spmspm().text(crate::kernel::PLAIN)).with_context(|| file.display().to_string())?;
    let file = file.display().to_string();

    let out = place.path.join("out").display().to_string();
    let generated = cli.median(RUNS, || Ok(vec!["gen".into(), file.clone(), "-o".into(), out.clone()]), &place)?;
    report.calls("samhw gen, process and files included", generated, GENERATE);

    let Some(inputs) = inputs else { return Ok(()) };
    let run = || {
        let mut args: Vec<String> = ["run", &file, "--engine", "verilator"].map(String::from).into();
        for (name, data) in [("B", "B.mtx"), ("C", "C.mtx")] {
            args.extend(["--tensor".into(), format!("{name}={}", inputs.join(data).display())]);
        }
        args
    };
    let cold = cli.median(
        RUNS,
        || {
            place.empty_cache()?;
            Ok(run())
        },
        &place,
    )?;
    report.calls("samhw run --engine verilator, empty cache", cold, COLD);
    let cached = cli.median(RUNS, || Ok(run()), &place)?;
    report.calls("samhw run --engine verilator, compiled before", cached, CACHED);
    Ok(())
}
