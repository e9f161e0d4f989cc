//! `samhw tools`: which external tools are there; installs the pinned ones.

use anyhow::{Context, Result, bail};
use samhw_rtlsim as rtl;
use std::path::PathBuf;

/// Prints every tool with its place and version. Returns whether all are there.
pub fn list() -> bool {
    let status = rtl::status();
    for s in &status {
        match &s.found {
            Ok((place, version)) => println!("{:<14}{version}\n{:14}{place}", s.tool, ""),
            Err(why) => println!("{:<14}missing: {why}", s.tool),
        }
        println!("{:14}to {}", "", s.purpose);
    }
    status.iter().all(|s| s.found.is_ok())
}

/// Installs the named groups of tools (all where none is named) into `dir`, else the user's
/// private environment.
pub fn install(names: &[String], dir: Option<PathBuf>) -> Result<()> {
    let known = || rtl::GROUPS.iter().map(|g| g.name).collect::<Vec<_>>().join(", ");
    let find = |n: &String| rtl::GROUPS.iter().find(|g| g.name == n).copied();
    let mut groups = Vec::new();
    for name in names {
        let Some(group) = find(name) else { bail!("no group of tools is called {name}; there are: {}", known()) };
        groups.push(group);
    }
    if names.is_empty() {
        groups.extend_from_slice(rtl::GROUPS);
    }
    let dir = dir.unwrap_or_else(rtl::private_dir);
    rtl::install(&dir, &groups, &mut |what| eprintln!("{what}"))
        .with_context(|| format!("the tools could not be installed into {}", dir.display()))
}
