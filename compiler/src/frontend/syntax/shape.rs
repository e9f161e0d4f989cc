//! Shape operators in the syntax tree.

use super::{Bounds, Ident};
use crate::stmt::Fun;
use crate::types::Type;
use std::ops::Range;

/// A shape operator, its numbers as the file has them.
#[derive(Debug, Clone)]
pub(in crate::frontend) enum ShapeOperator {
    Split {
        mode: i64,
        inner: i64,
    },
    Collapse {
        mode: i64,
    },
    Reshape {
        sizes: Vec<i64>,
    },
    Concat {
        mode: i64,
    },
    Stack {
        mode: i64,
    },
    Transpose {
        modes: Vec<i64>,
    },
    Slice {
        mode: i64,
        bounds: Bounds,
    },
    Pad {
        mode: i64,
        before: i64,
        after: i64,
    },
    Roll {
        mode: i64,
        by: i64,
    },
    Flip {
        mode: i64,
    },
    Diag {
        offset: i64,
    },
    Repeat {
        mode: i64,
        times: i64,
    },
    Tile {
        times: Vec<i64>,
    },
    Kron,
    Squeeze {
        modes: Vec<i64>,
    },
    Expand {
        mode: i64,
    },
    Triangle {
        upper: bool,
        offset: i64,
    },
    /// `vstack`
    Rows,
    /// `hstack`
    Columns,
    /// One coordinate of a mode, which is removed.
    Pick {
        mode: i64,
        at: i64,
    },
    /// A selection of coordinates of a mode.
    Take {
        mode: i64,
        set: Vec<i64>,
    },
    /// The inverse of the operators on the left.
    Inverse(Box<Shaped>),
}

/// An operator where it stands.
#[derive(Debug, Clone)]
pub(in crate::frontend) struct Applied {
    pub operator: ShapeOperator,
    pub name: Ident,
    pub span: Range<usize>,
}

/// The function that is computed at each coordinate.
#[derive(Debug, Clone)]
pub(in crate::frontend) enum Pointwise {
    Map(Fun),
    Call(Ident),
    Convert(Type),
}

/// A tensor, or an expression of shape operators, in front of an index list.
#[derive(Debug, Clone)]
pub(in crate::frontend) enum Shaped {
    Tensor(Ident),
    Number(String),
    Of(Applied, Vec<Shaped>),
    Pointwise(Pointwise, Range<usize>, Vec<Shaped>),
}

impl Shaped {
    /// A tensor that it is made of.
    pub(in crate::frontend) fn first(&self) -> Option<&Ident> {
        match self {
            Self::Tensor(ident) => Some(ident),
            Self::Number(_) => None,
            Self::Of(_, parts) | Self::Pointwise(_, _, parts) => parts.iter().find_map(Self::first),
        }
    }

    /// Returns whether this is a tensor, perhaps with its modes in another order.
    pub(in crate::frontend) fn is_transposed(&self) -> bool {
        match self {
            Self::Tensor(_) => true,
            Self::Of(Applied { operator: ShapeOperator::Transpose { .. }, .. }, parts) => parts[0].is_transposed(),
            Self::Of(..) | Self::Number(_) | Self::Pointwise(..) => false,
        }
    }

    /// Returns the parts.
    pub(in crate::frontend) fn parts(&self) -> &[Self] {
        match self {
            Self::Tensor(_) | Self::Number(_) => &[],
            Self::Of(_, parts) | Self::Pointwise(_, _, parts) => parts,
        }
    }

    /// Returns the number of tensors in it.
    pub(in crate::frontend) fn tensors(&self) -> usize {
        usize::from(matches!(self, Self::Tensor(_))) + self.parts().iter().map(Self::tensors).sum::<usize>()
    }

    /// Applies `change` to the tensors in it, from the left.
    pub(in crate::frontend) fn each_tensor(&mut self, change: &mut impl FnMut(&mut Ident)) {
        match self {
            Self::Tensor(ident) => change(ident),
            Self::Number(_) => {}
            Self::Of(_, parts) | Self::Pointwise(_, _, parts) => parts.iter_mut().for_each(|p| p.each_tensor(change)),
        }
    }
}
