//! Folders that are written atomically. Files are made in a scratch folder next to it; then the new folder
//! takes the place of the old one, or, where the old one holds what others have put there, its files are
//! exchanged in it. What an earlier run of the same command wrote goes; everything else stays.

#[cfg(test)]
mod tests;

use crate::listed::{LIST, Line, List, text};
use crate::{Scratch, ending, hash, news, resolved};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How names of scratch folders begin.
const PREFIX: &str = ".samhw-";

/// A folder to write.
#[derive(Debug)]
pub struct Folder {
    /// Its place; it need not be there yet.
    dir: PathBuf,
    /// Folders above that were made for it, the outermost first.
    made: Vec<PathBuf>,
    scratch: Scratch,
    /// Whether the scratch folder is next to it, and not in it.
    beside: bool,
}

impl Folder {
    /// Prepares to write folder `dir`.
    pub fn new(dir: &Path) -> io::Result<Self> {
        let dir = resolved(dir)?;
        if dir.exists() {
            // Something else is there: the system says it in its words.
            fs::create_dir_all(&dir)?;
            let dir = fs::canonicalize(dir)?;
            let parent = dir.parent().filter(|p| same_disk(p, &dir));
            let beside = parent.and_then(|p| Scratch::new(p, PREFIX).ok());
            let (scratch, beside) = match beside {
                Some(scratch) => (scratch, true),
                None => (Scratch::new(&dir, PREFIX)?, false),
            };
            return Self { dir, made: Vec::new(), scratch, beside }.begun();
        }
        let name = dir.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let parent = dir.parent().ok_or(io::ErrorKind::InvalidInput)?;
        if parent.exists() && !parent.is_dir() {
            fs::create_dir(&dir)?;
        }
        let mut made: Vec<PathBuf> = parent.ancestors().take_while(|p| !p.exists()).map(Path::to_path_buf).collect();
        made.reverse();
        let begun = fs::create_dir_all(parent).and_then(|()| {
            let parent = fs::canonicalize(parent)?;
            let scratch = Scratch::new(&parent, PREFIX)?;
            Self { dir: parent.join(name), made: made.clone(), scratch, beside: true }.begun()
        });
        if begun.is_err() {
            unmake(&made);
        }
        begun
    }

    fn begun(self) -> io::Result<Self> {
        fs::create_dir(self.path())?;
        Ok(self)
    }

    /// Returns the folder that holds the files until they are published.
    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("new")
    }

    /// Writes a file; its name has no folder.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        fs::write(self.path().join(name), content)
    }

    /// Moves the named files, which `command` wrote, to their place: all of them or none. Other new files are dropped.
    /// Files of an earlier run of this command are removed, unless they have been changed since.
    pub fn publish<'a>(mut self, command: &str, names: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let new = self.path();
        for entry in fs::read_dir(&new)? {
            let entry = entry?;
            if !entry.file_name().to_str().is_some_and(|n| names.contains(n)) {
                ending::remove(&entry.path());
            }
        }
        let lines = names.iter().map(|name| Line::of(command, &new, name)).collect::<io::Result<Vec<Line>>>()?;
        fs::write(new.join(LIST), text(&lines))?;
        for name in names.iter().chain([&LIST]) {
            File::open(new.join(name))?.sync_all()?;
        }
        if !self.dir.exists() {
            let moved = {
                let _uninterrupted = ending::hold();
                fs::rename(&new, &self.dir)
            };
            match moved {
                // Somebody else was faster.
                Err(_) if self.dir.is_dir() => (),
                other => {
                    other?;
                    self.made.clear();
                    return self.synced();
                }
            }
        }
        self.made.clear();
        let list = List::locked(&self.dir)?;
        let old = Old::of(&self.dir, &list, command, &names)?;
        if self.beside && old.others == 0 && self.may_swap() && self.swap(&old)? {
            return self.synced();
        }
        self.exchange(list, &old, &lines)?;
        self.synced()
    }

    /// What has happened in the folders is on the disk too, where folders can be synchronised.
    fn synced(&self) -> io::Result<()> {
        for dir in [Some(self.dir.as_path()), self.dir.parent()].into_iter().flatten() {
            let _ = File::open(dir).and_then(|d| d.sync_all());
        }
        Ok(())
    }

    /// Whether the folder may become another one: not if we are in it, or it would belong to somebody else.
    fn may_swap(&self) -> bool {
        let inside = std::env::current_dir().is_ok_and(|here| here.starts_with(&self.dir));
        !inside && same_owner(&self.dir, &self.path())
    }

    /// The new folder takes the place of the old one. False where the file system cannot do that.
    fn swap(&self, old: &Old) -> io::Result<bool> {
        let new = self.path();
        fs::set_permissions(&new, fs::metadata(&self.dir)?.permissions())?;
        let _uninterrupted = ending::hold();
        if !exchanged(&new, &self.dir) {
            return Ok(false);
        }
        // What somebody has put there in this moment stays.
        for entry in fs::read_dir(&new)?.flatten() {
            let known = |n: &str| n == LIST || old.ours.iter().any(|o| o == n);
            let place = self.dir.join(entry.file_name());
            if !entry.file_name().to_str().is_some_and(known) && place.symlink_metadata().is_err() {
                fs::rename(entry.path(), place)?;
            }
        }
        Ok(true)
    }

    /// Exchanges the files in the folder. After an error everything is where it was.
    fn exchange(&self, mut list: List, old: &Old, lines: &[Line]) -> io::Result<()> {
        let (new, aside) = (self.path(), self.scratch.path().join("old"));
        fs::create_dir(&aside)?;
        let _uninterrupted = ending::hold();
        // If this process is killed, the next one knows of both, the old files and the new ones.
        list.add(lines)?;
        let mut moves = Moves::default();
        let done = old
            .goes
            .iter()
            .try_for_each(|name| moves.rename(self.dir.join(name), aside.join(name)))
            .and_then(|()| lines.iter().try_for_each(|l| moves.rename(new.join(&l.name), self.dir.join(&l.name))));
        if let Err(e) = done {
            moves.back();
            list.take_back()?;
            return Err(e);
        }
        let stay = list.lines.iter().filter(|l| old.stays(l)).cloned();
        let lines: Vec<Line> = stay.chain(lines.iter().cloned()).collect();
        list.replace(&lines, self.scratch.path())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.made.is_empty() {
            ending::remove(self.scratch.path());
            unmake(&self.made);
        }
    }
}

