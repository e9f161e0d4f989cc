//! Model of `samhw_placer`: items with positions become an array without gaps.

use samhw_streams::{Beat, Fault, Kind};
use samhw_values::mask;

/// The position of the next word, in chunks of positions that `chain` dense levels define.
#[derive(Debug, Clone)]
pub struct Placer {
    chain: u8,
    chunk: u64,
    skip: bool,
    rel: u64,
    closing: bool,
}

/// The item for the head of the positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Whether the item can be taken.
    pub ready: bool,
    /// Whether the item has no leaf so far.
    pub bare: bool,
}

/// The decision of the placer in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Placed {
    /// Whether a word is written.
    pub push: bool,
    /// Whether this word belongs to a position without an item.
    pub gap: bool,
    /// Whether the beat of `pos` and its item are consumed.
    pub pop: bool,
}

impl Placer {
    /// Creates the model for chunks of `chunk` positions, one per list of height `chain`; with `skip`, chunks without a
    /// leaf are not written.
    pub fn new(chain: u32, pos_w: u32, chunk: u64, skip: bool) -> Self {
        Self { chain: chain as u8, chunk: chunk & mask(pos_w), skip, rel: 0, closing: false }
    }
    /// Decides for a cycle: `pos` is the head of the positions, `item` belongs to it, `free` says whether a word can be
    /// written.
    pub fn step(&mut self, pos: Option<&Beat>, item: Item, free: bool) -> Result<Placed, Fault> {
        let Item { ready: item, bare } = item;
        if self.closing {
            if free {
                self.advance(true);
            }
            return Ok(Placed { push: free, gap: true, pop: false });
        }
        let Some(pos) = pos else { return Ok(Placed::default()) };
        let ends = pos.stop >= self.chain;
        if pos.is_leaf() {
            if pos.kind == Kind::Empty || pos.p[0] < self.rel || pos.p[0] >= self.chunk {
                return Err(Self::fault(pos));
            }
            // As long as the chunk may have no leaf, nothing of it is written.
            if self.skip && bare && self.rel == 0 {
                return Ok(Placed { pop: item, ..Placed::default() });
            }
            let gap = pos.p[0] != self.rel;
            let push = free && (gap || item);
            if push {
                self.advance(ends && !gap);
                self.closing = ends && !gap && self.rel != 0;
            }
            return Ok(Placed { push, gap, pop: push && !gap });
        }
        // A NIL that ends a chunk stays until the chunk is full.
        let over = pos.kind == Kind::Nil && ends && pos.hole() <= self.chain;
        if over && self.rel != self.chunk && !(self.skip && self.rel == 0) {
            let push = item && free;
            let pop = push && self.rel + 1 == self.chunk;
            if push {
                self.advance(true);
            }
            return Ok(Placed { push, gap: true, pop });
        }
        if over && item {
            self.rel = 0;
        }
        Ok(Placed { pop: item, ..Placed::default() })
    }
    /// The next position, which is that of the next chunk after the last one if `over`: no
    /// more items come in this chunk.
    fn advance(&mut self, over: bool) {
        self.rel += 1;
        if over && self.rel == self.chunk {
            self.rel = 0;
            self.closing = false;
        }
    }
    fn fault(pos: &Beat) -> Fault {
        Fault { what: "positions must increase and lie in their chunk", port: "pos".into(), beat: *pos }
    }
}
