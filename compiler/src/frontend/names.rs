//! Name resolution: the tensors, sizes, views and functions of the parsed statements.

use super::accumulators::Accumulators;
use super::declaration::Declaration;
use super::header::GivenNumbers;
use super::kept_reads::KeptReads;
use super::sizes::SizeClasses;
use super::syntax::shape::Shaped;
use super::syntax::{Ident, Piece};
use super::user_function::UserFunction;
use super::uses::TensorUse;
use crate::stmt::{ExprId, Fun, TensorId, VarId};
use crate::types::Type;
use crate::view::View;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

/// The source of a tensor's storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The tensor's own table.
    Declared,
    /// No storage: a scalar has no levels.
    Scalar,
    /// Dense storage, for a tensor passed from one statement to a later one.
    Intermediate,
    /// Unknown: the required table is missing, which has been reported.
    Nowhere,
}

/// A tensor on the way to [`crate::stmt::Tensor`].
pub(super) struct TensorEntry<'s> {
    /// First occurrence of the name, in its table or in a statement.
    pub first: Ident,
    /// The tensor's table, if it has one.
    pub declaration: Option<&'s Declaration>,
    /// Number of modes.
    pub order: Option<usize>,
    /// Element type.
    pub ty: Option<Type>,
    /// Kind of the values that a text file declares.
    pub numbers: Option<GivenNumbers>,
    /// Storage of the tensor.
    pub kept: Kept,
    /// Whether a statement names the tensor.
    pub used: bool,
    /// The statement that writes the tensor.
    pub written: Option<usize>,
}

/// A statement's uses of tensors.
pub(super) struct Named<'s> {
    /// Number of the statement.
    pub number: usize,
    /// Occurrences of tensors.
    pub uses: Vec<TensorUse<'s>>,
    /// Tensors of these occurrences, unless an error was reported.
    pub tensors: Vec<Option<usize>>,
    /// Whether there is a result, which is the first occurrence.
    pub left: bool,
    /// Whether an error was reported.
    pub wrong: bool,
}

impl<'s> Named<'s> {
    /// Iterates over the occurrences of known tensors, with their numbers.
    pub fn known(&self) -> impl Iterator<Item = (&TensorUse<'s>, usize)> {
        self.uses.iter().zip(&self.tensors).filter_map(|(usage, tensor)| Some((usage, (*tensor)?)))
    }
}

/// Tensors and sizes of a file.
pub(super) struct FileNames<'s> {
    /// Tensors, indexed by number.
    pub tensors: Vec<TensorEntry<'s>>,
    /// Numbers of tensors by name.
    pub by_name: HashMap<String, usize>,
    /// Known sizes.
    pub sizes: SizeClasses,
    /// Whether the whole expression was parsed; otherwise names that seem missing may be in the rest.
    pub complete: bool,
    /// The last statement that reads each name.
    pub last_reads: HashMap<&'s str, usize>,
    /// Names of the statements' results.
    pub results: HashSet<&'s str>,
    /// The tensor or version that the last statement so far wrote, for each name of the file.
    pub written: HashMap<String, usize>,
    /// Results whose modes are stored in the order of another tensor, by name.
    pub stored_as: HashMap<String, String>,
    /// Implicit reduction over whole right-hand sides.
    pub reduce: Option<Fun>,
    /// Views of tensors in accesses.
    pub views: Views,
    /// Placed modes.
    pub placements: &'s [Vec<Piece>],
    /// Results of shape operators.
    pub shapes: &'s [Shaped],
    /// Functions of the kernel file.
    pub functions: &'s BTreeMap<String, UserFunction>,
    /// Types in which sums are accumulated.
    pub accumulators: &'s Accumulators,
    /// The reasons to keep computed reads as they are.
    pub kept_reads: &'s KeptReads,
    /// Whether data have other sizes than the file says.
    pub resized: bool,
    /// Calls of the file's functions: number of the statement, expression, position.
    pub calls: Vec<(usize, ExprId, Range<usize>)>,
}

/// A read next to an index, which may become an access of a view.
#[derive(Debug)]
pub(super) struct Shift {
    /// The read.
    pub read: ExprId,
    /// The view.
    pub view: View,
    /// The indices of the view's modes.
    pub vars: Vec<VarId>,
}

/// The views of a file, and what is to be checked once all tensors are known.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// Views without duplicates; they follow the named tensors in the kernel.
    pub views: Vec<View>,
    /// Variables for the sizes of modes, by tensor and mode.
    pub dims: Vec<((usize, usize), VarId)>,
    /// Right-hand sides that fill a part of a result: statement, variables, position.
    pub parts: Vec<(usize, Vec<VarId>, Range<usize>)>,
    /// Placed modes: number, statement, position, tensors.
    pub pieces: Vec<(usize, usize, Range<usize>, Vec<TensorId>)>,
    /// Results of shape operators with reported errors.
    pub misshapen: HashSet<usize>,
    /// Reads that may become accesses of views.
    pub shifts: Vec<Shift>,
    /// Combined parts: statement, position, the part and its neighbour.
    pub joined: Vec<(usize, Range<usize>, [ExprId; 2])>,
}
