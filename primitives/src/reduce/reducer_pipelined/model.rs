//! Model of `samhw_reducer_pipelined`.

use super::ReducerPipelined;
use crate::blocks::Skid;
use samhw_streams::{Beat, Fault, Io, Kind, Model};
use std::collections::VecDeque;

/// What is at an entry, and on its way through the levels.
#[derive(Debug, Clone, Copy, Default)]
struct LevelItem {
    /// Last of its list; then the end's kind and stop.
    last: bool,
    kind: Kind,
    stop: u8,
    val: u64,
}

/// A level that folds pairwise: model of `samhw_pairing`.
#[derive(Debug)]
struct PairingLevel {
    first: Option<u64>,
    pipe: VecDeque<Option<LevelItem>>,
    out: Option<LevelItem>,
}

#[derive(Debug)]
pub(super) struct PipelinedModel {
    of: ReducerPipelined,
    val: Skid,
    base: u32,
    count: u32,
    turn: u32,
    leave: u32,
    ring: Vec<LevelItem>,
    folds: VecDeque<Option<(u32, u64)>>,
    bases: VecDeque<u32>,
    entry: Option<LevelItem>,
    levels: Vec<PairingLevel>,
}

impl PipelinedModel {
    pub fn new(of: &ReducerPipelined) -> Self {
        let (k, depth) = (of.entries_log2(), of.op.depth as usize);
        let level = || PairingLevel { first: None, pipe: vec![None; depth].into(), out: None };
        Self {
            of: of.clone(),
            val: Skid::default(),
            base: 0,
            count: 0,
            turn: 0,
            leave: 0,
            ring: vec![LevelItem::default(); 1 << if k < 2 { 4 } else { k + 2 }],
            folds: vec![None; depth].into(),
            bases: vec![0; depth].into(),
            entry: None,
            levels: (0..k).map(|_| level()).collect(),
        }
    }
    fn apply(&self, a: u64, b: u64) -> u64 {
        self.of.fun.apply(&[a, b], self.of.ty)
    }
    /// `at` places after `from` in the ring.
    fn place(&self, from: u32, at: u32) -> u32 {
        (from + at) % self.ring.len() as u32
    }
    /// An edge of the levels and of what leaves the ring. Returns whether anything moved.
    fn leave(&mut self, io: &mut Io) -> bool {
        let mut moved = false;
        for k in (0..self.levels.len()).rev() {
            let input = if k == 0 { self.entry } else { self.levels[k - 1].out };
            let first = self.levels[k].first;
            let send = match (input, first) {
                (Some(i), Some(f)) => Some(LevelItem { val: self.apply(f, i.val), ..i }),
                (Some(i), None) if i.last => Some(LevelItem { val: self.apply(i.val, self.of.op.identity), ..i }),
                _ => None,
            };
            let level = &mut self.levels[k];
            if let Some(i) = input {
                level.first = if first.is_none() && !i.last { Some(i.val) } else { None };
            }
            level.pipe.push_back(send);
            level.out = level.pipe.pop_front().flatten();
            moved |= input.is_some() || level.out.is_some() || level.pipe.iter().any(Option::is_some);
        }
        if let Some(PairingLevel { out: Some(i), .. }) = self.levels.last() {
            io.put(0, Beat::new(i.kind, i.stop, [i.val, 0]));
        }
        self.entry = None;
        if self.leave != self.bases[0] {
            self.entry = Some(self.ring[self.leave as usize]);
            self.leave = self.place(self.leave, 1);
            moved = true;
        }
        moved
    }
    /// Takes a beat. Returns the entry and value that enter the operator.
    fn take(&mut self, v: Beat) -> Result<Option<(u32, u64)>, Fault> {
        let ends = !v.is_leaf() || v.stop > 0;
        if v.kind == Kind::Empty && v.p[0] != 0 || v.kind == Kind::Nil && v.stop == 0 {
            return Err(Fault { what: "val is not canonical", port: "val".into(), beat: v });
        }
        let (data, some, full) = (v.kind == Kind::Data, self.count > 0, self.count == 1 << self.of.entries_log2());
        let opens = if data { !full } else { ends && !some };
        let next = self.place(self.base, self.count);
        if opens || ends {
            let (kind, stop) = match v.kind {
                Kind::Done => (Kind::Done, 0),
                Kind::Nil if v.hole() > 1 => (Kind::Nil, v.stop - 1),
                Kind::Data => (Kind::Data, v.stop.saturating_sub(1)),
                Kind::Empty if some => (Kind::Data, v.stop - 1),
                Kind::Nil | Kind::Empty => (Kind::Empty, v.stop - 1),
            };
            let at = if opens { next } else { self.place(next, self.ring.len() as u32 - 1) };
            let entry = &mut self.ring[at as usize];
            *entry = LevelItem { last: ends, kind, stop, val: entry.val };
        }
        let value = match v.kind {
            Kind::Nil => u64::from(v.hole() - 1),
            _ => v.p[0],
        };
        let at = if opens { next } else { self.place(self.base, self.turn) };
        let old = if opens { self.of.op.identity } else { self.ring[at as usize].val };
        let fold = (opens || data).then(|| (at, self.apply(old, value)));
        if ends {
            self.base = self.place(next, u32::from(opens));
            (self.count, self.turn) = (0, 0);
        } else if opens {
            self.count += 1;
        } else if data {
            self.turn = (self.turn + 1) % (1 << self.of.entries_log2());
        }
        Ok(fold)
    }
}

impl Model for PipelinedModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (base, size) = (self.base, self.ring.len() as u32);
        let room = self.place(self.base, self.count + size - self.leave) != size - 1;
        let mut moved = self.bases.iter().any(|&b| b != base) || self.folds.iter().any(Option::is_some);
        if io.free(0) {
            moved |= self.leave(io);
        }
        let mut fold = None;
        if let Some(&v) = self.val.head().filter(|_| room) {
            fold = self.take(v)?;
            self.val.pop();
            moved = true;
        }
        self.bases.push_back(base);
        self.bases.pop_front();
        self.folds.push_back(fold);
        if let Some(Some((at, val))) = self.folds.pop_front() {
            self.ring[at as usize].val = val;
        }
        Ok(moved | self.val.clock(io, 0))
    }
}
