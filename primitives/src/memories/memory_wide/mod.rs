#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Word};

/// An on-chip memory that answers with several words at once. Input: 0 `read_req` (addr). Output: 0 `read_rsp` (data0,
/// data1: half of the words each).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryWide {
    /// Width of an address in bits, more than `wide_log2`.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// Number of words.
    pub words: u32,
    /// log2 of the number of words in an answer, at least 1; half of them have at most [`samhw_streams::WIDEST`] bits.
    pub wide_log2: u32,
}

impl Primitive for MemoryWide {
    fn kind(&self) -> &'static str {
        "memory_wide"
    }
    fn instance(&self) -> Instance {
        // The module wants no words that addresses cannot reach.
        let reach = 1u32.checked_shl(self.addr_w).unwrap_or(u32::MAX);
        Instance {
            module: "samhw_mem_wide",
            params: vec![
                ("ADDR_W", Param::Int(self.addr_w)),
                ("DATA_W", Param::Int(self.data_w)),
                ("WORDS", Param::Int(self.words.clamp(1, reach))),
                ("WIDE_LOG2", Param::Int(self.wide_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let half = |name| Field::new(name, self.data_w << (self.wide_log2 - 1));
        vec![
            Port::plain("read_req", Dir::In, &[Field::new("addr", self.addr_w)]),
            Port::plain("read_rsp", Dir::Out, &[half("data0"), half("data1")]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(MemoryWideModel {
            words: vec![0; self.words as usize],
            data_w: self.data_w,
            wide: 1 << self.wide_log2,
            request: Skid::passing(),
        })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn describe(&self) -> String {
        format!("{} x {} bits, {} at a time", self.words, self.data_w, 1 << self.wide_log2)
    }
}

#[derive(Debug)]
struct MemoryWideModel {
    words: Vec<u64>,
    data_w: u32,
    wide: usize,
    request: Skid,
}

/// `wide` neighbouring words of `data_w` bits from `addr` on, if they are there: half of them a payload, the first word lowest.
pub(crate) fn group(words: &[u64], data_w: u32, wide: usize, addr: u64) -> Option<Beat> {
    let first = usize::try_from(addr).ok()?;
    let (low, high) = words.get(first..first.checked_add(wide)?)?.split_at(wide / 2);
    let half = |words: &[u64]| {
        let mut half = Word::default();
        for (l, &word) in (0..).zip(words) {
            half.put(l * data_w, data_w, word);
        }
        half.payload(data_w * words.len() as u32)
    };
    Some(Beat::pair(0, half(low), half(high)))
}

impl Model for MemoryWideModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.request.open(io, 0);
        let mut moved = false;
        if let (true, Some(&r)) = (io.free(0), self.request.head()) {
            let Some(answer) = group(&self.words, self.data_w, self.wide, r.p[0]) else {
                return Err(Fault { what: "read beyond the memory", port: "read_req".into(), beat: r });
            };
            io.put(0, answer);
            self.request.pop();
            moved = true;
        }
        Ok(moved | self.request.clock(io, 0))
    }
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        Some(&mut self.words)
    }
}
