//! `samhw tools`: which external tools are there; installs the pinned ones.

use crate::{Failure, output};
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim as rtl;
use std::path::PathBuf;

/// Show which external tools are there, or install the pinned ones.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Install pinned tools into a private environment; needs Python 3 and the network
    Install {
        /// Groups of tools [default: all]
        groups: Vec<String>,
        /// The environment's folder [default: the user's]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// Runs the command.
pub fn main(args: &Args) -> Result<(), Failure> {
    match &args.command {
        None => output::print(&list()),
        Some(Command::Install { groups, dir }) => install(groups, dir.clone()),
    }
}

/// Every tool with its place and version.
fn list() -> String {
    let mut out = String::new();
    for s in &rtl::status() {
        out += &match &s.found {
            Ok((place, version)) => format!("{:<14}{version}\n{:14}{place}\n", s.tool, ""),
            Err(why) => format!("{:<14}missing: {why}\n", s.tool),
        };
        out += &format!("{:14}to {}\n", "", s.purpose);
    }
    for dir in rtl::incomplete() {
        out += &format!("{}: its installation was interrupted; run `samhw tools install` again\n", dir.display());
    }
    out
}

/// Installs the named groups of tools (all where none is named) into `dir`, else the user's
/// private environment.
fn install(names: &[String], dir: Option<PathBuf>) -> Result<(), Failure> {
    let mut groups = Vec::new();
    for name in names {
        let Some(group) = rtl::GROUPS.iter().find(|g| g.name == name).copied() else {
            let known: Vec<&str> = rtl::GROUPS.iter().map(|g| g.name).collect();
            return Err(Diagnostic::new("R024", format!("no group of tools is called {name}"))
                .help(format!("groups are: {}", known.join(", ")))
                .into());
        };
        groups.push(group);
    }
    if names.is_empty() {
        groups.extend_from_slice(rtl::GROUPS);
    }
    let dir = dir.unwrap_or_else(rtl::private_dir);
    rtl::install(&dir, &groups, &mut output::complain).map_err(|e| {
        Diagnostic::new("R002", format!("the tools could not be installed into {}: {e}", dir.display()))
            .help("it takes Python 3 with venv and pip, the network, and about 1 GB of disk")
            .into()
    })
}
