//! Locks of files. Not every file system has them, and not all hosts that share one see each
//! other's: they save work and waiting, and nothing that must be right depends on them alone.

use crate::news;
use std::fs::{File, TryLockError};
use std::io;
use std::time::{Duration, Instant};

/// Longest time to wait for a lock; a process that holds it longer is stopped or hangs.
pub const PATIENCE: Duration = Duration::from_secs(600);

const LONGEST: Duration = Duration::from_millis(100);

/// Locks `file` if the file system supports it, waiting at most [`PATIENCE`]; `what` describes the file in messages.
/// False where there is no lock to be had.
pub fn take(file: &File, what: &str) -> bool {
    let (begin, mut pause) = (Instant::now(), Duration::from_millis(1));
    let taken = loop {
        match try_take(file) {
            Ok(taken) => break taken,
            Err(()) if begin.elapsed() > PATIENCE => break false,
            Err(()) => news::waiting(what, begin.elapsed()),
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST);
    };
    news::done();
    taken
}

/// Whether the lock was taken, or cannot be had at all; an error if somebody else has it.
fn try_take(file: &File) -> Result<bool, ()> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(()),
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Interrupted => Err(()),
        Err(TryLockError::Error(_)) => Ok(false),
    }
}

/// Whether nobody has the lock of `file`, as far as that can be told; it is ours then.
pub(crate) fn is_free(file: &File) -> bool {
    try_take(file) == Ok(true)
}

/// Tells the machines apart whose locks see each other: one running kernel is one machine, whatever
/// containers it holds.
pub(crate) fn host() -> String {
    if let Ok(boot) = std::fs::read_to_string("/proc/sys/kernel/random/boot_id") {
        return boot.trim().to_string();
    }
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return std::env::var("COMPUTERNAME").unwrap_or_default();
}
