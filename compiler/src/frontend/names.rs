//! Name resolution: the tensors, sizes, views and functions of the parsed statements.

use super::accumulators::Accumulators;
use super::declaration::Declaration;
use super::header::GivenNumbers;
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

/// What decides how a tensor is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Its table.
    Declared,
    /// Nothing: a scalar has no levels.
    Scalar,
    /// It passes from one statement to a later one: dense.
    Intermediate,
    /// It should have a table and has none, which has been reported.
    Nowhere,
}

/// A tensor on the way to [`crate::stmt::Tensor`].
pub(super) struct TensorEntry<'s> {
    /// Where it is first named, in its table or in a statement.
    pub first: Ident,
    /// Its table, if it has one.
    pub declaration: Option<&'s Declaration>,
    /// Number of modes.
    pub order: Option<usize>,
    /// Element type.
    pub ty: Option<Type>,
    /// What a text file says of its values.
    pub numbers: Option<GivenNumbers>,
    /// What keeps its values.
    pub kept: Kept,
    /// Some statement names it.
    pub used: bool,
    /// The statement that writes it.
    pub written: Option<usize>,
}

/// A statement's uses of tensors.
pub(super) struct Named<'s> {
    /// Number of the statement.
    pub number: usize,
    /// Where it names tensors.
    pub uses: Vec<TensorUse<'s>>,
    /// The tensors there, unless that is reported.
    pub tensors: Vec<Option<usize>>,
    /// It has a result, whose use is the first.
    pub left: bool,
    /// Something is wrong with it, and reported.
    pub wrong: bool,
}

impl<'s> Named<'s> {
    /// The uses of tensors that are known, with their numbers.
    pub fn known(&self) -> impl Iterator<Item = (&TensorUse<'s>, usize)> {
        self.uses.iter().zip(&self.tensors).filter_map(|(usage, tensor)| Some((usage, (*tensor)?)))
    }
}

/// Tensors and sizes of a file.
pub(super) struct FileNames<'s> {
    /// Tensors; the position is the tensor's number.
    pub tensors: Vec<TensorEntry<'s>>,
    /// Numbers of tensors by name.
    pub by_name: HashMap<String, usize>,
    /// What is known of sizes.
    pub sizes: SizeClasses,
    /// All of the expression was understood; else what seems to be missing may have been there.
    pub complete: bool,
    /// The last statement that reads each name.
    pub last_reads: HashMap<&'s str, usize>,
    /// Names of the statements' results.
    pub results: HashSet<&'s str>,
    /// What the last statement so far wrote of what the file calls so: a tensor, or a version of
    /// it.
    pub written: HashMap<String, usize>,
    /// The results whose modes are stored in the order of another's, by name, and that one.
    pub stored_as: HashMap<String, String>,
    /// Implicit reduction over whole right-hand sides.
    pub reduce: Option<Fun>,
    /// What accesses see of tensors where that is not all of them.
    pub views: Views,
    /// Modes that are put together.
    pub placements: &'s [Vec<Piece>],
    /// What shape operators make.
    pub shapes: &'s [Shaped],
    /// Functions of the file.
    pub functions: &'s BTreeMap<String, UserFunction>,
    /// Types in which sums are accumulated.
    pub accumulators: &'s Accumulators,
    /// Calls of them: number of the statement, expression, place.
    pub calls: Vec<(usize, ExprId, Range<usize>)>,
}

/// The views of a file, and what is to be checked once all tensors are known.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// Views, each once; they follow the named tensors in the kernel.
    pub views: Vec<View>,
    /// Variables that stand for the sizes of modes, by tensor and mode.
    pub dims: Vec<((usize, usize), VarId)>,
    /// Right-hand sides that fill a part of a result: statement, variables, its place.
    pub parts: Vec<(usize, Vec<VarId>, Range<usize>)>,
    /// Modes that are put together: number, statement, place, tensors.
    pub pieces: Vec<(usize, usize, Range<usize>, Vec<TensorId>)>,
    /// What shape operators make of which something is wrong, and reported.
    pub misshapen: HashSet<usize>,
    /// Parts that are put together: statement, place, the part and what is beside it.
    pub joined: Vec<(usize, Range<usize>, [ExprId; 2])>,
}
