#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::arith::alu::{Alu, Pipe};
use crate::blocks::Skid;
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::{Type, convert};

/// A conversion of values to another type. Input 0 `in`, output 0 `val`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convert {
    /// Type of the input values.
    pub from: Type,
    /// Type of the output values, different from `from`.
    pub to: Type,
    /// Raw bits of type `from` that an absent leaf reads as.
    pub fill: u64,
    /// Presence of the result: bit 1 for a present leaf, bit 0 for an absent one.
    pub emit: u64,
    /// Width of a stop in bits.
    pub stop_w: u32,
}

/// HOW and DEPTH of `samhw_convert_op`.
fn plan(from: Type, to: Type) -> (u32, u32) {
    let least_exponent = |ty: Type| if let Type::Float { exp, .. } = ty { exp } else { 0 };
    match to {
        Type::Bool => (4, 0),
        Type::Float { .. } => (0, 4 + u32::from(least_exponent(from) > least_exponent(to))),
        Type::Fixed { .. } => (3, 2),
        Type::Int { saturating, .. } if saturating || !matches!(from, Type::Int { .. } | Type::Bool) => (2, 2),
        Type::Int { .. } => (1, 0),
    }
}

/// EXP and MAN of a type.
fn float(ty: Type) -> [u32; 2] {
    if let Type::Float { exp, man } = ty { [exp, man] } else { [0, 0] }
}

impl Convert {
    /// Returns the number of registers, including the output register.
    pub fn stages(&self) -> u32 {
        plan(self.from, self.to).1 + 1
    }
    fn in_w(&self) -> u32 {
        Alu::width(self.from, self.stop_w)
    }
    fn val_w(&self) -> u32 {
        Alu::width(self.to, self.stop_w)
    }
    /// What a beat becomes.
    fn take(&self, beat: Beat) -> Beat {
        let (there, value) = match beat.kind {
            Kind::Data => (2, beat.p[0]),
            Kind::Empty => (1, self.fill),
            Kind::Nil | Kind::Done => return beat,
        };
        if self.emit & there == 0 {
            return Beat::empty(beat.stop);
        }
        Beat::data(beat.stop, convert(value, self.from, self.to))
    }
}

impl Primitive for Convert {
    fn kind(&self) -> &'static str {
        "convert"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Values { bits: self.val_w() }
    }
    fn instance(&self) -> Instance {
        let ([from_exp, from_man], [to_exp, to_man]) = (float(self.from), float(self.to));
        let params = vec![
            ("FROM_W", Param::Int(self.from.bits())),
            ("FROM_EXP", Param::Int(from_exp)),
            ("FROM_MAN", Param::Int(from_man)),
            ("FROM_SIGNED", Param::Int(u32::from(self.from.is_signed()))),
            ("FROM_FRAC", Param::Int(self.from.fraction())),
            ("TO_W", Param::Int(self.to.bits())),
            ("TO_EXP", Param::Int(to_exp)),
            ("TO_MAN", Param::Int(to_man)),
            ("TO_SIGNED", Param::Int(u32::from(self.to.is_signed()))),
            ("TO_FRAC", Param::Int(self.to.fraction())),
            ("HOW", Param::Int(plan(self.from, self.to).0)),
            ("IN_W", Param::Int(self.in_w())),
            ("VAL_W", Param::Int(self.val_w())),
            ("STOP_W", Param::Int(self.stop_w)),
            ("STAGES", Param::Int(self.stages())),
            ("VALUES", Param::Bits(self.in_w(), vec![self.fill])),
            ("EMIT", Param::Bits(2, vec![self.emit & 3])),
        ];
        Instance { module: "samhw_convert", params }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::stream("in", Dir::In, self.stop_w, &[Field::new("val", self.in_w())]),
            Port::stream("val", Dir::Out, self.stop_w, &[Field::new("val", self.val_w())]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(ConvertModel { of: *self, input: Skid::default(), pipe: Pipe::new(self.stages()) })
    }
    fn latency(&self) -> u32 {
        1 + self.stages()
    }
    fn describe(&self) -> String {
        format!("{} to {}", self.from, self.to)
    }
}

#[derive(Debug)]
struct ConvertModel {
    of: Convert,
    input: Skid,
    pipe: Pipe,
}

impl Model for ConvertModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if io.free(0) {
            let beat = self.input.head().map(|b| self.of.take(*b));
            if beat.is_some() {
                self.input.pop();
            }
            moved = self.pipe.step(io, 0, beat);
        }
        moved |= self.input.clock(io, 0);
        Ok(moved)
    }
}
