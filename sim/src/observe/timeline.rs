//! A timeline of counters in buckets of cycles, with a bounded number of buckets whatever the run's length.

use super::fills::Fills;
use super::{FifoSeen, Rows};
use crate::native::Counts;
use samhw_compiler::netlist::Netlist;
use samhw_streams::Beat;

/// Numbers that all buckets hold together at most.
const ROOM: usize = 1 << 18;
/// Fewest and most buckets.
const LEAST: usize = 32;
const MOST: usize = 1 << 10;

/// A bucket: a span of cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bucket {
    /// First cycle.
    pub from: u64,
    /// End: the first cycle after the bucket.
    pub to: u64,
    /// Per cell: busy, stalled and starved cycles in the bucket.
    pub cells: Vec<[u64; 3]>,
    /// Per channel: number of transfers.
    pub beats: Vec<u64>,
    /// Per FIFO: largest number of beats.
    pub peaks: Vec<u32>,
}

/// Counters up to a cycle, from the run's begin on; peaks since the sample before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Sample {
    cycle: u64,
    cells: Vec<[u64; 3]>,
    beats: Vec<u64>,
    peaks: Vec<u32>,
}

/// The timeline of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timeline {
    /// Cycles per bucket; the last one may have fewer.
    pub width: u64,
    /// Rows of outermost indices.
    pub rows: Vec<Rows>,
    fills: Fills,
    /// Per channel: the stream of [`Self::rows`] that it is.
    row_of: Vec<Option<usize>>,
    samples: Vec<Sample>,
    most: usize,
}

impl Timeline {
    pub(super) fn begin(&mut self, net: &Netlist) {
        let (rows, mut row_of) = (Rows::of(net), vec![None; net.channels.len()]);
        rows.iter().enumerate().for_each(|(n, r)| row_of[r.channel] = Some(n));
        // Even, so that pairs of buckets become one.
        let most = (ROOM / (net.cells.len() + net.channels.len()).max(1)).clamp(LEAST, MOST) & !1;
        *self = Self { width: 1, rows, fills: Fills::of(net), row_of, samples: Vec::new(), most };
    }

    /// Returns the FIFOs, in the order of [`Bucket::peaks`].
    pub fn fifos(&self) -> &[FifoSeen] {
        &self.fills.fifos
    }

    /// The first cycle in which it wants the counters.
    pub(super) fn due(&self) -> u64 {
        self.width * (self.samples.len() as u64 + 1)
    }

    pub(super) fn transfer(&mut self, channel: usize, cycle: u64, beat: &Beat) {
        self.fills.transfer(channel, cycle);
        if let Some(row) = self.row_of[channel] {
            self.rows[row].transfer(cycle, beat);
        }
    }

    pub(super) fn sample(&mut self, cycle: u64, counts: &Counts) {
        self.push(cycle, counts);
        if self.samples.len() == self.most {
            self.merge();
        }
    }

    pub(super) fn end(&mut self, counts: &Counts) {
        if self.samples.last().map_or(0, |s| s.cycle) < counts.cycles {
            self.push(counts.cycles, counts);
        }
    }

    fn push(&mut self, cycle: u64, counts: &Counts) {
        let cells = counts.cells.iter().map(|c| [c.busy, c.stalled, c.starved]).collect();
        let beats = counts.channels.iter().map(|c| c.beats).collect();
        self.samples.push(Sample { cycle, cells, beats, peaks: self.fills.peaks() });
    }

    /// Makes one bucket of two.
    fn merge(&mut self) {
        self.width *= 2;
        let samples = std::mem::take(&mut self.samples);
        let mut pairs = samples.into_iter();
        while let (Some(first), Some(mut second)) = (pairs.next(), pairs.next()) {
            second.peaks.iter_mut().zip(first.peaks).for_each(|(a, b)| *a = b.max(*a));
            self.samples.push(second);
        }
    }

    /// Returns the buckets in chronological order. The sums over all of them are the run's counters.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> {
        let zero = Sample {
            cells: vec![[0; 3]; self.samples.first().map_or(0, |s| s.cells.len())],
            beats: vec![0; self.row_of.len()],
            ..Sample::default()
        };
        let before = std::iter::once(zero).chain(self.samples.iter().cloned());
        before.zip(&self.samples).map(|(before, now)| Bucket {
            from: before.cycle,
            to: now.cycle,
            cells: now.cells.iter().zip(&before.cells).map(|(n, b)| [n[0] - b[0], n[1] - b[1], n[2] - b[2]]).collect(),
            beats: now.beats.iter().zip(&before.beats).map(|(n, b)| n - b).collect(),
            peaks: now.peaks.clone(),
        })
    }
}
