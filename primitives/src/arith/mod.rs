//! Arithmetic primitives: functions of values, and conversions.

pub mod alu;
pub mod convert;
