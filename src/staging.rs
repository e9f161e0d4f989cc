//! The folders that commands write: all of their files or none, whatever happens in between.

use crate::Failure;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_system::Folder;
use std::io;
use std::path::{Path, PathBuf};

/// A folder to be filled.
pub struct Staging {
    /// As the user calls it.
    dir: PathBuf,
    folder: Folder,
}

impl Staging {
    /// Prepares folder `dir`, which is made where it is absent.
    pub fn new(dir: &Path) -> Result<Self, Failure> {
        let folder = Folder::new(dir).map_err(|e| cannot(dir, &e))?;
        Ok(Self { dir: dir.into(), folder })
    }

    /// Returns the path of the files until they are published.
    pub fn path(&self) -> PathBuf {
        self.folder.path()
    }

    /// Writes files, names without folder.
    pub fn write(&self, files: &[(String, String)]) -> Result<(), Failure> {
        files
            .iter()
            .try_for_each(|(name, text)| self.folder.write(name, text).map_err(|e| cannot(&self.dir.join(name), &e)))
    }

    /// Puts the files named into the folder; what an earlier run of `command` has left there goes.
    /// What else was written is dropped.
    pub fn publish<'a>(self, command: &str, names: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        self.folder.publish(command, names).map_err(|e| cannot(&self.dir, &e))
    }
}

fn cannot(path: &Path, e: &io::Error) -> Failure {
    Diagnostic::new("R025", format!("cannot write: {e}"))
        .at(Place::File(path.into(), None))
        .help("choose another folder with -o, and see that it is a folder, can be written and has room")
        .into()
}
