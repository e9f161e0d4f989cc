//! Errors of compiling and simulating the RTL.

use crate::tensor::cannot_write;
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim as rtl;
use std::io;

/// The reason why there is no result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A tool is missing, or a tool or an assertion of the Verilog failed.
    #[error(transparent)]
    Tools(#[from] rtl::Error),
    /// The data of an array do not fit its memory.
    #[error("{array} has {words} words, its memory holds {room}")]
    TooLarge {
        /// Name of the array.
        array: String,
        /// Number of words of the data.
        words: u64,
        /// Number of words of the memory.
        room: u64,
    },
    /// A deadlock: nothing moves.
    #[error("deadlock before cycle {cycle}: {waiting}")]
    Deadlock {
        /// Cycle at which the deadlock was detected.
        cycle: u64,
        /// Channels with a beat that is not taken.
        waiting: String,
    },
    /// The limit of cycles was reached.
    #[error("not done after {cycles} cycles: {waiting}")]
    Limit {
        /// The limit.
        cycles: u64,
        /// Channels with a beat that is not taken.
        waiting: String,
    },
}

impl From<Error> for Diagnostic {
    fn from(e: Error) -> Self {
        let text = e.to_string();
        match e {
            Error::Tools(rtl::Error::ToolMissing { tool, why, remedy }) => {
                let d = Self::new("R001", format!("the Verilator engine needs {tool}, which was not found: {why}"));
                d.help(remedy).help("or use --engine native, which needs no tools and gives the same cycles")
            }
            Error::Tools(rtl::Error::Failed { .. } | rtl::Error::Mismatch { .. }) => {
                let d = Self::new("R002", format!("the Verilog could not be built: {text}"));
                d.help("`samhw tools` shows which tools are used")
            }
            Error::Tools(rtl::Error::Wave { path, error, kind }) => cannot_write(&path, &io::Error::new(kind, error)),
            Error::Tools(rtl::Error::Io { .. }) => Self::new("R003", text).help(
                "see that the disk has room, and that the folder of compiled designs (`samhw cache`) can be written",
            ),
            Error::TooLarge { .. } => Self::new("R023", text).help("declare a larger nnz for the tensor"),
            Error::Tools(rtl::Error::Stopped(_)) | Error::Deadlock { .. } | Error::Limit { .. } => {
                let d = Self::new("R010", format!("the hardware did not finish: {text}"));
                d.help(
                    "this is a fault of samhw, not of your kernel: please report it with the kernel file and its data",
                )
            }
        }
    }
}
