//! `samhw fmt`: kernel files set alike.

use crate::input::standard_input;
use crate::{Failure, output};
use samhw_compiler::diag::Place;
use samhw_driver::format::formatted;
use samhw_driver::kernel;
use samhw_sim::tensor::cannot_write;
use samhw_system::replace;
use std::path::{Path, PathBuf};

/// Set kernel files alike: spaces and empty lines. Order and comments stay.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw fmt spmm.toml
  samhw fmt --check kernels/*.toml
  samhw fmt - < spmm.toml")]
pub struct FmtArgs {
    /// Kernel files, or `-` for standard input, which is printed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; name the files that would change, with exit status 1
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
