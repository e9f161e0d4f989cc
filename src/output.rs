//! Standard output and standard error: what is said, and how. A reader that has gone away is no fault.

use crate::Failure;
use anstream::AutoStream;
use clap::ColorChoice;
use samhw_compiler::diag::{Diagnostic, painted};
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether only results and errors are said.
static QUIET: AtomicBool = AtomicBool::new(false);

/// The style in which every command writes its output.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct Style {
    /// Print only results and errors: no progress, notes or warnings
    #[arg(short, long, global = true)]
    quiet: bool,
    /// When to colour messages
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

impl Style {
    /// Sets the style of all output from now on.
    pub fn set(self) {
        QUIET.store(self.quiet, Ordering::Relaxed);
        let choice = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Whether only results and errors are said.
pub fn quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes `text` to standard output and ends its last line. If nobody reads any more
/// (`samhw ... | head -1`), the rest is dropped; other errors, such as a full disk, are reported.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{end}").and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Diagnostic::new("R026", format!("cannot write to standard output: {e}"))
                .help("is the disk full? files that the command writes are complete")
                .into())
        }
        _ => Ok(()),
    }
}

/// Writes warnings to standard error, if there are any.
pub fn warn(warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        note(&painted(warnings));
    }
}

/// Writes a line to standard error that is no error.
pub fn note(text: &str) {
    if !quiet() {
        complain(text);
    }
}

/// Writes a line to standard error, without its colours where they are not wanted. There is nobody to
/// tell if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(AutoStream::auto(io::stderr()), "{}", text.trim_end());
}
