//! Errors of compiling and simulating Verilog.

use std::path::{Path, PathBuf};

/// An error of this crate. [`Error::ToolMissing`] is the one a user can mend by installing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// An external tool is missing or unsuitable.
    #[error("{tool} not found: {why}; {remedy}")]
    ToolMissing {
        /// `verilator`, `c++ compiler`, `yosys`, `iverilog`.
        tool: &'static str,
        /// The searched places, or the reason why the tool is unsuitable.
        why: String,
        /// The package to install.
        remedy: &'static str,
    },
    /// A tool failed.
    #[error("{tool} failed on {design}: {how}\n{output}")]
    Failed {
        /// Name of the tool.
        tool: &'static str,
        /// Name of the top module.
        design: String,
        /// Exit status or signal.
        how: String,
        /// Output of the tool.
        output: String,
    },
    /// The design's ports or signals differ from the caller's description.
    #[error("{design}: {what}")]
    Mismatch {
        /// Name of the top module.
        design: String,
        /// The signal, with its expected and actual properties.
        what: String,
    },
    /// The design executed $stop or $finish: an assertion failed.
    #[error("Verilog stopped at {0}")]
    Stopped(String),
    /// The waveform could not be written.
    #[error("{path}: {error}")]
    Wave {
        /// Path of the waveform file.
        path: PathBuf,
        /// The system's error message.
        error: String,
        /// Kind of the error.
        kind: std::io::ErrorKind,
    },
    /// A file or process failed.
    #[error("{what}: {error}")]
    Io {
        /// Name of the file or process.
        what: String,
        /// The system's error message.
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

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;
