#![doc = include_str!("README.md")]

mod function;
mod pipe;
#[cfg(test)]
mod tests;

pub use function::{Fun, mul_depth};
pub use pipe::Pipe;

use crate::blocks::Skid;
use crate::contract::{Dir, Field, Instance, Param, Port, Primitive};
use crate::model::{Fault, Io, Model};
use crate::pack::mask;
use crate::stream::{Beat, Kind};

/// An argument of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The next stream.
    Stream {
        /// What an absent leaf reads as (raw bits).
        fill: u64,
    },
    /// A constant (raw bits).
    Const(u64),
}

/// Why operands do not fit the function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AluError {
    /// A function of another number of operands.
    #[error("{fun:?} takes {takes} operand(s), not {given}")]
    Operands {
        /// The function.
        fun: Fun,
        /// How many it takes.
        takes: usize,
        /// How many were given.
        given: usize,
    },
    /// Constants only.
    #[error("an ALU needs one stream at least: fold constants instead")]
    NoStream,
    /// Only 8 to 64 bits are supported.
    #[error("values of {0} bits: an ALU takes 8 to 64")]
    Width(u32),
}

/// An ALU. Inputs: 0 `val0`, 1 `val1` (if there are two streams). Output: 0 `val`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alu {
    fun: Fun,
    operands: Vec<Operand>,
    emit: u64,
    val_w: u32,
    signed: bool,
    stop_w: u32,
}

impl Alu {
    /// `fun` over `operands`, values of `val_w` bits. Bit P of `emit`: a leaf has a value where
    /// P is the set of streams that have one (bit 0 is the first stream); else it is EMPTY.
    /// `signed` concerns min and max. [`Fun::Const`] takes a stream and the constant.
    pub fn new(
        fun: Fun,
        operands: Vec<Operand>,
        emit: u64,
        val_w: u32,
        signed: bool,
        stop_w: u32,
    ) -> Result<Self, AluError> {
        if operands.len() != fun.operands() {
            return Err(AluError::Operands { fun, takes: fun.operands(), given: operands.len() });
        }
        if operands.iter().all(|o| matches!(o, Operand::Const(_))) {
            return Err(AluError::NoStream);
        }
        if !(8..=64).contains(&val_w) {
            return Err(AluError::Width(val_w));
        }
        Ok(Self { fun, operands, emit, val_w, signed, stop_w })
    }
    /// Number of streams: 1 or 2.
    pub fn streams(&self) -> usize {
        self.fills().count()
    }
    /// Stages of the pipeline, output register included.
    pub fn stages(&self) -> u32 {
        if self.fun == Fun::Mul { mul_depth(self.val_w) + 2 } else { 1 }
    }
    fn fills(&self) -> impl Iterator<Item = u64> + '_ {
        self.operands.iter().filter_map(|o| match o {
            Operand::Stream { fill } => Some(*fill),
            Operand::Const(_) => None,
        })
    }
}

impl Primitive for Alu {
    fn kind(&self) -> &'static str {
        "alu"
    }
    fn instance(&self) -> Instance {
        let value = |x: u64| Param::Bits(self.val_w, vec![x & mask(self.val_w)]);
        let sets = 1 << self.streams();
        let mut params = vec![
            ("FUN", Param::Int(self.fun as u32)),
            ("VAL_W", Param::Int(self.val_w)),
            ("SIGNED", Param::Int(u32::from(self.signed))),
            ("STOP_W", Param::Int(self.stop_w)),
            ("STAGES", Param::Int(self.stages())),
            ("EMIT", Param::Bits(sets, vec![self.emit & mask(sets)])),
        ];
        params.extend(["FILL0", "FILL1"].into_iter().zip(self.fills().map(value)));
        if self.streams() == 2 {
            return Instance { module: "samhw_alu2", params };
        }
        let constant = self.operands.iter().find_map(|o| match o {
            Operand::Const(c) => Some(*c),
            Operand::Stream { .. } => None,
        });
        params.push(("CONST", value(constant.unwrap_or(0))));
        params.push(("SWAP", Param::Int(u32::from(matches!(self.operands[0], Operand::Const(_))))));
        Instance { module: "samhw_alu1", params }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: &str, dir| Port::stream(name, dir, self.stop_w, &[Field::new("val", self.val_w)]);
        let streams = ["val0", "val1"].into_iter().take(self.streams());
        streams.map(|name| port(name, Dir::In)).chain([port("val", Dir::Out)]).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let inputs = vec![Skid::default(); self.streams()];
        Box::new(AluModel { of: self.clone(), inputs, pipe: Pipe::new(self.stages()) })
    }
    fn latency(&self) -> u32 {
        1 + self.stages()
    }
    fn describe(&self) -> String {
        let operand = |o: &Operand| match o {
            Operand::Stream { fill: 0 } => "x".into(),
            Operand::Stream { fill } => format!("x?{fill:#x}"),
            Operand::Const(c) => format!("{c:#x}"),
        };
        let operands: Vec<String> = self.operands.iter().map(operand).collect();
        format!("{}({})", format!("{:?}", self.fun).to_lowercase(), operands.join(", "))
    }
}

#[derive(Debug)]
struct AluModel {
    of: Alu,
    inputs: Vec<Skid>,
    pipe: Pipe,
}

impl AluModel {
    /// The beat that the heads make.
    fn beat(&self, heads: &[Beat]) -> Result<Beat, Fault> {
        let first = heads[0];
        let hole = mask(self.of.stop_w);
        for (k, h) in heads.iter().enumerate() {
            let same = h.is_leaf() || h.kind == first.kind && (h.p[0] ^ first.p[0]) & hole == 0;
            if h.is_leaf() != first.is_leaf() || !same {
                return Err(Fault { what: "streams are not aligned", port: format!("val{k}"), beat: *h });
            }
        }
        if !first.is_leaf() {
            return Ok(first);
        }
        let mut present = 0u32;
        let mut args = [0; 2];
        let mut streams = heads.iter().enumerate();
        for (arg, operand) in args.iter_mut().zip(&self.of.operands) {
            *arg = match *operand {
                Operand::Const(c) => c,
                Operand::Stream { fill } => match streams.next() {
                    Some((k, h)) if h.kind == Kind::Data => {
                        present |= 1 << k;
                        h.p[0]
                    }
                    _ => fill,
                },
            };
        }
        if self.of.emit >> present & 1 == 0 {
            return Ok(Beat::empty(first.stop));
        }
        Ok(Beat::data(first.stop, self.of.fun.apply(args, self.of.val_w, self.of.signed)))
    }
}

impl Model for AluModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(0) {
            let mut heads = [Beat::default(); 2];
            let n = self.inputs.len();
            let all = self.inputs.iter().zip(&mut heads).all(|(s, h)| s.head().map(|b| *h = *b).is_some());
            let beat = if all { Some(self.beat(&heads[..n])?) } else { None };
            if all {
                self.inputs.iter_mut().for_each(Skid::pop);
            }
            moved = self.pipe.step(io, 0, beat);
        }
        for (k, s) in self.inputs.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
