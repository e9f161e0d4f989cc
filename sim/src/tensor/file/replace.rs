//! Writes a file completely or not at all: into a new file beside it, which then takes its name.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Calls `content` to write what `path` is to hold. Until it has succeeded and reached the disk, `path` stays
/// as it is. Devices and pipes are written to directly.
pub(super) fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // Through symbolic links, so that a link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    match fs::metadata(&path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => {
            let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(&path)?);
            content(&mut out)?;
            return out.flush();
        }
        _ => (),
    }
    let (temporary, file) = beside(&path)?;
    let written = fill(file, content).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // The first error is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file in the same folder, under a name that nobody else has.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
    let mut attempt = 0;
    loop {
        let temporary = path.with_file_name(format!(".{name}.{}-{attempt}.part", std::process::id()));
        match File::create_new(&temporary) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => attempt += 1,
            other => return other.map(|file| (temporary, file)),
        }
    }
}

fn fill(file: File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, file);
    content(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}
