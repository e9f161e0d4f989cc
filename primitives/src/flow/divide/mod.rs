#![doc = include_str!("README.md")]

mod core;
mod digits;
#[cfg(test)]
pub(crate) mod tests;

pub use self::core::DivideCore;
pub use self::digits::{Digits, digit_bits, digit_stages};

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Lag, Model, Param, Port, Primitive};

/// A divide unit, which splits a level of keys into two levels of coordinates. Input: 0 `in` of pairs (key, x).
/// Outputs: 0 `outer`, 1 `inner` of pairs (crd0, x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divide {
    /// Width of the key in bits; at most 32 unless `size0` is a power of two.
    pub key_w: u32,
    /// Size of the inner level: crd1 = key / size0 and crd0 = key % size0. With a power of two the key's bits are
    /// the coordinates.
    pub size0: u32,
    /// Width of the outer coordinate in bits; keys are below `size0 << crd1_w`.
    pub crd1_w: u32,
    /// Width of the inner coordinate in bits, of which there are `size0`.
    pub crd0_w: u32,
    /// Width of the payload that accompanies the key, in bits.
    pub x_w: u32,
    /// Width of the stop field of all streams in bits; no wider than the key or either coordinate.
    pub stop_w: u32,
}

impl Primitive for Divide {
    fn kind(&self) -> &'static str {
        "divide"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_divide",
            params: vec![
                ("KEY_W", Param::Int(self.key_w)),
                ("SIZE0", Param::Int(self.size0)),
                ("CRD1_W", Param::Int(self.crd1_w)),
                ("CRD0_W", Param::Int(self.crd0_w)),
                ("X_W", Param::Int(self.x_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let x = Field::new("x", self.x_w);
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[Field::new("crd", self.key_w), x.clone()]),
            Port::stream("outer", Dir::Out, self.stop_w, &[Field::new("crd", self.crd1_w)]),
            Port::stream("inner", Dir::Out, self.stop_w, &[Field::new("crd", self.crd0_w), x]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(DivideModel {
            input: Skid::default(),
            digits: Digits::new(self.key_w, self.size0),
            core: DivideCore::new(digit_bits(self.size0)),
        })
    }
    fn lag(&self) -> Option<Lag> {
        // Only the next group tells that this one is over, and so the stop of its outer leaf.
        Some(Lag { late: 0, early: 1 })
    }
    fn latency(&self) -> u32 {
        3 + digit_stages(self.key_w, self.size0)
    }
    fn describe(&self) -> String {
        format!("crd / {}", self.size0)
    }
}

#[derive(Debug)]
struct DivideModel {
    input: Skid,
    digits: Digits,
    core: DivideCore,
}

impl Model for DivideModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let head = self.digits.head(self.input.head());
        let (taken, mut moved) = publish(io, |outer, inner| Ok(self.core.tick(head, outer, inner)))?;
        let (popped, divided) = self.digits.clock(self.input.head(), taken);
        if popped {
            self.input.pop();
        }
        moved |= divided;
        moved |= self.input.clock(io, 0);
        Ok(moved)
    }
}

/// Lends output registers 0 and 1 to `f` and loads what it puts there.
pub(crate) fn publish<T>(
    io: &mut Io,
    f: impl FnOnce(&mut Option<Beat>, &mut Option<Beat>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    // A register that is not free takes part as occupied; what is in it does not matter.
    let free = [io.free(0), io.free(1)];
    let [mut outer, mut inner] = free.map(|f| if f { None } else { Some(Beat::DONE) });
    let result = f(&mut outer, &mut inner)?;
    for (k, b) in [outer, inner].into_iter().enumerate() {
        if let (true, Some(b)) = (free[k], b) {
            io.put(k, b);
        }
    }
    Ok(result)
}
