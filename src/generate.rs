//! `samhw gen`: Verilog and everything that goes with it.

use crate::input::KernelArgs;
use crate::staging::Staging;
use crate::{Failure, output};
use samhw_compiler::data::ValuePolicy;
use samhw_driver::generate::generated;
use std::path::PathBuf;

/// Write the Verilog of a kernel and everything that goes with it.
#[derive(Debug, clap::Args)]
pub struct GenArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Folder to write to [default: the kernel's name]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Add what makes a bitstream for this board with `make`
    #[arg(long)]
    board: Option<String>,
    /// Add the kernel's data with their results, for the generated bench and programs
    #[arg(long)]
    data: bool,
}

/// Runs the command.
pub fn main(args: &GenArgs) -> Result<(), Failure> {
    let (file, sources) = args.kernel.read(ValuePolicy::default())?;
    let made = generated(&file, &sources, args.board.as_deref(), args.data)?;
    output::warn(&made.warnings);
    let dir = args.out.clone().unwrap_or_else(|| PathBuf::from(&made.name));
    let staging = Staging::new(&dir)?;
    staging.write(&made.files)?;
    staging.publish("gen", made.files.iter().map(|(name, _)| name.as_str()))?;
    let mut said = format!("{}: {} files, tops {}\n", dir.display(), made.files.len(), made.tops.join(", "));
    for (tensor, capacity) in &made.defaulted {
        said += &format!("{tensor}: no nnz declared, its memory holds {capacity} entries\n");
    }
    output::print(&said)
}
