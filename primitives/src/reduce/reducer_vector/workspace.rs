//! The workspace, which folds lists of fibers into one fiber each. Model of `samhw_workspace`, the part that the vector
//! reducer and the matrix reducer share.

use super::level::{Arrival, End, Level, Visit};
use super::values::Values;
use super::word_walk::WordWalk;
use crate::blocks::Fold;
use samhw_streams::{Beat, Fault, Kind};
use std::collections::VecDeque;

/// Widest word of the bitmap, as log2 of its bits.
const MAX_BIT_W: u32 = 5;

/// Bits up to which one bank's words of a level are in distributed RAM, as `LUT_BITS` of `samhw_workspace` says.
const LUT_BITS: u32 = 1280;

/// The shape of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Operator that folds two values of a coordinate.
    pub op: Fold,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Whether values are in two's complement.
    pub signed: bool,
    /// Number of coordinates in the workspace.
    pub words: u32,
    /// Number of lists in the workspace at once: a power of two, at least 2.
    pub banks: u32,
}

impl Shape {
    /// Returns the width of an address in bits.
    pub fn addr_w(&self) -> u32 {
        self.words.max(2).next_power_of_two().trailing_zeros()
    }
    /// Returns the number of bitmap levels in RAM; the topmost level is one register per bank.
    pub fn ram_levels(&self) -> u32 {
        self.addr_w().div_ceil(MAX_BIT_W) - 1
    }
    /// Returns the number of words of RAM level `k` in one bank.
    pub fn depth(&self, k: u32) -> u32 {
        self.words.div_ceil(1 << (self.bit_w() * (self.ram_levels() - k)))
    }
    /// Returns whether RAM level `k` is in block RAM, which answers late in its cycle.
    pub fn late(&self, k: u32) -> bool {
        self.depth(k) << self.bit_w() > LUT_BITS
    }
    /// Returns log2 of the width of a bitmap word.
    pub fn bit_w(&self) -> u32 {
        self.addr_w().div_ceil(self.ram_levels() + 1)
    }
    /// Returns the cycles from the edge that takes a beat from the input buffer to the edge at which the output
    /// register's beat can be taken. Runs of a program come to it.
    pub fn latency(&self) -> u32 {
        let later = if matches!(self.op, Fold::Program(_)) { 2 } else { 0 };
        let levels: u32 = (0..self.ram_levels()).map(|k| 3 + u32::from(self.late(k))).sum();
        5 + levels + self.op.pipelined().map_or(later, |p| p.depth + 3)
    }
}

/// The workspace's registers and memories.
#[derive(Debug)]
pub struct Workspace {
    words: u32,
    banks: u8,
    /// Address bits below the topmost level's.
    low: u32,
    /// The arriving list's bank, and its topmost word.
    arriving: u8,
    top: u64,
    /// The topmost words of complete lists, up to one less than there are banks.
    complete: VecDeque<(u8, u64)>,
    /// The walk over a topmost word: its bank, and that it has no bit.
    walk: WordWalk<(u8, bool)>,
    levels: Vec<Level>,
    values: Values,
}

impl Workspace {
    /// Creates an empty workspace.
    pub fn new(s: &Shape) -> Self {
        let (bit_w, n, banks) = (s.bit_w(), s.ram_levels(), s.banks as usize);
        let level = |k: u32| Level::new(bit_w, bit_w * (n - 1 - k), s.depth(k) as usize, banks, s.late(k));
        Self {
            words: s.words,
            banks: s.banks as u8,
            low: bit_w * n,
            arriving: 0,
            top: 0,
            complete: VecDeque::with_capacity(banks),
            walk: WordWalk::new(),
            levels: (0..n).map(level).collect(),
            values: Values::new(s.op, s.val_w, s.signed, s.words as usize, banks),
        }
    }
    /// Simulates a clock edge. `head` is the pair (crd, val) on offer; `out` the output register, empty if its beat
    /// just left. Returns (head was taken, anything moved).
    #[inline]
    pub fn tick(&mut self, head: Option<Beat>, out: &mut Option<Beat>) -> Result<(bool, bool), Fault> {
        let step = self.walk.offer();
        let item = step.map(|s| Visit { bank: s.of.0, word: s.index, none: s.of.1, last: s.over });
        let offers = |levels: &[Level]| levels.last().map_or(item, Level::offer);
        let (mut sent, mut moved) = self.values.tick(out, offers(&self.levels));
        for k in (0..self.levels.len()).rev() {
            let (above, at) = self.levels.split_at_mut(k);
            let (level, below) = at.split_at_mut(1);
            let entry = below.first_mut().map_or(self.values.entry(), Level::entry);
            let (taken, went) = level[0].tick(entry, sent, offers(above));
            sent = taken;
            moved |= went;
        }
        moved |= self.walk.tick(sent);
        let place = self.complete.len() + 1 < usize::from(self.banks);
        let entry = self.levels.first_mut().map_or(self.values.entry(), Level::entry);
        let head = head.filter(|_| entry.is_none() && place);
        if let Some(b) = head {
            let a = self.arrive(b)?;
            *self.levels.first_mut().map_or(self.values.entry(), Level::entry) = Some(a);
        }
        if self.walk.ready()
            && let Some((bank, top)) = self.complete.pop_front()
        {
            self.walk.put((bank, top == 0), top);
            moved = true;
        }
        Ok((head.is_some(), moved || head.is_some()))
    }
    /// Takes an arrival's bit into the topmost word.
    #[inline]
    fn arrive(&mut self, b: Beat) -> Result<Arrival, Fault> {
        let mut a = arrival(&b, self.arriving);
        if a.update {
            if b.p[0] >= u64::from(self.words) {
                return Err(Fault { what: "coordinate beyond the workspace", port: "crd".into(), beat: b });
            }
            let bit = 1 << (a.addr >> self.low);
            a.fresh = self.top & bit == 0;
            self.top |= bit;
        }
        if a.last {
            self.complete.push_back((a.bank, std::mem::take(&mut self.top)));
            self.arriving = (a.bank + 1) % self.banks;
        }
        Ok(a)
    }
}

/// What a beat means to the workspace.
#[inline]
fn arrival(b: &Beat, bank: u8) -> Arrival {
    let hole = match b.kind {
        Kind::Done => 0,
        // A list of height above 2 that is empty leaves one of height - 1.
        Kind::Nil if b.hole() > 1 => b.hole() - 1,
        _ => 1,
    };
    Arrival {
        bank,
        addr: if b.kind == Kind::Data { b.p[0] as u32 } else { 0 },
        val: b.p[1],
        update: b.kind == Kind::Data,
        fresh: false,
        last: b.kind == Kind::Done || b.stop > 1,
        end: End { hole, stop: b.stop.saturating_sub(1) },
    }
}
