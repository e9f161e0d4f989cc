//! Sizes and types in the headers of data.

use crate::types::Type;

/// The sizes and types that data declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataHeader {
    /// Size of each mode; `None` if the data have no sizes.
    pub shape: Option<Vec<u64>>,
    /// Whether these sizes are only the largest coordinates.
    pub guessed: bool,
    /// The kind of the values.
    pub numbers: Option<GivenNumbers>,
}

/// The kind of numbers in data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenNumbers {
    /// Binary values of a known type.
    Typed(Type),
    /// Integers as text.
    Whole,
    /// Real numbers as text.
    Real,
}
