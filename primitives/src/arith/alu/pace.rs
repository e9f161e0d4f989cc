//! How fast an ALU is.

use samhw_values::Program;
use std::fmt;

/// How fast an ALU is. As text: what to add to its description, nothing for the pipelines of sums and products.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// A value per cycle, each so many cycles later.
    Pipeline(u32),
    /// A value every so many cycles, by units one after another.
    Every(u64),
    /// A value at a time, of this many cycles: the fewest and the most.
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
