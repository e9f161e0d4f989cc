//! Model of `samhw_axi_reader`, which prefetches an array in a window.

use super::lane::Lane;
use super::words::Words;
use super::{Burst, Form, ones};
use crate::memories::memory::Read;
use samhw_streams::Io;
use std::sync::Arc;

/// A reader of one array. Channels: input 0 `read_req`, output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub struct Reader {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    front: Words,
    lane: Lane,
    live: bool,
    tail: u64,
    got: u64,
    asked: u64,
    drop: u64,
    planned: bool,
    burst: u64,
    fetch: Option<Burst>,
}

impl Reader {
    /// Creates the model in reset state; `words` words of memory at `base` contain `array`.
    pub fn new(form: Form, read: Read, base: u64, words: u64, array: Arc<Vec<u64>>) -> Self {
        Self {
            form,
            base_line: base >> form.bus_log2,
            offset: form.offset(base),
            words,
            front: Words::new(&form, read, base, words),
            lane: Lane::new(read, array),
            live: false,
            tail: 0,
            got: 0,
            asked: 0,
            drop: 0,
            planned: false,
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

    /// Simulates a clock edge. `start`: the window begins with the array, ahead of requests; `granted`: its fetch is
    /// taken; `data`: a line comes for it.
    pub fn clock(&mut self, io: &mut Io, start: bool, granted: bool, data: bool) {
        let all = 1 << self.form.lines_log2;
        let lanes = self.form.lanes();
        // What is in the window at this edge.
        let wanted = self.front.wanted();
        let line = wanted.map(|w| w.place >> lanes);
        let ahead = line.map(|l| l.wrapping_sub(self.tail));
        let held = self.live && ahead.is_some_and(|a| a < all);
        let hit = held && ahead.is_some_and(|a| a < self.got - self.tail);
        let anew = line.filter(|_| !held);
        let keep = data && self.drop == 0;
        let taken = wanted.filter(|_| hit && self.lane.free(io));
        self.lane.clock(io, taken);
        self.front.clock(io, taken.is_some());
        self.window((line, hit, anew), granted, (data, keep));
        if start && self.words > 0 {
            (self.tail, self.got, self.asked, self.live) = (0, 0, 0, true);
        }
    }

    /// The window and its bursts.
    fn window(
        &mut self,
        (line, hit, anew): (Option<u64>, bool, Option<u64>),
        granted: bool,
        (data, keep): (bool, bool),
    ) {
        let all = 1 << self.form.lines_log2;
        let last = (self.words + self.offset).wrapping_sub(1) >> self.form.lanes();
        let (flying, free) = (self.asked - self.got, self.fetch.is_none() || granted);
        let ask = self.planned && self.asked - self.tail + self.burst <= all && free && anew.is_none();
        let place = self.base_line.wrapping_add(self.asked);
        if ask {
            self.fetch = Some(Burst { id: 0, addr: self.form.address(place), len: self.burst - 1 });
        } else if granted {
            self.fetch = None;
        }
        let comes = self.live && self.asked <= last;
        if !self.planned {
            let whole = self.form.whole(place);
            let rest = last.wrapping_sub(self.asked);
            self.burst = if rest < whole { rest + 1 } else { whole };
        }
        self.planned = anew.is_none() && !ask && (self.planned || comes);
        if anew.is_some() {
            let flying = flying.wrapping_sub(u64::from(data)) & ones(self.form.lines_log2 + 1);
            self.drop = if self.live { flying } else { 0 };
        } else if data && self.drop != 0 {
            self.drop -= 1;
        }
        if let Some(line) = anew {
            (self.tail, self.got, self.asked, self.live) = (line, line, line, true);
            return;
        }
        if let Some(line) = line {
            self.tail = if hit { line } else { self.got };
        }
        self.got += u64::from(keep);
        if ask {
            self.asked += self.burst;
        }
    }
}
