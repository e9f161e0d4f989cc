//! `samhw gen`: Verilog and everything that goes with it.

use crate::input::KernelArgs;
use crate::staging::Staging;
use crate::{Failure, output};
use samhw_compiler::data::ValuePolicy;
use samhw_driver::bundle::Bundle;
use samhw_driver::generate::{Wanted, generated};
use std::path::PathBuf;

/// Write the Verilog of a kernel, with a bench, drivers and scripts.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw gen spmv.toml -o out
  samhw gen \"y(i) = A(i,j) * x(j)\" -f A:csr -t A=A.mtx -t x=x.npy --data -o out
  samhw gen spmv.toml --single-file --prefix v2_")]
pub struct GenArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Folder to write to [default: the kernel's name]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Add the files that make a bitstream for this board with `make`
    #[arg(long)]
    board: Option<String>,
    /// Add the kernel's data and expected results, for the generated bench and programs
    #[arg(long)]
    data: bool,
    /// Write all Verilog into NAME.v
    #[arg(long, conflicts_with = "board")]
    single_file: bool,
    /// Prefix for the names of shared modules (samhw_*), for a project with kernels of several
    /// versions of samhw
    #[arg(long, value_name = "PREFIX", value_parser = identifier, conflicts_with = "board")]
    prefix: Option<String>,
}

/// What an identifier may begin with.
fn identifier(text: &str) -> Result<String, String> {
    let well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match well && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => Ok(text.into()),
        false => Err("expected letters, digits and _, without a digit first".into()),
    }
}

/// Runs the command.
pub fn main(args: &GenArgs) -> Result<(), Failure> {
    let (file, sources) = args.kernel.read(ValuePolicy::default())?;
    let bundle = Bundle { prefix: args.prefix.clone().unwrap_or_default(), single_file: args.single_file };
    let made = generated(&file, &sources, &Wanted { board: args.board.clone(), data: args.data, bundle })?;
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
