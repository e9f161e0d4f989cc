#![doc = include_str!("README.md")]

#[cfg(test)]
mod tests;

use crate::blocks::Skid;
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Role};

/// An early exit, which sends a hint when a value decides a reduction. Input: 0 `val`. Outputs: 0 `out`, 1 `skip`
/// (hints).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyExit {
    /// Raw bits of the deciding value.
    pub value: u64,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Width of the stop field of both streams in bits.
    pub stop_w: u32,
    /// Width of a fiber's number in bits.
    pub tag_w: u32,
    /// Width of a coordinate of the scanner in bits.
    pub crd_w: u32,
}

impl Primitive for EarlyExit {
    fn kind(&self) -> &'static str {
        "early_exit"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_early_exit",
            params: vec![
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("TAG_W", Param::Int(self.tag_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("VALUE", Param::Bits(self.val_w, vec![self.value])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let val = [Field::new("val", self.val_w)];
        let hint = hint_fields(self.tag_w, self.crd_w);
        vec![
            Port::stream("val", Dir::In, self.stop_w, &val),
            Port::stream("out", Dir::Out, self.stop_w, &val),
            Port::plain("skip", Dir::Out, &hint).with_role(Role::Hint),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ExitModel { of: self.clone(), val: Skid::default(), fiber: 0, told: false })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("at {:#x}", self.value)
    }
}

#[derive(Debug)]
struct ExitModel {
    of: EarlyExit,
    val: Skid,
    /// Number of the current fiber.
    fiber: u64,
    /// Its scanner has been told.
    told: bool,
}

impl Model for ExitModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&v)) = (io.free(0), self.val.head()) {
            // As the scanner counts: a fiber per beat of its references.
            let ends = !v.is_leaf() || v.stop > 0;
            let early = v.kind == Kind::Data && !ends && v.p[0] == self.of.value && !self.told;
            if early && io.free(1) {
                io.put(1, Beat::pair(0, 1 << self.of.tag_w | self.fiber, 0));
                self.told = true;
            }
            if ends {
                self.told = false;
                self.fiber = (self.fiber + 1) % (1 << self.of.tag_w);
            }
            io.put(0, v);
            self.val.pop();
            moved = true;
        }
        moved |= self.val.clock(io, 0);
        Ok(moved)
    }
}
