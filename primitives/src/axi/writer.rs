//! Model of `samhw_axi_writer`, which combines words into lines and bursts.

use super::{Burst, Form, WriteLine, ones};
use crate::blocks::Skid;
use samhw_streams::Io;
use std::collections::VecDeque;

/// Inputs of a writer in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriterInputs {
    /// Whether remaining words are written.
    pub flush: bool,
    /// Whether the requested burst is accepted.
    pub store_ready: bool,
    /// Whether the offered line is accepted.
    pub line_ready: bool,
    /// Whether a burst was written.
    pub ack: bool,
}

/// A writer of one array. Channel: input 0 `write`.
#[derive(Debug, Clone)]
pub struct Writer {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    write: Skid,
    /// The line that words are combined in, and its number.
    held: Option<(u64, WriteLine)>,
    first: u64,
    count: u64,
    open: u64,
    store: Option<Burst>,
    lines: VecDeque<WriteLine>,
    beyond: bool,
}

impl Writer {
    /// Creates the model in reset state, with room for `words` words at `base`.
    pub fn new(form: Form, base: u64, words: u64) -> Self {
        Self {
            form,
            base_line: base >> form.bus_log2,
            offset: form.offset(base),
            words,
            write: Skid::default(),
            held: None,
            first: 0,
            count: 0,
            open: 0,
            store: None,
            lines: VecDeque::new(),
            beyond: false,
        }
    }
    /// Returns the requested burst.
    pub fn store(&self) -> Option<Burst> {
        self.store
    }
    /// Returns the offered line.
    pub fn line(&self) -> Option<WriteLine> {
        self.lines.front().copied()
    }
    /// Returns whether a word was outside of the array.
    pub fn beyond(&self) -> bool {
        self.beyond
    }
    /// Returns whether no word is held and all words are written.
    pub fn idle(&self) -> bool {
        self.write.head().is_none() && self.held.is_none() && self.count == 0 && self.store.is_none() && self.open == 0
    }

    /// The line with one more word.
    fn with(&self, line: WriteLine, lane: u64, word: u64) -> WriteLine {
        let (bytes, mut out) = (1u32 << self.form.size_log2, line);
        let at = lane << self.form.size_log2;
        out.strobe |= ones(bytes) << at;
        let (k, shift) = ((at / 8) as usize, at % 8 * 8);
        let mask = ones(8 * bytes) << shift;
        out.data[k] = out.data[k] & !mask | (word & ones(self.form.data_w)) << shift;
        out
    }

    /// Simulates a clock edge.
    pub fn clock(&mut self, io: &mut Io, on: &WriterInputs) {
        let lanes = self.form.lanes();
        let head = self.write.head().copied();
        let inside = head.filter(|q| q.p[0] < self.words);
        let comes = inside.map(|q| (q.p[0] + self.offset, q.p[1])).map(|(n, w)| (n >> lanes, n & ones(lanes), w));
        let ending = on.flush && head.is_none();
        let other = self.held.filter(|h| comes.map_or(ending, |c| c.0 != h.0));

        let some = self.count != 0;
        let next = self.first + self.count;
        let full = some && self.form.whole(self.base_line.wrapping_add(next)) == 1 << self.form.burst_log2;
        let grows = some && !full && self.held.is_some_and(|h| h.0 == next);
        let ends = some && (full || other.is_some() && !grows || ending && self.held.is_none());
        let offer = ends && (self.store.is_none() || on.store_ready) && self.open & 0x18 != 0x18;
        let room = self.lines.len() < 1 << self.form.lines_log2;
        let push = other.filter(|_| room && (!some || offer || grows));
        let load = comes.filter(|_| other.is_none() || push.is_some());
        if head.is_some() && (inside.is_none() || load.is_some()) {
            self.write.pop();
        }
        self.beyond |= head.is_some() && inside.is_none();
        self.write.clock(io, 0);

        if offer {
            let addr = self.form.address(self.base_line.wrapping_add(self.first));
            self.store = Some(Burst { id: 0, addr, len: self.count - 1 });
        } else if on.store_ready {
            self.store = None;
        }
        if let Some((line, _)) = push.filter(|_| !some || offer) {
            self.first = line;
        }
        if on.line_ready {
            self.lines.pop_front();
        }
        self.lines.extend(push.map(|h| h.1));
        self.count = if offer { 0 } else { self.count } + u64::from(push.is_some());
        self.open = self.open.wrapping_add(u64::from(offer)).wrapping_sub(u64::from(on.ack)) & 0x1f;
        let kept = self.held.filter(|_| push.is_none());
        self.held = match load {
            Some((line, lane, word)) => Some((line, self.with(kept.map(|h| h.1).unwrap_or_default(), lane, word))),
            None => kept,
        };
    }
}
