//! `samhw estimate`: size, clock and cycles before synthesis.

use crate::input::KernelArgs;
use crate::{Failure, output};
use samhw_compiler::data::ValuePolicy;
use samhw_driver::estimate::estimated;

/// Estimate what a kernel takes on a board, without synthesis.
#[derive(Debug, clap::Args)]
pub struct EstimateArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Board
    #[arg(long, default_value = samhw_fpga::board::USUAL)]
    board: String,
    /// Report as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn main(args: &EstimateArgs) -> Result<(), Failure> {
    let (file, sources) = args.kernel.read(ValuePolicy::default())?;
    let found = estimated(&file, &sources, &args.board)?;
    output::print(&if args.json { found.json().to_string() } else { found.text() })
}
