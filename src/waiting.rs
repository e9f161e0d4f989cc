//! Reports on programs that samhw waits for: on a terminal all the time, without one now and then.

use crate::output;
use crate::progress::line;
use samhw_system::news::Listener;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Programs that end sooner are not reported.
const QUIET: Duration = Duration::from_secs(2);

/// Without a terminal a report comes after this time, after twice that, and so on.
const FIRST: u64 = 60;

/// Whether something else is shown on the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Something else is shown on the terminal, or no longer.
pub fn take_terminal(taken: bool) {
    TAKEN.store(taken, Ordering::Relaxed);
}

/// The reporter.
pub struct Told {
    terminal: bool,
    /// Seconds of the last report.
    last: AtomicU64,
}

impl Told {
    /// Creates a waiter for standard error as it is.
    pub fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), last: AtomicU64::new(0) }
    }
}

impl Listener for Told {
    fn waiting(&self, what: &str, time: Duration) {
        let (seconds, last) = (time.as_secs(), self.last.load(Ordering::Relaxed));
        let due = if self.terminal { time > QUIET && seconds != last } else { seconds >= FIRST.max(2 * last) };
        if !due || output::quiet() || TAKEN.load(Ordering::Relaxed) && self.terminal {
            return;
        }
        self.last.store(seconds, Ordering::Relaxed);
        let text = format!("waiting for {what}: {seconds} s");
        if self.terminal {
            line(&text);
        } else {
            output::note(&format!("{text}; {} sets a limit", samhw_system::TOOL_SECONDS));
        }
    }

    fn done(&self) {
        if self.last.swap(0, Ordering::Relaxed) > 0 && self.terminal {
            line("");
        }
    }

    fn note(&self, text: &str) {
        self.done();
        output::note(&format!("note: {text}"));
    }
}
