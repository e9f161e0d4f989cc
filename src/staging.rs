//! Files written beside their folder first and then moved into it: all of them or none, whatever
//! happens in between.

use crate::{Failure, interrupt};
use samhw_compiler::diag::{Diagnostic, Place};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A folder to be filled.
pub struct Staging {
    dir: PathBuf,
    /// Where files are until they are moved: in the folder, so that moving is renaming.
    path: PathBuf,
    existed: bool,
}

impl Staging {
    /// Prepares folder `dir`, which is made where it is absent.
    pub fn new(dir: &Path) -> Result<Self, Failure> {
        let existed = dir.exists();
        let path = dir.join(format!(".samhw-{}", std::process::id()));
        let staging = Self { dir: dir.into(), path, existed };
        fs::create_dir_all(dir).map_err(|e| cannot(dir, &e))?;
        interrupt::folders().push(staging.path.clone());
        // Of an earlier process with this number that was killed.
        let _ = fs::remove_dir_all(&staging.path);
        fs::create_dir(&staging.path).map_err(|e| cannot(&staging.path, &e))?;
        Ok(staging)
    }

    /// Where files are until they are moved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes files, names without folder.
    pub fn write(&self, files: &[(String, String)]) -> Result<(), Failure> {
        files.iter().try_for_each(|(name, text)| {
            let path = self.path.join(name);
            let written = fs::File::create(&path).and_then(|mut f| f.write_all(text.as_bytes()));
            written.map_err(|e| cannot(&path, &e))
        })
    }

    /// Moves the files named into the folder. What else is there is removed.
    pub fn publish<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        let uninterrupted = interrupt::folders();
        let moved = names.into_iter().try_for_each(|name| {
            let to = self.dir.join(name);
            fs::rename(self.path.join(name), &to).map_err(|e| cannot(&to, &e))
        });
        drop(uninterrupted);
        moved
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let mut folders = interrupt::folders();
        // What is left is of no use to anyone; that it is gone is not worth an error.
        let _ = fs::remove_dir_all(&self.path);
        folders.retain(|p| *p != self.path);
        if !self.existed {
            // Only if nothing came into it.
            let _ = fs::remove_dir(&self.dir);
        }
    }
}

fn cannot(path: &Path, e: &io::Error) -> Failure {
    Diagnostic::new("R025", format!("cannot write: {e}"))
        .at(Place::File(path.into(), None))
        .help("choose another folder with -o, and see that it is a folder, can be written and has room")
        .into()
}
