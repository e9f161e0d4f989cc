//! The contents of every channel's beats, as in figure 14 of "The Sparse Abstract Machine".

use crate::native::Counts;
use samhw_compiler::netlist::Netlist;
use samhw_streams::{Beat, Kind};

/// The cycles of one channel by content. Leaves, empty lists, done, stalled and idle are all cycles of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCounts {
    /// Beats with a leaf: a coordinate, a reference, a value, or a word of a memory.
    pub leaves: u64,
    /// Beats with a leaf that also end a list: the stop costs no cycle.
    pub stops: u64,
    /// Beats with an absent leaf.
    pub absent: u64,
    /// Beats for an empty list, which they end.
    pub empty: u64,
    /// Beats that end the run.
    pub done: u64,
    /// Cycles with a beat that the consumer did not take.
    pub stalled: u64,
    /// Cycles without a beat.
    pub idle: u64,
}

/// The cycles of every channel by content.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Counts per channel, in the order of [`Netlist::channels`].
    pub channels: Vec<TokenCounts>,
}

impl Tokens {
    pub(super) fn begin(&mut self, net: &Netlist) {
        self.channels = vec![TokenCounts::default(); net.channels.len()];
    }

    pub(super) fn transfer(&mut self, channel: usize, beat: &Beat) {
        let count = &mut self.channels[channel];
        match beat.kind {
            Kind::Data | Kind::Empty => {
                count.leaves += 1;
                count.stops += u64::from(beat.stop > 0);
                count.absent += u64::from(beat.kind == Kind::Empty);
            }
            Kind::Nil => count.empty += 1,
            Kind::Done => count.done += 1,
        }
    }

    pub(super) fn end(&mut self, counts: &Counts) {
        for (count, channel) in self.channels.iter_mut().zip(&counts.channels) {
            count.stalled = channel.stalled;
            count.idle = counts.cycles - channel.beats - channel.stalled;
        }
    }
}
