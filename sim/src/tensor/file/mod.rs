//! Tensor files. The extension says the format; each format is one file of this folder.

mod convert;
mod dense;
mod entries;
mod lines;
mod mtx;
mod mtx_header;
mod npy;
mod npy_header;
mod npy_type;
mod number;
mod tns;
mod write;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};

use self::convert::Converter;
use super::{Loaded, Target, codes};

pub use self::write::{cannot_write, may_write, writable, write_file};

/// The formats that are read and written, for messages.
const SUPPORTED: &str = "supported: Matrix Market (.mtx, .mm, .ttx), FROSTT (.tns), NumPy (.npy)";

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Matrix Market, with the extensions for vectors and tensors.
    Mtx,
    /// FROSTT.
    Tns,
    /// NumPy.
    Npy,
}

impl Format {
    /// By the extension of `path`.
    pub(super) fn of(path: &Path) -> Result<Self, Diagnostic> {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or("").to_ascii_lowercase();
        let reason = match extension.as_str() {
            "mtx" | "mm" | "ttx" => return Ok(Self::Mtx),
            "tns" => return Ok(Self::Tns),
            "npy" => return Ok(Self::Npy),
            "rb" | "rua" | "rsa" | "pua" | "psa" | "rra" | "rza" | "cua" | "csa" | "hb" => {
                "Harwell-Boeing and Rutherford-Boeing files are not supported"
            }
            "trip0" | "trip" | "el" | "wel" => {
                "headerless triplet and edge-list files are not supported: they say neither sizes nor whether counting starts from 0 or 1"
            }
            "gz" | "bz2" | "xz" | "zst" | "zip" | "npz" => "compressed files are not supported: unpack it first",
            "" => "the name has no extension that tells the format",
            _ => "the extension is none of a supported format",
        };
        let mut said = Diagnostic::new(codes::FORMAT, reason).at(Place::File(path.into(), None)).help(SUPPORTED);
        if reason.starts_with("Harwell") || reason.starts_with("headerless") {
            said = said.help("convert it, e.g. with `scipy.io.mmwrite(\"matrix.mtx\", matrix)` in Python");
        }
        Err(said)
    }
}

/// Reads the data of `target` from a file. Every error names the file, and the line where there is one.
pub fn read_file(path: &Path, policy: ValuePolicy, target: &Target) -> Result<Loaded, Diagnostic> {
    let format = Format::of(path)?;
    let failed = |e: &std::io::Error| cannot_read(path, e);
    let file = File::open(path).map_err(|e| failed(&e))?;
    if file.metadata().map_err(|e| failed(&e))?.is_dir() {
        return Err(failed(&ErrorKind::IsADirectory.into()));
    }
    read(format, BufReader::with_capacity(1 << 18, file), path, policy, target)
}

/// Reads from `input`; `path` is only for messages.
pub(super) fn read(
    format: Format,
    mut input: impl BufRead,
    path: &Path,
    policy: ValuePolicy,
    target: &Target,
) -> Result<Loaded, Diagnostic> {
    let empty = input.fill_buf().map_err(|e| cannot_read(path, &e))?.is_empty();
    // A .tns file has no header: with no bytes it is a tensor in which nothing is stored.
    if empty && (format != Format::Tns || target.max.is_empty()) {
        return Err(Diagnostic::new(codes::EMPTY, "the file is empty")
            .at(Place::File(path.into(), None))
            .help("was it written or downloaded completely?"));
    }
    let values = Converter { ty: target.ty, policy };
    let read = match format {
        Format::Mtx => mtx::read(input, path, values, target),
        Format::Tns => tns::read(input, path, values, target),
        Format::Npy => npy::read(input, path, values, target),
    };
    read.map_err(|said| if said.place.is_none() { said.at(Place::File(path.into(), None)) } else { said })
}

/// Opening or reading failed.
fn cannot_read(path: &Path, error: &std::io::Error) -> Diagnostic {
    let said = |why: &str| Diagnostic::new(codes::OPEN, why).at(Place::File(path.into(), None));
    match error.kind() {
        ErrorKind::NotFound => {
            said("there is no such file").help("paths in a kernel file are relative to the kernel file")
        }
        ErrorKind::IsADirectory => said("this is a directory").help("name a file in it"),
        ErrorKind::PermissionDenied => said("no permission to read this file").help("change its permissions"),
        _ => said(&format!("cannot be read: {error}")).help("check the disk or copy the file"),
    }
}
