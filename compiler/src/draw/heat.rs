//! Activity of a run in a drawing: how busy nodes were, and where beats waited.

use crate::netlist::CellId;

/// Counters of a run of a netlist, by the numbers of its cells and channels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heat {
    /// Cycles of the run.
    pub cycles: u64,
    /// Per cell: numbers of busy, stalled and starved cycles.
    pub cells: Vec<[u64; 3]>,
    /// Per channel: number of transfers, and cycles with a beat that was not taken.
    pub channels: Vec<[u64; 2]>,
}

/// Shares of the cycles of one or several cells or channels, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Shares {
    /// Busy, or with a transfer.
    pub busy: f64,
    /// Share of the cycles with a beat that was not taken.
    pub stalled: f64,
}

impl Heat {
    fn share(&self, of: impl Iterator<Item = Option<[u64; 2]>>) -> Shares {
        let (mut sum, mut count) = ([0, 0], 0);
        for [busy, stalled] in of.flatten() {
            sum = [sum[0] + busy, sum[1] + stalled];
            count += 1;
        }
        let all = (self.cycles * count).max(1) as f64;
        Shares { busy: sum[0] as f64 / all, stalled: sum[1] as f64 / all }
    }

    /// Returns the shares of several cells together.
    pub(super) fn cells(&self, cells: impl Iterator<Item = CellId>) -> Shares {
        self.share(cells.map(|c| self.cells.get(c.0).map(|&[busy, stalled, _]| [busy, stalled])))
    }

    /// Returns the shares of several channels together.
    pub(super) fn channels(&self, channels: impl Iterator<Item = usize>) -> Shares {
        self.share(channels.map(|k| self.channels.get(k).copied()))
    }
}

impl Shares {
    /// Describes the shares in words.
    pub fn text(self) -> String {
        format!("busy {:.1} %, stalled {:.1} %", 100.0 * self.busy, 100.0 * self.stalled)
    }
}

/// Colour of a node that is busy all the time, of that part of its bar, and of beats that wait all
/// the time.
pub(super) const BUSY: &str = "#f59e0b";
pub(super) const BUSY_BAR: &str = "#92400e";
pub(super) const STALLED: &str = "#d62728";

/// Mixes two colours `#rrggbb`; a share of 0 is the first, 1 the second.
pub(super) fn mixed(from: &str, to: &str, share: f64) -> String {
    let channel = |colour: &str, k: usize| u8::from_str_radix(&colour[2 * k + 1..2 * k + 3], 16).unwrap_or(0);
    let mix = |k: usize| {
        let (a, b) = (f64::from(channel(from, k)), f64::from(channel(to, k)));
        (a + (b - a) * share.clamp(0.0, 1.0)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}
