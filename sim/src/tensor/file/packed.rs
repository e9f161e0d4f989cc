//! Compressed input: gzip files and members of zip archives, decompressed while they are read and up to a limit.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use samhw_compiler::diag::Diagnostic;

use crate::tensor::codes;

/// Most bytes that a compressed file is unpacked to. A few bytes can stand for any number of them.
pub(super) const MOST: u64 = 1 << 30;

/// The reason that ends the reading of a compressed file early. It travels inside an [`io::Error`].
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    /// The compressed data are wrong, as this says.
    #[error("{0}")]
    Damaged(String),
    /// More than this many bytes come out.
    #[error("more than {0} bytes")]
    TooLarge(u64),
}

impl Trouble {
    /// Returns the reason as a diagnostic without a place.
    pub(super) fn said(&self) -> Diagnostic {
        match self {
            Self::Damaged(why) => Diagnostic::new(codes::DAMAGED, format!("the compressed data are damaged: {why}"))
                .help("was the file downloaded or copied completely? `gzip -t` and `unzip -t` test one"),
            Self::TooLarge(most) => Diagnostic::new(
                codes::TOO_LARGE,
                format!("the file unpacks to more than {most} bytes, the most that are read of a compressed one"),
            )
            .help("unpack it first: files that are not compressed have no such limit"),
        }
    }

    pub(super) fn into_error(self) -> io::Error {
        io::Error::other(self)
    }
}

/// A reader of the data that `inner` unpacks to. Its errors are [`Trouble`], and `left` bytes are the most
/// that come out.
pub(super) struct Unpacked<'l, R> {
    inner: R,
    left: &'l mut u64,
    most: u64,
}

impl<'l, R: Read> Unpacked<'l, R> {
    /// `left` of `most` bytes may still come out.
    pub(super) fn new(inner: R, left: &'l mut u64, most: u64) -> Self {
        Self { inner, left, most }
    }
}

impl<R: Read> Read for Unpacked<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer).map_err(|e| match e.kind() {
            io::ErrorKind::Interrupted => e,
            io::ErrorKind::UnexpectedEof => Trouble::Damaged("they end too early".into()).into_error(),
            _ => Trouble::Damaged(e.to_string()).into_error(),
        })?;
        *self.left = self.left.checked_sub(read as u64).ok_or_else(|| Trouble::TooLarge(self.most).into_error())?;
        Ok(read)
    }
}

/// Reads the data of a gzip file, of one part or several.
pub(super) fn gzip<'l>(
    mut input: impl BufRead + 'l,
    left: &'l mut u64,
    most: u64,
) -> Result<impl BufRead + 'l, Diagnostic> {
    let begin = input.fill_buf().map_err(|e| super::cannot_read(&e))?;
    if begin.first().is_some_and(|&byte| byte != 0x1f) || begin.get(1).is_some_and(|&byte| byte != 0x8b) {
        return Err(Diagnostic::new(codes::DAMAGED, "this is not a gzip file: it does not begin with the bytes 1f 8b")
            .help("compress it with `gzip`, or take `.gz` off its name if it is not compressed"));
    }
    Ok(BufReader::with_capacity(1 << 16, Unpacked::new(MultiGzDecoder::new(input), left, most)))
}
