//! The locator of a dense level: the position is parent * dim + crd.

use super::aligned;
use crate::arith::alu::Pipe;
use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::{mask, mul_depth};

/// The locator of a dense level. Inputs: 0 `crd`, 1 `parent`. Output: 0 `found`. Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatorDense {
    /// Width of a coordinate in bits; `dim` has one more.
    pub crd_w: u32,
    /// Width of a parent's position in bits.
    pub ref_in_w: u32,
    /// Width of a position in the level in bits.
    pub ref_w: u32,
    /// Width of the stop field of all three streams in bits.
    pub stop_w: u32,
}

impl Primitive for LocatorDense {
    fn kind(&self) -> &'static str {
        "locator"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_locator_dense",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("DEPTH", Param::Int(mul_depth(self.ref_w))),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("crd", Dir::In, self.stop_w, &[Field::new("crd", self.crd_w)]),
            Port::stream("parent", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)]),
            Port::stream("found", Dir::Out, self.stop_w, &[Field::new("ref", self.ref_w)]),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let [crd, parent] = [Skid::default(), Skid::default()];
        let pipe = Pipe::new(mul_depth(self.ref_w) + 2);
        Box::new(LocatorDenseModel { of: self.clone(), dim: config[0], crd, parent, pipe })
    }
    fn latency(&self) -> u32 {
        mul_depth(self.ref_w) + 3
    }
    fn describe(&self) -> String {
        "dense".into()
    }
}

#[derive(Debug)]
struct LocatorDenseModel {
    of: LocatorDense,
    dim: u64,
    crd: Skid,
    parent: Skid,
    pipe: Pipe,
}

impl LocatorDenseModel {
    fn beat(&self, c: Beat, p: Beat) -> Result<Beat, Fault> {
        aligned(c, p, self.of.stop_w)?;
        Ok(match (c.kind, p.kind) {
            (Kind::Nil | Kind::Done, _) => c,
            (Kind::Data, Kind::Data) if c.p[0] < self.dim => {
                let place = p.p[0].wrapping_mul(self.dim).wrapping_add(c.p[0]);
                Beat::data(c.stop, place & mask(self.of.ref_w))
            }
            _ => Beat::empty(c.stop),
        })
    }
}

impl Model for LocatorDenseModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(0) {
            let both = self.crd.head().copied().zip(self.parent.head().copied());
            let beat = both.map(|(c, p)| self.beat(c, p)).transpose()?;
            if beat.is_some() {
                self.crd.pop();
                self.parent.pop();
            }
            moved = self.pipe.step(io, 0, beat);
        }
        moved |= self.crd.clock(io, 0);
        moved |= self.parent.clock(io, 1);
        Ok(moved)
    }
}
