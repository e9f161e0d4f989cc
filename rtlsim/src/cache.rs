//! The cache of compiled designs. An entry is a folder with a manifest that holds the size and the hash of every file:
//! what does not agree with it is never used, but made again. Entries are made in scratch folders and renamed into
//! place, so that nobody sees one half written, however many processes on however many machines share the cache; locks
//! only keep them from doing the same work twice.

use crate::error::{Error, Result};
use samhw_system::{Scratch, hash, lock, make_folder, news};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

pub use samhw_system::hash::Key;

/// The file that says what an entry holds.
const MANIFEST: &str = "manifest.json";

/// Beginning of the names of scratch folders.
pub(crate) const SCRATCH: &str = "tmp-";

/// Folder of the locks.
pub(crate) const LOCKS: &str = "locks";

/// Number of attempts at an entry that others remove or replace at the same time.
pub(crate) const TRIES: u32 = 4;

/// The contents of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Description of the entry.
    pub what: String,
    /// Every file.
    pub files: BTreeMap<String, Held>,
}

/// A file of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    pub bytes: u64,
    pub sha256: String,
}

/// A cache folder for compiled designs.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    /// It goes with this where the user has none.
    _own: Option<Scratch>,
}

impl Deref for Cache {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for Cache {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// Returns the default cache: `SAMHW_CACHE` if it is set, otherwise the user's cache folder. A user without a home has
/// a private one that goes when it is dropped: a folder whose name everybody knows may hold anybody's libraries.
pub fn default_cache() -> Result<Cache> {
    let var = |v: &str| std::env::var_os(v).filter(|x| !x.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().filter(|d| d.is_absolute()).map(|d| d.join(".cache").join("samhw"));
    let users = var("SAMHW_CACHE")
        .or_else(|| var("XDG_CACHE_HOME").map(|d| d.join("samhw")))
        .or_else(home)
        .or_else(|| var("LOCALAPPDATA").map(|d| d.join("samhw")));
    if let Some(path) = users {
        // Tools run in folders of their own: what is in it must be found from there too.
        let path = std::path::absolute(&path).map_err(|e| Error::io(path.display().to_string(), e))?;
        return Ok(Cache { path, _own: None });
    }
    let temporary = std::env::temp_dir();
    let own = Scratch::new(&temporary, "samhw-cache-").map_err(|e| Error::io(temporary.display().to_string(), e))?;
    news::note("there is no home folder to keep compiled designs in; SAMHW_CACHE can name one");
    Ok(Cache { path: own.path().into(), _own: Some(own) })
}

/// A scratch folder in cache `dir`, which is made where it is not there.
pub(crate) fn scratch(dir: &Path) -> Result<Scratch> {
    let made = make_folder(dir).and_then(|()| Scratch::new(dir, SCRATCH));
    made.map_err(|e| Error::io(dir.display().to_string(), e))
}

/// Why an entry cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A file of the entry is missing.
    Missing,
    /// The entry differs from what was written, as this text explains.
    Damaged(String),
}

/// Reads an entry's manifest.
pub(crate) fn manifest(entry: &Path) -> std::result::Result<Manifest, Flaw> {
    let damaged = |what: String| Flaw::Damaged(what);
    match fs::read_to_string(entry.join(MANIFEST)) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| damaged(format!("its manifest is wrong: {e}"))),
        Err(_) if entry.symlink_metadata().is_err() => Err(Flaw::Missing),
        Err(e) => Err(damaged(format!("its manifest cannot be read: {e}"))),
    }
}

/// Compares every file of an entry with its manifest.
pub(crate) fn check(entry: &Path) -> std::result::Result<(), Flaw> {
    for (name, held) in &manifest(entry)?.files {
        let flaw = match hash::of_file(&entry.join(name)) {
            Ok((bytes, _)) if bytes != held.bytes => format!("{name} has {bytes} bytes, not {}", held.bytes),
            Ok((_, sha256)) if sha256 != held.sha256 => format!("{name} is not what was written"),
            Ok(_) => continue,
            Err(e) => format!("{name} cannot be read: {e}"),
        };
        return Err(Flaw::Damaged(flaw));
    }
    Ok(())
}

