//! Element types of NumPy files.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;
use samhw_primitives::value::to_f64;

use super::lines::show;
use super::number::Number;
use crate::tensor::codes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Integer(Type),
    Float(Type),
}

/// An element type as `descr` says it, e.g. `<i4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dtype {
    kind: Kind,
    /// Most significant byte first.
    big_endian: bool,
}

impl Dtype {
    /// Parses `descr`.
    pub(super) fn parse(descr: &[u8]) -> Result<Self, Diagnostic> {
        let refuse = |why: &str, out: &str| {
            Err(Diagnostic::new(codes::UNSUPPORTED, format!("NumPy type `{}`: {why}", show(descr))).help(out))
        };
        let (order, name) = match descr {
            [order @ (b'<' | b'>' | b'|' | b'='), name @ ..] => (*order, name),
            name => (b'|', name),
        };
        let integer = |signed, bytes: &[u8]| match bytes {
            b"1" => Some(Kind::Integer(Type::int(8, signed))),
            b"2" => Some(Kind::Integer(Type::int(16, signed))),
            b"4" => Some(Kind::Integer(Type::int(32, signed))),
            b"8" => Some(Kind::Integer(Type::int(64, signed))),
            _ => None,
        };
        let kind = match name {
            b"b1" | b"?" => Some(Kind::Bool),
            [b'i', bytes @ ..] => integer(true, bytes),
            [b'u', bytes @ ..] => integer(false, bytes),
            b"f2" => Some(Kind::Float(Type::F16)),
            b"f4" => Some(Kind::Float(Type::F32)),
            b"f8" => Some(Kind::Float(Type::F64)),
            [b'c', ..] => {
                return refuse("complex numbers are not supported", "save `array.real`, `array.imag` or `abs(array)`");
            }
            [b'O', ..] => {
                return refuse("Python objects are not supported", "save `array.astype(numpy.int64)`");
            }
            _ => None,
        };
        let Some(kind) = kind else {
            return refuse(
                "only booleans, integers and floats of up to 64 bits are supported",
                "save `array.astype(numpy.int64)`",
            );
        };
        let dtype = Self { kind, big_endian: order == b'>' };
        // Without `<` or `>` only single bytes are unambiguous.
        if matches!(order, b'|' | b'=') && dtype.size() > 1 {
            return refuse("it does not say the byte order", "save it with `numpy.save`");
        }
        Ok(dtype)
    }

    /// Bytes of an element.
    pub(super) fn size(self) -> usize {
        match self.kind {
            Kind::Bool => 1,
            Kind::Integer(ty) | Kind::Float(ty) => ty.bits() as usize / 8,
        }
    }

    /// The number in `bytes` (as many as [`Dtype::size`]), and how messages write it.
    pub(super) fn number(self, bytes: &[u8]) -> (Number<'static>, String) {
        let gather = |bits: u64, b: &u8| bits << 8 | u64::from(*b);
        let bits = if self.big_endian { bytes.iter().fold(0, gather) } else { bytes.iter().rev().fold(0, gather) };
        let float = |v: f64| (Number::from_float(v), v);
        let (number, value) = match self.kind {
            Kind::Bool => return (Number::whole((bits != 0).into()), bits.to_string()),
            Kind::Integer(ty) => return (Number::whole(ty.value(bits)), ty.show(bits)),
            Kind::Float(ty) => float(to_f64(bits, ty)),
        };
        (number, format!("{value:?}"))
    }
}
