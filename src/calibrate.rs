//! `samhw calibrate`: measures kernels by synthesis and fits the table that `samhw estimate` uses.

use crate::fpga::{Shown, emitted, kernel};
use crate::interrupt::Heed;
use crate::staging::Staging;
use crate::{Failure, output};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_fpga::estimate::{Clocked, Row, calibrate, clocked, rows};
use samhw_fpga::{self as fpga, Options, board};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measure kernels by synthesis and fit the model of `samhw estimate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Kernel files to measure; those in the file of measurements are not measured again
    kernels: Vec<PathBuf>,
    /// Place and route too, for the clock: takes far longer
    #[arg(long)]
    place: bool,
    /// File of measurements, which grows
    #[arg(long, default_value = "measurements.jsonl")]
    rows: PathBuf,
    /// File for the table
    #[arg(short, long, default_value = "ecp5.json")]
    out: PathBuf,
}

/// A line of the file of measurements.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Row(Row),
    Clock(Clocked),
    Tools { tools: String },
}

/// Runs the command.
pub fn main(args: &Args) -> Result<(), Failure> {
    let board = board::find("ulx3s-85f")?;
    let mut lines = read(&args.rows)?;
    let heed = Heed::new();
    for path in &args.kernels {
        let kernel = kernel(&emitted(path)?)?;
        let known = |l: &Line| match l {
            Line::Row(r) => !args.place && r.kernel == kernel.name,
            Line::Clock(c) => c.kernel == kernel.name,
            Line::Tools { .. } => false,
        };
        if lines.iter().any(known) {
            continue;
        }
        output::complain(&format!("measuring {}", kernel.name));
        let folder = args.rows.with_extension("work");
        let staging = Staging::new(&folder)?;
        // The board's clock does not matter here.
        let options = Options { mhz: Some(1.0), seed: 1 };
        staging.write(&fpga::sources(&kernel, &board, options))?;
        let (dir, flag, mut shown) = (staging.path(), heed.flag(), Shown::new());
        let mut fresh: Vec<Line> = Vec::new();
        if args.place {
            let report = fpga::build(&kernel, &board, options, dir, flag, &mut shown).map_err(told)?;
            let counts = report.nodes.iter().map(|n| (n.node.clone(), n.resources)).collect();
            fresh.extend(rows(&kernel, &counts).into_iter().map(Line::Row));
            fresh.push(Line::Clock(clocked(&kernel, &report)));
            fresh.extend(report.tools.iter().map(|t| Line::Tools { tools: t.version.clone() }));
        } else {
            let (counts, version) = fpga::synthesise(&kernel, &board, dir, flag, &mut shown).map_err(told)?;
            fresh.extend(rows(&kernel, &counts).into_iter().map(Line::Row));
            fresh.push(Line::Tools { tools: version });
        }
        append(&args.rows, &fresh)?;
        lines.extend(fresh);
    }
    let (mut all, mut clocks, mut tools) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match line {
            Line::Row(r) => all.push(r),
            Line::Clock(c) => clocks.push(c),
            Line::Tools { tools: t } => tools.push(t),
        }
    }
    tools.retain(|t| !t.is_empty());
    tools.sort();
    tools.dedup();
    let table = calibrate(&all, &clocks, tools);
    // Names and finite numbers: nothing in it can fail to be written.
    let text = serde_json::to_string_pretty(&table).unwrap_or_default() + "\n";
    fs::write(&args.out, text).map_err(|e| cannot(&args.out, &e))?;
    output::print(&format!("{}: {} modules, {} clocks", args.out.display(), table.modules.len(), table.clocked))
}

fn told(f: fpga::Failure) -> Failure {
    match f {
        fpga::Failure::Cancelled => Failure::Interrupted,
        fpga::Failure::Told(d, _) => (*d).into(),
    }
}

fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(path).map_err(|e| cannot(path, &e))?;
    let line = |(n, l)| {
        serde_json::from_str(l).map_err(|e| {
            Diagnostic::new("F020", format!("this is no measurement: {e}"))
                .at(Place::File(path.into(), Some(n + 1)))
                .help("remove the line, or the file")
                .into()
        })
    };
    text.lines().enumerate().map(line).collect()
}

fn append(path: &Path, lines: &[Line]) -> Result<(), Failure> {
    let text: String = lines.iter().map(|l| serde_json::to_string(l).unwrap_or_default() + "\n").collect();
    let opened = OpenOptions::new().create(true).append(true).open(path);
    opened.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| cannot(path, &e))
}

fn cannot(path: &Path, e: &std::io::Error) -> Failure {
    fpga::flow::cannot("read or write measurements", path, e).into()
}
