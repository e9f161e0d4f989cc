//! What values mean, to the bit: element types, their text, conversions between them. Models, constant
//! folding and the reference share this and nothing else.
//!
//! A value of any type is its bit pattern in the low bits of a `u64`, upper bits zero ("raw"); this is also
//! what hardware memories hold.

pub mod body;
mod convert;
mod decimal;
mod fun;
mod pipeline;
mod program;
mod text;
mod ty;

pub use body::{Loop, Term};
pub use convert::{convert, from_f64, round_float, to_f64};
pub use fun::{Algebra, Alone, Fun};
pub use pipeline::{Pipeline, Power, Shape, Table};
pub use program::{Instr, Op, Program, Routine};
pub use text::Misfit;
pub use ty::Type;

#[cfg(test)]
mod tests;
