//! The header of a NumPy file: magic, version, and a Python dictionary in text.

use std::io::{BufRead, Read};

use samhw_compiler::diag::Diagnostic;

use super::lines::show;
use super::npy_type::Dtype;
use crate::tensor::codes;

/// First bytes of every NumPy file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest dictionary that is read.
const LONGEST: u64 = 1 << 20;

/// The contents of the dictionary in the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NpyHeader {
    pub(super) dtype: Dtype,
    /// First mode fastest if true, last mode fastest if false.
    pub(super) fortran: bool,
    pub(super) shape: Vec<u64>,
}

impl NpyHeader {
    /// Reads up to the first element.
    pub(super) fn read(input: &mut impl BufRead) -> Result<Self, Diagnostic> {
        let magic = bytes(input, 8)?;
        if !magic.starts_with(MAGIC) {
            return Err(wrong("this is not a NumPy file: it does not start with `\\x93NUMPY`"));
        }
        let length = match magic[6] {
            1 => bytes(input, 2)?,
            2 | 3 => bytes(input, 4)?,
            version => return Err(wrong(format!("version {version} of the NumPy format is unknown"))),
        };
        let length = length.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        if length > LONGEST {
            return Err(wrong(format!("a header of {length} bytes is too long")));
        }
        let text = bytes(input, length)?;
        Python { rest: &text }.dictionary()
    }
}

fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(codes::HEADER, message).help("write it with `numpy.save(\"x.npy\", array)`")
}

/// Exactly `count` bytes; memory grows only with what is there.
fn bytes(input: &mut impl BufRead, count: u64) -> Result<Vec<u8>, Diagnostic> {
    let mut read = Vec::new();
    input.take(count).read_to_end(&mut read).map_err(|e| super::cannot_read(&e))?;
    if (read.len() as u64) < count {
        return Err(wrong("the file ends inside its header"));
    }
    Ok(read)
}

/// Parser of the few Python literals that occur.
struct Python<'a> {
    rest: &'a [u8],
}

impl<'a> Python<'a> {
    fn dictionary(mut self) -> Result<NpyHeader, Diagnostic> {
        let (mut dtype, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.take(b'}') {
            let key = self.string()?;
            self.expect(b':')?;
            match key {
                b"descr" if self.peek() == Some(b'[') => {
                    return Err(Diagnostic::new(codes::UNSUPPORTED, "records (structured types) are not supported")
                        .help("save one field: `numpy.save(\"x.npy\", array[\"field\"])`"));
                }
                b"descr" => dtype = Some(Dtype::parse(self.string()?)?),
                b"fortran_order" => fortran = Some(self.boolean()?),
                b"shape" => shape = Some(self.tuple()?),
                _ => return Err(wrong(format!("unknown key `{}` in the header", show(key)))),
            }
            if !self.take(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        if !self.rest.trim_ascii().is_empty() {
            return Err(wrong("the header continues after its dictionary"));
        }
        match (dtype, fortran, shape) {
            (Some(dtype), Some(fortran), Some(shape)) => Ok(NpyHeader { dtype, fortran, shape }),
            _ => Err(wrong("the header lacks `descr`, `fortran_order` or `shape`")),
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.first().copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Diagnostic> {
        if self.take(byte) { Ok(()) } else { Err(self.unexpected(&format!("`{}`", char::from(byte)))) }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = &self.rest[..self.rest.len().min(20)];
        wrong(format!("the header has `{}` where {expected} was expected", show(found)))
    }

    fn string(&mut self) -> Result<&'a [u8], Diagnostic> {
        let quote = self.peek().filter(|b| matches!(b, b'\'' | b'"')).ok_or_else(|| self.unexpected("a string"))?;
        let rest = &self.rest[1..];
        let end = rest.iter().position(|&b| b == quote).ok_or_else(|| self.unexpected("a string"))?;
        self.rest = &rest[end + 1..];
        Ok(&rest[..end])
    }

    fn boolean(&mut self) -> Result<bool, Diagnostic> {
        self.peek();
        for (name, value) in [(&b"True"[..], true), (b"False", false)] {
            if let Some(rest) = self.rest.strip_prefix(name) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(self.unexpected("`True` or `False`"))
    }

    fn tuple(&mut self) -> Result<Vec<u64>, Diagnostic> {
        let mut sizes = Vec::new();
        self.expect(b'(')?;
        while !self.take(b')') {
            self.peek();
            let end = self.rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            let size = super::lines::unsigned(digits).map_err(|_| self.unexpected("a size below 2^64"))?;
            // Python 2 wrote long integers with an L.
            self.rest = rest.strip_prefix(b"L").unwrap_or(rest);
            sizes.push(size);
            if !self.take(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(sizes)
    }
}
