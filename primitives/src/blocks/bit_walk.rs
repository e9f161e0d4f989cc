//! Model of `samhw_bit_walk`, which iterates over the bits that a table of words emits.

use super::Skid;
use crate::join::joiner::bit;
use samhw_streams::{Beat, Fault, Io, Kind, Word};
use std::sync::Arc;

/// Returns log2 of the group size for words of `width` bits, for which a walk over groups is as easy as one over their
/// bits.
pub fn group_log2(width: u32) -> u32 {
    width.trailing_zeros().min(if width > 64 { 4 } else { 3 })
}

/// The words of all operands at one position, or the end of lists on all of them.
#[derive(Debug)]
pub struct Operands {
    heads: Vec<Beat>,
    words: Vec<Word>,
}

impl Operands {
    /// Returns the operands that have bit `b`.
    pub fn having(&self, b: u64) -> u32 {
        (0..).zip(&self.words).fold(0, |s, (k, w)| s | u32::from(w.bit(b)) << k)
    }
    /// Returns the position of bit `b` of operand `k`.
    pub fn position(&self, k: usize, b: u64) -> u64 {
        self.heads[k].p[1] + self.words[k].ones_below(b)
    }
    /// Returns the beat for all outputs where there is no bit.
    pub fn closing(&self, stop: u8) -> Beat {
        let head = self.heads[0];
        let above = head.kind == Kind::Done || head.kind == Kind::Nil && head.hole() != 1;
        if above { head } else { Beat::nil(stop, 1) }
    }
}

/// A step of the walk.
#[derive(Debug, Clone)]
pub struct Step {
    /// Operands of the step.
    pub of: Arc<Operands>,
    /// The bit and its coordinate; `None` for a word without bits, or the end of lists.
    pub bit: Option<(u64, u64)>,
    /// Whether other bits of the word follow.
    pub more: bool,
    /// Stop of the fiber, if it ends here.
    pub stop: Option<u8>,
}

/// Bits that are left, of a word or of a group of one.
#[derive(Debug)]
struct Left {
    of: Arc<Operands>,
    bits: Word,
    /// Of a group: it is the word's last.
    last: bool,
}

impl Left {
    /// Whether it is the last group of its fiber, or no list.
    fn closes(&self) -> bool {
        let head = self.of.heads[0];
        self.last && (!head.is_leaf() || head.stop > 0)
    }
}

/// A walk over the words of its inputs. Each tick: [`Self::open`], [`Self::cut`] if nothing more of the
/// fiber at hand is needed; look at [`Self::step`], and [`Self::pop`] it or not; [`Self::clock`].
#[derive(Debug)]
pub struct BitWalk {
    emit: Vec<u64>,
    width: u32,
    skids: Vec<Skid>,
    /// Whether fibers that are over may have fewer words in some operands than in others.
    uneven: bool,
    word: Option<Left>,
    group: Option<Left>,
    /// Words of the fiber that are through.
    index: u64,
    moved: bool,
    /// In this tick: nothing more of the current fiber is needed.
    cut: bool,
    /// In this tick the last group of a fiber left: behind it stands the next fiber.
    closed: bool,
}

impl BitWalk {
    /// Creates a walk over `inputs` words of `width` bits; bit P of `emit` says whether bits of exactly the operands in
    /// P are emitted.
    pub fn new(emit: Vec<u64>, inputs: usize, width: u32) -> Self {
        let skids = vec![Skid::passing(); inputs];
        let (uneven, word, group) = (false, None, None);
        Self { emit, width, skids, uneven, word, group, index: 0, moved: false, cut: false, closed: false }
    }
    /// Drops words of operands whose fibers are longer than others', if `uneven`; only those that are over are.
    pub fn uneven(self, uneven: bool) -> Self {
        Self { uneven, ..self }
    }
    /// Takes the beats that arrive at this edge.
    pub fn open(&mut self, io: &Io) {
        self.skids.iter_mut().enumerate().for_each(|(k, s)| s.open(io, k));
    }
    /// Says whether nothing more of the current fiber is needed: of each of its words one bit more is
    /// stepped at most, of the current one two.
    pub fn cut(&mut self, cut: bool) {
        self.cut = cut;
    }
    /// Returns the current step.
    pub fn step(&self) -> Option<Step> {
        let group = self.group.as_ref()?;
        let bit = group.bits.lowest().map(|b| (b, self.index * u64::from(self.width) + b));
        let others = group.bits.ones() > 1 && !self.cut;
        let ends = !others && group.closes();
        let stop = ends.then_some(group.of.heads[0].stop);
        Some(Step { of: group.of.clone(), bit, more: !group.last || others, stop })
    }
    /// Completes the current step.
    pub fn pop(&mut self) {
        let Some(step) = self.step() else { return };
        self.index = match step.stop {
            Some(_) => 0,
            None => self.index + u64::from(!step.more),
        };
        self.closed = self.group.as_ref().is_some_and(Left::closes);
        match (&mut self.group, step.bit) {
            (Some(group), Some((b, _))) if group.bits.ones() > 1 && !self.cut => {
                let mut gone = Word::default();
                gone.set(b);
                group.bits = group.bits.without(&gone);
            }
            _ => self.group = None,
        }
        self.moved = true;
    }
    /// Simulates a clock edge. Returns whether anything changed.
    pub fn clock(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = std::mem::take(&mut self.moved);
        let closed = std::mem::take(&mut self.closed);
        let cut = self.cut && !closed;
        if self.group.is_none()
            && let Some(word) = self.word.take()
        {
            let size = 1 << group_log2(self.width);
            let at = word.bits.lowest().unwrap_or(0) as u32 / size * size;
            let mut bits = Word::default();
            bits.put(at, size, word.bits.field(at, size));
            let rest = word.bits.without(&bits);
            let last = cut || rest.lowest().is_none();
            self.group = Some(Left { of: word.of.clone(), bits, last });
            self.word = (!last).then_some(Left { bits: rest, ..word });
            moved = true;
        }
        let heads: Vec<Option<Beat>> = self.skids.iter().map(|s| s.head().copied()).collect();
        let ends = |head: &Option<Beat>| head.is_some_and(|h| !h.is_leaf() || h.stop > 0);
        let drops = |head: &Option<Beat>| self.uneven && head.is_some() && !ends(head) && heads.iter().any(ends);
        let dropped: Vec<bool> = heads.iter().map(drops).collect();
        if dropped.contains(&true) {
            self.skids.iter_mut().zip(&dropped).filter(|(_, dropped)| **dropped).for_each(|(s, _)| s.pop());
            moved = true;
        } else if self.word.is_none()
            && let Some(heads) = heads.into_iter().collect()
        {
            self.word = Some(self.word(heads)?);
            self.skids.iter_mut().for_each(Skid::pop);
            moved = true;
        }
        for (k, s) in self.skids.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }

    fn word(&self, heads: Vec<Beat>) -> Result<Left, Fault> {
        let leaf = heads[0].is_leaf();
        if let Some((k, h)) = heads.iter().enumerate().find(|(_, h)| h.is_leaf() != leaf || h.stop != heads[0].stop) {
            return Err(Fault { what: "operands are not aligned", port: format!("in{k}"), beat: *h });
        }
        let words = heads.iter().map(|h| if leaf { Word::held(h.p[0], self.width) } else { Word::default() }).collect();
        let of = Operands { heads, words };
        let mut bits = Word::default();
        (0..u64::from(self.width)).filter(|&b| bit(&self.emit, of.having(b))).for_each(|b| bits.set(b));
        Ok(Left { of: Arc::new(of), bits, last: false })
    }
}
