//! The list of files that commands wrote into a folder, one line per file with command, hash and name. It says what may
//! be removed later; whoever changes the folder has it locked.

use crate::{hash, lock};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the list in the folder.
pub const LIST: &str = ".written-by-samhw";

/// A file that a command has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub command: String,
    pub sha256: String,
    pub name: String,
}

impl Line {
    /// Creates the line for file `name` in `folder`.
    pub fn of(command: &str, folder: &Path, name: &str) -> io::Result<Self> {
        let (_, sha256) = hash::of_file(&folder.join(name))?;
        Ok(Self { command: command.into(), sha256, name: name.into() })
    }

    fn parse(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ').map(String::from);
        let (command, sha256, name) = (words.next()?, words.next()?, words.next()?);
        // A name is that of a file in the folder, whoever wrote the list.
        (Path::new(&name).file_name()? == name.as_str()).then_some(Self { command, sha256, name })
    }

    fn text(&self) -> String {
        format!("{} {} {}\n", self.command, self.sha256, self.name)
    }
}

/// Text of a list.
pub(crate) fn text(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect()
}

/// The list of a folder, locked.
#[derive(Debug)]
pub(crate) struct List {
    folder: PathBuf,
    file: File,
    /// Bytes that it had.
    length: u64,
    /// Lines of the list; after an interrupted change a file may occur more than once.
    pub lines: Vec<Line>,
}

impl List {
    /// Opens and locks the list of `folder`, creating an empty one if there is none.
    pub fn locked(folder: &Path) -> io::Result<Self> {
        loop {
            let path = folder.join(LIST);
            let mut file = File::options().read(true).write(true).create(true).truncate(false).open(&path)?;
            lock::take(&file, &format!("another process that writes into {}", folder.display()));
            // It may have been replaced while it was waited for.
            if !is_at(&file, &path) {
                continue;
            }
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            let lines = text.lines().filter_map(Line::parse).collect();
            return Ok(Self { folder: folder.into(), file, length: text.len() as u64, lines });
        }
    }

    /// Adds lines, after which the files they name may be in the folder.
    pub fn add(&mut self, lines: &[Line]) -> io::Result<()> {
        // What was cut off does not run into them.
        self.file.write_all(format!("\n{}", text(lines)).as_bytes())?;
        self.file.sync_all()
    }

    /// Removes the added lines. Without lines before, the list goes.
    pub fn take_back(self) -> io::Result<()> {
        if self.length == 0 {
            return fs::remove_file(self.folder.join(LIST));
        }
        self.file.set_len(self.length)
    }

    /// Replaces the list with `lines`, which are first written in folder `work`. It is free then.
    pub fn replace(self, lines: &[Line], work: &Path) -> io::Result<()> {
        let fresh = work.join(LIST);
        fs::write(&fresh, text(lines))?;
        File::open(&fresh)?.sync_all()?;
        fs::rename(fresh, self.folder.join(LIST))
    }
}

/// Whether the file at `path` is this one.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |m: fs::Metadata| (m.dev(), m.ino());
    matches!((file.metadata().map(number), fs::metadata(path).map(number)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