/// The folder of entry `name` of cache `dir`, which holds `what`. Where it is not there, or
/// damaged, `make` fills a new folder, its second argument; the first is for its work.
pub(crate) fn entry(dir: &Path, name: &str, what: &str, make: impl Fn(&Path, &Path) -> Result<()>) -> Result<PathBuf> {
    let dir = std::path::absolute(dir).map_err(|e| Error::io(dir.display().to_string(), e))?;
    let place = dir.join(name);
    if check(&place).is_ok() {
        return Ok(place);
    }
    let failed = |e: io::Error| Error::io(place.display().to_string(), e);
    let scratch = scratch(&dir)?;
    let _lock = locked(&dir, name, what);
    for attempt in 0.. {
        match check(&place) {
            Ok(()) => break,
            Err(Flaw::Damaged(flaw)) => {
                news::note(&format!("{} is damaged and is made again: {flaw}", place.display()));
                set_aside(&place, scratch.path()).map_err(failed)?;
            }
            Err(Flaw::Missing) => (),
        }
        let made = scratch.path().join(format!("result-{attempt}"));
        fs::create_dir(&made).map_err(failed)?;
        make(scratch.path(), &made)?;
        seal(&made, what).map_err(failed)?;
        match fs::rename(&made, &place) {
            Ok(()) => {
                // So that the name is on the disk too; where folders cannot be synchronised it comes later.
                let _ = File::open(&dir).and_then(|d| d.sync_all());
                break;
            }
            // Somebody else was faster.
            Err(_) if place.is_dir() && attempt < TRIES => (),
            Err(e) => return Err(failed(e)),
        }
    }
    Ok(place)
}

/// Takes an entry out of the cache; it goes with folder `aside`.
pub(crate) fn set_aside(place: &Path, aside: &Path) -> io::Result<()> {
    for n in 0.. {
        let to = aside.join(format!("old-{n}"));
        if to.symlink_metadata().is_ok() {
            continue;
        }
        return match fs::rename(place, to) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        };
    }
    Ok(())
}

/// Writes the manifest of folder `made`; then all of it is on the disk.
fn seal(made: &Path, what: &str) -> io::Result<()> {
    let mut files = BTreeMap::new();
    for file in fs::read_dir(made)? {
        let path = file?.path();
        let (bytes, sha256) = hash::of_file(&path)?;
        File::open(&path)?.sync_all()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.insert(name, Held { bytes, sha256 });
    }
    let manifest = Manifest { what: what.into(), files };
    let path = made.join(MANIFEST);
    fs::write(&path, serde_json::to_vec_pretty(&manifest)?)?;
    File::open(&path)?.sync_all()?;
    let _ = File::open(made).and_then(|d| d.sync_all());
    Ok(())
}

/// The lock of entry `name`, as far as there is one.
fn locked(dir: &Path, name: &str, what: &str) -> Option<File> {
    let locks = dir.join(LOCKS);
    fs::create_dir_all(&locks).ok()?;
    let file = File::options().create(true).write(true).truncate(false).open(locks.join(name.get(..2)?)).ok()?;
    let taken = lock::take(&file, &format!("another process that compiles {what}"));
    taken.then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("samhw-cache-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    #[test]
    fn entries_are_made_once_and_damaged_ones_again() {
        let dir = folder("damage");
        let made = Cell::new(0);
        let get = || {
            let path = entry(&dir, "key", "a file", |work, made_in| {
                assert!(work.is_dir());
                made.set(made.get() + 1);
                fs::write(made_in.join("f"), "content").map_err(|e| Error::io("f", e))
            });
            fs::read_to_string(path.unwrap().join("f")).unwrap()
        };
        assert_eq!((get(), get(), made.get()), ("content".into(), "content".into(), 1));
        let file = dir.join("key").join("f");
        type Harm<'a> = &'a dyn Fn() -> io::Result<()>;
        let harms: [Harm; 6] = [
            &|| File::options().write(true).open(&file)?.set_len(3),
            &|| fs::write(&file, "CONTENT"),
            &|| fs::write(&file, ""),
            &|| fs::remove_file(&file),
            &|| fs::write(dir.join("key").join(MANIFEST), "{}"),
            &|| fs::remove_dir_all(dir.join("key")).and_then(|()| fs::write(dir.join("key"), "no folder")),
        ];
        for (n, harm) in harms.iter().enumerate() {
            harm().unwrap();
            assert_eq!((get(), made.get()), ("content".into(), n + 2));
        }
        let left: Vec<_> = fs::read_dir(&dir).unwrap().flatten().map(|e| e.file_name()).collect();
        assert_eq!(left.len(), 2, "the entry and the locks: {left:?}");
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn what_fails_leaves_nothing() {
        let dir = folder("fails");
        assert!(entry(&dir, "key", "", |_, _| Err(Error::io("x", "y"))).is_err());
        assert!(!dir.join("key").exists());
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn without_locks_the_first_stays() {
        let dir = folder("race");
        // While it is made, somebody who has no lock makes it too.
        let inner =
            || entry(&dir, "key", "", |_, made| fs::write(made.join("f"), "first").map_err(|e| Error::io("f", e)));
        // A folder in the place of the locks is none.
        fs::write(dir.join(LOCKS), "").unwrap();
        let path = entry(&dir, "key", "", |_, made| {
            inner().unwrap();
            fs::write(made.join("f"), "second").map_err(|e| Error::io("f", e))
        });
        assert_eq!(fs::read_to_string(path.unwrap().join("f")).unwrap(), "first");
        fs::remove_dir_all(dir).unwrap();
    }
}
