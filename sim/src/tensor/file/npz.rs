//! NumPy archives (.npz): a zip archive of arrays, each by its name.

use std::io::{BufReader, Read, Seek};

use samhw_compiler::diag::Diagnostic;
use zip::ZipArchive;
use zip::result::ZipError;

use super::cannot_read;
use super::lines::show;
use super::npy::Array;
use super::packed::{Trouble, Unpacked};
use crate::tensor::codes;

/// An archive whose directory has been read.
pub(super) struct Archive<R> {
    zip: ZipArchive<R>,
    /// Bytes that may still come out of all its arrays, out of this number.
    left: u64,
    most: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory. All arrays that are read unpack to `most` bytes at most.
    pub(super) fn open(input: R, most: u64) -> Result<Self, Diagnostic> {
        let zip = ZipArchive::new(input).map_err(said)?;
        if zip.has_duplicate_names() {
            return Err(Diagnostic::new(codes::CONTRADICTION, "the archive has two arrays with the same name")
                .help(super::npy::BY_SCIPY));
        }
        Ok(Self { zip, left: most, most })
    }

    /// Names of its arrays.
    pub(super) fn names(&self) -> Vec<String> {
        self.zip.file_names_raw().filter_map(|name| name.strip_suffix(b".npy")).map(show).collect()
    }

    /// Returns whether there is an array with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    /// Applies `read` to the array with this name.
    pub(super) fn array<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Array<BufReader<Unpacked<'_, &mut dyn Read>>>) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let named = |mut said: Diagnostic| {
            said.message = format!("array `{name}`: {}", said.message);
            said
        };
        let mut file = self.zip.by_name(&format!("{name}.npy")).map_err(|e| named(said(e)))?;
        let unpacked = Unpacked::new(&mut file as &mut dyn Read, &mut self.left, self.most);
        Array::begin(BufReader::with_capacity(1 << 16, unpacked)).and_then(read).map_err(named)
    }
}

fn said(error: ZipError) -> Diagnostic {
    let unsupported = |why: String| {
        Diagnostic::new(codes::UNSUPPORTED, why)
            .help("write the archive with `numpy.savez_compressed` or `scipy.sparse.save_npz`")
    };
    match error {
        ZipError::Io(e) if e.kind() != std::io::ErrorKind::UnexpectedEof => cannot_read(&e),
        ZipError::UnsupportedArchive(why) => unsupported(format!("the archive cannot be read: {why}")),
        ZipError::CompressionMethodNotSupported(method) => {
            unsupported(format!("the archive is compressed in a way that is not supported (method {method})"))
        }
        ZipError::FileNotFound => {
            Diagnostic::new(codes::CONTRADICTION, "it is not in the archive").help(super::npy::BY_SCIPY)
        }
        other => Trouble::Damaged(other.to_string()).said(),
    }
}
