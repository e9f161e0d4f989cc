//! `samhw man`: manual pages, made of what `--help` says.

use crate::staging::Staging;
use crate::{Cli, Failure, output};
use clap::{Command, CommandFactory};
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
    let staging = Staging::new(dir)?;
    let commands = cli.get_subcommands().filter(|command| command.get_name() != "help");
    let page_of = |c: &Command| (format!("{}.1", c.get_display_name().unwrap_or(c.get_name())), page(c));
    let pages: Vec<(String, String)> = [&cli].into_iter().chain(commands).map(page_of).collect();
    staging.write(&pages)?;
    staging.publish("man", pages.iter().map(|(name, _)| name.as_str()))
}

fn page(command: &Command) -> String {
    let mut text = Vec::new();
    // Memory takes all that is written.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
