//! What the expression parser makes: statements whose names are not yet resolved.

use crate::stmt::Fun;
use std::ops::Range;

/// Index of a [`Node`] in [`Syntax::nodes`].
pub(super) type NodeId = usize;

/// A name and its bytes in the file.
#[derive(Debug, Clone)]
pub(super) struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A binary operator that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
}

/// An expression; parentheses and unary plus leave no trace.
#[derive(Debug)]
pub(super) enum Form {
    /// A whole number.
    Number(i128),
    /// A tensor with its indices; a bare name has none.
    Access { tensor: Ident, indices: Vec<Ident> },
    /// Unary minus.
    Neg(NodeId),
    /// An operator between two expressions.
    Binary(Binary, NodeId, NodeId),
    /// `op[vars](body)`.
    Reduce(Fun, Vec<Ident>, NodeId),
    /// Something reported already.
    Reported,
}

/// A node of the expression.
#[derive(Debug)]
pub(super) struct Node {
    /// What it is.
    pub form: Form,
    /// Its bytes in the file.
    pub span: Range<usize>,
    /// Height of the tree below it, itself included.
    pub height: usize,
}

/// `target(indices) = value`.
#[derive(Debug)]
pub(super) struct Assignment {
    /// The tensor written.
    pub target: Ident,
    /// Its indices; `None` if they have been reported.
    pub indices: Option<Vec<Ident>>,
    /// Right-hand side.
    pub value: NodeId,
    /// All nodes of the right-hand side, also those that are part of something reported.
    pub nodes: Range<NodeId>,
    /// Bytes of the whole statement in the file.
    pub span: Range<usize>,
}

/// All statements of a kernel file.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// Expression nodes; children come before their parents.
    pub nodes: Vec<Node>,
    /// Statements in order.
    pub statements: Vec<Assignment>,
}
