//! Cycle model of `samhw_joiner_bits`.

use super::JoinerBits;
use crate::blocks::{HoldBack, Skid};
use crate::joiner::bit;
use crate::model::{Fault, Io, Model};
use crate::stream::{Beat, Kind};
use crate::word::Word;

/// One beat of all outputs, without its stop.
#[derive(Debug, Clone)]
struct Joined {
    /// The coordinate, or what stands on all outputs.
    beat: Beat,
    refs: Vec<Option<u64>>,
}

impl Joined {
    /// The beat of output `branch`: 0 for crd, k+1 for ref k.
    fn beat(&self, branch: usize, stop: u8) -> Beat {
        match branch.checked_sub(1) {
            Some(k) if self.beat.kind == Kind::Data => self.refs[k].map_or(Beat::empty(stop), |r| Beat::data(stop, r)),
            _ => Beat { stop, ..self.beat },
        }
    }
}

#[derive(Debug)]
pub(super) struct JoinerBitsModel {
    emit: Vec<u64>,
    keep: Vec<Vec<u64>>,
    used: Vec<usize>,
    width: u64,
    skids: Vec<Skid>,
    hold: HoldBack<Joined>,
    /// Bits of the words at hand that were emitted.
    sent: Word,
    /// Words of the fiber that are through.
    index: u64,
}

impl JoinerBitsModel {
    pub(super) fn new(p: &JoinerBits) -> Self {
        let n = p.joiner.ref_w.len();
        Self {
            emit: p.joiner.emitting(),
            keep: p.joiner.keep.clone(),
            used: (0..=n).filter(|b| p.joiner.used >> b & 1 == 1).collect(),
            width: u64::from(p.width),
            skids: vec![Skid::default(); n],
            hold: HoldBack::default(),
            sent: Word::default(),
            index: 0,
        }
    }

    /// The operands that have bit `b`.
    fn set(words: &[Word], b: u64) -> u32 {
        (0..).zip(words).fold(0, |s, (k, w)| s | u32::from(w.bit(b)) << k)
    }

    fn step(&mut self, heads: &[Beat], free: bool) -> Result<Option<(Joined, u8)>, Fault> {
        let head = heads[0];
        let none = !head.is_leaf();
        for (k, h) in heads.iter().enumerate() {
            if h.is_leaf() == none || h.stop != head.stop {
                return Err(Fault { what: "operands are not aligned", port: format!("in{k}"), beat: *h });
            }
        }
        let words: Vec<Word> = heads.iter().map(|h| Word::held(h.p[0], self.width as u32)).collect();
        let bits = (0..self.width).filter(|&b| !none && !self.sent.bit(b));
        let mut left = bits.filter(|&b| bit(&self.emit, Self::set(&words, b)));
        let first = left.next();
        let over = none || left.next().is_none();
        let ends = none || over && head.stop > 0;
        let stop = if ends { head.stop } else { 0 };
        let out = if let Some(b) = first {
            let take = Self::set(&words, b);
            let pos = |(k, h): (usize, &Beat)| {
                let there = take >> k & 1 == 1 && bit(&self.keep[k], take);
                there.then(|| h.p[1] + words[k].ones_below(b))
            };
            let refs = heads.iter().enumerate().map(pos).collect();
            let crd = Beat::data(0, self.index * self.width + b);
            // A bit that more of its word follow need not wait for what comes after the word.
            self.hold.push(Joined { beat: crd, refs }, stop, ends || !over)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            let above = head.kind == Kind::Done || head.kind == Kind::Nil && head.hole() != 1;
            let beat = if above { head } else { Beat::nil(stop, 1) };
            self.hold.push(Joined { beat, refs: Vec::new() }, stop, true)
        } else {
            self.hold.idle(free)
        };
        match first.filter(|_| !over) {
            Some(first) => self.sent.set(first),
            None => self.sent = Word::default(),
        }
        self.index = if ends { 0 } else { self.index + u64::from(over) };
        if over {
            self.skids.iter_mut().for_each(Skid::pop);
        }
        Ok(out)
    }
}

impl Model for JoinerBitsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = (0..self.used.len()).all(|b| io.free(b));
        let heads: Option<Vec<Beat>> = self.skids.iter().map(|s| s.head().copied()).collect();
        let go = self.hold.room(free);
        let (stepped, out) = match heads {
            Some(heads) if go => (true, self.step(&heads, free)?),
            _ => (false, self.hold.idle(free)),
        };
        let mut moved = stepped || out.is_some();
        if let Some((joined, stop)) = out {
            for (port, &branch) in self.used.iter().enumerate() {
                io.put(port, joined.beat(branch, stop));
            }
        }
        for (k, s) in self.skids.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
