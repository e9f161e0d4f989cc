//! Progress messages for a listener.

use std::sync::OnceLock;
use std::time::Duration;

/// A receiver of progress messages.
pub trait Listener: Send + Sync {
    /// Called several times a second while the process only waits for `what`, since `time`.
    fn waiting(&self, what: &str, time: Duration);
    /// Called when the wait is over.
    fn done(&self);
    /// Called with a note for the user.
    fn note(&self, text: &str);
}

static LISTENER: OnceLock<Box<dyn Listener>> = OnceLock::new();

/// Registers `listener` for all later messages. The first one stays.
pub fn listen(listener: Box<dyn Listener>) {
    let _ = LISTENER.set(listener);
}

/// Reports that the process waits for `what`.
pub fn waiting(what: &str, time: Duration) {
    if let Some(listener) = LISTENER.get() {
        listener.waiting(what, time);
    }
}

/// Reports that the wait is over.
pub fn done() {
    if let Some(listener) = LISTENER.get() {
        listener.done();
    }
}

/// Reports a note for the user.
pub fn note(text: &str) {
    if let Some(listener) = LISTENER.get() {
        listener.note(text);
    }
}
