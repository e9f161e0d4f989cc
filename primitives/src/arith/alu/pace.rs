//! Throughput of ALUs.

use samhw_values::Program;
use std::fmt;

/// The throughput and latency of an ALU. As text: what to add to its description, nothing for the pipelines of sums and
/// products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// One value per cycle, with this latency in cycles.
    Pipeline(u32),
    /// One value in this number of cycles, by units in sequence.
    Every(u64),
    /// One value at a time, in this smallest and largest number of cycles.
    Program(u64, u64),
}

impl Pace {
    /// Longest pipeline that is not worth a word.
    const SHORT: u32 = 9;

    pub(super) fn of(program: Option<&Program>, stages: u32) -> Self {
        program.map(Program::cycles).map_or(Self::Pipeline(stages), |(least, most)| Self::Program(least, most))
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pipeline(..=Self::SHORT) => Ok(()),
            Self::Pipeline(stages) => write!(f, ", a value per cycle, {stages} cycles later"),
            Self::Every(cycles) => write!(f, ", a value every {cycles} cycles"),
            Self::Program(least, most) => write!(f, ", {least} to {most} cycles for each value"),
        }
    }
}
