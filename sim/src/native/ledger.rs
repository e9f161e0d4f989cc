//! What a run counts, and which channels and cells it has to look at in a cycle. Work is in
//! proportion to what moves: cycles in which nothing changes are counted when something does.

use super::{CellCount, ChannelCount, Counts, Native, Outside};
use samhw_compiler::netlist::CellId;
use samhw_streams::{Chan, Hot};

/// A set of numbers below a bound, in words of 64 bits.
pub(super) type Set = Vec<u64>;

fn set(members: impl Iterator<Item = bool>) -> Set {
    let mut words = Vec::new();
    for (k, member) in members.enumerate() {
        if k % 64 == 0 {
            words.push(0);
        }
        words[k / 64] |= u64::from(member) << (k % 64);
    }
    words
}

/// A cell's counters while it runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    busy: u64,
    stalled: u64,
    /// Cycles that are counted.
    counted: u64,
    /// A beat waits in one of its output registers since it was clocked last.
    pub waits: bool,
    /// Output registers that hold a beat.
    pub held: u32,
}

impl Cell {
    /// Cycles before `cycle` are counted, in which nothing happened to it.
    #[inline]
    fn until(&mut self, cycle: u64) {
        self.stalled += if self.waits { cycle - self.counted } else { 0 };
        self.counted = cycle;
    }
    /// It is clocked in `cycle`; `fired`: one of its channels transfers.
    #[inline]
    pub fn passes(&mut self, cycle: u64, fired: bool) {
        self.until(cycle + u64::from(!fired));
        self.busy += u64::from(fired);
        self.counted = cycle + 1;
    }
    /// Its channels transfer in `count` cycles from `cycle` on.
    pub fn transfers(&mut self, cycle: u64, count: u64) {
        self.until(cycle);
        self.busy += count;
        self.counted = cycle + count;
    }
}

/// The state of a run besides that of models and channels.
pub(super) struct Ledger {
    /// Per channel, without cycles in which a beat waits that has not gone yet.
    pub channels: Vec<ChannelCount>,
    /// Per cell that the engine clocks.
    pub cells: Vec<Cell>,
    /// Channels that may transfer next.
    pub hot: Hot,
    /// Channels that are looked at only when they are hot.
    pub inner: Set,
    /// The others: what stands outside has an end of them, or looks at them.
    pub outer: Vec<usize>,
    /// Channels whose producer the engine clocks.
    pub freed: Vec<bool>,
    /// Channels that transfer in this cycle.
    pub fired: Vec<usize>,
    /// Cells with a transfer in this cycle.
    pub ticks: Set,
    /// Cells whose registers moved in the last.
    pub awake: Set,
    /// Cells that the engine clocks.
    pub clocked: Set,
    /// Cells that are clocked from outside.
    apart: Vec<usize>,
    /// First cycle in which to look for a run that can be moved at once.
    pub look: u64,
}

impl Ledger {
    pub fn new<O: Outside>(of: &mut Native, outside: &O) -> Self {
        let n = of.models.len();
        let apart: Vec<bool> = (0..=n).map(|c| c == n || outside.has(CellId(c))).collect();
        let seen = outside.sees();
        let outer = |k: usize| {
            let (from, to) = of.ends[k];
            apart[from as usize] || apart[to as usize] || seen.contains(&k)
        };
        let (outer, inner): (Vec<usize>, Vec<usize>) = (0..of.chans.len()).partition(|&k| outer(k));
        let mut hot = Hot::new(of.chans.len());
        hot.bits.fill(u64::MAX);
        for c in &mut of.chans {
            (c.fire, c.since) = (false, u64::MAX); // loaded in the cycle before the first
        }
        let mut is_inner = vec![false; of.chans.len()];
        inner.iter().for_each(|&k| is_inner[k] = true);
        let cell = |c: usize| {
            let held = of.outs[c].iter().filter(|&&k| of.chans[k].valid).count() as u32;
            Cell { waits: held > 0, held, ..Cell::default() }
        };
        Self {
            channels: vec![ChannelCount::default(); of.chans.len()],
            cells: (0..n).map(cell).collect(),
            hot,
            inner: set(is_inner.into_iter()),
            outer,
            freed: of.ends.iter().map(|&(from, _)| !apart[from as usize]).collect(),
            fired: Vec::new(),
            ticks: set((0..=n).map(|_| false)),
            awake: set((0..=n).map(|_| true)),
            clocked: set(apart.iter().map(|a| !a)),
            apart: (0..n).filter(|&c| apart[c]).collect(),
            look: 0,
        }
    }

    /// Whether cell `c` is clocked in the next cycle whatever transfers.
    pub fn is_awake(&self, c: usize) -> bool {
        self.awake[c / 64] >> (c % 64) & 1 == 1
    }

    /// Whether channel `k`, of which both ends are clocked here, may transfer in the next cycle.
    pub fn is_next(&self, k: usize) -> bool {
        (self.hot.bits[k / 64] & self.inner[k / 64]) >> (k % 64) & 1 == 1
    }

    /// Counts the cycle of cells that are clocked from outside, with channels as they are latched.
    pub fn outside(&mut self, chans: &[Chan], outs: &[Vec<usize>]) {
        for &c in &self.apart {
            let cell = &mut self.cells[c];
            let fired = self.ticks[c / 64] >> (c % 64) & 1 == 1;
            cell.busy += u64::from(fired);
            cell.stalled += u64::from(!fired && outs[c].iter().any(|&k| chans[k].was_valid));
        }
    }

    /// Cell `c` ends in `cycle`, with beats in these output channels.
    pub fn bury(&mut self, c: usize, cycle: u64, chans: &[Chan], outs: &[usize]) {
        self.clocked[c / 64] &= !(1 << (c % 64));
        (self.cells[c].waits, self.cells[c].held) = (false, 0);
        for &k in outs.iter().filter(|&&k| chans[k].valid && self.inner[k / 64] >> (k % 64) & 1 == 1) {
            self.channels[k].stalled += cycle.wrapping_sub(chans[k].since);
        }
    }

    /// The counters before the edge of `cycle`.
    pub fn at(&self, of: &Native, cycle: u64) -> Counts {
        let mut channels = self.channels.clone();
        for k in (0..of.chans.len()).filter(|&k| of.chans[k].valid && self.inner[k / 64] >> (k % 64) & 1 == 1) {
            channels[k].stalled += cycle.wrapping_sub(1).wrapping_sub(of.chans[k].since);
        }
        let cells = self.cells.iter().enumerate().map(|(c, cell)| {
            let mut cell = cell.clone();
            if !self.apart.contains(&c) {
                cell.until(cycle);
            }
            let (busy, stalled) = (cell.busy, cell.stalled);
            let beats = of.ins[c].iter().map(|&k| channels[k].beats).sum();
            CellCount { beats, busy, stalled, starved: cycle - busy - stalled }
        });
        let cells = cells.collect();
        Counts { cycles: cycle, cells, channels }
    }
}
