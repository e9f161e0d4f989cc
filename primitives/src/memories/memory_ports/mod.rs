#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use super::requested::RequestedWords;
use crate::memories::memory::{Host, Read, parts_log2, read, store};
use samhw_streams::{Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Role};

/// An on-chip memory for one array and several readers. Inputs: `read_req0`, `read_req1` .. (addr; addr, len for
/// bursts), then `write` (addr, data) unless the host writes. Outputs: `read_rsp0`, `read_rsp1` .. (data; data0, data1
/// for pairs).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryPorts {
    /// Width of an address in bits, and of a burst's length.
    pub addr_w: u32,
    /// Width of a word in bits, as of [`crate::memories::memory::Memory`]; at most 64 with pairs.
    pub data_w: u32,
    /// Number of words; addresses at and beyond it are no part of the memory.
    pub words: u32,
    /// Readers, at most 31: what each asks for at once, never [`Read::None`].
    pub readers: Vec<Read>,
    /// Number of them that share the first port of the RAM; the others share the second one. All, if the core writes.
    pub first: u32,
    /// What the host does; if it does not write, the core does.
    pub host: Host,
}

impl MemoryPorts {
    /// Returns log2 of the number of host words in one of the core's words.
    pub fn parts_log2(&self) -> u32 {
        parts_log2(self.data_w)
    }
    /// A bit for each reader that reads so.
    fn mask(&self, how: Read) -> u32 {
        (0..).zip(&self.readers).map(|(k, &r)| u32::from(r == how) << k).sum()
    }
}

impl Primitive for MemoryPorts {
    fn kind(&self) -> &'static str {
        "memory_ports"
    }
    fn instance(&self) -> Instance {
        let module = match self.host {
            Host::Writes => "samhw_mem_ports",
            Host::Reads => "samhw_mem_ports_kept",
            Host::Absent => "samhw_mem_ports_rw",
        };
        // The module wants no words that addresses cannot reach.
        let reach = 1u32.checked_shl(self.addr_w).unwrap_or(u32::MAX);
        let mut params = vec![("N", Param::Int(self.readers.len() as u32))];
        if self.host == Host::Writes {
            params.push(("FIRST", Param::Int(self.first)));
        }
        params.extend([
            ("ADDR_W", Param::Int(self.addr_w)),
            ("DATA_W", Param::Int(self.data_w)),
            ("WORDS", Param::Int(self.words.clamp(1, reach))),
        ]);
        if self.data_w > 64 && self.host != Host::Absent {
            params.push(("PARTS_LOG2", Param::Int(self.parts_log2())));
        }
        let masks = [("BURST", Read::Burst), ("PAIR", Read::Pair)].map(|(name, how)| (name, self.mask(how)));
        params.extend(masks.into_iter().map(|(name, mask)| (name, Param::Int(mask))));
        Instance { module, params }
    }
    fn ports(&self) -> Vec<Port> {
        let addr = Field::new("addr", self.addr_w);
        let any = |how| u32::from(self.readers.contains(&how));
        let (request_w, answer_w) = (self.addr_w << any(Read::Burst), self.data_w << any(Read::Pair));
        let lane = |name: &'static str, dir, k, fields: &[Field], width| {
            Port::plain(format!("{name}{k}"), dir, fields).in_lane(name, k, self.readers.len() as u32, width)
        };
        let requests = (0..).zip(&self.readers).map(|(k, how)| {
            let len = (*how == Read::Burst).then(|| Field::new("len", self.addr_w));
            let fields: Vec<Field> = std::iter::once(addr.clone()).chain(len).collect();
            lane("read_req", Dir::In, k, &fields, request_w)
        });
        let mut ports: Vec<Port> = requests.collect();
        if self.host != Host::Writes {
            let word = [addr.clone(), Field::new("data", self.data_w)];
            ports.push(Port::plain("write", Dir::In, &word).with_role(Role::Write));
        }
        ports.extend((0..).zip(&self.readers).map(|(k, how)| {
            let names: &[&'static str] = if *how == Read::Pair { &["data0", "data1"] } else { &["data"] };
            let fields: Vec<Field> = names.iter().map(|&name| Field::new(name, self.data_w)).collect();
            lane("read_rsp", Dir::Out, k, &fields, answer_w)
        }));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(MemoryPortsModel {
            words: vec![0; (self.words as usize) << self.parts_log2()],
            readers: self.readers.iter().map(|how| RequestedWords::new(*how == Read::Burst)).collect(),
            of: self.clone(),
        })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn describe(&self) -> String {
        let ports = if (self.first as usize) < self.readers.len() { " at 2 ports" } else { "" };
        format!("{} x {} bits, {} readers{ports}", self.words, self.data_w, self.readers.len())
    }
}

#[derive(Debug)]
struct MemoryPortsModel {
    of: MemoryPorts,
    words: Vec<u64>,
    readers: Vec<RequestedWords>,
}

impl MemoryPortsModel {
    /// Reads at the port of these readers, if nobody's answer waits; whether one did.
    fn answer(&mut self, io: &mut Io, port: std::ops::Range<usize>) -> Result<bool, Fault> {
        let first = port.clone().find(|&k| self.readers[k].asks());
        let Some(k) = first.filter(|_| port.clone().all(|k| io.free(k))) else { return Ok(false) };
        let fault = |what, beat| Fault { what, port: format!("read_req{k}"), beat };
        let Some(at) = self.readers[k].take(fault)? else { return Ok(false) };
        let pair = self.of.readers[k] == Read::Pair;
        let answer = read(&self.words, 1 << self.of.parts_log2(), pair, at.p[0]);
        io.put(k, answer.ok_or_else(|| fault("read beyond the memory", at))?);
        Ok(true)
    }
}

impl Model for MemoryPortsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (n, first) = (self.readers.len(), self.of.first as usize);
        for (k, r) in self.readers.iter_mut().enumerate() {
            r.open(io, k);
        }
        let mut moved = self.answer(io, 0..first)?;
        moved |= self.answer(io, first..n)?;
        for (k, r) in self.readers.iter_mut().enumerate() {
            moved |= r.clock(io, k);
        }
        // After the reads: a word is read at its old value at the edge that writes it.
        if let Some(b) = (self.of.host != Host::Writes).then(|| io.taken(n)).flatten() {
            store(&mut self.words, 1 << self.of.parts_log2(), b);
            moved = true;
        }
        Ok(moved)
    }
    fn memory(&mut self) -> Option<&mut Vec<u64>> {
        Some(&mut self.words)
    }
}
