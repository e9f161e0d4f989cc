//! Icarus Verilog, used as a second linter and as a four-state simulator. What is not reset is X there until it is
//! written.

use crate::cache::scratch;
use crate::design::Design;
use crate::error::{Error, Result};
use crate::tools::{executable, run};
use samhw_system::Scratch;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `iverilog`, or what to install.
fn find() -> Result<PathBuf> {
    executable("iverilog").ok_or_else(|| Error::ToolMissing {
        tool: "iverilog",
        why: "it is not on PATH".into(),
        remedy: "install Icarus Verilog 11 or later (Debian: apt install iverilog)",
    })
}

/// A call for `design`, whose files are written into `dir`.
fn command(bin: &Path, design: &Design, dir: &Scratch) -> Result<Command> {
    let mut c = Command::new(bin);
    c.current_dir(dir.path()).args(["-g2005", "-s", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-P{}.{n}={v}", design.top)));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(dir)?);
    Ok(c)
}

/// Runs `iverilog -g2005 -Wall` on `design`; scratch files go into `dir`.
pub fn lint_iverilog(design: &Design, dir: &Path) -> Result<()> {
    let (bin, dir) = (find()?, scratch(dir)?);
    let mut lint = command(&bin, design, &dir)?;
    lint.args(["-Wall", "-t", "null"]);
    design.silent("iverilog", lint)
}

/// Compiles and runs `bench`, whose top has no ports and executes $finish, and returns its output. `data` are the files
/// that it reads. Scratch files go into `dir`.
pub fn run_iverilog(bench: &Design, data: &[(String, String)], dir: &Path) -> Result<String> {
    let (bin, dir) = (find()?, scratch(dir)?);
    for (name, text) in data {
        dir.write(name, text).map_err(|e| Error::io(dir.path().join(name).display().to_string(), e))?;
    }
    let mut compile = command(&bin, bench, &dir)?;
    compile.args(["-o", "bench.vvp"]);
    run("iverilog", &bench.top, compile)?;
    let mut play = Command::new(bin.with_file_name("vvp"));
    play.current_dir(dir.path()).args(["-n", "bench.vvp"]);
    run("vvp", &bench.top, play)
}
