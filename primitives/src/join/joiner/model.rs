//! Cycle model of `samhw_joiner`.

use super::skip::Skips;
use super::{Joiner, bit};
use crate::blocks::{HoldBack, Skid};
use samhw_streams::{Beat, Drain, Fault, Io, Kind, Model, Part, Sink};

/// One beat of all outputs of a joiner with at most `N` operands, without its stop.
#[derive(Debug, Clone, Copy)]
struct Merged<const N: usize> {
    /// The coordinate, or what stands on all outputs.
    beat: Beat,
    /// The refs that are there, as a set of operands.
    present: u32,
    refs: [u64; N],
}

impl<const N: usize> Merged<N> {
    fn none(beat: Beat) -> Self {
        Self { beat, present: 0, refs: [0; N] }
    }
    /// The beat of output `branch`: 0 for crd, k+1 for ref k.
    #[inline]
    fn beat(&self, branch: usize, stop: u8) -> Beat {
        match branch.checked_sub(1) {
            Some(k) if self.beat.kind == Kind::Data => match self.present >> k & 1 {
                1 => Beat::data(stop, self.refs[k]),
                _ => Beat::empty(stop),
            },
            _ => Beat { stop, ..self.beat },
        }
    }
}

/// The model of a joiner with at most `N` operands: what it moves in a cycle has that many places.
#[derive(Debug)]
pub(super) struct JoinerModel<const N: usize> {
    emit: Vec<u64>,
    keep: Vec<Vec<u64>>,
    alive: Vec<u64>,
    /// Per output in use: 0 for crd, k+1 for ref k.
    used: Vec<usize>,
    operands: Vec<JoinerOperand>,
    hold: HoldBack<Merged<N>>,
    skips: Option<Skips>,
    /// Both of two operands are needed wherever something is emitted.
    pairs: bool,
}

#[derive(Debug, Default)]
struct JoinerOperand {
    skid: Skid,
    /// The head was consumed and closes this operand's fiber.
    taken: bool,
    /// Last coordinate consumed in this fiber.
    before: Option<u64>,
}

impl<const N: usize> JoinerModel<N> {
    pub(super) fn new(j: &Joiner) -> Self {
        // Where few heads are compared they come straight from the input.
        let skid = if j.operands() == 2 && !j.pairs() { Skid::passing() } else { Skid::default() };
        Self {
            emit: j.emitting(),
            keep: j.keep.clone(),
            alive: j.alive(),
            used: (0..=j.operands()).filter(|&b| j.uses(b)).map(|b| b as usize).collect(),
            operands: j
                .ref_w
                .iter()
                .map(|_| JoinerOperand { skid: skid.clone(), ..JoinerOperand::default() })
                .collect(),
            hold: HoldBack::default(),
            skips: Skips::new(j),
            pairs: j.pairs(),
        }
    }

    /// One merge step over the heads; returns what leaves the hold-back register.
    fn step(&mut self, heads: &[Beat], free: bool, io: &mut Io) -> Result<Option<(Merged<N>, u8)>, Fault> {
        let mut leaf = 0u32;
        let mut smallest = u64::MAX;
        for (k, (o, h)) in self.operands.iter().zip(heads).enumerate() {
            if !o.taken && h.is_leaf() {
                leaf |= 1 << k;
                smallest = smallest.min(h.p[0]);
            }
        }
        let drain = !bit(&self.alive, leaf);
        let chosen = |k: usize| leaf >> k & 1 == 1 && (drain || heads[k].p[0] == smallest);
        let least = (0..heads.len()).filter(|&k| chosen(k)).fold(0u32, |s, k| s | 1 << k);
        let emit = bit(&self.emit, least);
        let take = if self.lone(heads, leaf, least, io) { leaf } else { least };
        // Operands that go on in this fiber after this step, and whether they are of any use.
        let rest = (0..heads.len()).filter(|&k| leaf >> k & 1 == 1 && !(take >> k & 1 == 1 && heads[k].stop > 0));
        let rest = rest.fold(0u32, |s, k| s | 1 << k);
        let dead = self.skips.is_some() && !bit(&self.alive, rest);
        let goes = |k: usize| (dead || take >> k & 1 == 1) && heads[k].stop > 0;
        let closed = |o: &JoinerOperand, k: usize| o.taken || !heads[k].is_leaf() || goes(k);
        let ends = self.operands.iter().enumerate().all(|(k, o)| closed(o, k));
        self.check(heads, ends)?;
        if let Some(s) = &mut self.skips {
            s.step(io, heads, least, rest, ends);
        }

        let stop = if ends { heads[0].stop } else { 0 };
        let left = if emit {
            self.hold.push(self.leaves(heads, least, smallest), stop, ends)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            let nothing = if above(&heads[0]) { heads[0] } else { Beat::nil(stop, 1) };
            self.hold.push(Merged::none(nothing), stop, true)
        } else {
            self.hold.idle(free)
        };
        for (k, o) in self.operands.iter_mut().enumerate() {
            let consumed = take >> k & 1 == 1;
            let closes = consumed && heads[k].stop > 0;
            if ends || consumed && !closes {
                o.skid.pop();
            }
            o.taken = !ends && (o.taken || closes);
            o.before = if ends { None } else { consumed.then_some(heads[k].p[0]).or(o.before) };
        }
        Ok(left)
    }

