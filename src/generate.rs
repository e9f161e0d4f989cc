//! `samhw gen`: Verilog and everything that goes with it.

use crate::{Failure, input, output};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::draw;
use samhw_compiler::emit::emit;
use samhw_compiler::passes::order::Density;
use samhw_sim::run::{Plan, at_statement};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write the Verilog of a kernel and everything that goes with it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Kernel file
    kernel: PathBuf,
    /// Folder to write to [default: the kernel's name]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn main(args: &Args) -> Result<(), Failure> {
    let file = input::kernel(&args.kernel)?;
    let plan = Plan::new(&file, &Density::default())?;
    let net = plan.declared_netlist().map_err(|d| at_statement(&file, d))?;
    let design = emit(&plan.lowered, &net);
    let mut files = design.files.clone();
    files.push((format!("{}.svg", design.name), draw::svg(&plan.lowered, &net, &plan.choice)));
    let dir = args.out.clone().unwrap_or_else(|| PathBuf::from(&design.name));
    write_folder(&dir, &files)?;
    let mut said = format!("{}: {} files, tops {}\n", dir.display(), files.len(), design.tops.join(", "));
    for (tensor, capacity) in plan.defaulted() {
        said += &format!("{tensor}: no nnz declared, its memory holds {capacity} entries\n");
    }
    output::print(&said)
}

/// Writes `files` into `dir`: all of them, or nothing. They are written beside it first and
/// then moved, so that a full disk or Ctrl-C leaves no half-written file behind.
fn write_folder(dir: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    let fail = |path: &Path, e: std::io::Error| {
        Failure::from(
            Diagnostic::new("R025", format!("cannot write: {e}"))
                .at(Place::File(path.into(), None))
                .help("choose another folder with -o, and see that it is a folder, can be written and has room"),
        )
    };
    let existed = dir.exists();
    std::fs::create_dir_all(dir).map_err(|e| fail(dir, e))?;
    let staging = dir.join(format!(".samhw-{}", std::process::id()));
    // Of an earlier process with this number that was killed.
    let _ = std::fs::remove_dir_all(&staging);
    let staged = std::fs::create_dir(&staging).and_then(|()| {
        for (name, text) in files {
            let mut f = std::fs::File::create(staging.join(name))?;
            f.write_all(text.as_bytes())?;
        }
        Ok(())
    });
    let moved = staged.map_err(|e| fail(&staging, e)).and_then(|()| {
        files.iter().try_for_each(|(name, _)| {
            let to = dir.join(name);
            std::fs::rename(staging.join(name), &to).map_err(|e| fail(&to, e))
        })
    });
    // What is left of the staging folder is of no use to anyone; that it is gone is not worth an error.
    let _ = std::fs::remove_dir_all(&staging);
    if moved.is_err() && !existed {
        let _ = std::fs::remove_dir(dir);
    }
    moved
}
