//! Model of `samhw_axi_words`, which turns requests into sequences of words.

use super::{Form, ones};
use crate::blocks::Skid;
use crate::memories::memory::Read;
use samhw_streams::Io;

/// A word that is wanted: its number from the begin of the array's first line, its number in the array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub place: u64,
    pub word: u64,
    /// An answer ends with it.
    pub out: bool,
    /// The word behind it, of the same line, goes with it.
    pub two: bool,
}

/// What is next: a word, and whether its request ends with it.
struct NextWord {
    addr: u64,
    out: bool,
    two: bool,
    ends: bool,
}

/// What a request's words are taken from it with.
#[derive(Debug, Clone)]
enum Steps {
    Single,
    /// The next word and how many are left, where one goes on.
    Burst(Option<(u64, u64)>),
    /// The latest word; whether the second one of a pair is next.
    Pair(Option<u64>, bool),
}

/// Words that are wanted. Channels: input 0 `read_req`.
#[derive(Debug, Clone)]
pub(super) struct Words {
    mask: u64,
    /// Of pairs, both words at once where they are of a line of this many words.
    line: Option<u64>,
    offset: u64,
    words: u64,
    request: Skid,
    steps: Steps,
    wanted: Option<Wanted>,
    beyond: bool,
}

impl Words {
    /// Creates the model in reset state, for an array of `words` words at `base`.
    pub fn new(form: &Form, read: Read, base: u64, words: u64) -> Self {
        let steps = match read {
            Read::Burst => Steps::Burst(None),
            Read::Pair => Steps::Pair(None, false),
            Read::Single | Read::None => Steps::Single,
        };
        let (mask, offset) = (ones(form.addr_w), form.offset(base));
        Self { mask, line: None, offset, words, request: Skid::passing(), steps, wanted: None, beyond: false }
    }
    /// Lets both words of a pair go at once where they are of one line.
    pub fn in_lines(self, form: &Form) -> Self {
        Self { line: (form.lanes() > 0).then(|| 1 << form.lanes()), ..self }
    }
    /// Returns the next word to read.
    pub fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }
    /// Returns whether a request was outside of the array.
    pub fn beyond(&self) -> bool {
        self.beyond
    }

    /// What to take next; `None` where there is none or it lies beyond. The second: a request begins
    /// that lies beyond.
    fn next(&self) -> (Option<NextWord>, bool) {
        if let Steps::Burst(Some((next, _))) = self.steps {
            return (Some(NextWord { addr: next, out: true, two: false, ends: false }), false);
        }
        let Some(q) = self.request.head() else { return (None, false) };
        let mask = self.mask;
        let len = match self.steps {
            Steps::Single => 1,
            Steps::Burst(_) => q.p[1],
            Steps::Pair(..) => 2 & mask,
        };
        if q.p[0] + len > self.words {
            return (None, true);
        }
        let Steps::Pair(last, second) = self.steps else {
            return (Some(NextWord { addr: q.p[0], out: true, two: false, ends: true }), false);
        };
        let two = self.line.is_some_and(|line| (q.p[0] + self.offset) % line != line - 1);
        let known = !two && (second || last == Some(q.p[0]));
        let ends = two || known;
        (Some(NextWord { addr: (q.p[0] + u64::from(known)) & mask, out: ends, two, ends }), false)
    }

    fn step(&mut self, NextWord { addr, two, ends, .. }: &NextWord) {
        let mask = self.mask;
        self.steps = match self.steps {
            Steps::Single => Steps::Single,
            Steps::Burst(going) => {
                let len = going.map_or_else(|| self.request.head().map_or(1, |q| q.p[1]), |g| g.1);
                Steps::Burst((len != 1).then_some(((addr + 1) & mask, len.wrapping_sub(1) & mask)))
            }
            Steps::Pair(..) => Steps::Pair(Some((addr + u64::from(*two)) & mask), !ends),
        };
    }

    /// Simulates a clock edge; `taken` says that the word is taken.
    pub fn clock(&mut self, io: &mut Io, taken: bool) {
        self.request.open(io, 0);
        let (next, beyond) = self.next();
        let step = next.filter(|_| self.wanted.is_none() || taken);
        if let Some(step) = &step {
            self.step(step);
            if step.ends {
                self.request.pop();
            }
        }
        self.beyond |= beyond;
        self.request.clock(io, 0);
        if let Some(NextWord { addr, out, two, .. }) = step {
            self.wanted = Some(Wanted { place: addr + self.offset, word: addr, out, two });
        } else if taken {
            self.wanted = None;
        }
    }
}
