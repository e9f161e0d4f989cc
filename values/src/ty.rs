//! Element types of tensors.

use std::cmp::Ordering;
use std::fmt;

/// An element type of a tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Whole numbers.
    Int {
        /// Width, 1 to 64. Elements of tensors have 8, 16, 32 or 64, accumulators any.
        bits: u32,
        /// Two's complement if true.
        signed: bool,
        /// Whether results out of range saturate to the nearest value; otherwise they wrap.
        saturating: bool,
    },
    /// 0 or 1, in one bit. As a number: +, *, max and min are or, and, or, and.
    Bool,
    /// Whole multiples of 2^-frac. Results are rounded to nearest, ties to even, and saturate.
    Fixed {
        /// Total width in bits, 2 to 64.
        bits: u32,
        /// Bits after the binary point, at most `bits`.
        frac: u32,
        /// Two's complement if true.
        signed: bool,
    },
    /// IEEE 754 binary interchange format: sign, exponent, mantissa without its leading 1. Subnormals,
    /// infinities, NaN; rounds to nearest, ties to even. Every NaN that is computed is [`Type::nan`].
    Float {
        /// Bits of the exponent.
        exp: u32,
        /// Stored bits of the mantissa.
        man: u32,
    },
}

impl Type {
    /// IEEE binary64.
    pub const F64: Self = Self::Float { exp: 11, man: 52 };
    /// IEEE binary32.
    pub const F32: Self = Self::Float { exp: 8, man: 23 };
    /// The upper half of a binary32.
    pub const BF16: Self = Self::Float { exp: 8, man: 7 };
    /// IEEE binary16.
    pub const F16: Self = Self::Float { exp: 5, man: 10 };

    /// Names of the types that have no parameters, in the order in which help lists them. Besides: a saturating integer
    /// has an `s` behind its name, fixed point is `fx16.8` or `ufx16.8`.
    pub const NAMES: [&str; 13] =
        ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bool", "f64", "f32", "bf16", "f16"];

    /// Returns the integer type of this width whose arithmetic wraps.
    pub const fn int(bits: u32, signed: bool) -> Self {
        Self::Int { bits, signed, saturating: false }
    }

