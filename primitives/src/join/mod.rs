//! Joiners, which coiterate operands.

pub mod joiner;
pub mod joiner_bits;
pub mod joiner_intervals;
pub mod joiner_wide;
