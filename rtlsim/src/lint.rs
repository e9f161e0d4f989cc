//! Checks of Verilog text by the tools that will read it: any warning is an error.

use crate::cache::scratch;
use crate::design::Design;
use crate::error::{Error, Result};
use crate::tools::{executable, find_verilator, run};
use samhw_system::Scratch;
use std::path::Path;
use std::process::Command;

impl Design {
    /// Writes the files into `dir`; returns their names.
    pub(crate) fn write(&self, dir: &Scratch) -> Result<Vec<&str>> {
        let failed = |name: &str, e| Error::io(dir.path().join(name).display().to_string(), e);
        let write = |(name, text): &'_ (String, String)| dir.write(name, text).map_err(|e| failed(name, e));
        self.files.iter().try_for_each(write)?;
        Ok(self.files.iter().map(|(name, _)| name.as_str()).collect())
    }
    /// An error unless `command` succeeds and prints nothing.
    fn silent(&self, tool: &'static str, command: Command) -> Result<()> {
        let output = run(tool, &self.top, command)?;
        if output.trim().is_empty() {
            return Ok(());
        }
        Err(Error::Failed { tool, design: self.top.clone(), how: "it warns".into(), output })
    }
}

/// `verilator --lint-only -Wall` on `design`; scratch files go into `dir`.
pub fn lint_verilator(design: &Design, dir: &Path) -> Result<()> {
    let (bin, root) = find_verilator()?;
    let dir = scratch(dir)?;
    let mut c = Command::new(bin);
    c.env("VERILATOR_ROOT", root).current_dir(dir.path());
    c.args(["--lint-only", "-Wall", "--quiet", "--default-language", "1364-2005", "--top-module", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-G{n}={v}")));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(&dir)?);
    match design.silent("verilator", c) {
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
    let dir = scratch(dir)?;
    let mut c = Command::new(bin);
    c.current_dir(dir.path()).args(["-g2005", "-Wall", "-t", "null", "-s", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-P{}.{n}={v}", design.top)));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(&dir)?);
    design.silent("iverilog", c)
}
