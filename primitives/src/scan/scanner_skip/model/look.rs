//! Model of `samhw_skip_look`: how far what is not needed reaches.

use super::super::LEAP_LOG2;
use super::answers::Came;
use super::ask::{Asked, Asking};
use super::need::Need;
use crate::scan::scanner_wide::Group;

/// The facts that the newest pair shows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Whether nothing that came is needed.
    distant: bool,
    /// Whether nothing that came is needed, and something came.
    pub sweep: bool,
    /// The place before which nothing is needed.
    pub leap: Option<u64>,
    miss: bool,
}

/// The next request that is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wish {
    /// A probe, here.
    pub probe: Option<u64>,
    /// No pair in order.
    pub hold: bool,
}

/// States of a cycle ago, and what they are compared for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct LookState {
    /// The largest coordinate of the newest pair that came.
    crd: u64,
    /// The pair was stored.
    stored: bool,
    /// It is a probe.
    probe: bool,
    /// It is not needed, as compared a cycle ago.
    useless: bool,
    /// Address of the last probe.
    far: Option<u64>,
    /// Address of the first under way.
    base: u64,
    turn: bool,
    /// There is a coordinate beyond the next probe, as of a cycle ago.
    fits: bool,
    /// A probe would be of use, as of a cycle ago.
    wish: bool,
    /// The last probe went too far, and what it passed has not come yet.
    failed: bool,
    pending: u32,
}

#[derive(Debug)]
pub(super) struct Look {
    group: Group,
    /// From one probe to the next.
    leap: u64,
    /// Whether fibers can be long enough for probes.
    leaps: bool,
    now: LookState,
}

impl Look {
    pub(super) fn new(group: Group, ref_w: u32) -> Self {
        let leap_log2 = LEAP_LOG2 + group.wide_log2;
        Self { group, leap: 1 << leap_log2, leaps: ref_w > leap_log2 + 1, now: LookState::default() }
    }

    /// Looks at the newest pair that came; `current`: the current fiber is being asked for; `some`: there is something to sweep.
    pub(super) fn see(&self, current: bool, some: bool) -> Seen {
        let now = &self.now;
        let distant = now.stored && now.useless && current;
        let probed = now.probe && now.far.is_some();
        Seen {
            distant,
            sweep: distant && some,
            leap: (probed && now.useless && current).then(|| now.base + (2 << self.group.wide_log2)),
            miss: probed && !now.useless,
        }
    }

    /// Chooses the next probe, if it is time for one.
    pub(super) fn wish(&self, asking: Option<Asking>) -> Wish {
        let (now, Some(a)) = (&self.now, asking) else { return Wish::default() };
        let wants = match now.far {
            Some(_) => now.turn,
            None => now.wish && now.pending == 0,
        };
        let probe = (now.fits && wants).then(|| now.far.unwrap_or(a.next) + self.leap);
        Wish { probe, hold: now.far.is_some() && now.pending > 0 && a.next == now.base }
    }

    /// Clocks the registers; `asking`: its value before the edge. Returns whether anything changed.
    pub(super) fn clock(
        &mut self,
        need: &Need,
        leave: bool,
        seen: &Seen,
        asking: Option<Asking>,
        asked: &Asked,
        came: &Came,
    ) -> bool {
        let (before, now) = (self.now, &mut self.now);
        if let Some(a) = asking {
            let from = before.far.unwrap_or(a.next);
            now.fits = self.leaps && a.end - from > 2 * self.leap;
            if asked.probe {
                now.far = Some(from + self.leap);
                now.base = before.far.map_or(from + self.leap, |_| before.base);
            }
        }
        // Of a fiber that begins nothing is known.
        now.fits &= asked.begun.is_none();
        if seen.leap.is_some() {
            now.base = before.base + self.leap;
        }
        (now.turn, now.wish) = (!asked.probe, seen.distant && !before.failed);
        now.pending = before.pending + u32::from(asked.probe) - u32::from(before.probe);
        if leave || seen.miss || !asked.probe && before.pending == 0 {
            now.far = None;
        }
        let reached = before.stored && !before.useless;
        now.failed = !leave && (seen.miss || before.failed && !reached);
        now.probe = matches!(came, Came::Probe(_));
        match came {
            Came::Stored(pair) | Came::Probe(pair) => {
                now.crd = self.group.largest(pair[1]);
                now.stored = !now.probe;
            }
            _ => now.stored &= !leave,
        }
        now.useless = !leave && now.crd < need.lowest;
        before != *now
    }
}
