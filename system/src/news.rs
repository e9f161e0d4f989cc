//! What is worth telling while something is done, for whoever wants to hear it.

use std::sync::OnceLock;
use std::time::Duration;

/// Somebody who is told.
pub trait Listener: Send + Sync {
    /// Since `time` nothing is done here but to wait for `what`; called several times a second.
    fn waiting(&self, what: &str, time: Duration);
    /// It is not waited for any more.
    fn done(&self);
    /// Something that the user should know.
    fn note(&self, text: &str);
}

static LISTENER: OnceLock<Box<dyn Listener>> = OnceLock::new();

/// From now on `listener` is told. The first one stays.
pub fn listen(listener: Box<dyn Listener>) {
    let _ = LISTENER.set(listener);
}

/// Tells that `what` is waited for.
pub fn waiting(what: &str, time: Duration) {
    if let Some(listener) = LISTENER.get() {
        listener.waiting(what, time);
    }
}

/// Tells that it is not waited for any more.
pub fn done() {
    if let Some(listener) = LISTENER.get() {
        listener.done();
    }
}

/// Tells what the user should know.
pub fn note(text: &str) {
    if let Some(listener) = LISTENER.get() {
        listener.note(text);
    }
}