    /// Finds a type by its name in a kernel file: one of [`Self::NAMES`], an integer with suffix `s` (saturating), or
    /// `fxB.F` or `ufxB.F` with B bits in total, F of them after the point.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::accumulator_from_name(name).filter(|ty| match ty {
            Self::Int { bits, .. } => matches!(bits, 8 | 16 | 32 | 64),
            _ => true,
        })
    }

    /// Finds a type as [`Self::from_name`] does, and also accepts integers of any width from 1 to 64, such as `i48`.
    pub fn accumulator_from_name(name: &str) -> Option<Self> {
        match name {
            "bool" => return Some(Self::Bool),
            "f64" => return Some(Self::F64),
            "f32" => return Some(Self::F32),
            "bf16" => return Some(Self::BF16),
            "f16" => return Some(Self::F16),
            _ => {}
        }
        let (rest, signed) = match name.strip_prefix('u') {
            Some(rest) => (rest, false),
            None => (name, true),
        };
        if let Some(widths) = rest.strip_prefix("fx") {
            let (bits, frac) = widths.split_once('.')?;
            let (bits, frac) = (width(bits)?, if frac == "0" { 0 } else { width(frac)? });
            return (bits >= 2 && frac <= bits).then_some(Self::Fixed { bits, frac, signed });
        }
        let bits = if signed { rest.strip_prefix('i')? } else { rest };
        let (bits, saturating) = match bits.strip_suffix('s') {
            Some(bits) => (bits, true),
            None => (bits, false),
        };
        Some(Self::Int { bits: width(bits)?, signed, saturating })
    }

    /// Returns the width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Int { bits, .. } | Self::Fixed { bits, .. } => bits,
            Self::Bool => 1,
            Self::Float { exp, man } => 1 + exp + man,
        }
    }
    /// Returns a mask of the bits that the type uses.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
    /// Returns whether the type has negative values.
    pub const fn is_signed(self) -> bool {
        match self {
            Self::Int { signed, .. } | Self::Fixed { signed, .. } => signed,
            Self::Bool => false,
            Self::Float { .. } => true,
        }
    }
    /// Returns whether the type is an IEEE floating-point format.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float { .. })
    }
    /// Returns whether the type is an integer.
    pub const fn is_int(self) -> bool {
        matches!(self, Self::Int { .. })
    }
    /// Returns whether results out of range saturate to the nearest value.
    pub const fn saturates(self) -> bool {
        match self {
            Self::Int { saturating, .. } => saturating,
            Self::Fixed { .. } => true,
            Self::Bool | Self::Float { .. } => false,
        }
    }
    /// Returns the number of bits after the binary point in the units of [`Self::value`].
    pub const fn fraction(self) -> u32 {
        match self {
            Self::Fixed { frac, .. } => frac,
            _ => 0,
        }
    }

    /// Returns the raw bits of the whole number `value`, or `None` if the type does not have it.
    pub fn raw(self, value: i128) -> Option<u64> {
        if let Self::Float { .. } = self {
            let negative = value < 0;
            let raw = super::round_float(self, negative, value.unsigned_abs(), 0, false);
            return (super::decimal::whole(self, raw) == Some(value)).then_some(raw);
        }
        let (lo, hi) = self.range();
        let code = value.checked_mul(1 << self.fraction())?;
        (lo..=hi).contains(&code).then(|| self.wrap(code))
    }
    /// Wraps a number, in the units of [`Self::value`], to the type's width and returns its raw bits.
    pub const fn wrap(self, value: i128) -> u64 {
        value as u64 & self.mask()
    }
    /// Fits a number, in the units of [`Self::value`], into the type: it saturates if the type does, otherwise it
    /// wraps. Bool: whether it is not 0.
    pub fn fit(self, value: i128) -> u64 {
        match self {
            Self::Bool => u64::from(value != 0),
            _ if self.saturates() => {
                let (lo, hi) = self.range();
                self.wrap(value.clamp(lo, hi))
            }
            _ => self.wrap(value),
        }
    }
    /// Decodes raw bits into a number, in units of 2^-frac for fixed point. Of a float: its raw bits.
    pub const fn value(self, raw: u64) -> i128 {
        let shift = 64 - self.bits();
        match self {
            Self::Int { signed: true, .. } | Self::Fixed { signed: true, .. } => {
                (((raw << shift) as i64) >> shift) as i128
            }
            _ => (raw & self.mask()) as i128,
        }
    }
    /// Returns the smallest and the largest number, in the units of [`Self::value`].
    pub const fn range(self) -> (i128, i128) {
        let bits = self.bits();
        match self {
            Self::Int { signed: true, .. } | Self::Fixed { signed: true, .. } => {
                (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
            }
            _ => (0, (1 << bits) - 1),
        }
    }

    /// Returns the raw bits of the smallest value: -inf for floats.
    pub const fn least(self) -> u64 {
        match self {
            Self::Float { .. } => self.infinity() | self.sign_bit(),
            _ => self.wrap(self.range().0),
        }
    }
    /// Returns the raw bits of the largest value: inf for floats.
    pub const fn greatest(self) -> u64 {
        match self {
            Self::Float { .. } => self.infinity(),
            _ => self.wrap(self.range().1),
        }
    }
    /// Returns the raw bits of 1, or of the largest value if 1 is out of range (fixed point without integer bits).
    pub fn one(self) -> u64 {
        match self {
            Self::Float { exp, man } => ((1 << (exp - 1)) - 1) << man,
            _ => self.wrap((1i128 << self.fraction()).min(self.range().1)),
        }
    }
    /// Returns whether the type can represent the number 1. Fixed point without integer bits has not.
    pub fn has_one(self) -> bool {
        self.is_float() || self.value(self.one()) == 1 << self.fraction()
    }
    /// Returns the raw bits of the number that divides all others: 2^-frac for fixed point, otherwise 1.
    pub fn unit(self) -> u64 {
        if self.is_float() { self.one() } else { 1 }
    }
    /// Returns the raw bits of +inf for floats, and of the largest value for other types.
    pub const fn infinity(self) -> u64 {
        match self {
            Self::Float { exp, man } => ((1 << exp) - 1) << man,
            _ => self.wrap(self.range().1),
        }
    }
    /// Returns the canonical quiet NaN that computations produce: sign 0, only the first bit of the mantissa set. 0 if
    /// not a float.
    pub const fn nan(self) -> u64 {
        match self {
            Self::Float { man, .. } => self.infinity() | 1 << (man - 1),
            _ => 0,
        }
    }
    /// Returns a mask of the sign bit, the highest bit.
    pub const fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }
    /// Returns whether `raw` is a NaN.
    pub const fn is_nan(self, raw: u64) -> bool {
        self.is_float() && raw & !self.sign_bit() > self.infinity()
    }
    /// Returns whether `raw` is an infinity.
    pub const fn is_infinite(self, raw: u64) -> bool {
        self.is_float() && raw & !self.sign_bit() == self.infinity()
    }
    /// Returns `raw` with every NaN replaced by [`Self::nan`].
    pub const fn canonical(self, raw: u64) -> u64 {
        if self.is_nan(raw) { self.nan() } else { raw }
    }
    /// Returns whether `raw` is 0 or -0.
    pub const fn is_zero(self, raw: u64) -> bool {
        if self.is_float() { raw & !self.sign_bit() == 0 } else { raw == 0 }
    }
    /// Compares two values; the result is `None` if one of them is NaN, and -0 equals 0.
    pub fn order(self, a: u64, b: u64) -> Option<Ordering> {
        if !self.is_float() {
            return Some(self.value(a).cmp(&self.value(b)));
        }
        if self.is_nan(a) || self.is_nan(b) {
            return None;
        }
        let key = |raw: u64| {
            let size = i128::from(raw & !self.sign_bit());
            if raw & self.sign_bit() == 0 { size } else { -size }
        };
        Some(key(a).cmp(&key(b)))
    }
    /// Returns whether two raw values represent the same value. A NaN is the same as another, -0 as 0.
    pub fn same(self, a: u64, b: u64) -> bool {
        a == b || self.is_nan(a) && self.is_nan(b) || self.is_zero(a) && self.is_zero(b)
    }
}

/// A width from 1 to 64, written as usual.
fn width(text: &str) -> Option<u32> {
    let plain = !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|n| plain && (1..=64).contains(n))
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |signed: bool, yes: &'static str| if signed { yes } else { "u" };
        match *self {
            Self::Int { bits, signed, saturating } => {
                write!(f, "{}{bits}{}", sign(signed, "i"), if saturating { "s" } else { "" })
            }
            Self::Bool => f.write_str("bool"),
            Self::Fixed { bits, frac, signed } => write!(f, "{}fx{bits}.{frac}", sign(signed, "")),
            Self::F64 => f.write_str("f64"),
            Self::F32 => f.write_str("f32"),
            Self::BF16 => f.write_str("bf16"),
            Self::F16 => f.write_str("f16"),
            Self::Float { exp, man } => write!(f, "float{exp}.{man}"),
        }
    }
}
