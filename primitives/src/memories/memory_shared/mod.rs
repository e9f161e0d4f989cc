#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::memories::memory::{Host, parts_log2};
use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive, Role};

/// An on-chip memory with several read ports. Inputs: `read_req0`, `read_req1` .. (addr; addr, len for bursts), then
/// `write` (addr, data) if `write`. Outputs: `read_rsp0`, `read_rsp1` .. (data; data0, data1: half of the words each,
/// if an answer has several).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryShared {
    /// Number of readers, at most 32.
    pub readers: u32,
    /// Width of an address in bits, and of a burst's length; more than `wide_log2` and `banks_log2`.
    pub addr_w: u32,
    /// Width of a word in bits, as of [`crate::memories::memory::Memory`]; up to 64 if an answer has several
    /// or the core writes.
    pub data_w: u32,
    /// Number of words.
    pub words: u32,
    /// Whether a request is for consecutive words, which are answered one after the other.
    pub burst: bool,
    /// log2 of the number of neighbouring words in an answer; 0 with bursts.
    pub wide_log2: u32,
    /// log2 of the number of banks, each of which answers once per cycle; 0 if an answer has several words.
    pub banks_log2: u32,
    /// Whether the core writes the memory instead of the host.
    pub write: bool,
}

impl MemoryShared {
    /// Returns log2 of the number of host words in one of the core's words.
    pub fn parts_log2(&self) -> u32 {
        parts_log2(self.data_w)
    }
    /// Returns the number of banks.
    pub fn banks(&self) -> u64 {
        1 << self.banks_log2
    }
    /// Returns the host's access.
    pub fn host(&self) -> Host {
        if self.write { Host::Absent } else { Host::Writes }
    }
}

impl Primitive for MemoryShared {
    fn kind(&self) -> &'static str {
        "memory_shared"
    }
    fn instance(&self) -> Instance {
        // The module wants no words that addresses cannot reach.
        let reach = 1u32.checked_shl(self.addr_w).unwrap_or(u32::MAX);
        let mut params = vec![
            ("N", Param::Int(self.readers)),
            ("ADDR_W", Param::Int(self.addr_w)),
            ("DATA_W", Param::Int(self.data_w)),
            ("WORDS", Param::Int(self.words.clamp(1, reach))),
        ];
        if self.parts_log2() > 0 && !self.write {
            params.push(("PARTS_LOG2", Param::Int(self.parts_log2())));
        }
        params.extend([
            ("BURST", Param::Int(self.burst.into())),
            ("WIDE_LOG2", Param::Int(self.wide_log2)),
            ("BANKS_LOG2", Param::Int(self.banks_log2)),
        ]);
        Instance { module: if self.write { "samhw_mem_shared_rw" } else { "samhw_mem_shared" }, params }
    }
    fn ports(&self) -> Vec<Port> {
        let addr = Field::new("addr", self.addr_w);
        let asked = if self.burst { vec![addr.clone(), Field::new("len", self.addr_w)] } else { vec![addr.clone()] };
        let answer = match self.wide_log2 {
            0 => vec![Field::new("data", self.data_w)],
            log2 => ["data0", "data1"].map(|half| Field::new(half, self.data_w << (log2 - 1))).into(),
        };
        let vector = |name: &'static str, dir, fields: Vec<Field>| {
            let width = fields.iter().map(|f| f.width).sum();
            let port = move |k| Port::plain(format!("{name}{k}"), dir, &fields).in_lane(name, k, self.readers, width);
            (0..self.readers).map(port)
        };
        let mut ports: Vec<Port> = vector("read_req", Dir::In, asked).collect();
        if self.write {
            let word = [addr, Field::new("data", self.data_w)];
            ports.push(Port::plain("write", Dir::In, &word).with_role(Role::Write));
        }
        ports.extend(vector("read_rsp", Dir::Out, answer));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::MemorySharedModel::new(self))
    }
    fn latency(&self) -> u32 {
        5
    }
    fn describe(&self) -> String {
        let banks = match self.banks_log2 {
            0 => String::new(),
            log2 => format!(" in {} banks", 1 << log2),
        };
        let wide = match self.wide_log2 {
            0 => String::new(),
            log2 => format!(", {} at a time", 1 << log2),
        };
        format!("{} x {} bits{banks}{wide}, {} readers", self.words, self.data_w, self.readers)
    }
}
