#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::write::value_writer::{ValueWriter, end_ports, write_port};
use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive};

/// The arrays of a level that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// Segments and coordinates.
    Both,
    /// Coordinates only: a level of COO.
    Crd,
}

impl Parts {
    /// Returns true if the segment array is written.
    pub fn seg(self) -> bool {
        self != Self::Crd
    }
}

/// A level writer, which stores a compressed level. Inputs: 0 `crd`, 1 `pos` (if it has positions). Outputs, as far as
/// there: `seg_write`, `crd_write`, `finished`. Config, as far as there: `seg_capacity`, `crd_capacity`, `chunk`.
/// Status: 0 `count`, 1 `overflow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelWriter {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width in bits of the parents' positions and of addresses in `seg`; `seg_capacity` and `chunk` are below
    /// `2^ref_in_w`.
    pub ref_in_w: u32,
    /// Width of addresses in `crd` in bits, which are the words of `seg`; `crd_capacity < 2^ref_w`.
    pub ref_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// The arrays that are written.
    pub parts: Parts,
    /// Number of dense levels above that determine positions; 0 appends lists in order. Coordinates alone have no
    /// positions: `Parts::Crd` ignores it.
    pub chain: u32,
    /// Height of the lists of `crd` with one entry of `seg` each, at least 1; ignored by `Parts::Crd`.
    pub seg_height: u8,
    /// Whether a list without leaves gets no entry in `seg`, because it has no parent either; with positions, the same
    /// holds for a chunk. Ignored by `Parts::Crd`.
    pub skip_empty: bool,
}

impl LevelWriter {
    /// Returns true if seg has an entry for every position.
    pub fn has_positions(&self) -> bool {
        self.chain > 0 && self.parts.seg()
    }
    /// What writes coordinates alone.
    fn plain(&self) -> ValueWriter {
        ValueWriter { val_w: self.crd_w, addr_w: self.ref_w, stop_w: self.stop_w, chain: 0, skip_empty: false }
    }
}

impl Primitive for LevelWriter {
    fn kind(&self) -> &'static str {
        "level_writer"
    }
    fn instance(&self) -> Instance {
        let module = match (self.parts, self.has_positions()) {
            (Parts::Both, false) => "samhw_level_writer",
            (Parts::Both, true) => "samhw_level_writer_at",
            (Parts::Crd, _) => "samhw_crd_writer",
        };
        let mut params = vec![("CRD_W", Param::Int(self.crd_w))];
        if self.parts.seg() {
            params.push(("REF_IN_W", Param::Int(self.ref_in_w)));
        }
        params.push(("REF_W", Param::Int(self.ref_w)));
        params.push(("STOP_W", Param::Int(self.stop_w)));
        if self.has_positions() {
            params.push(("CHAIN", Param::Int(self.chain)));
        }
        if self.parts.seg() {
            params.push(("SEG_HEIGHT", Param::Int(self.seg_height.into())));
            params.push(("SKIP", Param::Int(u32::from(self.skip_empty))));
        }
        Instance { module, params }
    }
    fn ports(&self) -> Vec<Port> {
        let (seg, at) = (self.parts.seg(), self.has_positions());
        let some = |there: bool, port: Port| there.then_some(port);
        let optional = [
            some(seg, Port::config("seg_capacity", self.ref_in_w)),
            some(true, Port::config("crd_capacity", self.ref_w)),
            some(at, Port::config("chunk", self.ref_in_w)),
            some(true, Port::stream("crd", Dir::In, self.stop_w, &[Field::new("crd", self.crd_w)])),
            some(at, Port::stream("pos", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)])),
            some(seg, write_port("seg_write", self.ref_in_w, self.ref_w)),
            some(true, write_port("crd_write", self.ref_w, self.crd_w)),
        ];
        optional.into_iter().flatten().chain(end_ports(self.ref_w)).collect()
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        match self.parts {
            Parts::Crd => self.plain().model(&[config[0], 0]),
            Parts::Both => model::new(self, config),
        }
    }
    fn waits(&self, k: usize) -> bool {
        // Coordinates are written at once, only the end of their list waits for its position.
        k != 0
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        let parts = match self.parts {
            Parts::Both => "seg, crd",
            Parts::Crd => "crd",
        };
        let mut text = String::from(parts);
        if self.has_positions() {
            text += &format!(" below {} dense", self.chain);
        }
        if self.parts.seg() && self.seg_height > 1 {
            text += &format!(" of height {}", self.seg_height);
        }
        if self.parts.seg() && self.skip_empty {
            text += ", no empty lists";
        }
        text
    }
}
