#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Role};
use samhw_values::mask;

/// The value of a list that is compared with the deciding one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watched {
    /// A value by itself.
    Alone,
    /// All values of the fiber so far, or together.
    Or,
    /// All values of the fiber so far, and together.
    And,
    /// The sum of the fiber so far, of numbers without a sign: a greater one, too.
    Sum,
}

impl Watched {
    /// Combines the list's value so far with the next value `v`; the result decides where it is `value`.
    fn with(self, so_far: u64, v: u64, value: u64) -> u64 {
        match self {
            Self::Alone => v,
            Self::Or => so_far | v,
            Self::And => so_far & v,
            Self::Sum => so_far.saturating_add(v).min(value),
        }
    }
}

/// An early exit, which sends a hint when values decide a reduction. Input: 0 `val`. Outputs: 0 `out`, 1
/// `skip` (hints).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyExit {
    /// Raw bits of the deciding value.
    pub value: u64,
    /// The value of a list that is compared with it.
    pub watched: Watched,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Width of the stop field of both streams in bits.
    pub stop_w: u32,
    /// Width of a fiber's number in bits.
    pub tag_w: u32,
    /// Width of a coordinate of the scanner in bits.
    pub crd_w: u32,
}

impl EarlyExit {
    /// What there is before a fiber's first value.
    fn begin(&self) -> u64 {
        if self.watched == Watched::And { mask(self.val_w) } else { 0 }
    }
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
                ("WATCHED", Param::Int(self.watched as u32)),
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
        Box::new(ExitModel { of: self.clone(), val: Skid::passing(), fiber: 0, told: false, so_far: self.begin() })
    }
    fn latency(&self) -> u32 {
        1
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
    /// What its values make so far.
    so_far: u64,
}

impl Model for ExitModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        self.val.open(io, 0);
        if let (true, Some(&v)) = (io.free(0), self.val.head()) {
            // As the scanner counts: a fiber per beat of its references.
            let ends = !v.is_leaf() || v.stop > 0;
            if v.kind == Kind::Data {
                self.so_far = self.of.watched.with(self.so_far, v.p[0], self.of.value);
            }
            let early = v.kind == Kind::Data && !ends && self.so_far == self.of.value && !self.told;
            if early && io.free(1) {
                io.put(1, Beat::pair(0, 1 << self.of.tag_w | self.fiber, 0));
                self.told = true;
            }
            if ends {
                (self.told, self.so_far) = (false, self.of.begin());
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
