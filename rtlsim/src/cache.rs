//! The cache of compiled designs: content keys, locks, and atomic publication.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Content key: 128-bit FNV-1a over length-prefixed parts.
#[derive(Debug, Clone)]
pub(crate) struct Key(u128);

impl Key {
    /// An empty key.
    pub fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
    /// Adds a part.
    pub fn add(mut self, part: &str) -> Self {
        for b in (part.len() as u64).to_le_bytes().iter().chain(part.as_bytes()) {
            self.0 = (self.0 ^ u128::from(*b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        self
    }
    /// As file name.
    pub fn name(&self) -> String {
        format!("{:032x}", self.0)
    }
}

/// Where compiled designs go by default: `SAMHW_CACHE`, else the user's cache folder.
pub fn default_dir() -> PathBuf {
    let var = |v: &str| std::env::var_os(v).filter(|x| !x.is_empty()).map(PathBuf::from);
    var("SAMHW_CACHE")
        .or_else(|| var("XDG_CACHE_HOME").map(|d| d.join("samhw")))
        .or_else(|| var("HOME").map(|d| d.join(".cache").join("samhw")))
        .or_else(|| var("LOCALAPPDATA").map(|d| d.join("samhw")))
        .unwrap_or_else(|| std::env::temp_dir().join("samhw-cache"))
}

/// The entry `name` (file or folder) of cache `dir`. Where it is not there, `make` creates it at the path it
/// is given, in a scratch folder, and it is renamed into place: nobody sees it half written.
/// One process at a time makes an entry; others wait for it.
pub(crate) fn entry(dir: &Path, name: &str, make: impl FnOnce(&Path, &Path) -> Result<()>) -> Result<PathBuf> {
    let place = dir.join(name);
    if place.exists() {
        return Ok(place);
    }
    let at = |p: &Path| p.display().to_string();
    fs::create_dir_all(dir.join("locks")).map_err(|e| Error::io(at(dir), e))?;
    let lock_path = dir.join("locks").join(name.get(..2).unwrap_or(name));
    let lock = File::create(&lock_path).map_err(|e| Error::io(at(&lock_path), e))?;
    lock.lock().map_err(|e| Error::io(at(&lock_path), e))?;
    if place.exists() {
        return Ok(place);
    }
    let scratch = Scratch::new(dir)?;
    let made = scratch.path.join("result");
    make(&scratch.path, &made)?;
    fs::rename(&made, &place).map_err(|e| Error::io(at(&place), e))?;
    Ok(place)
}

/// A folder that is removed when dropped.
pub(crate) struct Scratch {
    /// The folder.
    pub path: PathBuf,
}

impl Scratch {
    /// A new folder in `dir`.
    pub fn new(dir: &Path) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!("tmp-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).map_err(|e| Error::io(path.display().to_string(), e))?;
        // Tools run inside it, so it must be absolute.
        let path = path.canonicalize().map_err(|e| Error::io(path.display().to_string(), e))?;
        Ok(Self { path })
    }
    /// Writes a file in it.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let p = self.path.join(name);
        fs::write(&p, text).map_err(|e| Error::io(p.display().to_string(), e))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that cannot be removed is only waste.
        let _ = fs::remove_dir_all(&self.path);
    }
}
