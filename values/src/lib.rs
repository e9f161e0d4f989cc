//! Bit-exact semantics of values: element types, their text form, conversions and functions. Models, constant folding
//! and the reference share this and nothing else. [`Rng`] is samhw's one source of random numbers.
//!
//! A value of any type is its bit pattern in the low bits of a `u64`, upper bits zero ("raw"); this is also
//! what hardware memories hold.

mod bits;
pub mod body;
mod convert;
mod decimal;
mod fun;
mod multiplier;
mod pipeline;
mod program;
mod random;
mod text;
mod ty;

pub use bits::{mask, signed};
pub use body::{Loop, Term};
pub use convert::{convert, from_f64, round_float, to_f64};
pub use fun::{Algebra, Alone, Args, Fun};
pub use multiplier::{full_mul_depth, mul_depth, word_mul_depth};
pub use pipeline::{Pipeline, Power, Shape, Table};
pub use program::{Instr, Op, Program, Routine};
pub use random::Rng;
pub use text::Misfit;
pub use ty::Type;

#[cfg(test)]
mod tests;
