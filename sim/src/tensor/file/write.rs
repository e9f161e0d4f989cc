//! Writes tensors: .mtx (coordinate, integer or real), .tns and .npy, also compressed with gzip.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::types::Type;
use samhw_system::{replace, resolved};
use samhw_values::convert;

use super::npy_header::MAGIC;
use super::{Form, Format, SUPPORTED};
use crate::tensor::target::times;
use crate::tensor::{Coo, MAX_POSITIONS, codes};

/// Checks, before a long run, that a tensor of this order can be written to `path`, as far as that can be known.
pub fn writable(path: &Path, order: usize) -> Result<(), Diagnostic> {
    expressible(path, order)?;
    may_write(path)
}

/// Checks that a file at `path` can be written, as far as that can be known in advance.
pub fn may_write(path: &Path) -> Result<(), Diagnostic> {
    let found = match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(()),
        // Where it would be made: a symbolic link may lead to what is not there yet.
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => resolved(path)
            .and_then(|place| match std::fs::metadata(place.parent().unwrap_or(&place)) {
                Ok(there) if !there.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
                other => other.map(drop),
            }),
        Err(e) => Err(e),
    };
    found.map_err(|e| cannot_write(path, &e))
}

/// The format of `path`, if it can hold a tensor of this order, and whether it is to be compressed.
fn expressible(path: &Path, order: usize) -> Result<(Format, bool), Diagnostic> {
    let (format, gzip) = match Form::of(path)? {
        Form::Plain(format) => (format, false),
        Form::Gzip(format) => (format, true),
        Form::Archive => {
            return Err(Diagnostic::new(codes::INEXPRESSIBLE, "archives are read, not written")
                .at(Place::File(path.into(), None))
                .help("write .mtx, which `scipy.io.mmread` reads, or .npy, which `numpy.load` reads"));
        }
    };
    if format == Format::Mtx && !matches!(order, 1 | 2) {
        let message = format!("a Matrix Market file holds a matrix or a vector, this tensor is of order {order}");
        return Err(Diagnostic::new(codes::INEXPRESSIBLE, message)
            .at(Place::File(path.into(), None))
            .help("write .tns or .npy instead"));
    }
    Ok((format, gzip))
}

/// Returns the error for a file at `path` that cannot be written.
pub fn cannot_write(path: &Path, e: &io::Error) -> Diagnostic {
    Diagnostic::new(codes::WRITE, format!("cannot be written: {e}"))
        .at(Place::File(path.into(), None))
        .help(way_out(e.kind()))
}

/// Writes `coo` in the format of the extension of `path`, which is replaced only when everything is written.
///
/// Text formats list the stored entries, explicit fills included. They have no notion of a fill, so if it is
/// not 0 every coordinate is listed; a scalar always has its value. NumPy files are dense.
pub fn write_file(path: &Path, coo: &Coo, ty: Type, fill: u64) -> Result<(), Diagnostic> {
    let here = |said: Diagnostic| said.at(Place::File(path.into(), None));
    let (format, gzip) = expressible(path, coo.order())?;
    let all = coo.shape().iter().fold(1u128, |n, &size| n.saturating_mul(size.into()));
    let dense = format == Format::Npy || !ty.is_zero(fill) || coo.order() == 0;
    if let Type::Fixed { bits: 54.., .. } = ty
        && format == Format::Npy
    {
        let message = format!("a NumPy array has no values of type {ty}, and a double holds 53 bits of them");
        return Err(here(Diagnostic::new(codes::INEXPRESSIBLE, message)).help("write .mtx or .tns instead"));
    }
    if dense && all > MAX_POSITIONS.into() {
        let why = if format == Format::Npy {
            "a .npy file is dense"
        } else {
            "the fill is not 0, so every coordinate is written"
        };
        let message = format!("{why}, and {} are {all} values", times(coo.shape()));
        let said = here(Diagnostic::new(codes::TOO_LARGE, message));
        return Err(if ty.is_zero(fill) {
            said.help("write .mtx or .tns instead")
        } else {
            said.help("choose smaller sizes or fill 0")
        });
    }
    let content = |out: &mut dyn Write| match format {
        Format::Mtx => mtx(out, coo, ty, fill, dense, all),
        Format::Tns => tns(out, coo, ty, fill, dense),
        Format::Npy => npy(out, coo, ty, fill),
    };
    replace(path, |out| {
        if !gzip {
            return content(out);
        }
        let mut packed = GzEncoder::new(out, Compression::default());
        content(&mut packed)?;
        packed.finish().map(drop)
    })
    .map_err(|e| cannot_write(path, &e))
}

