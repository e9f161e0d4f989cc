//! Observation of a run while it is in progress.

use super::ledger::Ledger;
use super::{Native, Stuck};
use crate::observe::Observer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The state of a run that other threads can see.
#[derive(Debug, Default)]
pub struct Watched {
    /// Number of cycles simulated so far, updated from time to time.
    pub cycles: AtomicU64,
    /// Set by another thread to cancel the run as if its limit were reached.
    pub cancelled: AtomicBool,
}

impl Watched {
    /// Tells that the run is in `cycle`. Returns whether it is cancelled.
    pub(crate) fn tell(&self, cycle: u64) -> bool {
        self.cycles.store(cycle, Ordering::Relaxed);
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Observers of a run in progress.
#[derive(Debug, Default)]
pub struct Watch<'a> {
    /// State shared with another thread.
    pub shared: Arc<Watched>,
    /// The observer of the run, if there is one.
    pub observer: Option<&'a mut Observer>,
}

impl<'a> Native<'a> {
    /// Lets `watch` observe later runs.
    pub fn watch(&mut self, watch: Watch<'a>) {
        self.watched = watch;
        if let Some(observer) = &mut self.watched.observer {
            observer.begin(self.netlist);
        }
    }

    /// Hands the channels and the counters before the edge of `cycle` to the observer, if it wants
    /// them.
    pub(super) fn look(&mut self, cycle: u64, ledger: &Ledger) {
        if let Some(observer) = self.watched.observer.take() {
            observer.channels(cycle, &self.chans);
            if cycle >= observer.due() {
                observer.sample(cycle, &ledger.at(self, cycle));
            }
            self.watched.observer = Some(observer);
        }
    }

    /// The run has ended as `ended` says; hands its counters to the observer.
    pub(super) fn looked(&mut self, ended: &Result<u64, Stuck>, ledger: &Ledger) {
        if let Some(observer) = self.watched.observer.take() {
            let cycle = ended.as_ref().map_or(ledger.hot.now + 1, |cycle| *cycle);
            observer.end(ledger.at(self, cycle));
            self.watched.observer = Some(observer);
        }
    }
}
