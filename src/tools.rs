//! `samhw tools`: which external tools are there; installs the pinned ones, and lets commands find them.

use crate::{Failure, output};
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim as rtl;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process;

/// List external tools, install the pinned ones, or run a command with them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw tools install
  eval \"$(samhw tools env)\"
  samhw tools run -- python out/NAME_cocotb.py verilator")]
pub struct ToolsArgs {
    #[command(subcommand)]
    command: Option<ToolsCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum ToolsCommand {
    /// Install pinned tools into a private environment; needs Python 3 and the network
    #[command(after_help = groups_help())]
    Install {
        /// Groups of tools [default: all but python]
        groups: Vec<String>,
        /// Folder of the environment [default: the user's data folder]
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
    /// Print shell commands that set the environment of the installed tools
    Env,
    /// Run a command in the environment of the installed tools
    Run {
        /// The command and its arguments
        #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
}

/// Runs the command.
pub fn main(args: &ToolsArgs) -> Result<(), Failure> {
    match &args.command {
        None => output::print(&list()),
        Some(ToolsCommand::Install { groups, dir }) => install(groups, dir.clone()),
        Some(ToolsCommand::Env) => output::print(&exports(&environment()?)),
        Some(ToolsCommand::Run { command }) => run(command),
    }
}

/// The groups of tools, and what each is for.
fn groups_help() -> String {
    let line = |group: &rtl::Group| format!("  {:<8}{}\n", group.name, group.purpose);
    "Groups:\n".to_owned() + &rtl::GROUPS.iter().map(line).collect::<String>()
}

/// Variables with which commands find the tools.
fn environment() -> Result<Vec<(&'static str, OsString)>, Diagnostic> {
    rtl::environment().map_err(|e| Diagnostic::new("R001", e.to_string()).help("run `samhw tools install`"))
}

/// Variables as a shell takes them.
fn exports(variables: &[(&str, OsString)]) -> String {
    let quoted = |value: &OsString| value.to_string_lossy().replace('\'', r"'\''");
    variables.iter().map(|(name, value)| format!("export {name}='{}'\n", quoted(value))).collect()
}

/// Runs a command in that environment; its exit status is that of samhw.
fn run(command: &[OsString]) -> Result<(), Failure> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let variables = environment()?;
    // The program is looked for on the new PATH, not on the one that samhw was started with.
    let paths = variables.iter().filter(|(name, _)| *name == "PATH").flat_map(|(_, path)| std::env::split_paths(path));
    let named = PathBuf::from(program).components().count() > 1;
    let found = paths.map(|d| d.join(program)).find(|p| !named && p.is_file());
    let program = found.unwrap_or_else(|| program.into());
    become_program(process::Command::new(&program).args(arguments).envs(variables)).map_err(|e| {
        Diagnostic::new("R002", format!("{} could not be started: {e}", program.display()))
            .help("`samhw tools` lists the tools that are there")
    })?
}

/// Replaces this process by a program: signals reach the program, and nothing stays behind.
#[cfg(unix)]
fn become_program(command: &mut process::Command) -> io::Result<Result<(), Failure>> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn become_program(command: &mut process::Command) -> io::Result<Result<(), Failure>> {
    let code = command.status()?.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(1);
    Ok(if code == 0 { Ok(()) } else { Err(Failure::Ended(code)) })
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
        groups.extend(rtl::GROUPS.iter().filter(|group| !group.optional));
    }
    let dir = dir.unwrap_or_else(rtl::private_dir);
    rtl::install(&dir, &groups, &mut output::note).map_err(|e| {
        Diagnostic::new("R002", format!("the tools could not be installed into {}: {e}", dir.display()))
            .help("it takes Python 3 with venv and pip, the network, and about 1 GB of disk")
            .into()
    })
}
