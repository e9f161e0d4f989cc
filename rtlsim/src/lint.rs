//! Lint checks of Verilog by the tools that read it; every warning is an error.

use crate::cache::scratch;
use crate::design::Design;
use crate::error::{Error, Result};
use crate::tools::{environments, find_verilator, interpreter, run, wheel_roots};
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
    pub(crate) fn silent(&self, tool: &'static str, command: Command) -> Result<()> {
        let output = run(tool, &self.top, command)?;
        if output.trim().is_empty() {
            return Ok(());
        }
        Err(Error::Failed { tool, design: self.top.clone(), how: "it warns".into(), output })
    }
}

/// Runs `verilator --lint-only -Wall` on `design`; scratch files go into `dir`.
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

/// Drives slang, which is a library of Python.
const SLANG: &str = include_str!("slang.py");

/// Runs `slang --std 1364-2005` on `design`, which requires declarations before use. Scratch files go into `dir`.
pub fn lint_slang(design: &Design, dir: &Path) -> Result<()> {
    let with = environments().into_iter().find(|e| !wheel_roots(e, "pyslang").is_empty());
    let python = with.and_then(|e| interpreter(&e)).ok_or_else(|| Error::ToolMissing {
        tool: "slang",
        why: "no private environment has pyslang".into(),
        remedy: "run `samhw tools install`",
    })?;
    let dir = scratch(dir)?;
    let mut c = Command::new(python);
    c.current_dir(dir.path()).args(["-c", SLANG, "--std", "1364-2005", "--error-limit", "0"]);
    c.args(["--top", &design.top]);
    c.args(design.params.iter().map(|(n, v)| format!("-G{n}={v}")));
    c.args(design.defines.iter().map(|d| format!("-D{d}")));
    c.args(design.write(&dir)?);
    design.silent("slang", c)
}
