//! Ctrl-C and requests to terminate: what runs is ended and what is half done is removed before the
//! program ends.

use crate::output;
use samhw_system::ending;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Exit status of an interrupted program, as shells have it.
pub const STATUS: u8 = 130;

static HEEDED: AtomicUsize = AtomicUsize::new(0);

/// Takes over from the system's handling of Ctrl-C, of requests to terminate, and of limits that are reached.
///
/// # Errors
///
/// No thread that waits for them can be started.
pub fn install() -> io::Result<()> {
    #[cfg(unix)]
    signals()?;
    // Where it cannot be had, the system's handling stays: all that is lost is the cleaning up.
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(end);
    Ok(())
}

/// Ends the program, or, if somebody heeds it, lets him end it; the second time there is no waiting.
fn end() {
    if HEEDED.load(Ordering::SeqCst) > 0 && !ending::cancel() {
        return;
    }
    // Kept to the end, so that nothing begins any more.
    let _open = ending::undo();
    output::complain("interrupted");
    process::exit(i32::from(STATUS));
}

/// A file that may not grow is an error of whoever writes it, as a full disk is; processor time
/// that is used up ends the program as Ctrl-C does. What whoever started this program has had
/// ignored (`nohup`, `trap '' INT`) stays ignored, also by the programs that run.
#[cfg(unix)]
fn signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
    if !is_ignored(SIGXFSZ) {
        let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    }
    let heard = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU].into_iter().filter(|s| !is_ignored(*s));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(heard) {
        std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| end()))?;
    }
    Ok(())
}

/// Whether nothing happens at a signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut now = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action it only writes the present one, which it does if it returns 0.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), now.as_mut_ptr()) == 0
            && now.assume_init().sa_sigaction == libc::SIG_IGN
    }
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
        ending::cancelled()
    }
}

impl Drop for Heed {
    fn drop(&mut self) {
        HEEDED.fetch_sub(1, Ordering::SeqCst);
    }
}
