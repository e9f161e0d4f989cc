//! Cycle model of `samhw_joiner`.

use super::skip::Skips;
use super::{Joiner, MAX_OPERANDS, bit};
use crate::blocks::{HoldBack, Skid};
use samhw_streams::{Beat, Drain, Fault, Io, Kind, Model, Part, Sink};

/// One beat of all outputs of a joiner with at most `N` operands, without its stop.
#[derive(Debug, Clone, Copy)]
struct Merged<const N: usize> {
    /// The coordinate, or what is on all outputs.
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
    /// Puts it out on the outputs in use.
    #[inline]
    fn give(&self, used: u32, stop: u8, io: &mut Io) {
        for (port, branch) in (0..=N).filter(|branch| used >> branch & 1 == 1).enumerate() {
            io.put(port, self.beat(branch, stop));
        }
    }
}

/// The model of a joiner with at most `N` operands: what it moves in a cycle has that many places.
/// A truth table of N operands; where that has no more than 64 rows they are kept as words.
#[derive(Debug)]
struct Rows<const N: usize> {
    first: u64,
    all: Vec<u64>,
}

impl<const N: usize> Rows<N> {
    fn new(all: Vec<u64>) -> Self {
        Self { first: all.first().copied().unwrap_or(0), all }
    }
    #[inline]
    fn bit(&self, p: u32) -> bool {
        if N <= 6 { self.first >> p & 1 == 1 } else { bit(&self.all, p) }
    }
}

/// A joiner of N operands, or, where N is [`MAX_OPERANDS`], of fewer.
#[derive(Debug)]
pub(super) struct JoinerModel<const N: usize> {
    emit: Rows<N>,
    keep: [Rows<N>; N],
    alive: Rows<N>,
    /// Outputs in use: bit 0 for crd, bit k+1 for ref k.
    used: u32,
    count: usize,
    operands: [JoinerOperand; N],
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
            emit: Rows::new(j.emitting()),
            keep: std::array::from_fn(|k| Rows::new(j.keep.get(k).cloned().unwrap_or_default())),
            alive: Rows::new(j.alive()),
            used: j.used & ((2 << j.operands()) - 1),
            count: j.operands() as usize,
            operands: std::array::from_fn(|_| JoinerOperand { skid: skid.clone(), ..JoinerOperand::default() }),
            hold: HoldBack::default(),
            skips: Skips::new(j),
            pairs: j.pairs(),
        }
    }

    /// Number of operands.
    #[inline]
    fn count(&self) -> usize {
        if N < MAX_OPERANDS { N } else { self.count }
    }

    /// Whether all outputs are free.
    #[inline]
    fn free(&self, io: &Io) -> bool {
        (0..self.used.count_ones() as usize).all(|b| io.free(b))
    }

    /// One merge step over the heads; what leaves the hold-back register is put out. Returns whether
    /// anything is.
    #[inline]
    fn step(&mut self, heads: &[Beat], free: bool, io: &mut Io) -> Result<bool, Fault> {
        let count = self.count();
        let mut leaf = 0u32;
        let mut smallest = u64::MAX;
        for (k, (o, h)) in self.operands.iter().zip(heads).enumerate() {
            if !o.taken && h.is_leaf() {
                leaf |= 1 << k;
                smallest = smallest.min(h.p[0]);
            }
        }
        let drain = !self.alive.bit(leaf);
        let least = leaf & if drain { u32::MAX } else { set(count, |k| heads[k].p[0] == smallest) };
        let emit = self.emit.bit(least);
        let take = if self.lone(heads, leaf, least, io) { leaf } else { least };
        let stops = set(count, |k| heads[k].stop > 0);
        // Operands that go on in this fiber after this step, and whether they are of any use.
        let rest = leaf & !(take & stops);
        let dead = self.skips.is_some() && !self.alive.bit(rest);
        let goes = stops & if dead { u32::MAX } else { take };
        let closed = set(count, |k| self.operands[k].taken || !heads[k].is_leaf()) | goes;
        let ends = closed == u32::MAX >> (32 - count);
        self.check(heads, ends)?;
        if let Some(s) = &mut self.skips {
            s.step(io, heads, least, rest, ends);
        }

        let stop = if ends { heads[0].stop } else { 0 };
        let used = self.used;
        let give = |merged: &Merged<N>, stop: u8| merged.give(used, stop, io);
        let left = if emit {
            let merged = self.leaves(heads, least, smallest);
            self.hold.push_through(merged, stop, ends, give)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            false
        } else if ends {
            let nothing = if above(&heads[0]) { heads[0] } else { Beat::nil(stop, 1) };
            self.hold.push_through(Merged::none(nothing), stop, true, give)
        } else {
            self.hold.idle_through(free, give)
        };
        for (k, o) in self.operands.iter_mut().enumerate().take(count) {
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
            (0b11, 0b01) if self.pairs => 0,
            (0b11, 0b10) if self.pairs => 1,
            _ => return false,
        };
        let next = self.operands[lower].skid.next(io, lower);
        let in_sight = next.is_some_and(|b| b.p[0] > heads[1 - lower].p[0]);
        heads[lower].stop > 0 || in_sight
    }

    #[inline]
    fn leaves(&self, heads: &[Beat], take: u32, crd: u64) -> Merged<N> {
        let mut out = Merged::none(Beat::data(0, crd));
        for (k, h) in heads.iter().enumerate() {
            if take >> k & 1 == 1 && self.keep[k].bit(take) && h.kind == Kind::Data {
                out.present |= 1 << k;
                out.refs[k] = h.p[1];
            }
        }
        out
    }

    #[inline]
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

