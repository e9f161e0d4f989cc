//! Atomic changes of folders by programs that do not provide them.

use crate::{ending, resolved};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How the name begins under which a folder is kept as it was, next to it.
const BEFORE: &str = ".samhw-before-";

/// What the marker of a folder holds that was not there before.
const NEW: &str = "new";

/// A folder during an atomic change. If the change does not end, it is again as it was; where this process had no time
/// for that, the marker stays in it, and the next change begins with it.
#[derive(Debug)]
pub struct Change {
    dir: PathBuf,
    marker: PathBuf,
    /// The folder as it was; its files are the same ones, so what changes it must replace them.
    before: Option<PathBuf>,
    /// It was not there.
    new: bool,
    ended: bool,
}

impl Change {
    /// Starts to change folder `dir`, creating it if necessary; file `marker` is in it during the change.
    pub fn begin(dir: &Path, marker: &str) -> io::Result<Self> {
        let dir = resolved(dir)?;
        let marker = dir.join(marker);
        recover(&dir, &marker)?;
        let new = !dir.exists();
        let mut open = ending::hold();
        let before = if new {
            open.add(&dir);
            None
        } else {
            // Where nothing can be made next to it, it is changed without a way back.
            let before = kept(&dir)?;
            if let Some(before) = &before {
                open.add_changed(&dir, before);
            }
            before
        };
        drop(open);
        let change = Self { dir, marker, before, new, ended: false };
        fs::create_dir_all(&change.dir)?;
        let content = match &change.before {
            Some(before) => before.as_os_str().as_encoded_bytes(),
            None if new => NEW.as_bytes(),
            None => b"",
        };
        fs::write(&change.marker, content)?;
        Ok(change)
    }

    /// Completes the change.
    pub fn end(mut self) -> io::Result<()> {
        let mut open = ending::hold();
        fs::remove_file(&self.marker)?;
        open.remove(&self.dir);
        self.ended = true;
        Ok(())
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        let mut open = ending::hold();
        if self.ended {
            if let Some(before) = &self.before {
                ending::remove(before);
            }
        } else if self.new || self.before.is_some() {
            ending::restore(&self.dir, self.before.as_deref());
        }
        open.remove(&self.dir);
    }
}

/// Puts folder `dir` back to what it was before a change that was cut off.
fn recover(dir: &Path, marker: &Path) -> io::Result<()> {
    let Ok(content) = fs::read_to_string(marker) else { return Ok(()) };
    let before = Path::new(&content);
    if content == NEW {
        fs::remove_dir_all(dir)?;
    } else if before.is_dir() && before.parent() == dir.parent() {
        fs::remove_dir_all(dir)?;
        fs::rename(before, dir)?;
    }
    Ok(())
}

/// A copy of folder `dir` next to it, if one can be made there.
fn kept(dir: &Path) -> io::Result<Option<PathBuf>> {
    let Some(parent) = dir.parent() else { return Ok(None) };
    let Ok(made) = tempfile::Builder::new().prefix(BEFORE).rand_bytes(12).tempdir_in(parent) else { return Ok(None) };
    match linked(dir, made.path()) {
        Ok(()) => Ok(Some(made.keep())),
        // It is on another disk.
        Err(e) if e.kind() == io::ErrorKind::CrossesDevices => Ok(None),
        Err(e) => Err(e),
    }
}

/// Makes in folder `to`, which is there, all that is in folder `from`; files are links to the same ones.
fn linked(from: &Path, to: &Path) -> io::Result<()> {
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, place) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&place)?;
            linked(&entry.path(), &place)?;
        } else {
            fs::hard_link(entry.path(), &place)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("samhw-change-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut all: Vec<String> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        all.sort();
        all
    }

    #[test]
    fn a_change_that_does_not_end_leaves_nothing() {
        let place = folder("new");
        let dir = place.join("env");
        let change = Change::begin(&dir, "incomplete").unwrap();
        fs::write(dir.join("half"), "").unwrap();
        drop(change);
        assert_eq!(names(&place), Vec::<String>::new());
        let change = Change::begin(&dir, "incomplete").unwrap();
        fs::create_dir(dir.join("bin")).unwrap();
        fs::write(dir.join("bin/tool"), "1").unwrap();
        change.end().unwrap();
        assert_eq!(names(&dir), ["bin"]);
        let change = Change::begin(&dir, "incomplete").unwrap();
        fs::remove_file(dir.join("bin/tool")).unwrap();
        fs::write(dir.join("bin/tool"), "2").unwrap();
        fs::write(dir.join("bin/other"), "2").unwrap();
        drop(change);
        assert_eq!((names(&dir), names(&dir.join("bin"))), (vec!["bin".into()], vec!["tool".into()]));
        assert_eq!((fs::read_to_string(dir.join("bin/tool")).unwrap(), names(&place).len()), ("1".into(), 1));
        fs::remove_dir_all(place).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_leads_to_the_change() {
        let place = folder("link");
        let link = place.join("link");
        std::os::unix::fs::symlink("env", &link).unwrap();
        for (content, ends) in [("half", false), ("1", true), ("2", false)] {
            let change = Change::begin(&link, "incomplete").unwrap();
            fs::remove_file(link.join("tool")).unwrap_or_default();
            fs::write(link.join("tool"), content).unwrap();
            if ends {
                change.end().unwrap()
            } else {
                drop(change)
            }
            assert!(link.is_symlink());
        }
        assert_eq!(fs::read_to_string(place.join("env/tool")).unwrap(), "1");
        assert_eq!(names(&place), ["env", "link"]);
        fs::remove_dir_all(place).unwrap();
    }

    #[test]
    fn what_was_cut_off_is_put_back_by_the_next() {
        let place = folder("cut");
        let dir = place.join("env");
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("tool"), "1").unwrap();
        // As if this process had been killed.
        std::mem::forget(Change::begin(&dir, "incomplete").unwrap());
        fs::remove_file(dir.join("tool")).unwrap();
        assert_eq!((names(&dir), names(&place).len()), (vec!["incomplete".into()], 2));
        let change = Change::begin(&dir, "incomplete").unwrap();
        assert_eq!(names(&dir), ["incomplete", "tool"]);
        change.end().unwrap();
        assert_eq!((names(&dir), names(&place)), (vec!["tool".into()], vec!["env".into()]));
        let fresh = place.join("fresh");
        std::mem::forget(Change::begin(&fresh, "incomplete").unwrap());
        fs::write(fresh.join("half"), "").unwrap();
        Change::begin(&fresh, "incomplete").unwrap().end().unwrap();
        assert_eq!(names(&fresh), Vec::<String>::new());
        fs::remove_dir_all(place).unwrap();
    }
}
