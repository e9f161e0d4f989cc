#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Fold;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};
use std::collections::VecDeque;

/// Words whose bits are the topmost ones and those below them, 32 a word.
const TWO_LEVELS: u32 = 1 << 10;

/// The meaning of a write, in addition to its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldOrder {
    /// A run starts; the data is the initial value of all words.
    Begin,
    /// The run ends.
    End,
    /// The data is folded into the word at this address.
    Fold(u64),
}

impl FoldOrder {
    /// Encodes the meaning as the write's field `addr` for addresses of `addr_w` bits.
    pub fn code(self, addr_w: u32) -> u64 {
        match self {
            Self::Begin => 1 << addr_w,
            Self::End => 1 << addr_w | 1,
            Self::Fold(at) => at,
        }
    }
    /// Decodes a code that [`Self::code`] made.
    pub fn of(code: u64, addr_w: u32) -> Self {
        match (code >> addr_w & 1, code & 1) {
            (0, _) => Self::Fold(code),
            (_, 0) => Self::Begin,
            _ => Self::End,
        }
    }
}

/// Returns the ports to the writer: the writes, and the token that signals a complete run.
pub fn fold_ports(dir: Dir, addr_w: u32, data_w: u32) -> [Port; 2] {
    let back = if dir == Dir::Out { Dir::In } else { Dir::Out };
    [
        Port::plain("write", dir, &[Field::new("addr", addr_w + 1), Field::new("data", data_w)]),
        Port::plain("settled", back, &[Field::new("token", 1)]),
    ]
}

/// A memory that folds written values into its words. Input: 0 `write` (addr and mark, data). Output: 0 `settled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFold {
    /// Width of an address in bits.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// Number of words.
    pub words: u32,
    /// Operator that combines two values; it must be commutative.
    pub op: Fold,
    /// Whether values are signed.
    pub signed: bool,
}

impl MemoryFold {
    /// Words, of which each has an address.
    fn reached(&self) -> u32 {
        self.words.clamp(1, 1u32.checked_shl(self.addr_w).unwrap_or(u32::MAX))
    }
    /// Cycles that an operator of several takes, and further levels of bits.
    fn late(&self) -> usize {
        self.op.pipelined().map_or(0, |p| p.depth as usize + 2) + usize::from(self.reached() > TWO_LEVELS)
    }
    /// Cycles in which a write may be under way to where another one is folded.
    fn under_way(&self) -> usize {
        self.op.pipelined().map_or(0, |p| p.depth as usize)
    }
}

impl Primitive for MemoryFold {
    fn kind(&self) -> &'static str {
        "memory_fold"
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_mem_fold",
            params: vec![
                ("ADDR_W", Param::Int(self.addr_w)),
                ("DATA_W", Param::Int(self.data_w)),
                ("WORDS", Param::Int(self.reached())),
            ],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        fold_ports(Dir::In, self.addr_w, self.data_w).into()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(MemoryFoldModel {
            memory: self.clone(),
            words: vec![0; self.words as usize],
            there: vec![false; self.words as usize],
            s1: None,
            writes: vec![None; self.under_way()].into(),
            ends: vec![false; self.late() + 2].into(),
        })
    }
    fn latency(&self) -> u32 {
        4 + self.late() as u32
    }
    fn describe(&self) -> String {
        format!("{:?} into {} x {} bits", self.op, self.words, self.data_w).to_lowercase()
    }
}

#[derive(Debug)]
struct MemoryFoldModel {
    memory: MemoryFold,
    /// With what words have that are not there.
    words: Vec<u64>,
    there: Vec<bool>,
    s1: Option<(FoldOrder, u64)>,
    /// With an operator of several cycles: where writes are under way to, the oldest first.
    writes: VecDeque<Option<u64>>,
    ends: VecDeque<bool>,
}

impl MemoryFoldModel {
    /// Stage 1 waits for what is under way to its address.
    fn busy(&self) -> bool {
        matches!(self.s1, Some((FoldOrder::Fold(at), _)) if self.writes.contains(&Some(at)))
    }

    fn fold(&mut self, at: u64, val: u64) {
        let MemoryFold { op, data_w, signed, .. } = self.memory;
        let Some(there) = usize::try_from(at).ok().and_then(|at| self.there.get_mut(at)) else { return };
        let word = &mut self.words[at as usize];
        *word = if *there { op.apply(*word, val, data_w, signed) } else { op.first(val) };
        *there = true;
    }
}

impl Model for MemoryFoldModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (mut write, mut end, mut moved) = (None, false, self.s1.is_some());
        if !self.busy() {
            match self.s1.take() {
                Some((FoldOrder::Begin, fill)) => {
                    self.words.fill(fill);
                    self.there.fill(false);
                }
                Some((FoldOrder::End, _)) => end = true,
                Some((FoldOrder::Fold(at), val)) => {
                    self.fold(at, val);
                    write = Some(at).filter(|&at| at < self.words.len() as u64);
                }
                None => {}
            }
        }
        moved |= self.writes.iter().any(Option::is_some) || self.ends.contains(&true) || end;
        self.writes.push_back(write);
        self.writes.pop_front();
        self.ends.push_back(end);
        if self.ends.pop_front() == Some(true) && io.free(0) {
            io.put(0, Beat::data(0, 1));
        }
        if let Some(b) = io.taken(0) {
            self.s1 = Some((FoldOrder::of(b.p[0], self.memory.addr_w), b.p[1]));
            moved = true;
        }
        io.set_ready(0, !self.busy());
        Ok(moved)
    }
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        Some(&mut self.words)
    }
}
