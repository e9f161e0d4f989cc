#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{BitWalk, FiberOver, HoldBack, Step, group_log2};
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Rate, Role};

/// An unpacker, which converts words of bits to coordinates and positions. Inputs: 0 `in` (word, rank), and
/// 1 `skip` (hints) where an early exit ends fibers. Output: 0 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitsUnpack {
    /// Width of a word in bits: a power of two, 8 to 256.
    pub width: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a position in bits.
    pub ref_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// Width of a fiber's number in the hints that end it, in bits; 0 for no hints.
    pub tag_w: u32,
}

impl Primitive for BitsUnpack {
    fn kind(&self) -> &'static str {
        "bits_unpack"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Words
    }
    fn instance(&self) -> Instance {
        let mut params = vec![
            ("WIDTH", Param::Int(self.width)),
            ("WIDTH_LOG2", Param::Int(self.width.trailing_zeros())),
            ("GROUP_LOG2", Param::Int(group_log2(self.width))),
            ("CRD_W", Param::Int(self.crd_w)),
            ("REF_W", Param::Int(self.ref_w)),
            ("STOP_W", Param::Int(self.stop_w)),
        ];
        if self.tag_w == 0 {
            return Instance { module: "samhw_bits_unpack", params };
        }
        params.push(("TAG_W", Param::Int(self.tag_w)));
        Instance { module: "samhw_bits_unpack_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = |name, width| [Field::new(name, width), Field::new("ref", self.ref_w)];
        let mut ports = vec![Port::stream("in", Dir::In, self.stop_w, &pair("word", self.width))];
        if self.tag_w > 0 {
            ports.push(Port::plain("skip", Dir::In, &hint_fields(self.tag_w, self.crd_w)).with_role(Role::Hint));
        }
        ports.push(Port::stream("out", Dir::Out, self.stop_w, &pair("crd", self.crd_w)));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(BitsUnpackModel {
            // What the only operand has.
            walk: BitWalk::new(vec![0b10], 1, self.width),
            hold: HoldBack::default(),
            told: FiberOver::new(self.tag_w),
        })
    }
    fn latency(&self) -> u32 {
        4
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        let told = if self.tag_w > 0 { ", told of early exits" } else { "" };
        format!("words of {}{told}", self.width)
    }
}

#[derive(Debug)]
struct BitsUnpackModel {
    walk: BitWalk,
    hold: HoldBack<Beat>,
    /// The hints about the current fiber.
    told: FiberOver,
}

impl BitsUnpackModel {
    fn step(&mut self, step: &Step, free: bool) -> Option<(Beat, u8)> {
        let (ends, stop) = (step.stop.is_some(), step.stop.unwrap_or(0));
        if let Some((b, crd)) = step.bit {
            // A bit that more of its word follow need not wait for what comes after the word.
            self.hold.push(Beat::pair(0, crd, step.of.position(0, b)), stop, ends || step.more)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            self.hold.push(step.of.closing(stop), stop, true)
        } else {
            // A word without ones: nothing is pushed, and what waits goes on waiting.
            self.hold.idle(free)
        }
    }
}

impl Model for BitsUnpackModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.walk.open(io);
        self.walk.cut(self.told.over());
        let hint = if self.told.hints() { io.taken(1) } else { None };
        let free = io.free(0);
        let step = self.walk.step().filter(|_| self.hold.room(free));
        let out = match &step {
            Some(step) => {
                self.walk.pop();
                self.step(step, free)
            }
            None => self.hold.idle(free),
        };
        let moved = out.is_some() || hint.is_some();
        if let Some((beat, stop)) = out {
            io.put(0, Beat { stop, ..beat });
        }
        self.told.clock(hint, step.is_some_and(|step| step.stop.is_some()));
        Ok(self.walk.clock(io)? | moved)
    }
}
