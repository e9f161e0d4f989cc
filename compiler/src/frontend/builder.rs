//! State of the translation of one statement's expressions.

use super::names::FileNames;
use super::reader::Reader;
use super::syntax::Syntax;
use crate::stmt::{Kernel, TensorId, VarId};
use crate::types::Type;
use crate::view::Points;
use std::collections::{HashMap, HashSet};

/// The state while expressions of one statement are made.
pub(super) struct Builder<'b, 's> {
    pub reader: &'b mut Reader,
    pub kernel: &'b mut Kernel,
    pub names: &'b mut FileNames<'s>,
    pub syntax: &'b Syntax,
    /// Number of the statement.
    pub number: usize,
    /// Type of the expression under construction.
    pub ty: Type,
    /// Type of the result.
    pub statement_ty: Type,
    /// Type in which the statement's sums are accumulated.
    pub acc: Option<Type>,
    /// Type in which sums are accumulated, inside such a sum.
    pub accumulates: Option<Type>,
    /// Variables in scope, innermost last.
    pub scope: Vec<(String, VarId)>,
    /// Variables that cover a part of their mode on the left: the coordinates, and the mode's size.
    pub placed: HashMap<VarId, (Points, u64)>,
    /// The tensor that supplies the values outside of the written part, and its indices.
    pub before: Option<(TensorId, Vec<VarId>)>,
    /// Names of indices of the statement.
    pub indices: HashSet<String>,
}
