//! `samhw completions`: a script by which a shell completes commands and options.

use crate::{Cli, Failure, output};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a script that lets a shell complete commands and options.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw completions bash > ~/.local/share/bash-completion/completions/samhw
  samhw completions zsh > ~/.zfunc/_samhw
  samhw completions fish > ~/.config/fish/completions/samhw.fish")]
pub struct CompletionsArgs {
    /// Shell to write for
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn main(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "samhw", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
