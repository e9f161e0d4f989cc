//! Standard output and standard error: a reader that has gone away is no fault.

use crate::Failure;
use samhw_compiler::diag::{Diagnostic, render};
use std::io::{self, ErrorKind, Write};

/// Writes `text` to standard output and ends its last line. If nobody reads any more
/// (`samhw ... | head -1`), the rest is dropped; other errors, such as a full disk, are told.
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
        complain(&render(warnings));
    }
}

/// Writes a line to standard error. There is nobody to tell if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}
