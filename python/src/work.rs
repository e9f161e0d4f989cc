//! Work on a thread of its own: Python goes on, and Ctrl-C ends it.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use samhw_sim::native::Watched;
use samhw_system::stack;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Between two looks for Ctrl-C.
const PERIOD: Duration = Duration::from_millis(50);

/// The progress of work on another thread.
#[pyclass(frozen)]
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// The steps that are done, and whether the work is to be given up.
    pub shared: Arc<Watched>,
    /// The expected number of steps; 0 where that is not known.
    pub expected: Arc<AtomicU64>,
}

#[pymethods]
impl Watch {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Cycles simulated, or variants tried.
    #[getter]
    fn done(&self) -> u64 {
        self.shared.cycles.load(Ordering::Relaxed)
    }

    /// How many there will be, about; 0 where that is not known.
    #[getter]
    fn expected(&self) -> u64 {
        self.expected.load(Ordering::Relaxed)
    }

    /// Gives the work up.
    fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` on another thread, and returns its result. Meanwhile signals are handled and `tell` is called;
/// if one of these raises, the work is given up.
pub fn apart<T: Send + 'static>(
    py: Python<'_>,
    watch: &Watch,
    tell: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let receiver = Mutex::new(receiver);
    stack::spawn(move || drop(sender.send(work())))?;
    loop {
        let got = py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PERIOD));
        match got {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("samhw stopped: please report it with the kernel and its data"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = || tell.map_or(Ok(()), |tell| tell.call0().map(drop));
                if let Err(raised) = py.check_signals().and_then(|()| told()) {
                    watch.cancel();
                    return Err(raised);
                }
            }
        }
    }
}
