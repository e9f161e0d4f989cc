//! Pipelines for real functions of floats of up to 32 bits, with a throughput of one value per cycle: the argument is
//! reduced to a range, a [`Table`] gives the function there, and the result is rounded. The steps are in whole numbers,
//! the same here and in `samhw_float_exp`, `_log`, `_sine` and `_tanh`; so this is the definition.

mod power;
mod reduce;
mod table;
#[cfg(test)]
mod tests;

use super::{Fun, Program, Type};
pub use power::Power;
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_2, LOG10_E};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
pub use table::Table;

/// The kind of a pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// 2^(a * factor)
    Exp,
    /// A logarithm.
    Log,
    /// Sine, or cosine if `turned`.
    Sine {
        /// Whether the argument is shifted by a quarter turn.
        turned: bool,
    },
    /// Hyperbolic tangent.
    Tanh,
}

/// A pipeline that computes a function of one float.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// The kind of the pipeline.
    pub shape: Shape,
    ty: Type,
    exp: u32,
    man: u32,
    /// The table of the function on the reduced range.
    pub table: Table,
    /// Constants selected by the argument's exponent: multiples of ln 2, or bits of 2 / pi. None for others.
    pub words: Vec<u128>,
    /// Width of each constant in bits.
    pub word_bits: u32,
    /// Number of table pieces per exponent, or for the whole function, as a power of two.
    pub pieces: u32,
    /// Exponent of the bound below which an odd function returns its argument.
    pub least: i32,
    /// Exponent of the bound from which tanh returns 1.
    pub most: i32,
    /// Factor for arguments of [`Shape::Exp`], with one bit before the point and as wide as the argument in fixed
    /// point.
    pub factor: u64,
}

/// A function of doubles, to the bit the same on every host.
fn double(fun: Fun, x: f64) -> f64 {
    Program::shared(fun, Type::F64).map_or(f64::NAN, |p| f64::from_bits(p.run(&[x.to_bits()]).0))
}

impl Pipeline {
    /// Builds the pipeline of `fun` on `ty`; `None` if there is none.
    pub fn of(fun: Fun, ty: Type) -> Option<Self> {
        let Type::Float { exp, man } = ty else { return None };
        if man > 23 {
            return None;
        }
        let none = Table { frac: 0, x: 0, falls: false, bends: false, pieces: Vec::new() };
        let least = -(man as i32 / 2 + 1);
        let blank = |shape| Self {
            shape,
            ty,
            exp,
            man,
            table: none,
            words: Vec::new(),
            word_bits: 1,
            pieces: 0,
            least,
            most: 0,
            factor: 0,
        };
        Some(match fun {
            Fun::Exp => blank(Shape::Exp).power(LOG2_E),
            Fun::Exp2 => blank(Shape::Exp).power(1.0),
            Fun::Log => blank(Shape::Log).logarithm(1.0, LN_2),
            Fun::Log2 => blank(Shape::Log).logarithm(LOG2_E, 1.0),
            Fun::Log10 => blank(Shape::Log).logarithm(LOG10_E, LOG10_2),
            Fun::Sin => blank(Shape::Sine { turned: false }).wave(),
            Fun::Cos => blank(Shape::Sine { turned: true }).wave(),
            Fun::Tanh => blank(Shape::Tanh).sigmoid(),
            _ => return None,
        })
    }
    /// Returns the result of [`Self::of`] from a cache.
    pub fn shared(fun: Fun, ty: Type) -> Option<Arc<Self>> {
        type All = HashMap<(Fun, Type), Option<Arc<Pipeline>>>;
        static ALL: LazyLock<Mutex<All>> = LazyLock::new(Mutex::default);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry((fun, ty)).or_insert_with(|| Self::of(fun, ty).map(Arc::new)).clone()
    }
    /// Evaluates the function on a raw value.
    pub fn apply(&self, raw: u64) -> u64 {
        if self.ty.is_nan(raw) {
            return self.ty.nan();
        }
        match self.shape {
            Shape::Exp => self.exp_of(raw),
            Shape::Log => self.log_of(raw),
            Shape::Sine { turned } => self.sine_of(raw, turned),
            Shape::Tanh => self.tanh_of(raw),
        }
    }
    /// Returns the number of bits of the exponent and of the fraction.
    pub fn format(&self) -> (u32, u32) {
        (self.exp, self.man)
    }
    /// Bits after the point: some more than the fraction's, for what is rounded on the way.
    fn frac(&self) -> u32 {
        self.man + 5
    }

