//! `samhw estimate`: size, clock and cycles before synthesis.

use crate::input::{KernelArgs, with_boards};
use crate::{Failure, output};
use clap::ValueEnum;
use samhw_compiler::data::ValuePolicy;
use samhw_driver::estimate::estimated;
use samhw_fpga::estimate;

/// What of a kernel is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Top {
    /// Everything on the board: core, memories and serial line
    Board,
    /// The module NAME_core alone
    Core,
}

impl From<Top> for estimate::Top {
    fn from(top: Top) -> Self {
        match top {
            Top::Board => Self::Board,
            Top::Core => Self::Core,
        }
    }
}

/// Estimate the area and the clock of a kernel on a board, without synthesis.
#[derive(Debug, clap::Args)]
#[command(after_help = with_boards("Examples:
  samhw estimate examples/spmv.toml
  samhw estimate spmm.toml --board icebreaker --top core"))]
pub struct EstimateArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Board to estimate for
    #[arg(long, default_value = samhw_fpga::board::USUAL)]
    board: String,
    /// Part to estimate [default: board; for kernels behind AXI: core]
    #[arg(long, value_enum)]
    top: Option<Top>,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &EstimateArgs) -> Result<(), Failure> {
    let (file, sources) = args.kernel.read(ValuePolicy::default())?;
    let found = estimated(&file, &sources, &args.board, args.top.map(Into::into))?;
    output::print(&if args.json { found.json().to_string() } else { found.text() })
}
