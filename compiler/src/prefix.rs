//! Scans: what an expression gives at each coordinate of all of its values up to there.

use crate::operator::Operator;
use crate::types::Type;

/// What a scan makes of the values up to a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// Their fold, from the first to the last; with a value that stands before all others, if there
    /// is one.
    Fold(Operator, Option<u64>),
    /// The first coordinate of the least of them, as a whole number; NaN is least.
    Least,
    /// ... of the greatest; NaN is greatest.
    Greatest,
}

impl Prefix {
    /// Its name, as `scan` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold(op, _) => op.name(),
            Self::Least => "argmin",
            Self::Greatest => "argmax",
        }
    }
    /// The value that changes nothing, if there is one.
    pub fn identity(self, ty: Type) -> Option<u64> {
        match self {
            Self::Fold(op, _) => op.identity(ty),
            Self::Least | Self::Greatest => None,
        }
    }
    /// What it gives where there is no value yet.
    pub fn nothing(self, ty: Type) -> u64 {
        match self {
            Self::Fold(op, begin) => begin.or(op.identity(ty)).unwrap_or(0),
            Self::Least | Self::Greatest => 0,
        }
    }
    /// Is it the same after one value as after many that are the same?
    pub fn settles(self) -> bool {
        match self {
            Self::Fold(op, _) => op.repeats_once(),
            Self::Least | Self::Greatest => true,
        }
    }
}
