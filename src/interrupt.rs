//! Ctrl-C: what is half done is removed before the program ends.

use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Exit status of an interrupted program, as shells have it.
pub const STATUS: u8 = 130;

static CANCELLED: AtomicBool = AtomicBool::new(false);
static HEEDED: AtomicUsize = AtomicUsize::new(0);
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The folders to remove. Whoever holds this cannot be interrupted.
pub fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes over from the system's handling of Ctrl-C and of requests to terminate.
pub fn install() {
    // Where it cannot be had, the system's handling stays: all that is lost is the cleaning up.
    let _ = ctrlc::set_handler(|| {
        let again = CANCELLED.swap(true, Ordering::SeqCst);
        if again || HEEDED.load(Ordering::SeqCst) == 0 {
            for dir in folders().drain(..) {
                let _ = std::fs::remove_dir_all(dir);
            }
            process::exit(i32::from(STATUS));
        }
    });
}

/// While one is there, its owner looks at [`Heed::flag`] and ends by itself.
pub struct Heed(());

impl Heed {
    /// Begins to heed.
    pub fn new() -> Self {
        HEEDED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
    /// Set by Ctrl-C.
    pub fn flag(&self) -> &'static AtomicBool {
        &CANCELLED
    }
}

impl Drop for Heed {
    fn drop(&mut self) {
        HEEDED.fetch_sub(1, Ordering::SeqCst);
    }
}
