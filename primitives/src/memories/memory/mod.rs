#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod cases;
#[cfg(test)]
pub(crate) mod tests;

use super::requested::RequestedWords;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Part, Port, Primitive, Role, Source, Word};

/// Default `queue_log2` of scanners and arrays, which keeps an on-chip memory busy: an answer is used four cycles after
/// its request.
pub const ON_CHIP_QUEUE_LOG2: u32 = 3;

/// The core's read access to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Read {
    /// No access: the host reads.
    None,
    /// One word per request.
    Single,
    /// Consecutive words per request.
    Burst,
    /// A pair of neighbouring words per request.
    Pair,
}

/// Cycles from `host_read` until the word is on `host_rdata`, for every memory.
pub const HOST_READ_CYCLES: u32 = 2;

/// The host's access to a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Host {
    /// `host_write`, `host_addr`, `host_wdata`.
    Writes,
    /// `host_read`, `host_addr`, `host_rdata` ([`HOST_READ_CYCLES`] later).
    Reads,
    /// No access: the core writes what it reads.
    Absent,
}

/// log2 of the words that the host sees of one of `data_w` bits.
pub(crate) fn parts_log2(data_w: u32) -> u32 {
    data_w.div_ceil(64).next_power_of_two().trailing_zeros()
}

/// The word at `addr` of a memory whose words have this number of parts each, if it has it.
#[inline]
pub(crate) fn word(words: &[u64], parts: usize, addr: u64) -> Option<u64> {
    let at = usize::try_from(addr).ok()?.checked_mul(parts)?;
    match parts {
        1 => words.get(at).copied(),
        n => words.get(at..at + n).map(|parts| Word::from_parts(parts).payload(n as u32 * 64)),
    }
}

/// The answer to a read of `addr` of such a memory, with the word behind it if it is a pair.
#[inline]
pub(super) fn read(words: &[u64], parts: usize, pair: bool, addr: u64) -> Option<Beat> {
    let first = word(words, parts, addr)?;
    Some(if pair { Beat::pair(0, first, word(words, parts, addr + 1)?) } else { Beat::data(0, first) })
}

/// A write (addr, data) to such a memory; beyond it nothing changes.
#[inline]
pub(crate) fn store(words: &mut [u64], parts: usize, write: Beat) {
    let at = usize::try_from(write.p[0]).ok().and_then(|a| a.checked_mul(parts));
    if parts == 1 {
        at.and_then(|a| words.get_mut(a)).into_iter().for_each(|word| *word = write.p[1]);
    } else if let Some(of) = at.and_then(|at| words.get_mut(at..at + parts)) {
        of.copy_from_slice(&Word::held(write.p[1], parts as u32 * 64).0[..parts]);
    }
}

/// An on-chip memory for one array. Inputs: `read_req` (addr; addr, len for bursts) unless `read` is `None`, then
/// `write` (addr, data) if `write`. Output: 0 `read_rsp` (data; data0, data1 for pairs).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Width of an address in bits, and of a burst's length.
    pub addr_w: u32,
    /// Width of a word in bits: up to 64, or a power of two of at most [`samhw_streams::WIDEST`]. The host
    /// sees words of more than 64 bits as several of 64, the lowest bits first.
    pub data_w: u32,
    /// Number of words; addresses at and beyond it are no part of the memory.
    pub words: u32,
    /// The core's read access.
    pub read: Read,
    /// Whether the core writes the memory.
    pub write: bool,
}

impl Memory {
    /// Returns log2 of the number of host words in one of the core's words.
    pub fn parts_log2(&self) -> u32 {
        parts_log2(self.data_w)
    }
    /// Returns the host's access.
    pub fn host(&self) -> Host {
        match (self.read, self.write) {
            (Read::None, _) => Host::Reads,
            (_, false) => Host::Writes,
            (_, true) => Host::Absent,
        }
    }
}

