//! Transfers of a channel at a clock edge: counters, and marks for the rest of the cycle.

use super::Pressure;
use super::ledger::Line;
use crate::observe::Observer;
use samhw_compiler::netlist::Select;
use samhw_rtlsim::ChannelHash;
use samhw_streams::{Beat, Chan, Marks, Shape};

/// Words of 64 bits in the widest beat: a word of a bit vector, its rank, kind and stop.
const WIRE_WORDS: usize = samhw_streams::WIDEST as usize / 64 + 2;

/// A channel's hash with one more transfer.
pub(super) fn hashed(hash: u64, cycle: u64, shape: &Shape, beat: &Beat) -> u64 {
    let (mut hash, mut words) = (ChannelHash(hash), [0; WIRE_WORDS]);
    let words = &mut words[..shape.words()];
    shape.pack(beat, words);
    hash.transfer(cycle, words);
    // Bits that the wire does not have must not go unseen.
    if shape.unpack(words) != *beat {
        beat.p.iter().for_each(|&p| hash.word(p));
    }
    hash.0
}

/// Whether a beat has been in one of these output registers since their cell was clocked last: it
/// still is, or leaves at this edge.
#[inline]
pub(super) fn waits(chans: &[Chan], outs: &[usize]) -> bool {
    outs.iter().any(|&k| chans[k].valid || chans[k].fire)
}

/// The state that the edge on channels changes in addition to them and their lines.
pub(super) struct Edge<'e, 'o> {
    pub cycle: u64,
    pub ticks: &'e mut Marks,
    pub hot: &'e mut Marks,
    pub fired: &'e mut [usize],
    pub firing: usize,
    pub pressure: &'e mut Option<Pressure>,
    pub shapes: &'e [Shape],
    pub observer: &'e mut Option<&'o mut Observer>,
}

impl Edge<'_, '_> {
    /// Channel `k` transfers, unless it is held back.
    #[inline(always)]
    pub fn transfers<const HASH: bool, const SEEN: bool>(&mut self, k: usize, c: &mut Chan, line: &mut Line) -> bool {
        if let Some(p) = self.pressure
            && !line.stores
            && p.rng.chance(p.percent)
        {
            (c.fire, c.was_ready) = (false, false);
            self.hot.add(k);
            return false;
        }
        self.ticks.add(line.from as usize);
        self.ticks.add(line.to as usize);
        line.count.beats += 1;
        line.count.when = line.count.when.wrapping_add(self.cycle);
        if HASH {
            line.count.hash = hashed(line.count.hash, self.cycle, &self.shapes[k], &c.got);
        }
        if line.select != Select::All {
            c.got = line.select.apply(c.got);
        }
        if line.freed {
            c.valid = false;
        }
        self.fired[self.firing] = k;
        self.firing += 1;
        if SEEN && let Some(observer) = self.observer {
            observer.transfer(k, self.cycle, &c.got);
        }
        true
    }
}
