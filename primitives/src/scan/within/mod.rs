#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A check that converts values to coordinates, and removes those outside of the dimension. Input: 0 `val`. Output: 0
/// `crd`. Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// Width of an integer value in bits.
    pub val_w: u32,
    /// Whether a value is in two's complement.
    pub signed: bool,
    /// Width of `dim - 1` in bits: `dim` is at most `2**crd_w`.
    pub crd_w: u32,
    /// Width of an output coordinate in bits; a larger one is cut.
    pub out_w: u32,
    /// Width of the stop field of both streams in bits; at most `val_w` and `out_w`.
    pub stop_w: u32,
}

impl Primitive for Within {
    fn kind(&self) -> &'static str {
        "within"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_within",
            params: vec![
                ("VAL_W", Param::Int(self.val_w)),
                ("SIGNED", Param::Int(u32::from(self.signed))),
                ("CRD_W", Param::Int(self.crd_w)),
                ("OUT_W", Param::Int(self.out_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("val", Dir::In, self.stop_w, &[Field::new("val", self.val_w)]),
            Port::stream("crd", Dir::Out, self.stop_w, &[Field::new("crd", self.out_w)]),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        Box::new(WithinModel { of: self.clone(), dim: config[0], val: Skid::passing() })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct WithinModel {
    of: Within,
    dim: u64,
    val: Skid,
}

impl WithinModel {
    fn beat(&self, v: Beat) -> Beat {
        let negative = self.of.signed && v.p[0] >> (self.of.val_w - 1) != 0;
        match v.kind {
            Kind::Nil | Kind::Done => v,
            Kind::Data if !negative && v.p[0] < self.dim => Beat::data(v.stop, v.p[0] & mask(self.of.out_w)),
            _ => Beat::empty(v.stop),
        }
    }
}

impl Model for WithinModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.val.open(io, 0);
        let mut moved = false;
        if let (true, Some(&v)) = (io.free(0), self.val.head()) {
            io.put(0, self.beat(v));
            self.val.pop();
            moved = true;
        }
        moved |= self.val.clock(io, 0);
        Ok(moved)
    }
}
