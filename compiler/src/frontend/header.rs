//! What data say of their sizes and types.

use crate::types::Type;

/// What data say of themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataHeader {
    /// Size of each mode; nothing where they have no sizes of their own.
    pub shape: Option<Vec<u64>>,
    /// What their values are.
    pub numbers: Option<GivenNumbers>,
}

/// What the values of data are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GivenNumbers {
    /// Binary data have a type.
    Typed(Type),
    /// Whole numbers as text.
    Whole,
    /// Numbers as text.
    Real,
}
