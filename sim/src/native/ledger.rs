//! Counters of a run, and the channels and cells to process in a cycle. Work is in proportion to what moves: cycles in
//! which nothing changes are counted when something does.

use super::routes::Route;
use super::{CellCount, ChannelCount, Counts, Native, Outside, Ports};
use samhw_compiler::netlist::CellId;
use samhw_streams::{Chan, Hot, Marks, Select};

/// A channel while it runs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Line {
    /// Counts of the channel, without cycles in which a beat waits that has not gone yet.
    pub count: ChannelCount,
    /// Cell at the channel's start; the number of cells if it is outside.
    pub from: u32,
    /// Cell at the channel's end; see `from`.
    pub to: u32,
    /// Payloads that go to the consumer.
    pub select: Select,
    /// Whether the engine clocks the producer.
    pub freed: bool,
    /// Whether the channel is the write port of a memory.
    pub stores: bool,
}

/// A cell's counters while it runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    busy: u64,
    stalled: u64,
    /// Cycles that are counted.
    counted: u64,
    /// Whether the cell is in a run of beats that are moved at once.
    pub runs: bool,
}

impl Cell {
    /// Cycles before `cycle` are counted, in which nothing happened to it. `waits`: whether a beat
    /// was in one of its output registers since it was clocked last.
    #[inline]
    fn until(&mut self, cycle: u64, waits: impl FnOnce() -> bool) {
        if self.counted < cycle && waits() {
            self.stalled += cycle - self.counted;
        }
    }
    /// Records that the cell is clocked in `cycle`; `fired` says that one of its channels transfers.
    #[inline]
    pub fn passes(&mut self, cycle: u64, fired: bool, waits: impl FnOnce() -> bool) {
        self.until(cycle + u64::from(!fired), waits);
        self.busy += u64::from(fired);
        self.counted = cycle + 1;
    }
    /// Records that the cell's channels transfer in `count` cycles from `cycle` on.
    pub fn transfers(&mut self, cycle: u64, count: u64, waits: impl FnOnce() -> bool) {
        self.until(cycle, waits);
        self.busy += count;
        self.counted = cycle + count;
    }
}

/// The state of a run in addition to that of models and channels.
pub(super) struct Ledger {
    /// Per channel.
    pub lines: Vec<Line>,
    /// Per cell that the engine clocks.
    pub cells: Vec<Cell>,
    /// Channels that may transfer next.
    pub hot: Hot,
    /// Channels that are looked at only when they are hot.
    pub inner: Marks,
    /// The others: what stands outside has an end of them, or looks at them.
    pub outer: Vec<usize>,
    /// Channels that transfer in this cycle, as many as there are in `firing`.
    pub fired: Vec<usize>,
    /// Number of channels that transfer in this cycle.
    pub firing: usize,
    /// Cells with a transfer in this cycle.
    pub ticks: Marks,
    /// Cells whose registers moved in the last.
    pub awake: Marks,
    /// Cells that the engine clocks.
    pub clocked: Marks,
    /// Cells that are clocked from outside.
    apart: Vec<usize>,
    /// Routes on which runs of beats can be moved at once.
    pub routes: Vec<Route>,
    /// Number of runs in progress.
    pub running: usize,
    /// First cycle in which to look for others.
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
        let is_outer: Vec<bool> = (0..of.ends.len()).map(outer).collect();
        for c in &mut of.chans {
            (c.fire, c.since) = (false, u64::MAX); // loaded in the cycle before the first
        }
        let line = |k: usize| {
            let (from, to) = of.ends[k];
            let (select, stores) = (of.selects[k], of.stores[k]);
            Line { count: ChannelCount::default(), from, to, select, freed: !apart[from as usize], stores }
        };
        let mut lines: Vec<Line> = (0..of.ends.len()).map(line).collect();
        lines.resize(of.chans.len(), Line::default());
        Self {
            lines,
            cells: vec![Cell::default(); n],
            hot: Hot::new(of.chans.len()),
            inner: Marks::of(is_outer.iter().map(|outer| !outer)),
            outer: (0..of.ends.len()).filter(|&k| is_outer[k]).collect(),
            fired: vec![0; of.ends.len()],
            firing: 0,
            ticks: Marks::new(n + 1, false),
            awake: Marks::new(n + 1, true),
            clocked: Marks::of(apart.iter().map(|a| !a)),
            apart: (0..n).filter(|&c| apart[c]).collect(),
            routes: Route::all(of, |k| !is_outer[k]),
            running: 0,
            look: 0,
        }
    }

    /// Returns the channels that transfer in this cycle.
    #[inline]
    pub fn fired(&self) -> &[usize] {
        &self.fired[..self.firing]
    }

    /// Returns whether nothing moves next except runs that are moved at once.
    pub fn is_idle(&self, chans: &[Chan]) -> bool {
        self.hot.marks.is_empty() && self.awake.is_empty() && self.outer.iter().all(|&k| !chans[k].valid)
    }

    /// Counts the cycle of cells that are clocked from outside, with channels as they are latched.
    pub fn outside(&mut self, chans: &[Chan], ports: &Ports) {
        for &c in &self.apart {
            let cell = &mut self.cells[c];
            let fired = self.ticks.has(c);
            cell.busy += u64::from(fired);
            cell.stalled += u64::from(!fired && ports.outs(c).iter().any(|&k| chans[k].was_valid));
        }
    }

    /// Records that cell `c` ends in `cycle`, with beats in these output channels.
    pub fn bury(&mut self, c: usize, cycle: u64, chans: &[Chan], outs: &[usize]) {
        self.clocked.set(c, false);
        for &k in outs.iter().filter(|&&k| chans[k].valid && self.inner.has(k)) {
            self.lines[k].count.stalled += cycle.wrapping_sub(chans[k].since);
        }
    }

    /// Returns the counters before the edge of `cycle`.
    pub fn at(&self, of: &Native, cycle: u64) -> Counts {
        let lines = &self.lines[..of.ends.len()];
        let mut channels: Vec<ChannelCount> = lines.iter().map(|line| line.count).collect();
        for k in (0..of.ends.len()).filter(|&k| of.chans[k].valid && self.inner.has(k)) {
            channels[k].stalled += cycle.wrapping_sub(1).wrapping_sub(of.chans[k].since);
        }
        let cells = self.cells.iter().enumerate().map(|(c, cell)| {
            let mut cell = cell.clone();
            if !self.apart.contains(&c) {
                cell.until(cycle, || of.ports.outs(c).iter().any(|&k| of.chans[k].valid));
            }
            let (busy, stalled) = (cell.busy, cell.stalled);
            let beats = of.ports.ins(c).iter().map(|&k| channels[k].beats).sum();
            CellCount { beats, busy, stalled, starved: cycle - busy - stalled }
        });
        let cells = cells.collect();
        Counts { cycles: cycle, cells, channels }
    }
}
