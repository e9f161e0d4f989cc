//! Files that a run writes besides its results: each is begun beside its place before the run, so
//! that what cannot be written is told then, and takes its place only when it is complete.

use crate::tensor::{cannot_write, may_write};
use samhw_compiler::diag::Diagnostic;
use samhw_system::Whole;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written.
#[derive(Debug)]
pub struct Staged {
    place: PathBuf,
    /// None for a device or a pipe, which is written to directly.
    whole: Option<Whole>,
}

impl Staged {
    /// Begins to write what `place` is to hold.
    pub fn begin(place: &Path) -> Result<Self, Diagnostic> {
        may_write(place)?;
        let direct = std::fs::metadata(place).is_ok_and(|m| !m.is_file());
        let whole = if direct { None } else { Some(Whole::new(place).map_err(|e| cannot_write(place, &e))?) };
        Ok(Self { place: place.into(), whole })
    }

    /// The name that the user gave.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Where it is written until it is complete.
    pub fn path(&self) -> &Path {
        self.whole.as_ref().map_or(&self.place, Whole::path)
    }

    /// Writes all of it, and gives it its name. On an error its place stays as it is.
    pub fn write(self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Diagnostic> {
        let written = File::options().write(true).open(self.path()).and_then(|file| {
            let mut out = BufWriter::with_capacity(1 << 18, file);
            content(&mut out)?;
            out.flush()
        });
        written.map_err(|e| cannot_write(&self.place, &e))?;
        self.publish()
    }

    /// It is complete: it takes its name.
    pub fn publish(self) -> Result<(), Diagnostic> {
        match self.whole {
            Some(whole) => whole.publish().map_err(|e| cannot_write(&self.place, &e)),
            None => Ok(()),
        }
    }
}
