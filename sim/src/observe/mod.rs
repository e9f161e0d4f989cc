//! Observation of native runs in addition to counters: an [`Observer`] is passed to the engine and read afterwards. A
//! run without one does none of this.

mod fills;
mod rows;
mod timeline;
mod tokens;

pub use fills::FifoSeen;
pub use rows::{Row, Rows};
pub use timeline::{Bucket, Timeline};
pub use tokens::{TokenCounts, Tokens};

use crate::native::Counts;
use crate::wave::FstWave;
use samhw_compiler::netlist::Netlist;
use samhw_streams::{Beat, Chan};

/// The observations of a run.
#[derive(Debug, Default)]
pub struct Observer {
    /// Contents of every channel, if observed.
    pub tokens: Option<Tokens>,
    /// The timeline, if observed.
    pub timeline: Option<Timeline>,
    /// The waveform, if one is written.
    pub wave: Option<FstWave>,
    /// The netlist that runs; behind AXI it differs from the one on the chip.
    pub net: Netlist,
    /// Counters of the run so far, also if it did not finish.
    pub counts: Option<Counts>,
}

impl Observer {
    /// Creates an observer of channel contents, of the timeline, or of both.
    pub fn new(tokens: bool, timeline: bool) -> Self {
        Self { tokens: tokens.then(Tokens::default), timeline: timeline.then(Timeline::default), ..Self::default() }
    }

    /// A run of `net` begins.
    pub(crate) fn begin(&mut self, net: &Netlist) {
        self.net = net.clone();
        if let Some(tokens) = &mut self.tokens {
            tokens.begin(net);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.begin(net);
        }
        if let Some(wave) = &mut self.wave {
            wave.run(net);
        }
    }

    /// The channels before the edge of `cycle`.
    pub(crate) fn channels(&mut self, cycle: u64, chans: &[Chan]) {
        if let Some(wave) = &mut self.wave {
            wave.cycle(cycle, chans);
        }
    }

    /// The first cycle in which it wants the counters.
    pub(crate) fn due(&self) -> u64 {
        self.timeline.as_ref().map_or(u64::MAX, Timeline::due)
    }

    /// Channel `channel` transfers `beat`, as its consumer sees it.
    pub(crate) fn transfer(&mut self, channel: usize, cycle: u64, beat: &Beat) {
        if let Some(tokens) = &mut self.tokens {
            tokens.transfer(channel, beat);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.transfer(channel, cycle, beat);
        }
    }

    /// The counters before the edge of `cycle`, which is due.
    pub(crate) fn sample(&mut self, cycle: u64, counts: &Counts) {
        if let Some(timeline) = &mut self.timeline {
            timeline.sample(cycle, counts);
        }
    }

    /// The run has ended, or cannot go on.
    pub(crate) fn end(&mut self, counts: Counts) {
        if let Some(tokens) = &mut self.tokens {
            tokens.end(&counts);
        }
        if let Some(timeline) = &mut self.timeline {
            timeline.end(&counts);
        }
        self.counts = Some(counts);
    }
}
