//! `samhw man`: manual pages, made of what `--help` says.

use crate::{Cli, Failure, output};
use clap::{Command, CommandFactory};
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_sim::tensor::cannot_write;
use samhw_system::replace;
use std::fs;
use std::path::PathBuf;

/// Print the manual page, or write a page for every command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw man | man -l -
  samhw man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write samhw.1, samhw-run.1 .. into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub fn main(args: &ManArgs) -> Result<(), Failure> {
    let mut cli = Cli::command();
    cli.build();
    let Some(dir) = &args.out else { return output::print(&page(&cli)) };
    fs::create_dir_all(dir).map_err(|e| {
        let problem = Diagnostic::new("R026", format!("the folder cannot be made: {e}"));
        problem.at(Place::File(dir.clone(), None)).help("name another folder")
    })?;
    let commands = cli.get_subcommands().filter(|command| command.get_name() != "help");
    for command in [&cli].into_iter().chain(commands) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let (path, text) = (dir.join(format!("{name}.1")), page(command));
        replace(&path, |file| file.write_all(text.as_bytes())).map_err(|e| cannot_write(&path, &e))?;
    }
    Ok(())
}

fn page(command: &Command) -> String {
    let mut text = Vec::new();
    // Memory takes all that is written.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
