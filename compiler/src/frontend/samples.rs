//! Sample values for tests of functions.

use crate::stmt::Algebra;
use crate::types::Type;
use samhw_values::from_f64;

/// Small numbers, the ends of the range, and random bits; of floats infinities and NaN only where
/// nothing is taken for granted.
pub(super) struct Values {
    ty: Type,
    algebra: Algebra,
    state: u64,
}

impl Values {
    pub fn new(ty: Type, algebra: Algebra, seed: u64) -> Self {
        Self { ty, algebra, state: seed }
    }
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.state >> 33
    }
    pub fn value(&mut self) -> u64 {
        let small = i128::from(self.next() % 13) - if self.ty.is_signed() { 6 } else { 0 };
        if self.ty.is_float() && self.algebra == Algebra::Ieee && self.next().is_multiple_of(8) {
            return [self.ty.least(), self.ty.greatest(), self.ty.nan()][(self.next() % 3) as usize];
        }
        match self.next() % 8 {
            0 if !self.ty.is_float() => self.ty.least(),
            1 if !self.ty.is_float() => self.ty.greatest(),
            0 | 1 => from_f64((self.next() % 2_000_001) as f64 / 1000.0 - 1000.0, self.ty),
            2 if !self.ty.is_float() => (self.next() << 31 ^ self.next()) & self.ty.mask(),
            _ => self.ty.raw(small).unwrap_or_else(|| self.ty.one()),
        }
    }
    pub fn arguments(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.value()).collect()
    }
}
