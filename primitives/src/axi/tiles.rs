//! Model of `samhw_axi_tiles`.

use super::lane::Lane;
use super::words::Words;
use super::{Burst, Form};
use crate::blocks::Queue;
use crate::memory::Read;
use crate::model::Io;
use std::sync::Arc;

/// Cycles that a word in no tile told waits for one.
const PATIENCE: u64 = 31;

/// Lines of a tile, and how many were asked for.
#[derive(Debug, Clone, Copy, Default)]
struct Tile {
    live: bool,
    first: u64,
    count: u64,
    asked: u64,
}

/// One array that is read tile by tile. Channels: input 0 `read_req`, output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub struct TileReader {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    extra: u64,
    front: Words,
    lane: Lane,
    /// First and last line of what was told in the cycle before.
    hint: Option<(u64, u64)>,
    told: Queue<(u64, u64)>,
    current: Tile,
    next: Tile,
    /// Lines that were asked for before the tile in use.
    base: u64,
    have: u64,
    asked: u64,
    got: u64,
    patience: u64,
    planned: bool,
    burst: u64,
    fetch: Option<Burst>,
}

impl TileReader {
    /// After reset: `words` of memory at `base` hold `array`; a tile has `extra` words beyond the end that is told.
    pub fn new(
        form: Form,
        read: Read,
        place: (u64, u64),
        array: Arc<Vec<u64>>,
        (extra, hints_log2): (u64, u32),
    ) -> Self {
        let (base, words) = place;
        Self {
            form,
            base_line: base >> form.bus_log2,
            offset: form.offset(base),
            words,
            extra,
            front: Words::new(&form, read, base, words),
            lane: Lane::new(read, array),
            hint: None,
            told: Queue::new(hints_log2),
            current: Tile::default(),
            next: Tile::default(),
            base: 0,
            have: 0,
            asked: 0,
            got: 0,
            patience: 0,
            planned: false,
            burst: 0,
            fetch: None,
        }
    }
    /// The burst it asks for.
    pub fn fetch(&self) -> Option<Burst> {
        self.fetch
    }
    /// A request did not lie within the array.
    pub fn beyond(&self) -> bool {
        self.front.beyond()
    }

    /// The lines that a tile of these words has; none where it has no words or is not within the array.
    fn lines(&self, (start, end): (u64, u64)) -> Option<(u64, u64)> {
        let (end, lanes) = (end + self.extra, self.form.lanes());
        let some = end > start && end <= self.words;
        some.then(|| ((start + self.offset) >> lanes, (end + self.offset - 1) >> lanes))
    }

    /// The edge. `hint`: start and end of a tile that is told; `granted`: its fetch is taken; `data`: a line comes for it.
    pub fn clock(&mut self, io: &mut Io, hint: Option<(u64, u64)>, granted: bool, data: bool) {
        let all = 1u64 << self.form.lines_log2;
        let wanted = self.front.wanted();
        let line = wanted.map(|w| w.place >> self.form.lanes());
        let within = |count: u64| self.current.live && line.is_some_and(|l| l.wrapping_sub(self.current.first) < count);
        let (held, hit) = (within(self.current.count), within(self.have));
        let leave = line.filter(|_| !held);
        let pop = self.next.live && (!self.current.live || leave.is_some());
        let open = !self.next.live || pop;
        let head = self.told.head().copied();
        let known = self.next.live || self.current.live;
        let same = known && head == Some((self.next.first, self.next.count));
        let load = head.filter(|_| open && !same);
        let lost = leave.filter(|_| !self.next.live && head.is_none());
        let own = lost.filter(|_| self.patience == PATIENCE);

        let taken = wanted.filter(|_| hit && self.lane.free(io));
        self.lane.clock(io, taken);
        self.front.clock(io, taken.is_some());

        // What is told.
        if head.is_some() && (open || same) {
            self.told.pop();
        }
        if let Some((first, last)) = self.hint.filter(|_| self.told.room()) {
            self.told.push((first, (last - first + 1).min(all)));
        }
        self.told.clock();
        self.hint = hint.and_then(|h| self.lines(h));

        let whole = self.current.live && self.current.asked == self.current.count;
        let there = self.got as i64 - self.base as i64;
        self.have = if pop { 0 } else { (there.max(0) as u64).min(self.current.count) };
        let base = if whole { self.base + self.current.count } else { self.asked };
        self.bursts(whole, pop, granted);
        self.patience = if lost.is_some() && own.is_none() { self.patience + 1 } else { 0 };
        self.got += u64::from(data);
        if pop {
            (self.current, self.base) = (self.next, base);
            self.next.live = false;
        }
        if let Some((first, count)) = load {
            self.next = Tile { live: true, first, count, asked: 0 };
        } else if let Some(first) = own {
            let last = (self.words + self.offset - 1) >> self.form.lanes();
            self.next = Tile { live: true, first, count: (last - first + 1).min(1 << self.form.burst_log2), asked: 0 };
        }
    }

    /// Asks for lines of the tile in use, then, if it is `whole`, of the next one.
    fn bursts(&mut self, whole: bool, pop: bool, granted: bool) {
        let all = 1u64 << self.form.lines_log2;
        let tile = if whole { self.next } else { self.current };
        let (rest, more) = (tile.count.wrapping_sub(tile.asked), tile.live && (!whole || tile.count != tile.asked));
        let place = self.base_line.wrapping_add(tile.first + tile.asked);
        let fits = self.asked.wrapping_sub(self.base) + self.burst <= all && self.asked - self.got + self.burst <= all;
        let ask = self.planned && fits && (self.fetch.is_none() || granted) && !pop;
        if ask {
            self.fetch = Some(Burst { id: 0, addr: self.form.address(place), len: self.burst - 1 });
            self.asked += self.burst;
            let tile = if whole { &mut self.next } else { &mut self.current };
            tile.asked += self.burst;
        } else if granted {
            self.fetch = None;
        }
        if !self.planned {
            self.burst = rest.min(self.form.whole(place));
        }
        self.planned = !pop && !ask && (self.planned || more);
    }
}
