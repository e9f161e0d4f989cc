//! Model of `samhw_axi_tiles`, which prefetches an array tile by tile.

use super::lane::Lane;
use super::words::Words;
use super::{Burst, Form, ones};
use crate::blocks::Queue;
use crate::memories::memory::Read;
use samhw_streams::Io;
use std::sync::Arc;

/// Cycles that a word in no tile told waits for one.
const PATIENCE: u64 = 31;

/// log2 of the tiles that are fetched ahead of the one in use.
const AHEAD_LOG2: u32 = 4;

/// First and last line of a tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Lines {
    first: u64,
    last: u64,
}

impl Lines {
    fn has(self, line: u64) -> bool {
        self.first <= line && line <= self.last
    }
}

/// A reader of one array by tiles. Channels: input 0 `read_req`, output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub struct TileReader {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    extra: u64,
    front: Words,
    lane: Lane,
    /// What was told in the cycle before and in the one before that.
    hint: Option<Lines>,
    whole: Option<Lines>,
    told: Queue<Lines>,
    /// The tile that was begun last, whether lines of it are still to be asked for, and the first of these.
    latest: Lines,
    asking: bool,
    next: u64,
    /// It was begun in the cycle before.
    fresh: bool,
    /// The core has not left it: what lies in it need not be fetched again.
    known: bool,
    /// Lines of it to ask for that have room next to a tile as large.
    beside: u64,
    /// Tiles begun after the one in use, with the lines asked for before them.
    ahead: Queue<(Lines, u64)>,
    current: Option<Lines>,
    /// Lines that were asked for before the tile in use.
    base: u64,
    have: u64,
    asked: u64,
    got: u64,
    patience: u64,
    planned: bool,
    ends: bool,
    burst: u64,
    fetch: Option<Burst>,
}

impl TileReader {
    /// Creates the model in reset state; `words` words of memory at `base` contain `array`, and a tile has `extra`
    /// words beyond the announced end.
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
            whole: None,
            told: Queue::new(hints_log2),
            latest: Lines::default(),
            asking: false,
            next: 0,
            fresh: false,
            known: false,
            beside: 0,
            ahead: Queue::new(AHEAD_LOG2),
            current: None,
            base: 0,
            have: 0,
            asked: 0,
            got: 0,
            patience: 0,
            planned: false,
            ends: false,
            burst: 0,
            fetch: None,
        }
    }
    /// Returns the requested burst.
    pub fn fetch(&self) -> Option<Burst> {
        self.fetch
    }
    /// Returns whether a request was outside of the array.
    pub fn beyond(&self) -> bool {
        self.front.beyond()
    }

    /// The lines that a tile of these words has, in whole groups; none where it has no words or is not within the array.
    fn lines(&self, (start, end): (u64, u64)) -> Option<Lines> {
        let (end, lanes) = (end + self.extra, self.form.lanes());
        let group = ones(self.form.group_log2());
        let some = end > start && end <= self.words;
        some.then(|| Lines {
            first: (start + self.offset) >> lanes & !group,
            last: (end + self.offset - 1) >> lanes | group,
        })
    }

    /// Those of them that the array has, and as many as there is room for.
    fn limited(&self, tile: Lines) -> Lines {
        let last = tile.last.min(self.end());
        Lines { first: tile.first, last: last.min(tile.first + ones(self.form.lines_log2)) }
    }

    /// The line that the array ends in.
    fn end(&self) -> u64 {
        (self.words + self.offset).wrapping_sub(1) >> self.form.lanes()
    }

    /// Simulates a clock edge. `hint`: start and end of a tile that is announced; `granted`: its fetch is
    /// taken; `data`: a line comes for it.
    pub fn clock(&mut self, io: &mut Io, hint: Option<(u64, u64)>, granted: bool, data: bool) {
        let wanted = self.front.wanted();
        let line = wanted.map(|w| w.place >> self.form.lanes());
        let held = line.zip(self.current).filter(|(line, tile)| tile.has(*line));
        let hit = held.is_some_and(|(line, tile)| line - tile.first < self.have);
        let leave = line.filter(|_| held.is_none());
        let after = self.ahead.head().copied();
        let pop = after.filter(|_| self.current.is_none() || leave.is_some());
        // Nothing is left of the tiles that were begun: what the core waits for is in none of them.
        let lost = leave.filter(|_| after.is_none() && !self.fresh);
        let ask = self.asks(granted) && lost.is_none();
        let open = (!self.asking || lost.is_some() || ask && self.ends) && self.ahead.room();
        let head = self.told.head().copied();
        let within = |tile: Lines| self.latest.has(tile.first) && tile.last <= self.latest.last;
        let known = self.known && lost.is_none() && head.is_some_and(within);
        let load = head.filter(|_| open && !known);
        let waits = lost.filter(|_| head.is_none());
        let own = waits.filter(|_| self.patience == PATIENCE);

        let taken = wanted.filter(|_| hit && self.lane.free(io));
        self.lane.clock(io, taken);
        self.front.clock(io, taken.is_some());

        // What is told.
        if head.is_some() && (open || known) {
            self.told.pop();
        }
        if let Some(tile) = self.whole.filter(|_| self.told.room()) {
            self.told.push(tile);
        }
        self.told.clock();
        self.whole = self.hint.map(|tile| self.limited(tile));
        self.hint = hint.and_then(|h| self.lines(h));

        if let Some((tile, base)) = pop {
            self.ahead.pop();
            (self.current, self.base) = (Some(tile), base);
        }
        self.have = (self.got as i64 - self.base as i64).max(0) as u64;
        if self.fresh {
            self.ahead.push((self.latest, self.asked));
        }
        self.ahead.clock();
        self.bursts(ask, granted, lost.is_some());
        self.patience = if waits.is_some() && own.is_none() { self.patience + 1 } else { 0 };
        self.got += u64::from(data);
        self.known &= lost.is_none();
        let burst = |first: u64| Lines { first, last: self.end().min(first + ones(self.form.burst_log2)) };
        let begun = load.or(own.map(burst));
        self.fresh = begun.is_some();
        if let Some(tile) = begun {
            (self.latest, self.next) = (tile, tile.first);
            (self.asking, self.known) = (true, true);
            self.beside = load.map_or(0, |tile| ones(self.form.lines_log2) - (tile.last - tile.first));
        }
    }

    /// Whether the burst that is planned can be asked for.
    fn asks(&self, granted: bool) -> bool {
        let all = 1u64 << self.form.lines_log2;
        let fits = self.asked.wrapping_sub(self.base) + self.burst <= all && self.asked - self.got + self.burst <= all;
        self.planned && fits && (self.fetch.is_none() || granted)
    }

    fn bursts(&mut self, ask: bool, granted: bool, lost: bool) {
        let place = self.base_line.wrapping_add(self.next);
        let (more, whole) = (self.latest.last.wrapping_sub(self.next), self.form.whole(place));
        if ask {
            self.fetch = Some(Burst { id: 0, addr: self.form.address(place), len: self.burst - 1 });
            self.asked += self.burst;
            self.next += self.burst;
            self.beside = self.beside.saturating_sub(self.burst);
        } else if granted {
            self.fetch = None;
        }
        let last = ask && self.ends;
        if !self.planned {
            let (short, cuts) = (more < whole, self.beside != 0 && self.beside <= more && self.beside < whole);
            self.ends = short && !cuts;
            self.burst = if cuts { self.beside } else { whole.min(more.saturating_add(1)) };
        }
        self.planned = !lost && !ask && (self.planned || self.asking);
        self.asking &= !lost && !last;
    }
}