    /// Of two operands that are needed together, whether the coordinate after the one consumed is known to lie beyond
    /// the other's, so that the other's is needed no more either.
    fn lone(&self, heads: &[Beat], leaf: u32, least: u32, io: &Io) -> bool {
        let lower = match (leaf, least) {
            (0b11, 0b01) => 0,
            (0b11, 0b10) => 1,
            _ => return false,
        };
        let next = self.operands[lower].skid.next(io, lower);
        let in_sight = next.is_some_and(|b| b.p[0] > heads[1 - lower].p[0]);
        self.pairs && (heads[lower].stop > 0 || in_sight)
    }

    fn leaves(&self, heads: &[Beat], take: u32, crd: u64) -> Merged<N> {
        let mut out = Merged::none(Beat::data(0, crd));
        for (k, h) in heads.iter().enumerate() {
            if take >> k & 1 == 1 && bit(&self.keep[k], take) && h.kind == Kind::Data {
                out.present |= 1 << k;
                out.refs[k] = h.p[1];
            }
        }
        out
    }

    fn check(&self, heads: &[Beat], ends: bool) -> Result<(), Fault> {
        let fault = |what, k: usize| Err(Fault { what, port: format!("in{k}"), beat: heads[k] });
        for (k, (o, h)) in self.operands.iter().zip(heads).enumerate() {
            if above(h) != above(&heads[0]) || above(h) && h != &heads[0] {
                return fault("operands are not aligned", k);
            }
            if !o.taken && o.before.is_some() && (!h.is_leaf() || Some(h.p[0]) <= o.before) {
                return fault("coordinates do not increase within a fiber", k);
            }
            if ends && h.stop != heads[0].stop {
                return fault("operands close different lists", k);
            }
        }
        Ok(())
    }
}

/// True for what stands on all operands together: DONE, and NIL above the fibers.
pub(crate) fn above(b: &Beat) -> bool {
    b.kind == Kind::Done || b.kind == Kind::Nil && b.hole() != 1
}

impl<const N: usize> Model for JoinerModel<N> {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = (0..self.used.len()).all(|b| io.free(b));
        let mut heads = [Beat::DONE; N];
        let mut here = true;
        for (k, (o, h)) in self.operands.iter_mut().zip(&mut heads).enumerate() {
            o.skid.open(io, k);
            match o.skid.head() {
                Some(&b) => *h = b,
                None => here = false,
            }
        }
        let go = here && self.hold.room(free);
        let left = if go { self.step(&heads[..self.operands.len()], free, io)? } else { self.hold.idle(free) };
        let mut moved = go || left.is_some();
        if let Some((merged, stop)) = left {
            for (port, &branch) in self.used.iter().enumerate() {
                io.put(port, merged.beat(branch, stop));
            }
        }
        for (k, o) in self.operands.iter_mut().enumerate() {
            moved |= o.skid.clock(io, k);
        }
        Ok(moved)
    }
    fn part(&mut self) -> Option<Part<'_>> {
        Some(Part::Sink(self))
    }
}

/// Of two operands that are needed together the one with the smaller coordinates goes on alone.
impl<const N: usize> Sink for JoinerModel<N> {
    fn drains(&self, io: &Io) -> Option<Drain> {
        let [a, b] = &self.operands[..] else { return None };
        let free = (0..self.used.len()).all(|b| io.free(b));
        let rests = self.hold.room(false) || free && self.hold.waiting();
        if !self.pairs || self.skips.is_some() || a.taken || b.taken || !rests {
            return None;
        }
        let heads = [a.skid.head()?, b.skid.head()?];
        let input = usize::from(heads[1].p[0] < heads[0].p[0]);
        let (goes, stays) = (&self.operands[input], heads[1 - input]);
        let head = *goes.skid.only()?;
        let grows = |k: usize| self.operands[k].before.is_none_or(|before| before < heads[k].p[0]);
        let alone = stays.is_leaf() && grows(0) && grows(1);
        let plain = head.kind == Kind::Data && head.stop == 0 && head.p[0] < stays.p[0];
        (alone && plain).then_some(Drain { input, head, most: stays.p[0] })
    }
    fn drained(&mut self, input: usize, last: u64, head: Beat) {
        let operand = &mut self.operands[input];
        operand.before = Some(last);
        operand.skid.replace(head);
    }
}