    /// 2^x, x from 0 to 1, of arguments times `factor`.
    fn power(mut self, factor: f64) -> Self {
        self.factor = (factor * f64::from(self.exp + self.frac() - 1).exp2()).round_ties_even() as u64;
        self.pieces = (self.man - 2).div_ceil(3);
        let width = f64::from(self.pieces).exp2().recip();
        let f = |k: u32| move |u: f64| double(Fun::Exp, (f64::from(k) + u) * width * LN_2);
        self.table = Table::fit(self.frac(), self.frac() - self.pieces, false, false, (0..1 << self.pieces).map(f));
        self
    }
    /// ln(1 + x) / x * `scale`, x from -1/4 to 1/2, in the order of 1 + x, or twice that below 1.
    fn logarithm(mut self, scale: f64, of_two: f64) -> Self {
        self.pieces = (self.man - 2).div_ceil(3);
        let n = 1 << self.pieces;
        let f = |k: u32| {
            move |u: f64| {
                let m = (f64::from(k) + u) / f64::from(n);
                let x = if 2 * k >= n { (m - 1.0) / 2.0 } else { m };
                double(Fun::Log1p, x) / x * scale
            }
        };
        self.table = Table::fit(self.frac(), self.man - self.pieces, true, true, (0..n).map(f));
        // Four bits more than the product's.
        let unit = f64::from(self.frac() + 4).exp2();
        self.words = (0..1u32 << self.exp).map(|e| (f64::from(e) * of_two * unit).round_ties_even() as u128).collect();
        self.word_bits = self.frac() + 4 + self.exp;
        self
    }
    /// sin(x pi/2) / x and cos(x pi/2), x from 0 to 1/2.
    fn wave(mut self) -> Self {
        self.pieces = (self.man - 2).div_ceil(3) - 1;
        let n = 1 << self.pieces;
        let f = |k: u32| {
            move |u: f64| {
                let x = (f64::from(k % n) + u) / f64::from(2 * n);
                let angle = x * FRAC_PI_2;
                if k < n { double(Fun::Sin, angle) / x } else { double(Fun::Cos, angle) }
            }
        };
        self.table = Table::fit(self.frac(), self.frac() - 1 - self.pieces, true, false, (0..2 * n).map(f));
        self.word_bits = reduce::turn_bits(self.exp, self.man);
        self.words = reduce::turns(self.exp, self.man, self.least, self.word_bits);
        self
    }
    /// tanh x / 2^e, x from 2^e to 2^(e+1), and tanh x from 1 on.
    fn sigmoid(mut self) -> Self {
        self.pieces = (self.man - 2).div_ceil(3) - 1;
        let end = f64::from(self.man + 3) * LN_2 / 2.0;
        self.most = (0..).find(|&e| f64::from(e).exp2() >= end).unwrap_or(0);
        let n = 1 << self.pieces;
        let f = |k: i32| {
            let (e, k) = (k.div_euclid(n), k.rem_euclid(n));
            move |u: f64| {
                let x = (1.0 + (f64::from(k) + u) / f64::from(n)) * f64::from(e).exp2();
                double(Fun::Tanh, x) / f64::from(e.min(0)).exp2()
            }
        };
        let all = (self.least * n..self.most * n).map(f);
        self.table = Table::fit(self.frac(), self.man - self.pieces, false, true, all);
        self
    }
}
