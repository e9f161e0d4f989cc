//! `samhw explore`: loop orders, formats and schedules of a kernel, measured on its data, by time and
//! by share of a board.

use crate::input::{KernelArgs, with_boards};
use crate::progress::Progress;
use crate::staging::Staging;
use crate::{Failure, output};
use clap::ValueEnum;
use samhw_compiler::data::ValuePolicy;
use samhw_driver::explore::{Axis, Goal, Plan, explore};
use std::path::PathBuf;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Vary {
    /// Loop orders
    Orders,
    /// Dense and compressed levels
    Formats,
    /// Copies, lanes, skipping, wide joins, bit vectors, tiles, locating, scattering
    Schedules,
}

impl From<Vary> for Axis {
    fn from(vary: Vary) -> Self {
        match vary {
            Vary::Orders => Self::Orders,
            Vary::Formats => Self::Formats,
            Vary::Schedules => Self::Schedules,
        }
    }
}

/// What counts as size where there is no board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Size {
    /// Lookup tables
    Luts,
    /// Block RAMs
    Brams,
}

impl From<Size> for Goal {
    fn from(size: Size) -> Self {
        match size {
            Size::Luts => Self::Luts,
            Size::Brams => Self::Brams,
        }
    }
}

/// Search for the loop orders, formats and schedules with the best time and size
#[derive(Debug, clap::Args)]
#[command(after_help = with_boards("Examples:
  samhw explore examples/spmspm_ikj.toml
  samhw explore spmm.toml --tensor B=B.mtx --vary orders,schedules -o found
  samhw explore spmm.toml --board none --size brams"))]
pub struct ExploreArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Board to estimate for; `none` compares cycles instead of microseconds, and the size by --size
    #[arg(long, default_value = samhw_fpga::board::USUAL)]
    board: String,
    /// Measure of size with --board none
    #[arg(long, value_enum, default_value = "luts")]
    size: Size,
    /// Choices that may differ from the kernel file
    #[arg(long, value_enum, value_delimiter = ',', default_value = "orders,formats,schedules")]
    vary: Vec<Vary>,
    /// Approximate number of variants to measure
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// Folder for the kernels of the Pareto front (NAME_1.toml ..), explore.json and explore.svg
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &ExploreArgs) -> Result<(), Failure> {
    let axes: Vec<Axis> = args.vary.iter().map(|&vary| vary.into()).collect();
    let plan = Plan::new(&args.board, args.size.into(), axes, args.most as usize)?;
    let (file, sources) = args.kernel.read(ValuePolicy::default())?;
    // What cannot be written is known before the search.
    let staging = args.out.as_deref().map(Staging::new).transpose()?;
    let found = {
        let progress = Progress::start(|n, _| format!("exploring: {n} variants tried"));
        explore(file, sources, plan, &progress.watched)?
    };
    if let Some(staging) = staging {
        let files = found.files()?;
        staging.write(&files)?;
        staging.publish("explore", files.iter().map(|f| f.0.as_str()))?;
    }
    output::print(&if args.json { found.json().to_string() } else { found.text() })
}
