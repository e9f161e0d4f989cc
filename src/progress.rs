//! Progress of long work: on a terminal all the time; elsewhere a line now and then, if the work is known
//! to take long.

use crate::output::{complain, quiet};
use samhw_sim::native::Watched;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What ends sooner shows nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Between two updates.
const PERIOD: Duration = Duration::from_millis(500);
/// Before the first line where no terminal is; then twice as long before each.
const PATIENCE: Duration = Duration::from_secs(60);

/// Shows on standard error how far it is until it is dropped.
pub struct Progress {
    /// The progress so far.
    pub watched: Arc<Watched>,
    /// Whether the run is known to take long: it is reported also without a terminal.
    pub long: Arc<AtomicBool>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts the clock. `words`: what to show of the count and the seconds so far.
    pub fn start(words: impl Fn(u64, f64) -> String + Send + 'static) -> Self {
        let (watched, long) = (Arc::<Watched>::default(), Arc::<AtomicBool>::default());
        if quiet() {
            return Self { watched, long, shown: None };
        }
        let (sender, receiver) = mpsc::channel();
        let (counted, told_of, begin) = (watched.clone(), long.clone(), Instant::now());
        let terminal = io::stderr().is_terminal();
        let show = move || {
            let (mut wait, mut told) = (if terminal { QUIET } else { PATIENCE }, false);
            while receiver.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let text = words(counted.cycles.load(Ordering::Relaxed), begin.elapsed().as_secs_f64());
                if terminal {
                    line(&text);
                } else if told_of.load(Ordering::Relaxed) {
                    complain(&text);
                }
                wait = if terminal { PERIOD } else { 2 * wait };
                told = true;
            }
            if terminal && told {
                line("");
            }
        };
        // Where none can be started, nothing is shown.
        let thread = thread::Builder::new().spawn(show).ok();
        Self { watched, long, shown: thread.map(|thread| (sender, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.shown.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

/// Replaces the terminal's current line. Where that fails there is nobody to see it.
pub fn line(text: &str) {
    let mut err = io::stderr();
    let _ = write!(err, "\r\x1b[K{text}").and_then(|()| err.flush());
}
