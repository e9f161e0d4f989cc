//! Powers of floats of up to 32 bits: 2^(b log2 |a|), with one table for the logarithm of a mantissa and one for the
//! power of a fraction. The steps are in whole numbers, the same here and in `samhw_float_pow`; so this is the
//! definition. All formats have the tables of f32.

use super::{Table, double};
use crate::{Fun, Type, round_float};
use std::f64::consts::{LN_2, LOG2_E};
use std::sync::LazyLock;

/// Bits of the fraction that the table of logarithms takes: those of f32.
const FRACTION: u32 = 23;
/// Bits after the point of what it gives, and pieces as a power of two.
const LOG: (u32, u32) = (38, 10);
/// Bits of a logarithm that are multiplied by the exponent.
const KEPT: u32 = 40;
/// Bits after the point of an exponent of 2, and pieces of their table.
const EXP: (u32, u32) = (31, 8);

/// log2(1 + z) / z, z from -1/4 to 1/2, in the order of 1 + z, or twice that below 1; and 2^x, x from 0 to 1.
static TABLES: LazyLock<[Table; 2]> = LazyLock::new(|| {
    let n = 1u32 << LOG.1;
    let log = |k: u32| {
        move |u: f64| {
            let m = (f64::from(k) + u) / f64::from(n);
            let z = if 2 * k >= n { (m - 1.0) / 2.0 } else { m };
            double(Fun::Log1p, z) / z * LOG2_E
        }
    };
    let width = f64::from(EXP.1).exp2().recip();
    let exp = |k: u32| move |u: f64| double(Fun::Exp, (f64::from(k) + u) * width * LN_2);
    [
        Table::fit(LOG.0, FRACTION - LOG.1, true, true, (0..n).map(log)),
        Table::fit(EXP.0, EXP.0 - EXP.1, false, false, (0..1 << EXP.1).map(exp)),
    ]
});

/// A pipeline that raises one float to the power of another.
#[derive(Debug, Clone, Copy)]
pub struct Power {
    ty: Type,
    exp: u32,
    man: u32,
}

impl Power {
    /// Latency in hardware in cycles, without the output register.
    pub const DEPTH: u32 = 37;

    /// Returns the tables for the logarithm and for the exponential to base 2.
    pub fn tables() -> &'static [Table; 2] {
        &TABLES
    }
    /// Returns the pipeline for `ty`, if one computes its powers.
    pub fn of(ty: Type) -> Option<Self> {
        match ty {
            Type::Float { exp, man } if man <= FRACTION => Some(Self { ty, exp, man }),
            _ => None,
        }
    }
    /// Computes a^b on raw values.
    pub fn apply(self, a: u64, b: u64) -> u64 {
        let (one, inf, sign) = (self.ty.one(), self.ty.infinity(), self.ty.sign_bit());
        let ([a_size, b_size], [a_minus, b_minus]) = ([a, b].map(|x| x & !sign), [a, b].map(|x| x & sign != 0));
        let (whole, odd) = self.whole(b_size);
        if b_size == 0 || a == one || a_size == one && b_size == inf {
            return one;
        }
        if a_size > inf || b_size > inf || a_minus && !whole && a_size != 0 && a_size != inf {
            return self.ty.nan();
        }
        let minus = a_minus && odd;
        let endless = |below: bool| if below { 0 } else { inf } | if minus { sign } else { 0 };
        if a_size == 0 || a_size == inf {
            return endless((a_size == 0) != b_minus);
        }
        let (below, size) = self.logarithm(a_size);
        let below = below != b_minus;
        match self.times(size, b_size).filter(|_| b_size != inf) {
            None => endless(below),
            Some(t) => {
                let t = if below { -t } else { t };
                let y = at(&TABLES[1], t as u64 & ((1 << EXP.0) - 1));
                round_float(self.ty, minus, y.into(), (t >> EXP.0) - i64::from(EXP.0), false)
            }
        }
    }

    /// Mantissa and exponent of a size: it is mantissa * 2^(exponent - man).
    fn parts(self, size: u64) -> (u64, i32) {
        let (field, fraction) = ((size >> self.man) as i32, size & ((1 << self.man) - 1));
        let bias = (1 << (self.exp - 1)) - 1;
        (if field == 0 { fraction } else { fraction | 1 << self.man }, field.max(1) - bias)
    }
    /// Whether a size is a whole number, and an odd one.
    fn whole(self, size: u64) -> (bool, bool) {
        let (man, e) = self.parts(size);
        let Ok(e) = u32::try_from(e) else { return (size == 0, false) };
        let spread = man << e.min(self.man + 1);
        let whole = spread & ((1 << self.man) - 1) == 0;
        (whole, whole && spread >> self.man & 1 == 1)
    }
    /// Whether the logarithm of a size is negative, and the size of it, with as many bits after the
    /// point as [`TABLES`]' product.
    fn logarithm(self, size: u64) -> (bool, u128) {
        let (man, e) = self.parts(size);
        let zeros = man.leading_zeros() - (63 - self.man);
        let fraction = (man << zeros & ((1 << self.man) - 1)) << (FRACTION - self.man);
        // From 3/2 on the half is taken, which lies below 1.
        let high = fraction >> (FRACTION - 1) == 1;
        let z = if high { (1 << FRACTION) - fraction } else { 2 * fraction };
        let e = e - zeros as i32 + i32::from(high);
        let part = u128::from(z) * u128::from(at(&TABLES[0], fraction));
        let whole = u128::from(e.unsigned_abs()) << (FRACTION + 1 + LOG.0);
        match e {
            0 => (high, part),
            _ if high == (e < 0) => (e < 0, whole + part),
            _ => (e < 0, whole - part),
        }
    }
    /// A logarithm's highest bits times a size; `None` from 2^exp on.
    fn times(self, log: u128, size: u64) -> Option<i64> {
        let bits = self.exp + FRACTION + 1 + LOG.0;
        let (man, e) = self.parts(size);
        if log == 0 {
            return Some(0);
        }
        let zeros = log.leading_zeros() - (128 - bits);
        let kept = log << zeros >> (bits - KEPT);
        let e = e + self.exp as i32 - 1 - zeros as i32;
        if e >= self.exp as i32 {
            return None;
        }
        let down = (KEPT - 1 + self.man - EXP.0) as i32 - e;
        Some((kept * u128::from(man)).checked_shr(down as u32).unwrap_or(0) as i64)
    }
}

/// What a table gives, the pieces' number on top of `x`.
fn at(table: &Table, x: u64) -> u64 {
    table.at((x >> table.x) as usize, x & ((1 << table.x) - 1))
}

#[cfg(test)]
mod tests;
