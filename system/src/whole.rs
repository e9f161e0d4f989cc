//! Files that are written atomically: into a new file in the same folder, which is then renamed.

use crate::{ending, lock};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What names of such new files begin and end with.
const PREFIX: &str = ".samhw-";
const SUFFIX: &str = ".part";

/// Age after which one is removed that nobody has locked.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// A file being written under a temporary name.
#[derive(Debug)]
pub struct Whole {
    place: PathBuf,
    path: PathBuf,
    file: File,
}

impl Whole {
    /// Starts to write the contents of `place`, which must not be a folder or device. Symbolic links are followed, so
    /// that a link stays one.
    pub fn new(place: &Path) -> io::Result<Self> {
        let place = resolved(place)?;
        let dir = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
        purge(dir);
        let mut open = ending::hold();
        // Permissions are those of any new file.
        let named = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .rand_bytes(12)
            .make_in(dir, |path| File::options().read(true).write(true).create_new(true).open(path))?;
        let (file, path) = named.keep().map_err(|e| e.error)?;
        open.add(&path);
        drop(open);
        lock::is_free(&file);
        Ok(Self { place, path, file })
    }

    /// Returns the path of the temporary file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Completes the file and renames it to its final name. On an error its place stays as it is.
    pub fn publish(self) -> io::Result<()> {
        self.file.sync_all()?;
        let mut open = ending::hold();
        fs::rename(&self.path, &self.place)?;
        open.remove(&self.path);
        Ok(())
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        let mut open = ending::hold();
        // Once it has its name there is nothing of the old one.
        let _ = fs::remove_file(&self.path);
        open.remove(&self.path);
    }
}

/// Replaces the contents of `path` by those that `content` writes. Until it has succeeded and reached the disk, `path`
/// stays as it is. Devices and pipes are written to directly.
pub fn replace(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => {
            let mut out = BufWriter::new(File::options().write(true).open(path)?);
            content(&mut out)?;
            return out.flush();
        }
        _ => (),
    }
    let whole = Whole::new(path)?;
    let mut out = BufWriter::with_capacity(1 << 18, &whole.file);
    content(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    whole.publish()
}

/// Returns the path at which a file `path` would be created, after following symbolic links, including dangling ones.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    const MOST: u32 = 40;
    let mut path = std::path::absolute(path)?;
    for _ in 0..MOST {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().map_or_else(|| target.clone(), |dir| dir.join(&target));
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Creates folder `path` and those above it; symbolic links may lead to nothing yet.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(resolved(path)?)
}

/// Removes what a process has left that was killed while it wrote in `dir`.
fn purge(dir: &Path) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let old = |m: fs::Metadata| m.modified().is_ok_and(|m| m.elapsed().is_ok_and(|age| age > OLD));
        if name.starts_with(PREFIX)
            && name.ends_with(SUFFIX)
            && entry.metadata().is_ok_and(old)
            && File::options().write(true).open(entry.path()).is_ok_and(|f| lock::is_free(&f))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_stay_and_long_names_are_fine() {
        let dir = std::env::temp_dir().join(format!("samhw-whole-{}", std::process::id()));
        fs::create_dir_all(dir.join("sub")).unwrap();
        let write = |path: &Path, text: &str| replace(path, |out| out.write_all(text.as_bytes()));
        symlink("sub/target", dir.join("middle")).unwrap();
        symlink("middle", dir.join("link")).unwrap();
        write(&dir.join("link"), "one").unwrap();
        assert!(dir.join("link").is_symlink() && dir.join("middle").is_symlink());
        assert_eq!(fs::read_to_string(dir.join("sub/target")).unwrap(), "one");
        write(&dir.join("link"), "two").unwrap();
        assert_eq!(fs::read_to_string(dir.join("sub/target")).unwrap(), "two");
        symlink("circle", dir.join("circle")).unwrap();
        assert!(write(&dir.join("circle"), "x").is_err());
        symlink("nowhere/target", dir.join("dangling")).unwrap();
        assert!(write(&dir.join("dangling"), "x").is_err());
        for length in [254, 255] {
            write(&dir.join("n".repeat(length)), "long").unwrap();
        }
        assert!(write(&dir.join("n".repeat(256)), "x").is_err());
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 7);
        assert!(fs::create_dir_all(dir.join("dangling")).is_err());
        for _ in 0..2 {
            make_folder(&dir.join("dangling")).unwrap();
        }
        assert!(dir.join("dangling").is_symlink() && dir.join("nowhere/target").is_dir());
        fs::remove_dir_all(dir).unwrap();
    }
}
