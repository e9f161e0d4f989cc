//! Model of `samhw_axi_reader`. It holds no lines: what memory holds does not change within a run, so a word
//! that has come is looked up in the array.

use super::{Burst, Form, ones};
use crate::blocks::Skid;
use crate::memory::Read;
use crate::model::Io;
use crate::stream::Beat;
use std::sync::Arc;

/// A word that is wanted: its number from the begin of the array's first line, its number in the array.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    place: u64,
    word: u64,
    /// An answer ends with it.
    out: bool,
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

/// One array that is read. Channels: input 0 `read_req`, output 0 `read_rsp`.
#[derive(Debug, Clone)]
pub struct Reader {
    form: Form,
    base_line: u64,
    offset: u64,
    words: u64,
    array: Arc<Vec<u64>>,
    request: Skid,
    steps: Steps,
    wanted: Option<Wanted>,
    beyond: bool,
    live: bool,
    tail: u64,
    got: u64,
    asked: u64,
    drop: u64,
    planned: bool,
    burst: u64,
    fetch: Option<Burst>,
    /// The word that was read from its line, and whether an answer ends with it.
    read: Option<(u64, bool)>,
    before: u64,
}

impl Reader {
    /// After reset: `words` of memory at `base` hold `array`.
    pub fn new(form: Form, read: Read, base: u64, words: u64, array: Arc<Vec<u64>>) -> Self {
        let steps = match read {
            Read::Burst => Steps::Burst(None),
            Read::Pair => Steps::Pair(None, false),
            Read::Single | Read::None => Steps::Single,
        };
        Self {
            form,
            base_line: base >> form.bus_log2,
            offset: form.offset(base),
            words,
            array,
            request: Skid::passing(),
            steps,
            wanted: None,
            beyond: false,
            live: false,
            tail: 0,
            got: 0,
            asked: 0,
            drop: 0,
            planned: false,
            burst: 0,
            fetch: None,
            read: None,
            before: 0,
        }
    }
    /// The burst it asks for.
    pub fn fetch(&self) -> Option<Burst> {
        self.fetch
    }
    /// A request did not lie within the array.
    pub fn beyond(&self) -> bool {
        self.beyond
    }

    /// The word to take next, whether an answer ends with it, and whether its request does; `None` where there is none
    /// or it lies beyond. The second: a request begins that lies beyond.
    fn next(&self) -> (Option<(u64, bool, bool)>, bool) {
        if let Steps::Burst(Some((next, _))) = self.steps {
            return (Some((next, true, false)), false);
        }
        let Some(q) = self.request.head() else { return (None, false) };
        let mask = ones(self.form.addr_w);
        let len = match self.steps {
            Steps::Single => 1,
            Steps::Burst(_) => q.p[1],
            Steps::Pair(..) => 2 & mask,
        };
        if q.p[0] + len > self.words {
            return (None, true);
        }
        let known = match self.steps {
            Steps::Pair(last, second) => second || last == Some(q.p[0]),
            _ => return (Some((q.p[0], true, true)), false),
        };
        (Some(((q.p[0] + u64::from(known)) & mask, known, known)), false)
    }

    fn step(&mut self, addr: u64) {
        let mask = ones(self.form.addr_w);
        self.steps = match self.steps {
            Steps::Single => Steps::Single,
            Steps::Burst(going) => {
                let len = going.map_or_else(|| self.request.head().map_or(1, |q| q.p[1]), |g| g.1);
                Steps::Burst((len != 1).then_some(((addr + 1) & mask, len.wrapping_sub(1) & mask)))
            }
            Steps::Pair(last, second) => {
                let known = second || last.is_some() && last == self.request.head().map(|q| q.p[0]);
                Steps::Pair(Some(addr), !known)
            }
        };
    }

    /// The edge. `granted`: its fetch is taken; `data`: a line comes for it.
    pub fn clock(&mut self, io: &mut Io, granted: bool, data: bool) {
        self.request.open(io, 0);
        let all = 1 << self.form.lines_log2;
        let lanes = self.form.lanes();
        // What stands in the window at this edge.
        let line = self.wanted.map(|w| w.place >> lanes);
        let ahead = line.map(|l| l.wrapping_sub(self.tail));
        let within = self.live && ahead.is_some_and(|a| a < all);
        let hit = within && ahead.is_some_and(|a| a < self.got - self.tail);
        let anew = line.filter(|_| !within);
        let keep = data && self.drop == 0;
        let leaves = self.read.filter(|&(_, out)| !out || io.sent(0));
        let free = self.read.is_none() || leaves.is_some();
        let taken = self.wanted.filter(|_| hit && free);

        // The next word.
        let (next, beyond) = self.next();
        let step = next.filter(|_| self.wanted.is_none() || taken.is_some());
        if let Some((addr, _, ends)) = step {
            self.step(addr);
            if ends {
                self.request.pop();
            }
        }
        self.beyond |= beyond;
        self.request.clock(io, 0);

        // The word of the line.
        if let Some((word, _)) = leaves {
            self.before = word;
        }
        if free {
            self.read = taken.map(|w| (self.array.get(w.word as usize).copied().unwrap_or(0), w.out));
            if let Some((word, true)) = self.read {
                let pair = matches!(self.steps, Steps::Pair(..));
                io.put(0, if pair { Beat::pair(0, self.before, word) } else { Beat::data(0, word) });
            }
        }
        if let Some((addr, out, _)) = step {
            self.wanted = Some(Wanted { place: addr + self.offset, word: addr, out });
        } else if taken.is_some() {
            self.wanted = None;
        }
        self.window((line, hit, anew), granted, (data, keep));
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
