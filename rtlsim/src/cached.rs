//! Listing, checking and clearing of the cache. Nothing that the cache did not make is touched.

use crate::cache::{self, Flaw, LOCKS, SCRATCH};
use crate::error::{Error, Result};
use crate::mapped::Family;
use samhw_system::Scratch;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// An entry of the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    /// Name of the entry's folder.
    pub name: String,
    /// Description of the compiled design.
    pub what: String,
    /// Total size of the files in bytes.
    pub bytes: u64,
    /// Time of creation.
    pub made: Option<SystemTime>,
    /// The reason why the entry cannot be used, if it is damaged.
    pub damage: Option<String>,
}

/// Lists the entries of cache `dir`, the latest first; `check` compares the content of every file with its recorded
/// hash.
pub fn cached(dir: &Path, check: bool) -> Result<Vec<Cached>> {
    let failed = |e: std::io::Error| Error::io(dir.display().to_string(), e);
    let mut out = Vec::new();
    if !dir.exists() {
        return Ok(out);
    }
    for item in fs::read_dir(dir).map_err(failed)? {
        let item = item.map_err(failed)?;
        let Ok(name) = item.file_name().into_string() else { continue };
        if !is_entry(&name) {
            continue;
        }
        let path = item.path();
        let manifest = cache::manifest(&path);
        let (what, damage) = match &manifest {
            Ok(m) if !check => (m.what.clone(), None),
            Ok(m) => (m.what.clone(), cache::check(&path).err()),
            Err(flaw) => (String::new(), Some(flaw.clone())),
        };
        let damage = match damage {
            // Somebody else has removed it in between.
            Some(Flaw::Missing) => continue,
            Some(Flaw::Damaged(why)) => Some(why),
            None => None,
        };
        let made = item.metadata().and_then(|m| m.modified()).ok();
        out.push(Cached { name, what, bytes: size(&path), made, damage });
    }
    out.sort_by(|a, b| (b.made, &a.name).cmp(&(a.made, &b.name)));
    Ok(out)
}

/// Removes `entries` from cache `dir`, and scratch folders whose owners no longer exist. Processes that use one of them
/// keep what they have loaded.
pub fn clear(dir: &Path, entries: &[Cached]) -> Result<()> {
    if !dir.exists() {
        return Ok(());
    }
    let failed = |e: std::io::Error| Error::io(dir.display().to_string(), e);
    let scratch = Scratch::new(dir, SCRATCH).map_err(failed)?;
    for entry in entries {
        cache::set_aside(&dir.join(&entry.name), scratch.path()).map_err(failed)?;
    }
    Ok(())
}

/// Removes the locks of cache `dir`, and the folder if it is empty then. Who waits for one of them waits for nobody.
pub fn clear_locks(dir: &Path) {
    // What cannot be removed is in use or somebody else's.
    let _ = fs::remove_dir_all(dir.join(LOCKS));
    let _ = fs::remove_dir(dir);
}

/// Bytes of a file, or of the files in a folder.
fn size(path: &Path) -> u64 {
    match fs::read_dir(path) {
        Ok(files) => files.flatten().filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum(),
        Err(_) => fs::metadata(path).map_or(0, |m| m.len()),
    }
}

/// Whether an entry may have this name: a key, with a word before or after it. Those of earlier
/// versions are files.
fn is_entry(name: &str) -> bool {
    let is_key = |w: &str| w.len() == 32 && w.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let is_word = |w: &str| ["rt", "header", "o", "v"].contains(&w) || Family::ALL.iter().any(|f| f.name() == w);
    let words: Vec<&str> = name.split(['-', '.']).collect();
    words.iter().filter(|w| is_key(w)).count() == 1 && words.iter().all(|w| is_key(w) || is_word(w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn key(digit: char) -> String {
        std::iter::repeat_n(digit, 32).collect()
    }

    #[test]
    fn what_is_listed_is_cleared_and_nothing_else() {
        let dir = std::env::temp_dir().join(format!("samhw-cached-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let make = |name: &str| -> PathBuf {
            cache::entry(&dir, name, "a design", |_, made| {
                fs::write(made.join("f"), "1234").map_err(|e| Error::io("f", e))
            })
            .unwrap()
        };
        let names = [key('1'), format!("rt-{}", key('2')), format!("{}-ecp5", key('3'))];
        for name in &names {
            make(name);
        }
        // Of an earlier version, and what is not ours.
        fs::write(dir.join(key('4')), "old").unwrap();
        fs::write(dir.join("notes.txt"), "mine").unwrap();
        fs::create_dir(dir.join("alone")).unwrap();
        fs::write(dir.join(&names[1]).join("f"), "12345").unwrap();
        let all = cached(&dir, true).unwrap();
        assert_eq!(all.len(), 4);
        let damaged: Vec<&Cached> = all.iter().filter(|c| c.damage.is_some()).collect();
        assert_eq!(damaged.len(), 2, "{damaged:?}");
        assert_eq!(cached(&dir, false).unwrap().iter().filter(|c| c.damage.is_some()).count(), 1);
        clear(&dir, &all).unwrap();
        clear_locks(&dir);
        let mut left: Vec<_> = fs::read_dir(&dir).unwrap().flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["alone", "notes.txt"]);
        fs::remove_dir_all(dir).unwrap();
        assert_eq!(cached(Path::new("/no/such/folder"), true).unwrap(), []);
    }
}
