//! The function that an ALU computes.

use super::narrow::Product;
use super::steps::UnitSteps;
use samhw_values::{Fun, Routine, Type};
use std::sync::Arc;

/// A function, and what computes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Compute {
    /// A function of the language.
    Fun(Fun),
    /// One of a kernel file, by its program.
    Routine(Arc<Routine>),
    /// A product of narrower numbers.
    Product(Product),
    /// The truth of a function of operands that are of this type.
    Truth(Fun, Type),
    /// A function as units one after another, in a recurrence.
    Steps(Arc<UnitSteps>),
}

impl Compute {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Fun(f) | Self::Truth(f, _) => f.name(),
            Self::Routine(r) => &r.name,
            Self::Steps(s) => &s.name,
            Self::Product(p) => if p.square { Fun::Square } else { Fun::Mul }.name(),
        }
    }
    pub(super) fn arity(&self) -> usize {
        match self {
            Self::Fun(f) | Self::Truth(f, _) => f.arity(),
            Self::Routine(r) => r.arity,
            Self::Steps(s) => s.arity,
            Self::Product(p) => {
                if p.square {
                    1
                } else {
                    2
                }
            }
        }
    }
}
