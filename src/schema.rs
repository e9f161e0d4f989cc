//! `samhw schema`: JSON schemas, of kernel files for editors, and of reports for scripts.

use crate::{Failure, output};
use clap::ValueEnum;
use samhw_driver::kernel_schema::kernel_schema;
use samhw_driver::schema;

/// What a schema is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Kernel files
    Kernel,
    /// Reports of `samhw run --json`
    Run,
}

/// Print the JSON schema of kernel files, or of reports.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw schema > samhw.schema.json
  then, as the first line of a kernel file, for editors with taplo:
  #:schema ./samhw.schema.json")]
pub struct SchemaArgs {
    /// File to describe
    #[arg(value_enum, default_value = "kernel")]
    of: Of,
}

/// Runs the command.
pub fn main(args: &SchemaArgs) -> Result<(), Failure> {
    let schema = match args.of {
        Of::Kernel => kernel_schema(),
        Of::Run => schema::schema(),
    };
    output::print(&format!("{schema:#}"))
}
