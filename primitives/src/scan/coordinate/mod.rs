#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A unit that emits one constant coordinate for every leaf. Input: 0 `in`. Output: 0 `out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coordinate {
    /// Width of a reference in bits.
    pub ref_w: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_w` and `crd_w`.
    pub stop_w: u32,
    /// The coordinate.
    pub at: u64,
}

impl Primitive for Coordinate {
    fn kind(&self) -> &'static str {
        "coordinate"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_coordinate",
            params: vec![
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("AT", Param::Bits(self.crd_w, vec![self.at])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[Field::new("ref", self.ref_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &[Field::new("crd", self.crd_w)]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(CoordinateModel { at: self.at, input: Skid::default() })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("coordinate {}", self.at)
    }
}

#[derive(Debug)]
struct CoordinateModel {
    at: u64,
    input: Skid,
}

impl Model for CoordinateModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&b)) = (io.free(0), self.input.head()) {
            let at = if b.is_leaf() { Beat { kind: Kind::Data, p: [self.at, 0], ..b } } else { b };
            io.put(0, at);
            self.input.pop();
            moved = true;
        }
        moved |= self.input.clock(io, 0);
        Ok(moved)
    }
}