/// Removes folders that were made for nothing, as far as they are empty.
fn unmake(made: &[PathBuf]) {
    for dir in made.iter().rev() {
        let _ = fs::remove_dir(dir);
    }
}

/// What is in a folder before it is written again.
struct Old {
    /// Files of an earlier run of this command that are as it wrote them, or that are replaced.
    ours: Vec<String>,
    /// Those of them, and others, that make room.
    goes: Vec<OsString>,
    /// Entries that are none of these.
    others: usize,
}

impl Old {
    fn of(dir: &Path, list: &List, command: &str, names: &BTreeSet<&str>) -> io::Result<Self> {
        let mut old = Self { ours: Vec::new(), goes: Vec::new(), others: 0 };
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let file_name = entry.file_name();
            let name = file_name.to_str().unwrap_or_default();
            if name == LIST || name.starts_with(PREFIX) {
                continue;
            }
            let replaced = names.contains(name);
            if replaced && entry.file_type()?.is_dir() {
                let what = format!("{} is a folder", entry.path().display());
                return Err(io::Error::new(io::ErrorKind::IsADirectory, what));
            }
            let mut lines = list.lines.iter().filter(|l| l.name == name && l.command == command).peekable();
            let listed = lines.peek().is_some() && entry.file_type()?.is_file();
            let unchanged = listed && {
                let (_, sha256) = hash::of_file(&entry.path())?;
                lines.any(|l| l.sha256 == sha256)
            };
            if unchanged || (listed && replaced) {
                old.ours.push(name.into());
            } else {
                old.others += 1;
            }
            if unchanged || replaced {
                old.goes.push(file_name);
            } else if listed {
                news::note(&format!("{} has been changed since it was written, and stays", entry.path().display()));
            }
        }
        Ok(old)
    }

    /// Whether what a line of the list names is still there afterwards.
    fn stays(&self, line: &Line) -> bool {
        !self.goes.iter().any(|n| n.to_str() == Some(&line.name))
    }
}

/// Renamings that can be taken back.
#[derive(Default)]
struct Moves(Vec<(PathBuf, PathBuf)>);

impl Moves {
    fn rename(&mut self, from: PathBuf, to: PathBuf) -> io::Result<()> {
        fs::rename(&from, &to).map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", to.display())))?;
        self.0.push((from, to));
        Ok(())
    }
    fn back(self) {
        for (from, to) in self.0.into_iter().rev() {
            // It could be moved away from there a moment ago.
            let _ = fs::rename(to, from);
        }
    }
}

/// Exchanges two folders in one step, if the system can.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchanged(a: &Path, b: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchanged(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(unix)]
fn same_disk(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    matches!((fs::metadata(a), fs::metadata(b)), (Ok(a), Ok(b)) if a.dev() == b.dev())
}

#[cfg(unix)]
fn same_owner(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    matches!((fs::metadata(a), fs::metadata(b)), (Ok(a), Ok(b)) if (a.uid(), a.gid()) == (b.uid(), b.gid()))
}

#[cfg(not(unix))]
fn same_disk(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(not(unix))]
fn same_owner(_: &Path, _: &Path) -> bool {
    true
}
