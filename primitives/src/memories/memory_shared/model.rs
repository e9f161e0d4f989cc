//! Model of `samhw_mem_shared`.

use super::MemoryShared;
use crate::blocks::{Pick, Queue};
use crate::memories::memory::{store, word};
use crate::memories::memory_wide::group;
use crate::memories::requested::RequestedWords;
use samhw_streams::{Beat, Fault, Io, Model};
use std::collections::VecDeque;

/// `QUEUE_LOG2` of `samhw_shared_port`.
const QUEUE_LOG2: u32 = 3;

/// A reader's port.
#[derive(Debug)]
struct ReaderPort {
    asked: RequestedWords,
    /// The word that it asks for at this edge.
    next: Option<u64>,
    /// The word of which it is to be given the answer next, as banks see it at this edge.
    head: Option<u64>,
    /// RequestedWords asked for, at most two.
    words: VecDeque<u64>,
    /// Answers for which there is room.
    room: usize,
    /// Answers, also the one that is offered.
    answers: Queue<Beat>,
}

/// A bank: whose turn it is, and who reads what in which of its stages.
#[derive(Debug)]
struct Bank {
    turn: Pick,
    granted: Option<(usize, u64)>,
    asked: Option<(usize, Beat)>,
    there: Option<(usize, Beat)>,
}

/// The memory.
#[derive(Debug)]
pub(super) struct MemorySharedModel {
    of: MemoryShared,
    words: Vec<u64>,
    readers: Vec<ReaderPort>,
    banks: Vec<Bank>,
}

impl MemorySharedModel {
    pub fn new(of: &MemoryShared) -> Self {
        let reader = |_| ReaderPort {
            asked: RequestedWords::new(of.burst),
            next: None,
            head: None,
            words: VecDeque::with_capacity(2),
            room: 1 << QUEUE_LOG2,
            answers: Queue::new(QUEUE_LOG2),
        };
        let bank = |_| Bank { turn: Pick::anew(of.readers as usize), granted: None, asked: None, there: None };
        Self {
            words: vec![0; (of.words as usize) << of.parts_log2()],
            readers: (0..of.readers).map(reader).collect(),
            banks: (0..of.banks()).map(bank).collect(),
            of: of.clone(),
        }
    }

    /// The answer for the word at `addr`, if it is in the memory.
    fn read(&self, addr: u64) -> Option<Beat> {
        match self.of.wide_log2 {
            0 => word(&self.words, 1 << self.of.parts_log2(), addr).map(|data| Beat::data(0, data)),
            log2 => group(&self.words, self.of.data_w, 1 << log2, addr),
        }
    }

    /// Asks for the next word of reader `k`, if there is one and room for its answer.
    fn ask(&mut self, k: usize) -> Result<Option<u64>, Fault> {
        let r = &mut self.readers[k];
        if r.room == 0 || r.words.len() == 2 {
            return Ok(None);
        }
        let fault = |what, beat| Fault { what, port: format!("read_req{k}"), beat };
        let Some(request) = r.asked.take(fault)? else { return Ok(None) };
        self.read(request.p[0]).ok_or_else(|| fault("read beyond the memory", request))?;
        Ok(Some(request.p[0]))
    }
}

impl Model for MemorySharedModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        for k in 0..self.readers.len() {
            self.readers[k].asked.open(io, k);
            self.readers[k].next = self.ask(k)?;
            self.readers[k].head = self.readers[k].words.front().copied();
        }
        for b in 0..self.banks.len() {
            let (bank, readers) = (&mut self.banks[b], &mut self.readers);
            if let Some((k, answer)) = bank.there.take() {
                readers[k].answers.push(answer);
                moved = true;
            }
            bank.there = bank.asked.take();
            let here = |k: usize| readers[k].head.is_some_and(|w| w % self.of.banks() == b as u64);
            let pick = bank.turn.pick(here);
            let granted =
                std::mem::replace(&mut bank.granted, pick.and_then(|k| Some((k, readers[k].words.pop_front()?))));
            moved |= bank.there.is_some() || bank.granted.is_some();
            if let Some((k, addr)) = granted {
                let answer = self.read(addr);
                self.banks[b].asked = answer.map(|answer| (k, answer));
                moved = true;
            }
        }
        for (k, r) in self.readers.iter_mut().enumerate() {
            if io.sent(k) {
                r.answers.pop();
                r.room += 1;
            }
            moved |= r.answers.clock();
            if let (true, Some(&answer)) = (io.free(k), r.answers.head()) {
                io.put(k, answer);
            }
            moved |= r.next.is_some();
            r.room -= usize::from(r.next.is_some());
            r.words.extend(r.next.take());
            moved |= r.asked.clock(io, k);
        }
        // After the reads: a word is read at its old value at the edge that writes it.
        if let Some(b) = self.of.write.then(|| io.taken(self.readers.len())).flatten() {
            store(&mut self.words, 1 << self.of.parts_log2(), b);
            moved = true;
        }
        Ok(moved)
    }
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        Some(&mut self.words)
    }
}
