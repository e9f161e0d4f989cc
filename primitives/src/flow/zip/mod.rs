#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A zip, which combines two streams of one shape into a stream of pairs. Inputs: 0 `first`, 1 `second`. Output: 0
/// `out`, the pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zip {
    /// Width of the first payload in bits.
    pub first_w: u32,
    /// Width of the second payload in bits.
    pub second_w: u32,
    /// Width of the stop field of all streams in bits; no more than either payload.
    pub stop_w: u32,
}

impl Primitive for Zip {
    fn kind(&self) -> &'static str {
        "zip"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_zip",
            params: vec![
                ("FIRST_W", Param::Int(self.first_w)),
                ("SECOND_W", Param::Int(self.second_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (a, b) = (Field::new("first", self.first_w), Field::new("second", self.second_w));
        vec![
            Port::stream("first", Dir::In, self.stop_w, std::slice::from_ref(&a)),
            Port::stream("second", Dir::In, self.stop_w, std::slice::from_ref(&b)),
            Port::stream("out", Dir::Out, self.stop_w, &[a, b]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ZipModel::default())
    }
    fn latency(&self) -> u32 {
        2
    }
}

#[derive(Debug, Default)]
struct ZipModel {
    first: Skid,
    second: Skid,
}

impl Model for ZipModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&a), Some(&b)) = (io.free(0), self.first.head(), self.second.head()) {
            if a.is_leaf() != b.is_leaf() || a.stop != b.stop {
                return Err(Fault { what: "first and second are not aligned", port: "second".into(), beat: b });
            }
            let second = if b.kind == Kind::Data { b.p[0] } else { 0 };
            io.put(0, Beat::new(b.kind, a.stop, [a.p[0], second]));
            self.first.pop();
            self.second.pop();
            moved = true;
        }
        moved |= self.first.clock(io, 0);
        moved |= self.second.clock(io, 1);
        Ok(moved)
    }
}
