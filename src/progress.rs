//! How far what takes long is, on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What ends sooner shows nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Between two updates.
const PERIOD: Duration = Duration::from_millis(500);

/// Shows on standard error how far it is until it is dropped, if that is a terminal.
pub struct Progress {
    /// What is done so far.
    pub count: Arc<AtomicU64>,
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts the clock. `words`: what to show of the count and the seconds so far.
    pub fn start(words: impl Fn(u64, f64) -> String + Send + 'static) -> Self {
        let count = Arc::<AtomicU64>::default();
        let shown = io::stderr().is_terminal().then(|| {
            let (sender, receiver) = mpsc::channel();
            let (count, begin) = (count.clone(), Instant::now());
            let show = move || {
                let mut wait = QUIET;
                while receiver.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    line(&words(count.load(Ordering::Relaxed), begin.elapsed().as_secs_f64()));
                    wait = PERIOD;
                }
                if wait == PERIOD {
                    line("");
                }
            };
            (sender, thread::spawn(show))
        });
        Self { count, shown }
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