impl Primitive for Memory {
    fn kind(&self) -> &'static str {
        "memory"
    }
    fn instance(&self) -> Instance {
        let module = match (self.read, self.write) {
            (Read::None, _) => "samhw_mem_write",
            (Read::Single, false) => "samhw_mem_single",
            (Read::Burst, false) => "samhw_mem_burst",
            (Read::Pair, false) => "samhw_mem_pair",
            (Read::Single, true) => "samhw_mem_single_rw",
            (Read::Burst, true) => "samhw_mem_burst_rw",
            (Read::Pair, true) => "samhw_mem_pair_rw",
        };
        // The module wants no words that addresses cannot reach.
        let reach = 1u32.checked_shl(self.addr_w).unwrap_or(u32::MAX);
        let mut params = vec![
            ("ADDR_W", Param::Int(self.addr_w)),
            ("DATA_W", Param::Int(self.data_w)),
            ("WORDS", Param::Int(self.words.clamp(1, reach))),
        ];
        if self.data_w > 64 && self.host() != Host::Absent {
            params.push(("PARTS_LOG2", Param::Int(self.parts_log2())));
        }
        Instance { module, params }
    }
    fn ports(&self) -> Vec<Port> {
        let (addr, data) = (Field::new("addr", self.addr_w), |name| Field::new(name, self.data_w));
        let mut ports = Vec::new();
        match self.read {
            Read::None => {}
            Read::Burst => {
                ports.push(Port::plain("read_req", Dir::In, &[addr.clone(), Field::new("len", self.addr_w)]));
            }
            Read::Single | Read::Pair => ports.push(Port::plain("read_req", Dir::In, std::slice::from_ref(&addr))),
        }
        if self.write || self.read == Read::None {
            ports.push(Port::plain("write", Dir::In, &[addr, data("data")]).with_role(Role::Write));
        }
        match self.read {
            Read::None => {}
            Read::Pair => ports.push(Port::plain("read_rsp", Dir::Out, &[data("data0"), data("data1")])),
            Read::Single | Read::Burst => ports.push(Port::plain("read_rsp", Dir::Out, &[data("data")])),
        }
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let reads = self.read != Read::None;
        Box::new(MemoryModel {
            words: vec![0; (self.words as usize) << self.parts_log2()],
            parts: 1 << self.parts_log2(),
            read: self.read,
            write: (self.write || !reads).then_some(usize::from(reads)),
            asked: RequestedWords::new(self.read == Read::Burst),
        })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn describe(&self) -> String {
        format!("{} x {} bits", self.words, self.data_w)
    }
}

#[derive(Debug)]
struct MemoryModel {
    words: Vec<u64>,
    /// How many of them are one of the core's.
    parts: usize,
    read: Read,
    /// Number of the write port.
    write: Option<usize>,
    asked: RequestedWords,
}

impl MemoryModel {
    /// Reads for the current request, if there is one.
    #[inline]
    fn answer(&mut self) -> Result<Option<Beat>, Fault> {
        let fault = |what, beat| Fault { what, port: "read_req".into(), beat };
        let Some(at) = self.asked.take(fault)? else { return Ok(None) };
        let beat = read(&self.words, self.parts, self.read == Read::Pair, at.p[0]);
        beat.map(Some).ok_or_else(|| fault("read beyond the memory", at))
    }
}

impl Model for MemoryModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if self.read != Read::None {
            self.asked.open(io, 0);
            if io.free(0)
                && let Some(beat) = self.answer()?
            {
                io.put(0, beat);
                moved = true;
            }
            moved |= self.asked.clock(io, 0);
        }
        // After the read: a word is read at its old value at the edge that writes it.
        if let Some(b) = self.write.and_then(|k| io.taken(k)) {
            moved = true;
            store(&mut self.words, self.parts, b);
        }
        Ok(moved)
    }
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        Some(&mut self.words)
    }
    fn part(&mut self) -> Option<Part<'_>> {
        Some(Part::Source(self))
    }
}

impl Source for MemoryModel {
    fn words(&self) -> &[u64] {
        let Some((next, left)) = self.asked.rest.filter(|_| self.parts == 1) else { return &[] };
        let (from, to) = (usize::try_from(next), usize::try_from(next.saturating_add(left)));
        from.ok().zip(to.ok()).and_then(|(from, to)| self.words.get(from..to)).unwrap_or(&[])
    }
    fn gave(&mut self, count: u64) {
        self.asked.rest = self.asked.rest.map(|(next, left)| (next + count, left - count));
    }
}
