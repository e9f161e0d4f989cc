//! Threads that work on kernels. Expressions, loops and graphs are gone through by recursion, as
//! deep as a kernel file may be; what a thread has by default, or a user's limit, says nothing
//! about that.

use std::io;
use std::panic::resume_unwind;
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Stack size in bytes of a thread that works on kernels: many times the need of the deepest accepted kernel.
pub const STACK: usize = 64 << 20;

/// Starts a thread with this stack size.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    Builder::new().stack_size(STACK).spawn(work)
}

/// Starts a thread with this stack size that ends with `scope`.
fn spawn_in<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> io::Result<ScopedJoinHandle<'s, T>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}

/// Runs `own` on this thread and `other` on another one at the same time, or afterwards on this one if no
/// thread can be started.
pub fn both<T: Send, U>(other: impl Fn() -> T + Sync, own: impl FnOnce() -> U) -> (T, U) {
    thread::scope(|scope| {
        let started = spawn_in(scope, &other);
        let own = own();
        let other = match started {
            Ok(started) => started.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => other(),
        };
        (other, own)
    })
}

/// Runs `work` on this thread and on at most `others` others, as many as can be started.
pub fn all<T: Send>(others: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let started: Vec<_> = (0..others).map_while(|_| spawn_in(scope, &work).ok()).collect();
        let mut done = vec![work()];
        done.extend(started.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))));
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn work_is_done_once_for_each_thread() {
        let count = AtomicU32::new(0);
        let work = || count.fetch_add(1, Ordering::SeqCst);
        let mut done = all(3, work);
        done.sort_unstable();
        assert!((1..=4).contains(&done.len()) && done == (0..done.len() as u32).collect::<Vec<_>>());
        assert_eq!((all(0, || 5), both(|| 1, || 2)), (vec![5], (1, 2)));
    }
}