/// True for what is on all operands together: DONE, and NIL above the fibers.
/// Those of `count` operands of which this holds, as a set.
#[inline]
fn set(count: usize, of: impl Fn(usize) -> bool) -> u32 {
    (0..count).fold(0, |s, k| s | u32::from(of(k)) << k)
}

pub(crate) fn above(b: &Beat) -> bool {
    b.kind == Kind::Done || b.kind == Kind::Nil && b.hole() != 1
}

impl<const N: usize> Model for JoinerModel<N> {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (free, count) = (self.free(io), self.count());
        let mut heads = [Beat::DONE; N];
        let mut here = true;
        for (k, (o, h)) in self.operands.iter_mut().zip(&mut heads).enumerate().take(count) {
            o.skid.open(io, k);
            match o.skid.head() {
                Some(&b) => *h = b,
                None => here = false,
            }
        }
        let go = here && self.hold.room(free);
        let left = if go {
            self.step(&heads[..count], free, io)?
        } else {
            let used = self.used;
            self.hold.idle_through(free, |merged, stop| merged.give(used, stop, io))
        };
        let mut moved = go || left;
        for (k, o) in self.operands.iter_mut().enumerate().take(count) {
            moved |= o.skid.clock(io, k);
        }
        Ok(moved)
    }
    fn part(&mut self) -> Option<Part<'_>> {
        Some(Part::Sink(self))
    }
}

/// Of two operands that are needed together the one with the smaller coordinates continues alone.
/// Of two operands that are needed together the one with the smaller coordinates continues alone, and
/// so does what is left of one when the other's fiber is over.
impl<const N: usize> Sink for JoinerModel<N> {
    fn drains(&self, io: &Io) -> Option<Drain> {
        let [a, b] = &self.operands[..self.count()] else { return None };
        let free = self.free(io);
        let rests = self.hold.room(false) || free && self.hold.waiting();
        if !self.pairs || self.skips.is_some() || !rests {
            return None;
        }
        let heads = [a.skid.head()?, b.skid.head()?];
        let over = [a.taken || !heads[0].is_leaf(), b.taken || !heads[1].is_leaf()];
        let input = match over {
            [true, true] => return None,
            [false, false] => usize::from(heads[1].p[0] < heads[0].p[0]),
            [first, _] => usize::from(first),
        };
        let (stays, stopped) = (heads[1 - input], over[1 - input]);
        let head = *self.operands[input].skid.only()?;
        let plain = head.kind == Kind::Data && head.stop == 0 && (stopped || head.p[0] < stays.p[0]);
        // Otherwise the next step finds it.
        let right = |k: usize| {
            let before = self.operands[k].before;
            self.operands[k].taken || before.is_none_or(|before| heads[k].is_leaf() && before < heads[k].p[0])
        };
        let most = if stopped { u64::MAX } else { stays.p[0] };
        (plain && right(0) && right(1) && !above(stays)).then_some(Drain { input, head, most })
    }
    fn drained(&mut self, input: usize, last: u64, head: Beat) {
        let operand = &mut self.operands[input];
        operand.before = Some(last);
        operand.skid.replace(head);
    }
}
