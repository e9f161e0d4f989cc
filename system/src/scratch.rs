//! Scratch folders with unique random names, removed with their owner, or later if the owner did not remove them.

use crate::{ending, lock};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// File of a scratch folder that its owner has locked. It holds the machine that the owner runs on.
const LOCK: &str = ".lock";

/// Age after which a scratch folder is removed whose owner cannot be asked: it is on another
/// machine, or there are no locks.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// Age by which a scratch folder is locked where there are locks, if its owner lives.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that is removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Keeps it locked.
    _lock: Option<File>,
}

impl Scratch {
    /// Creates a folder in `dir` with a name that starts with `prefix`. Folders there with this beginning whose owners
    /// have gone are removed.
    pub fn new(dir: &Path, prefix: &str) -> io::Result<Self> {
        let dir = std::path::absolute(dir)?;
        // An interruption between making it and knowing it would leave it.
        let mut open = ending::hold();
        let made = tempfile::Builder::new().prefix(prefix).rand_bytes(12).tempdir_in(&dir)?;
        let path = made.keep();
        open.add(&path);
        drop(open);
        let lock = locked(&path).ok();
        purge(&dir, prefix, if lock.is_some() { YOUNG } else { OLD });
        Ok(Self { path, _lock: lock })
    }

    /// Returns the absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        fs::write(self.path.join(name), content)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut open = ending::hold();
        ending::remove(&self.path);
        open.remove(&self.path);
    }
}

/// The lock of scratch folder `path`. It gets its name when it is locked already: who finds it free
/// knows that its owner has gone.
fn locked(path: &Path) -> io::Result<File> {
    let fresh = path.join(".lock-new");
    fs::write(&fresh, lock::host())?;
    let file = File::options().read(true).write(true).open(&fresh)?;
    if !lock::is_free(&file) {
        fs::remove_file(fresh)?;
        return Err(io::ErrorKind::Unsupported.into());
    }
    fs::rename(fresh, path.join(LOCK))?;
    Ok(file)
}

/// Removes the scratch folders in `dir` with this beginning whose owners have gone; those without a
/// lock at age `unlocked`. Others may be at it too.
fn purge(dir: &Path, prefix: &str, unlocked: Duration) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|t| t.is_dir());
        if is_folder && entry.file_name().to_string_lossy().starts_with(prefix) && abandoned(&entry.path(), unlocked) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn abandoned(path: &Path, unlocked: Duration) -> bool {
    let modified = fs::metadata(path).and_then(|m| m.modified());
    let older = |than: Duration| modified.as_ref().is_ok_and(|m| m.elapsed().is_ok_and(|age| age > than));
    let Ok(file) = File::options().read(true).write(true).open(path.join(LOCK)) else { return older(unlocked) };
    let here = io::read_to_string(&file).is_ok_and(|host| host == lock::host());
    lock::is_free(&file) && (here || older(OLD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("samhw-scratch-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn names(dir: &Path) -> usize {
        fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn folders_differ_and_go() {
        let dir = folder("differ");
        let [a, b] = [(); 2].map(|()| Scratch::new(&dir, "tmp-").unwrap());
        assert!(a.path() != b.path() && a.path().is_absolute() && names(&dir) == 2);
        drop((a, b));
        assert_eq!(names(&dir), 0);
        fs::remove_dir(dir).unwrap();
    }

    #[test]
    fn what_nobody_owns_is_removed() {
        let dir = folder("purge");
        let make = |name: &str, lock: Option<&str>, age: Duration| {
            let path = dir.join(name);
            fs::create_dir(&path).unwrap();
            if let Some(host) = lock {
                fs::write(path.join(LOCK), host).unwrap();
            }
            File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
            path
        };
        let (young, old) = (Duration::from_secs(1), OLD * 2);
        let gone = [
            make("tmp-killed", Some(&lock::host()), young),
            make("tmp-other", Some("other"), old),
            make("tmp-none", None, YOUNG * 2),
        ];
        let stay = [make("tmp-far", Some("other"), young), make("tmp-fresh", None, young), make("mine", None, old)];
        let held = make("tmp-held", Some(&lock::host()), old);
        let lock = File::options().write(true).open(held.join(LOCK)).unwrap();
        assert!(lock::is_free(&lock));
        drop(Scratch::new(&dir, "tmp-").unwrap());
        for path in &gone {
            assert!(!path.exists(), "{path:?}");
        }
        for path in stay.iter().chain([&held]) {
            assert!(path.exists(), "{path:?}");
        }
        fs::remove_dir_all(dir).unwrap();
    }
}
