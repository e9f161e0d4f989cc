#![doc = include_str!("README.md")]

mod core;
#[cfg(test)]
pub(crate) mod tests;

pub use self::core::{CollapseCore, CollapseStep};

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// A collapse unit, which combines two levels of coordinates into one level of keys. Inputs: 0 `outer`, 1 `inner` of
/// pairs (crd0, x). Output: 0 `out` of pairs (key, x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collapse {
    /// Width of the outer coordinate in bits.
    pub crd1_w: u32,
    /// Width of the inner coordinate in bits.
    pub crd0_w: u32,
    /// Width of the payload that accompanies the inner coordinate, in bits.
    pub x_w: u32,
    /// Width of the key in bits, at least that of either coordinate.
    pub key_w: u32,
    /// Size of the inner level: key = crd1 * size0 + crd0. With 2^crd0_w it is a concatenation, with 0 the
    /// inner coordinate alone.
    pub size0: u32,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
}

impl Primitive for Collapse {
    fn kind(&self) -> &'static str {
        "collapse"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_collapse",
            params: vec![
                ("CRD1_W", Param::Int(self.crd1_w)),
                ("CRD0_W", Param::Int(self.crd0_w)),
                ("X_W", Param::Int(self.x_w)),
                ("KEY_W", Param::Int(self.key_w)),
                ("SIZE0", Param::Int(self.size0)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let x = Field::new("x", self.x_w);
        vec![
            Port::stream("outer", Dir::In, self.stop_w, &[Field::new("crd", self.crd1_w)]),
            Port::stream("inner", Dir::In, self.stop_w, &[Field::new("crd", self.crd0_w), x.clone()]),
            Port::stream("out", Dir::Out, self.stop_w, &[Field::new("crd", self.key_w), x]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(CollapseModel {
            outer: Skid::default(),
            inner: Skid::default(),
            core: CollapseCore::new(u64::from(self.size0), self.key_w),
        })
    }
    fn latency(&self) -> u32 {
        3
    }
    fn describe(&self) -> String {
        if self.size0 == 0 { "crd0".into() } else { format!("crd1*{} + crd0", self.size0) }
    }
}

#[derive(Debug)]
struct CollapseModel {
    outer: Skid,
    inner: Skid,
    core: CollapseCore,
}

impl Model for CollapseModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = io.free(0);
        // A register that is not free takes part as occupied; what is in it does not matter.
        let mut out = if free { None } else { Some(Beat::DONE) };
        let step = self.core.tick(self.outer.head().copied(), self.inner.head().copied(), &mut out)?;
        if let (true, Some(b)) = (free, out) {
            io.put(0, b);
        }
        if step.outer {
            self.outer.pop();
        }
        if step.inner {
            self.inner.pop();
        }
        let mut moved = step.moved;
        moved |= self.outer.clock(io, 0);
        moved |= self.inner.clock(io, 1);
        Ok(moved)
    }
}
