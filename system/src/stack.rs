//! Threads that work on kernels. Expressions, loops and graphs are gone through by recursion, as
//! deep as a kernel file may be; what a thread has by default, or a user's limit, says nothing
//! about that.

use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Stack size in bytes of a thread that works on kernels: many times the need of the deepest accepted kernel.
pub const STACK: usize = 64 << 20;

/// Starts a thread with this stack size.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().stack_size(STACK).spawn(work)
}

/// Starts a thread with this stack size that ends with `scope`.
pub fn spawn_in<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> io::Result<ScopedJoinHandle<'s, T>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}
