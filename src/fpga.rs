//! `samhw fpga`: from a kernel file to a bitstream.

use crate::input::{KernelArgs, with_boards};
use crate::interrupt::Heed;
use crate::staging::Staging;
use crate::{Failure, output, waiting};
use indicatif::{ProgressBar, ProgressStyle};
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::emit::Design;
use samhw_driver::design;
use samhw_driver::kernel::Sources;
use samhw_fpga::{self as fpga, Options, Watch, board};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Make a bitstream for a board.
#[derive(Debug, clap::Args)]
#[command(after_help = with_boards("Examples:
  samhw fpga examples/spmv.toml --board ulx3s-85f
  samhw fpga spmv.toml --board icebreaker --seed 3 -o build"))]
pub struct FpgaArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Board to build for
    #[arg(long)]
    board: String,
    /// Folder to write to [default: KERNEL-BOARD]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed of place and route; the same seed gives the same bits
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Clock in MHz that the design must reach [default: the board's]
    #[arg(long, value_name = "MHZ", value_parser = megahertz)]
    mhz: Option<f64>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

fn megahertz(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mhz) if (1.0..=1000.0).contains(&mhz) => Ok(mhz),
        _ => Err("expected a frequency from 1 to 1000 MHz".into()),
    }
}

/// Emits a kernel file as `samhw gen` does.
pub fn emitted(path: &Path) -> Result<Design, Failure> {
    let file = samhw_driver::kernel::parse(path.into(), samhw_driver::kernel::text(path)?, &Sources::default())?;
    Ok(design::emitted(&file)?)
}

/// Runs the command.
pub fn main(args: &FpgaArgs) -> Result<(), Failure> {
    let board = board::find(&args.board)?;
    let (file, _) = args.kernel.read(ValuePolicy::default())?;
    let kernel = design::kernel(&design::emitted(&file)?)?;
    let options = Options { mhz: args.mhz, seed: args.seed };
    let files = fpga::sources(&kernel, &board, options);
    let dir = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}-{}", kernel.name, board.name)));
    let heed = Heed::new();
    let staging = Staging::new(&dir)?;
    staging.write(&files)?;
    let built = fpga::build(&kernel, &board, options, &staging.path(), heed.flag(), &mut Shown::new());
    let report = match built {
        Ok(report) => report,
        Err(fpga::Failure::Cancelled) => return Err(Failure::Interrupted),
        Err(fpga::Failure::Told(d, report)) => {
            if let Some(r) = report {
                show(args, &r, &board)?;
            }
            return Err((*d).into());
        }
    };
    let (text, json) = (report.text(&board), pretty(&report));
    let reports = [("report.txt".to_string(), text), ("report.json".to_string(), json)];
    staging.write(&reports)?;
    let names = files.iter().chain(&reports).map(|(name, _)| name.as_str());
    staging.publish("fpga", names.chain(report.bitstream.as_deref()))?;
    show(args, &report, &board)
}

fn show(args: &FpgaArgs, report: &fpga::Report, board: &fpga::Board) -> Result<(), Failure> {
    output::print(&if args.json { pretty(report) } else { report.text(board) })
}

fn pretty(report: &fpga::Report) -> String {
    // Names and finite numbers: nothing in it can fail to be written.
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// Progress on a terminal.
pub struct Shown(ProgressBar);

impl Shown {
    /// A display that shows nothing where standard error is no terminal.
    pub fn new() -> Self {
        let bar = ProgressBar::new(3);
        if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}] {pos}/{len} {prefix}: {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        waiting::take_terminal(true);
        Self(bar)
    }
}

impl Watch for Shown {
    fn step(&mut self, number: usize, of: usize, title: &str) {
        self.0.set_length(of as u64);
        self.0.set_position(number as u64);
        self.0.set_prefix(title.to_string());
        self.0.set_message("");
    }
    fn line(&mut self, text: &str) {
        self.0.set_message(text.to_string());
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        waiting::take_terminal(false);
    }
}
