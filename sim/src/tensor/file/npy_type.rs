//! Element types of NumPy files.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;
use samhw_values::to_f64;

use super::lines::show;
use super::number::Number;
use crate::tensor::codes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NpyKind {
    Bool,
    Integer(Type),
    Float(Type),
}

/// An element type as `descr` says it, e.g. `<i4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dtype {
    /// Numbers.
    Number(Numeric),
    /// Strings of this number of bytes.
    Text(usize),
}

/// A type of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numeric {
    kind: NpyKind,
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
            b"1" => Some(NpyKind::Integer(Type::int(8, signed))),
            b"2" => Some(NpyKind::Integer(Type::int(16, signed))),
            b"4" => Some(NpyKind::Integer(Type::int(32, signed))),
            b"8" => Some(NpyKind::Integer(Type::int(64, signed))),
            _ => None,
        };
        let kind = match name {
            b"b1" | b"?" => Some(NpyKind::Bool),
            [b'i', bytes @ ..] => integer(true, bytes),
            [b'u', bytes @ ..] => integer(false, bytes),
            b"f2" => Some(NpyKind::Float(Type::F16)),
            b"f4" => Some(NpyKind::Float(Type::F32)),
            b"f8" => Some(NpyKind::Float(Type::F64)),
            [b'c', ..] => {
                return refuse("complex numbers are not supported", "save `array.real`, `array.imag` or `abs(array)`");
            }
            [b'O', ..] => {
                return refuse("Python objects are not supported", "save `array.astype(numpy.int64)`");
            }
            _ => None,
        };
        if let Some(bytes) = text_bytes(name) {
            return Ok(Self::Text(bytes));
        }
        let Some(kind) = kind else {
            return refuse(NUMBERS, ASTYPE);
        };
        let numeric = Numeric { kind, big_endian: order == b'>' };
        // Without `<` or `>` only single bytes are unambiguous.
        if matches!(order, b'|' | b'=') && numeric.size() > 1 {
            return refuse("it does not say the byte order", "save it with `numpy.save`");
        }
        Ok(Self::Number(numeric))
    }

    /// The type, if it is one of numbers.
    pub(super) fn numeric(self) -> Result<Numeric, Diagnostic> {
        match self {
            Self::Number(numeric) => Ok(numeric),
            Self::Text(_) => {
                Err(Diagnostic::new(codes::UNSUPPORTED, format!("an array of text: {NUMBERS}")).help(ASTYPE))
            }
        }
    }
}

impl Numeric {
    /// The type of tensors that holds what an array of it holds.
    pub(super) fn ty(self) -> Type {
        match self.kind {
            NpyKind::Bool => Type::Bool,
            NpyKind::Integer(ty) | NpyKind::Float(ty) => ty,
        }
    }

    /// Bytes of an element.
    pub(super) fn size(self) -> usize {
        match self.kind {
            NpyKind::Bool => 1,
            NpyKind::Integer(ty) | NpyKind::Float(ty) => ty.bits() as usize / 8,
        }
    }

    /// The bits that `bytes` hold.
    fn bits(self, bytes: &[u8]) -> u64 {
        let gather = |bits: u64, b: &u8| bits << 8 | u64::from(*b);
        if self.big_endian { bytes.iter().fold(0, gather) } else { bytes.iter().rev().fold(0, gather) }
    }

    /// The number in `bytes`, as many as [`Numeric::size`].
    pub(super) fn number(self, bytes: &[u8]) -> Number<'static> {
        let bits = self.bits(bytes);
        match self.kind {
            NpyKind::Bool => Number::whole((bits != 0).into()),
            NpyKind::Integer(ty) => Number::whole(ty.value(bits)),
            NpyKind::Float(ty) => Number::from_float(to_f64(bits, ty)),
        }
    }

    /// Returns the element in `bytes` as text for messages.
    pub(super) fn text(self, bytes: &[u8]) -> String {
        let bits = self.bits(bytes);
        match self.kind {
            NpyKind::Integer(ty) => ty.show(bits),
            NpyKind::Float(ty) => format!("{:?}", to_f64(bits, ty)),
            NpyKind::Bool => bits.to_string(),
        }
    }
}

const NUMBERS: &str = "only booleans, integers and floats of up to 64 bits are supported";
const ASTYPE: &str = "save `array.astype(numpy.int64)`";

/// Longest string that is read.
const LONGEST: usize = 1 << 10;

/// Bytes of the strings that `name` stands for: `S3`, `U3`.
fn text_bytes(name: &[u8]) -> Option<usize> {
    let (of, digits) = name.split_first()?;
    let each = match of {
        b'S' => 1,
        b'U' => 4,
        _ => return None,
    };
    let count: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    count.checked_mul(each).filter(|&bytes| bytes <= LONGEST)
}
