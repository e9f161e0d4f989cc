//! Model of `samhw_axi_loader`, which copies an array to the chip before a run. The words themselves are in the memory
//! from the begin.

use super::{Burst, Form, Reader};
use crate::memories::memory::Read;
use samhw_streams::{Beat, Chan, Io};
use std::sync::Arc;

/// A loader, which copies one array before a run.
#[derive(Debug, Clone)]
pub struct Loader {
    reader: Reader,
    /// Its request and its answer.
    chans: [Chan; 2],
    words: u64,
    room: u64,
    asks: bool,
    going: bool,
    over: bool,
    count: u64,
    /// Number of the word that is written, and the word.
    writes: Option<(u64, u64)>,
}

impl Loader {
    /// Creates the model in reset state, as [`Reader::new`] does, with a memory of `room` words.
    pub fn new(form: Form, room: u64, base: u64, words: u64, array: Arc<Vec<u64>>) -> Self {
        let reader = Reader::new(Form { addr_w: form.addr_w + 1, ..form }, Read::Burst, base, words, array);
        let chans = [Chan::reset(), Chan::reset()];
        Self { reader, chans, words, room, asks: false, going: false, over: false, count: 0, writes: None }
    }
    /// Returns the requested burst.
    pub fn fetch(&self) -> Option<Burst> {
        self.reader.fetch()
    }
    /// Returns whether the array is longer than the memory.
    pub fn beyond(&self) -> bool {
        self.over || self.reader.beyond()
    }
    /// Returns whether all words have been written.
    pub fn done(&self) -> bool {
        self.going && self.count == self.words && self.writes.is_none()
    }
    /// Returns the word written to the memory: its index and its value.
    pub fn writes(&self) -> Option<(u64, u64)> {
        self.writes
    }

    /// Simulates a clock edge. `start`: it begins; others as [`Reader::clock`].
    pub fn clock(&mut self, start: bool, granted: bool, data: bool) {
        (self.chans[0].valid, self.chans[0].beat) = (self.asks, Beat::data(0, 0));
        self.chans[0].beat.p[1] = self.words;
        self.chans[1].ready = true;
        self.chans.iter_mut().for_each(Chan::latch);
        let [request, answer] = self.chans;
        self.reader.clock(&mut Io::new(&mut self.chans, &[0], &[1]), false, granted, data);
        self.writes = answer.was_valid.then_some((self.count, answer.got.p[0]));
        if start {
            self.over = self.words > self.room;
            self.going = !self.over;
            self.asks = self.going && self.words != 0;
        } else if request.was_ready {
            self.asks = false;
        }
        self.count += u64::from(answer.was_valid);
    }
}
