//! Scans: functions of all values of an expression up to each coordinate.

use crate::operator::Operator;
use crate::types::Type;

/// The function that a scan computes from the values up to a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix {
    /// A fold of the values in order, optionally with an initial value.
    Fold(Operator, Option<u64>),
    /// The coordinate of the first smallest value, as an integer; NaN counts as the smallest.
    Least,
    /// The coordinate of the first largest value, as an integer; NaN counts as the largest.
    Greatest,
}

impl Prefix {
    /// Returns the name that `scan` accepts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold(op, _) => op.name(),
            Self::Least => "argmin",
            Self::Greatest => "argmax",
        }
    }
    /// Returns the value that leaves the scan unchanged, if there is one.
    pub fn identity(self, ty: Type) -> Option<u64> {
        match self {
            Self::Fold(op, _) => op.identity(ty),
            Self::Least | Self::Greatest => None,
        }
    }
    /// Returns the result before the first value.
    pub fn nothing(self, ty: Type) -> u64 {
        match self {
            Self::Fold(op, begin) => begin.or(op.identity(ty)).unwrap_or(0),
            Self::Least | Self::Greatest => 0,
        }
    }
    /// Returns whether a repeated value changes the result only once.
    pub fn settles(self) -> bool {
        match self {
            Self::Fold(op, _) => op.repeats_once(),
            Self::Least | Self::Greatest => true,
        }
    }
}
