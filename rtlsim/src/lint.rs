//! Checks of Verilog text by the tools that will read it: any warning is an error.

use crate::cache::Scratch;
use crate::design::Design;
use crate::error::{Error, Result};
use crate::tools::{executable, find_verilator, output};
use std::path::Path;
use std::process::Command;

impl Design {
    /// Writes the files into `dir`; returns their names.
    pub(crate) fn write(&self, dir: &Scratch) -> Result<Vec<&str>> {
        self.files.iter().map(|(name, text)| dir.write(name, text).map(|()| name.as_str())).collect()
    }
    /// An error unless `command` succeeds and prints nothing.
    fn silent(&self, tool: &'static str, command: &mut Command) -> Result<()> {
        let (ok, output) = output(command)?;
        if ok && output.trim().is_empty() {
            Ok(())
        } else {
            Err(Error::Failed { tool, design: self.top.clone(), output })
        }
    }
}

/// `verilator --lint-only -Wall` on `design`; scratch files go into `dir`.
pub fn lint_verilator(design: &Design, dir: &Path) -> Result<()> {
    let (bin, root) = find_verilator()?;
    let dir = Scratch::new(dir)?;
    let mut c = Command::new(bin);
    c.env("VERILATOR_ROOT", root).current_dir(&dir.path);
    c.args(["--lint-only", "-Wall", "--quiet", "--default-language", "1364-2005", "--top-module", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-G{n}={v}")));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(&dir)?);
    match design.silent("verilator", &mut c) {
        // Versions before 5.014 do not know --quiet for lint and report statistics on success.
        Err(Error::Failed { output, .. }) if !output.contains("%Warning") && !output.contains("%Error") => Ok(()),
        result => result,
    }
}

/// `iverilog -g2005 -Wall` on `design`; scratch files go into `dir`.
pub fn lint_iverilog(design: &Design, dir: &Path) -> Result<()> {
    let bin = executable("iverilog").ok_or_else(|| Error::ToolMissing {
        tool: "iverilog",
        why: "it is not on PATH".into(),
        remedy: "install Icarus Verilog 11 or later (Debian: apt install iverilog)",
    })?;
    let dir = Scratch::new(dir)?;
    let mut c = Command::new(bin);
    c.current_dir(&dir.path).args(["-g2005", "-Wall", "-t", "null", "-s", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-P{}.{n}={v}", design.top)));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(&dir)?);
    design.silent("iverilog", &mut c)
}
