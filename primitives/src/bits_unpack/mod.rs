#![doc = include_str!("README.md")]

#[cfg(test)]
mod tests;

use crate::blocks::{HoldBack, Skid};
use crate::contract::{Dir, Field, Instance, Param, Port, Primitive, Rate};
use crate::model::{Fault, Io, Model};
use crate::stream::{Beat, Kind};
use crate::word::Word;

/// An unpacker of words. Input: 0 `in` (word, rank). Output: 0 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitsUnpack {
    /// Bits of a word: a power of two, 8 to 256.
    pub width: u32,
    /// Bits of a coordinate.
    pub crd_w: u32,
    /// Bits of a position.
    pub ref_w: u32,
    /// Bits of the stop field.
    pub stop_w: u32,
}

impl Primitive for BitsUnpack {
    fn kind(&self) -> &'static str {
        "bits_unpack"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_bits_unpack",
            params: vec![
                ("WIDTH", Param::Int(self.width)),
                ("WIDTH_LOG2", Param::Int(self.width.trailing_zeros())),
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = |name, width| [Field::new(name, width), Field::new("ref", self.ref_w)];
        vec![
            Port::stream("in", Dir::In, self.stop_w, &pair("word", self.width)),
            Port::stream("out", Dir::Out, self.stop_w, &pair("crd", self.crd_w)),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(UnpackModel {
            width: u64::from(self.width),
            input: Skid::default(),
            hold: HoldBack::default(),
            sent: Word::default(),
            index: 0,
        })
    }
    fn latency(&self) -> u32 {
        3
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        format!("words of {}", self.width)
    }
}

#[derive(Debug)]
struct UnpackModel {
    width: u64,
    input: Skid,
    hold: HoldBack<Beat>,
    /// Ones of the word at hand that have left.
    sent: Word,
    /// Words of the fiber that are through.
    index: u64,
}

impl UnpackModel {
    fn step(&mut self, head: Beat) -> Option<(Beat, u8)> {
        let none = !head.is_leaf();
        let left = if none { Word::default() } else { Word::held(head.p[0], self.width as u32).without(&self.sent) };
        let first = left.lowest();
        let over = left.ones() <= 1;
        let ends = none || over && head.stop > 0;
        let stop = if ends { head.stop } else { 0 };
        let out = if let Some(first) = first {
            let crd = self.index * self.width + first;
            let pos = head.p[1] + self.sent.ones();
            self.hold.push(Beat::pair(0, crd, pos), stop, ends)
        } else if ends && self.hold.waiting() {
            self.hold.close(stop);
            None
        } else if ends {
            let above = head.kind == Kind::Done || head.kind == Kind::Nil && head.hole() != 1;
            self.hold.push(if above { head } else { Beat::nil(stop, 1) }, stop, true)
        } else {
            // A word without ones: nothing is pushed, and what waits goes on waiting.
            self.hold.idle(true)
        };
        match first.filter(|_| !over) {
            Some(first) => self.sent.set(first),
            None => self.sent = Word::default(),
        }
        self.index = if ends { 0 } else { self.index + u64::from(over) };
        if over {
            self.input.pop();
        }
        out
    }
}

impl Model for UnpackModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = io.free(0);
        let head = self.input.head().copied().filter(|_| self.hold.room(free));
        let out = match head {
            Some(head) => self.step(head),
            None => self.hold.idle(free),
        };
        if let Some((beat, stop)) = out {
            io.put(0, Beat { stop, ..beat });
        }
        Ok(self.input.clock(io, 0) | head.is_some() | out.is_some())
    }
}
