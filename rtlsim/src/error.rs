//! What can go wrong between Verilog text and a running model.

use std::path::{Path, PathBuf};

/// Error of this crate. [`Error::ToolMissing`] is the one a user can mend by installing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// An external tool is not there or not good enough.
    #[error("{tool} not found: {why}; {remedy}")]
    ToolMissing {
        /// `verilator`, `c++ compiler`, `yosys`, `iverilog`.
        tool: &'static str,
        /// Where was looked, or what the one found lacks.
        why: String,
        /// What to install.
        remedy: &'static str,
    },
    /// A tool ran and did not do its work.
    #[error("{tool} failed on {design}: {how}\n{output}")]
    Failed {
        /// The tool.
        tool: &'static str,
        /// Name of the top module.
        design: String,
        /// How it ended.
        how: String,
        /// What it printed.
        output: String,
    },
    /// The design's ports or signals are not as the caller said.
    #[error("{design}: {what}")]
    Mismatch {
        /// Name of the top module.
        design: String,
        /// Which signal, expected and found.
        what: String,
    },
    /// The design executed $stop or $finish: an assertion failed.
    #[error("Verilog stopped at {0}")]
    Stopped(String),
    /// The waveform could not be written.
    #[error("{path}: {error}")]
    Wave {
        /// Its file.
        path: PathBuf,
        /// The system's words.
        error: String,
        /// What kind of error it is.
        kind: std::io::ErrorKind,
    },
    /// A file or process could not be used.
    #[error("{what}: {error}")]
    Io {
        /// The file or process.
        what: String,
        /// The system's words.
        error: String,
    },
}

impl Error {
    /// Wraps an error of the operating system.
    pub(crate) fn io(what: impl Into<String>, error: impl std::fmt::Display) -> Self {
        Self::Io { what: what.into(), error: error.to_string() }
    }
    /// The waveform could not be written.
    pub(crate) fn wave(path: &Path, e: &std::io::Error) -> Self {
        Self::Wave { path: path.into(), error: e.to_string(), kind: e.kind() }
    }
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
