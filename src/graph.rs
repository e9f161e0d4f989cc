//! `samhw graph`: the graph as text, DOT or SVG.

use crate::{Failure, input};
use samhw_compiler::passes::order::Density;
use std::path::PathBuf;

/// Show the graph of primitives.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Kernel file
    kernel: PathBuf,
}

/// Runs the command.
pub fn main(args: &Args) -> Result<(), Failure> {
    let file = input::kernel(&args.kernel)?;
    let choice = samhw_sim::run::plan(&file, &Density::default())?;
    let lowered = samhw_compiler::lower::lower(&file.kernel, &choice.order)?;
    print!("{}", lowered.graph.to_text(&lowered.kernel));
    Ok(())
}
