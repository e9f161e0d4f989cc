//! Checks of the AXI4 rules for managers, in every cycle.

use super::port::{Manager, Subordinate};
use samhw_primitives::axi::Burst;

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("AXI: {0}")]
pub struct Violation(pub String);

/// Offers that have not been taken.
#[derive(Debug, Clone)]
pub(super) struct Checks {
    line: u64,
    waits: Manager,
}

fn broken(what: String) -> Result<(), Violation> {
    Err(Violation(what))
}

impl Checks {
    pub fn new(line: u64) -> Self {
        Self { line, waits: Manager::default() }
    }

    /// Checks the manager's signals in a cycle in which the memory drives `s`.
    pub fn cycle(&mut self, m: &Manager, s: &Subordinate) -> Result<(), Violation> {
        let before = &self.waits;
        if before.ar.is_some() && before.ar != m.ar {
            return broken(format!("ar changed from {:?} to {:?} before it was taken", before.ar, m.ar));
        }
        if before.aw.is_some() && before.aw != m.aw {
            return broken(format!("aw changed from {:?} to {:?} before it was taken", before.aw, m.aw));
        }
        if before.w.is_some() && before.w != m.w {
            return broken(format!("w changed from {:?} to {:?} before it was taken", before.w, m.w));
        }
        for (channel, burst) in [("ar", m.ar), ("aw", m.aw)] {
            if let Some(b) = burst {
                self.burst(channel, &b)?;
            }
        }
        self.waits = Manager {
            ar: m.ar.filter(|_| !s.ar_ready),
            aw: m.aw.filter(|_| !s.aw_ready),
            w: m.w.filter(|_| !s.w_ready),
            ..Manager::default()
        };
        Ok(())
    }

    fn burst(&self, channel: &str, b: &Burst) -> Result<(), Violation> {
        let bytes = (b.len + 1) * self.line;
        if !b.addr.is_multiple_of(self.line) {
            return broken(format!("{channel} at {:#x} does not begin with a line", b.addr));
        }
        if b.addr / 4096 != b.addr.wrapping_add(bytes - 1) / 4096 {
            return broken(format!("{channel} at {:#x} of {bytes} bytes crosses 4 KiB", b.addr));
        }
        Ok(())
    }

    /// Checks the position of wlast; `right` says whether it is correct.
    pub fn place(&self, right: bool, addr: u64) -> Result<(), Violation> {
        if right { Ok(()) } else { broken(format!("wlast is at the wrong line of the burst at {addr:#x}")) }
    }

    /// Reports an access outside of all buffers.
    pub fn outside(&self, what: &str, addr: u64) -> Result<(), Violation> {
        broken(format!("a {what} at {addr:#x}, which is in no buffer"))
    }
}
