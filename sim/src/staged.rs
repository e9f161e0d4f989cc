//! Additional output files of a run: each is opened before the run, so that errors are reported early, and gets its
//! final name when it is complete.

use crate::tensor::{cannot_write, may_write};
use samhw_compiler::diag::Diagnostic;
use samhw_system::Whole;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file being written.
#[derive(Debug)]
pub struct Staged {
    place: PathBuf,
    /// None for a device or a pipe, which is written to directly.
    whole: Option<Whole>,
}

impl Staged {
    /// Starts to write the contents of `place`.
    pub fn begin(place: &Path) -> Result<Self, Diagnostic> {
        may_write(place)?;
        let direct = std::fs::metadata(place).is_ok_and(|m| !m.is_file());
        let whole = if direct { None } else { Some(Whole::new(place).map_err(|e| cannot_write(place, &e))?) };
        Ok(Self { place: place.into(), whole })
    }

    /// Returns the name that the user gave.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Returns the path of the file until it is complete.
    pub fn path(&self) -> &Path {
        self.whole.as_ref().map_or(&self.place, Whole::path)
    }

    /// Writes all contents and gives the file its final name. On an error its place stays as it is.
    pub fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Diagnostic> {
        let written = File::options().write(true).open(self.path()).and_then(|file| {
            let mut out = BufWriter::with_capacity(1 << 18, file);
            content(&mut out)?;
            out.flush()
        });
        written.map_err(|e| cannot_write(&self.place, &e))?;
        self.publish()
    }

    /// Completes the file, which gets its final name.
    pub fn publish(self) -> Result<(), Diagnostic> {
        match self.whole {
            Some(whole) => whole.publish().map_err(|e| cannot_write(&self.place, &e)),
            None => Ok(()),
        }
    }
}
