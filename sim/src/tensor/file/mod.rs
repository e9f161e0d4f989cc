//! Tensor files. The extension says the format; each format is one file of this folder.

mod convert;
mod dense;
mod entries;
mod header;
pub(super) mod held;
mod lines;
mod mtx;
mod mtx_header;
mod npy;
mod npy_header;
mod npy_type;
mod npz;
mod number;
mod packed;
mod scipy;
mod tns;
mod write;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Seek};
use std::path::Path;

use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::frontend::DataHeader;

use self::convert::Converter;
use super::{Loaded, Target, codes};

pub use self::write::{cannot_write, may_write, writable, write_file};

/// The formats that are read and written, for messages.
const SUPPORTED: &str = "supported: Matrix Market (.mtx, .mm, .ttx), FROSTT (.tns), NumPy (.npy), each of them as .gz too; \
                         scipy's archives (.npz) are read";

/// A format of one tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Matrix Market, with the extensions for vectors and tensors.
    Mtx,
    /// FROSTT.
    Tns,
    /// NumPy.
    Npy,
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A tensor.
    Plain(Format),
    /// A tensor, compressed with gzip.
    Gzip(Format),
    /// An archive of NumPy arrays.
    Archive,
}

impl Form {
    /// Determines the format by the extension of `path`.
    pub(super) fn of(path: &Path) -> Result<Self, Diagnostic> {
        let extension = |path: &Path| path.extension().and_then(OsStr::to_str).unwrap_or("").to_ascii_lowercase();
        let (outer, inner) = (extension(path), extension(&path.with_extension("")));
        let gzip = outer == "gz";
        let extension = if gzip { inner } else { outer };
        let format = match extension.as_str() {
            "mtx" | "mm" | "ttx" => Some(Format::Mtx),
            "tns" => Some(Format::Tns),
            "npy" => Some(Format::Npy),
            _ => None,
        };
        if let Some(format) = format {
            return Ok(if gzip { Self::Gzip(format) } else { Self::Plain(format) });
        }
        let reason = match extension.as_str() {
            "npz" if gzip => "an archive is compressed by itself, it is not compressed once more: unpack it first",
            "npz" => return Ok(Self::Archive),
            "rb" | "rua" | "rsa" | "pua" | "psa" | "rra" | "rza" | "cua" | "csa" | "hb" => {
                "Harwell-Boeing and Rutherford-Boeing files are not supported"
            }
            "trip0" | "trip" | "el" | "wel" => {
                "headerless triplet and edge-list files are not supported: they say neither sizes nor whether counting starts from 0 or 1"
            }
            "tar" | "tgz" => "archives of several files are not supported: unpack it first, `tar xf` does",
            "bz2" | "xz" | "zst" | "zip" | "7z" => "files compressed in this way are not supported: unpack it first",
            "" => "the name has no extension, which says the format",
            _ => "the extension is not one of a supported format",
        };
        let mut said = Diagnostic::new(codes::FORMAT, reason).at(Place::File(path.into(), None)).help(SUPPORTED);
        if reason.starts_with("Harwell") || reason.starts_with("headerless") {
            said = said.help("convert it, e.g. with `scipy.io.mmwrite(\"matrix.mtx\", matrix)` in Python");
        }
        Err(said)
    }
}

/// Returns the sizes and types that a file declares, from the header alone if it has one.
pub fn file_header(path: &Path) -> Result<DataHeader, Diagnostic> {
    let form = Form::of(path)?;
    header::read(form, open(path)?, path, packed::MOST).map_err(|said| placed(said, path))
}

/// Reads the data of `target` from a file. Every error names the file, and the line where there is one.
pub fn read_file(path: &Path, policy: ValuePolicy, target: &Target) -> Result<Loaded, Diagnostic> {
    let form = Form::of(path)?;
    read(form, open(path)?, path, policy, target, packed::MOST)
}

fn open(path: &Path) -> Result<BufReader<File>, Diagnostic> {
    let failed = |e: &std::io::Error| cannot_read(e).at(Place::File(path.into(), None));
    let file = File::open(path).map_err(|e| failed(&e))?;
    if file.metadata().map_err(|e| failed(&e))?.is_dir() {
        return Err(failed(&ErrorKind::IsADirectory.into()));
    }
    Ok(BufReader::with_capacity(1 << 18, file))
}

/// The problem, of this file unless it says a place.
fn placed(said: Diagnostic, path: &Path) -> Diagnostic {
    if said.place.is_none() { said.at(Place::File(path.into(), None)) } else { said }
}

/// Reads from `input`, at most `most` bytes of what is unpacked; `path` is only for messages.
pub(super) fn read(
    form: Form,
    input: impl BufRead + Seek,
    path: &Path,
    policy: ValuePolicy,
    target: &Target,
    most: u64,
) -> Result<Loaded, Diagnostic> {
    let values = Converter { ty: target.ty, policy };
    let mut left = most;
    let read = match form {
        Form::Plain(format) => plain(format, input, path, values, target),
        Form::Gzip(format) => there(input)
            .and_then(|input| packed::gzip(input, &mut left, most))
            .and_then(|input| plain(format, input, path, values, target)),
        Form::Archive => there(input).and_then(|input| scipy::read(input, path, values, target, most)),
    };
    read.map_err(|said| placed(said, path))
}

/// Reads a file that is not compressed.
fn plain(
    format: Format,
    mut input: impl BufRead,
    path: &Path,
    values: Converter,
    target: &Target,
) -> Result<Loaded, Diagnostic> {
    // A .tns file has no header: with no bytes it is a tensor in which nothing is stored.
    if format != Format::Tns || target.max.is_empty() {
        input = there(input)?;
    }
    match format {
        Format::Mtx => mtx::read(input, path, values, target),
        Format::Tns => tns::read(input, path, values, target),
        Format::Npy => npy::read(input, path, values, target),
    }
}

/// The same input, unless it is empty.
fn there<R: BufRead>(mut input: R) -> Result<R, Diagnostic> {
    if input.fill_buf().map_err(|e| cannot_read(&e))?.is_empty() {
        return Err(Diagnostic::new(codes::EMPTY, "the file is empty").help("was it written or downloaded completely?"));
    }
    Ok(input)
}

/// Opening or reading failed.
fn cannot_read(error: &std::io::Error) -> Diagnostic {
    if let Some(trouble) = error.get_ref().and_then(|e| e.downcast_ref::<packed::Trouble>()) {
        return trouble.said();
    }
    let said = |why: &str| Diagnostic::new(codes::OPEN, why);
    match error.kind() {
        ErrorKind::NotFound => said("there is no such file").help("check the path"),
        ErrorKind::IsADirectory => said("this is a directory").help("name a file in it"),
        ErrorKind::PermissionDenied => said("no permission to read this file").help("change its permissions"),
        _ => said(&format!("cannot be read: {error}")).help("check the disk or copy the file"),
    }
}
