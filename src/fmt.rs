//! `samhw fmt`: kernel files set alike.

use crate::input::standard_input;
use crate::{Failure, output};
use samhw_compiler::diag::Place;
use samhw_driver::format::formatted;
use samhw_driver::kernel;
use samhw_sim::tensor::cannot_write;
use samhw_system::replace;
use std::path::{Path, PathBuf};

/// Format kernel files: set spaces and empty lines, keep order and comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw fmt spmm.toml
  samhw fmt --check kernels/*.toml
  samhw fmt - < spmm.toml")]
pub struct FmtArgs {
    /// Kernel files; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; list files that would change, and exit with status 1 if there are any
    #[arg(long)]
    check: bool,
}

/// Runs the command.
pub fn main(args: &FmtArgs) -> Result<(), Failure> {
    let mut others = false;
    for path in &args.files {
        let stdin = path == Path::new("-");
        let text = if stdin { standard_input()? } else { kernel::text(path)? };
        let set = formatted(&text).map_err(|d| d.at(Place::File(path.clone(), None)))?;
        others |= set != text;
        match (args.check, stdin) {
            (true, _) if set != text => output::print(&path.display().to_string())?,
            (false, true) => output::print(&set)?,
            (false, false) if set != text => {
                replace(path, |file| file.write_all(set.as_bytes())).map_err(|e| cannot_write(path, &e))?;
            }
            _ => {}
        }
    }
    if args.check && others { Err(Failure::Ended(1)) } else { Ok(()) }
}
