//! Progress messages for a listener.

use std::sync::OnceLock;
use std::time::Duration;

/// A receiver of progress messages.
pub trait Listener: Send + Sync {
    /// Since `time` nothing is done here but to wait for `what`; called several times a second.
    fn waiting(&self, what: &str, time: Duration);
    /// It is not waited for any more.
    fn done(&self);
    /// Something that the user should know.
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
