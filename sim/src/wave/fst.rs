//! Files in the FST format, as the crate fst-writer writes them.

use fst_writer::{FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstWriteError, open_fst};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Bytes of changes that are kept before they go to the file.
pub(super) const KEPT: usize = 1 << 26;

pub(super) type Header = FstHeaderWriter<BufWriter<File>>;
pub(super) type Body = FstBodyWriter<BufWriter<File>>;

/// Begins a file whose times count in `10^exponent` seconds.
pub(super) fn begun(path: &Path, exponent: i8) -> io::Result<Header> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: exponent,
        version: "samhw".into(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    open_fst(path, &info).map_err(plain)
}

/// The error as one of a file.
pub(super) fn plain(e: FstWriteError) -> io::Error {
    match e {
        FstWriteError::Io(e) => e,
        other => io::Error::other(other.to_string()),
    }
}
