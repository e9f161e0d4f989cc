//! Cleanup at the end of the process: child programs, unfinished folders and files. Whoever catches a signal calls
//! [`undo`] before the process ends.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Set when the work is to be given up; programs that run are ended.
static CANCELLED: AtomicBool = AtomicBool::new(false);

static OPEN: Mutex<Open> = Mutex::new(Open { paths: Vec::new(), groups: Vec::new() });

/// The currently open resources.
#[derive(Debug)]
pub struct Open {
    paths: Vec<(PathBuf, Option<PathBuf>)>,
    groups: Vec<u32>,
}

impl Open {
    /// Adds a file or folder.
    pub(crate) fn add(&mut self, path: &Path) {
        self.paths.push((path.into(), None));
    }
    /// Adds a folder that is changed; `before` is as it was.
    pub(crate) fn add_changed(&mut self, path: &Path, before: &Path) {
        self.paths.push((path.into(), Some(before.into())));
    }
    /// Forgets a file that is gone, or has got its place.
    pub(crate) fn remove(&mut self, path: &Path) {
        self.paths.retain(|(p, _)| p != path);
    }
    /// Adds a group of processes.
    pub(crate) fn add_group(&mut self, group: u32) {
        self.groups.push(group);
    }
    /// Forgets a process group that has ended.
    pub(crate) fn remove_group(&mut self, group: u32) {
        self.groups.retain(|g| *g != group);
    }
}

/// Locks and returns the open resources. Whoever holds this cannot be interrupted.
pub fn hold() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cancels the work; running programs are ended by the threads that wait for them.
pub fn cancel() -> bool {
    CANCELLED.swap(true, Ordering::SeqCst)
}

/// Returns the flag that is set after cancellation.
pub fn cancelled() -> &'static AtomicBool {
    &CANCELLED
}

/// Ends all programs and removes all unfinished files and folders. While the caller keeps what it gets, nothing new can
/// begin: it is to end the process.
pub fn undo() -> MutexGuard<'static, Open> {
    let mut open = hold();
    for group in open.groups.drain(..) {
        end_group(group);
    }
    for (path, before) in open.paths.drain(..) {
        restore(&path, before.as_deref());
    }
    open
}

/// Ends a group of processes; one that has gone already is none.
pub(crate) fn end_group(group: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = group;
}

/// Removes a file or a folder; what was `before` takes its place.
pub(crate) fn restore(path: &Path, before: Option<&Path>) {
    remove(path);
    if let Some(before) = before {
        // What cannot be moved back stays where it was kept.
        let _ = std::fs::rename(before, path);
    }
}

/// Removes a file or a folder. Programs that are about to end may still write there, so it is tried
/// for a while; what stays after that is removed by a later run.
pub(crate) fn remove(path: &Path) {
    const TRIES: u32 = 50;
    for _ in 0..TRIES {
        let removed = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        if removed.is_ok() || path.symlink_metadata().is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
