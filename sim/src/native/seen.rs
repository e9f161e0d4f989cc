//! A run that is looked at.

use super::ledger::Ledger;
use super::{Native, Stuck};
use crate::observe::Observer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A run as another thread sees it.
#[derive(Debug, Default)]
pub struct Watched {
    /// Holds, from time to time, the number of cycles simulated so far.
    pub cycles: AtomicU64,
    /// Set by that thread: the run is given up, as if its limit were reached.
    pub cancelled: AtomicBool,
}

/// Who follows a run while it goes on.
#[derive(Debug, Default)]
pub struct Watch<'a> {
    /// What another thread sees.
    pub shared: Arc<Watched>,
    /// What is looked at.
    pub observer: Option<&'a mut Observer>,
}

impl<'a> Native<'a> {
    /// Has `watch` follow the runs from now on.
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
