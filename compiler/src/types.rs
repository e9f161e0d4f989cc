//! Element types. A value of any type is kept as its bit pattern in the low bits of a
//! `u64`, upper bits zero ("raw"); this is also what hardware memories hold.

use std::fmt;

/// An integer element type. Arithmetic wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// Width in bits: 8, 16, 32 or 64.
    pub bits: u32,
    /// Two's complement if true.
    pub signed: bool,
}

impl Type {
    /// From its name in a kernel file: `i8` .. `i64`, `u8` .. `u64`.
    pub fn from_name(name: &str) -> Option<Self> {
        let (signed, bits) = match name.split_at_checked(1)? {
            ("i", b) => (true, b),
            ("u", b) => (false, b),
            _ => return None,
        };
        matches!(bits, "8" | "16" | "32" | "64").then(|| Self { bits: bits.parse().unwrap_or(64), signed })
    }
    /// Mask of the used low bits.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
    /// Raw bits of `value`, or `None` if it does not fit.
    pub fn raw(self, value: i128) -> Option<u64> {
        let (lo, hi) = self.range();
        (lo..=hi).contains(&value).then_some(value as u64 & self.mask())
    }
    /// Raw bits of `value` wrapped to the type.
    pub fn wrap(self, value: i128) -> u64 {
        value as u64 & self.mask()
    }
    /// The number that raw bits stand for.
    pub fn value(self, raw: u64) -> i128 {
        let shift = 64 - self.bits;
        if self.signed { i128::from(((raw << shift) as i64) >> shift) } else { i128::from(raw & self.mask()) }
    }
    /// Smallest and largest value.
    pub fn range(self) -> (i128, i128) {
        if self.signed { (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1) } else { (0, (1 << self.bits) - 1) }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}
