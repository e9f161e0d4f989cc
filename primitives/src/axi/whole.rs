//! Model of `samhw_axi_whole`, which keeps an array on the chip as it is read.

use super::lane::Lane;
use super::words::Words;
use super::{Burst, Form};
use crate::memories::memory::Read;
use samhw_streams::Io;
use std::sync::Arc;

/// A reader that keeps one array on the chip. Channels: input 0 `read_req`, output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub struct Whole {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    room: u64,
    front: Words,
    lane: Lane,
    live: bool,
    over: bool,
    got: u64,
    asked: u64,
    planned: bool,
    burst: u64,
    fetch: Option<Burst>,
}

impl Whole {
    /// Creates the model in reset state; `words` words of memory at `base` contain `array`, and the chip has room for
    /// `room` words.
    pub fn new(form: Form, read: Read, room: u64, (base, words): (u64, u64), array: Arc<Vec<u64>>) -> Self {
        Self {
            form,
            base_line: base >> form.bus_log2,
            offset: form.offset(base),
            words,
            room,
            front: Words::new(&form, read, base, words).in_lines(&form),
            lane: Lane::new(read, array),
            live: false,
            over: false,
            got: 0,
            asked: 0,
            planned: false,
            burst: 0,
            fetch: None,
        }
    }
    /// Returns the requested burst.
    pub fn fetch(&self) -> Option<Burst> {
        self.fetch
    }
    /// Returns whether a request was outside of the array or exceeded the room.
    pub fn beyond(&self) -> bool {
        self.over || self.front.beyond()
    }

    /// Simulates a clock edge. `start`: it begins; `granted`: its fetch is taken; `data`: a line comes for it.
    pub fn clock(&mut self, io: &mut Io, start: bool, granted: bool, data: bool) {
        let wanted = self.front.wanted();
        let there = wanted.filter(|w| w.place >> self.form.lanes() < self.got);
        let taken = there.filter(|_| self.lane.free(io));
        self.lane.clock(io, taken);
        self.front.clock(io, taken.is_some());

        let last = (self.words + self.offset).wrapping_sub(1) >> self.form.lanes();
        let ask = self.planned && (self.fetch.is_none() || granted);
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
        self.planned = !ask && (self.planned || comes);
        if ask {
            self.asked += self.burst;
        }
        self.got += u64::from(data);
        if start {
            self.over = self.words > self.room;
            self.live = !self.over && self.words > 0;
        }
    }
}