fn way_out(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "make the folder first",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "choose a folder you may write to",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "free some space; nothing half-written is left behind"
        }
        io::ErrorKind::NotADirectory => "a part of the path is a file, not a folder",
        io::ErrorKind::IsADirectory => "name a file, not a folder",
        io::ErrorKind::InvalidFilename => "choose a shorter name",
        _ => SUPPORTED,
    }
}

fn mtx(out: &mut dyn Write, coo: &Coo, ty: Type, fill: u64, dense: bool, all: u128) -> io::Result<()> {
    let (rows, columns) = (coo.shape()[0], coo.shape().get(1).copied().unwrap_or(1));
    let count = if dense { all } else { coo.len() as u128 };
    let field = if ty.is_int() || ty == Type::Bool { "integer" } else { "real" };
    writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
    writeln!(out, "{rows} {columns} {count}")?;
    each(coo, fill, dense, |coord, raw| {
        let column = coord.get(1).copied().unwrap_or(0);
        writeln!(out, "{} {} {}", coord[0] + 1, column + 1, ty.show(raw))
    })
}

fn tns(out: &mut dyn Write, coo: &Coo, ty: Type, fill: u64, dense: bool) -> io::Result<()> {
    if !dense && coo.is_empty() {
        writeln!(out, "# {}, nothing stored", times(coo.shape()))?;
    }
    each(coo, fill, dense, |coord, raw| {
        for c in coord {
            write!(out, "{} ", c + 1)?;
        }
        writeln!(out, "{}", ty.show(raw))
    })
}

fn npy(out: &mut dyn Write, coo: &Coo, ty: Type, fill: u64) -> io::Result<()> {
    let held = numpy_type(ty);
    let bytes = held.bits().div_ceil(8) as usize;
    let kind = match held {
        Type::Bool => 'b',
        Type::Float { .. } => 'f',
        _ if held.is_signed() => 'i',
        _ => 'u',
    };
    let descr = format!("{}{kind}{bytes}", if bytes == 1 { '|' } else { '<' });
    let sizes: String = coo.shape().iter().map(|size| format!("{size},")).collect();
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    // The first element is aligned to 64 bytes, the header ends with a line feed.
    let long = header.len() + 64 > usize::from(u16::MAX);
    let prefix = if long { 12 } else { 10 };
    let padding = (64 - (prefix + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(MAGIC)?;
    if long {
        out.write_all(&[2, 0])?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
    } else {
        out.write_all(&[1, 0])?;
        out.write_all(&(header.len() as u16).to_le_bytes())?;
    }
    out.write_all(header.as_bytes())?;
    each(coo, fill, true, |_, raw| out.write_all(&convert(raw, ty, held).to_le_bytes()[..bytes]))
}

/// The type of a NumPy array that holds values of `ty`: floats for what NumPy does not know.
fn numpy_type(ty: Type) -> Type {
    match ty {
        Type::Fixed { .. } => Type::F64,
        Type::BF16 => Type::F32,
        _ => ty,
    }
}

/// Visits the stored entries or, if `dense`, every coordinate in row-major order.
fn each(coo: &Coo, fill: u64, dense: bool, mut visit: impl FnMut(&[u64], u64) -> io::Result<()>) -> io::Result<()> {
    if !dense {
        return coo.iter().try_for_each(|(coord, raw)| visit(coord, raw));
    }
    if coo.shape().contains(&0) {
        return Ok(());
    }
    let mut stored = coo.iter().peekable();
    let mut coord = vec![0; coo.order()];
    loop {
        let raw = stored.next_if(|(at, _)| *at == coord).map_or(fill, |(_, raw)| raw);
        visit(&coord, raw)?;
        // The next coordinate, last mode fastest.
        let Some(m) = (0..coord.len()).rev().find(|&m| coord[m] + 1 < coo.shape()[m]) else { return Ok(()) };
        coord[m] += 1;
        coord[m + 1..].fill(0);
    }
}
