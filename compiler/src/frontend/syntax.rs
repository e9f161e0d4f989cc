//! The syntax tree of the expression parser: statements with unresolved names.

mod children;
pub(super) mod shape;

use self::shape::Shaped;
use crate::levels::LevelKind;
use crate::stmt::{Algebra, Fun};
use crate::types::Type;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Index of a [`SyntaxNode`] in [`Syntax::nodes`].
pub(super) type SyntaxId = usize;

/// A name and its bytes in the file.
#[derive(Debug, Clone)]
pub(super) struct Ident {
    /// The identifier.
    pub name: String,
    /// Position in the file.
    pub span: Range<usize>,
}

/// An item of an index list.
#[derive(Debug, Clone)]
pub(super) struct Index {
    /// The selected coordinates.
    pub selects: Selects,
    /// Position in the file.
    pub span: Range<usize>,
}

/// The coordinates that an item of an index list selects.
#[derive(Debug, Clone)]
pub(super) enum Selects {
    /// `i`: the whole mode.
    All(Ident),
    /// `i[lo:hi:step]`.
    Slice(Ident, Bounds),
    /// `i[{1,3,5}]`.
    Set(Ident, Vec<i64>),
    /// `i` in both modes of a matrix: the diagonal, with the size of the shorter mode.
    Diagonal(Ident),
    /// `2`: one coordinate, no index.
    At(i64),
    /// `i+1`, `p(i)`: the coordinate computed by this expression.
    Computed(SyntaxId),
    /// The indices of a reshaped group, which consists of this mode and those at `Within` after it, in row-major order,
    /// with sizes that operators give; others follow from the modes.
    Reshaped(Vec<Ident>, Vec<Option<u64>>),
    /// A further mode of the previous item.
    Within,
    /// The index of a mode that is one piece of a placed mode: number of the placement, number of the piece, and slice
    /// of the mode.
    Placed(Ident, usize, usize, Bounds),
    /// The indices of a shape operator's result, which covers this mode and those at `Within`: number of the result,
    /// and number of the tensor in it.
    Shaped(Vec<Ident>, usize, usize),
}

/// Bounds on the coordinates of a mode of any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// The coordinates of `lo:hi:step`.
    Slice([Option<i64>; 3]),
    /// The coordinates of `lo:hi:step` that exist.
    Clipped([Option<i64>; 3]),
    /// The last coordinates: as many as this number exceeds a multiple of the size.
    Last(i64),
    /// All coordinates except those of `Last`.
    ButLast(i64),
}

impl Bounds {
    /// Every coordinate of the mode.
    pub const ALL: Self = Self::Slice([None; 3]);
}

impl Index {
    /// Returns the index of the selected coordinates, if there is exactly one.
    pub fn ident(&self) -> Option<&Ident> {
        match self.idents() {
            [ident] => Some(ident),
            _ => None,
        }
    }

    /// Returns the indices of the selected coordinates.
    pub fn idents(&self) -> &[Ident] {
        match &self.selects {
            Selects::All(ident)
            | Selects::Slice(ident, _)
            | Selects::Set(ident, _)
            | Selects::Diagonal(ident)
            | Selects::Placed(ident, ..) => std::slice::from_ref(ident),
            Selects::At(_) | Selects::Within | Selects::Computed(_) => &[],
            Selects::Reshaped(idents, _) | Selects::Shaped(idents, ..) => idents,
        }
    }
}

/// A piece of a mode that is put together.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// A gap of this many coordinates.
    Gap(u64),
    /// A slice, as in an index list, of a mode of a tensor: of which one is known where accesses are.
    Of { bounds: Bounds, at: Option<(Ident, usize)> },
}

impl Piece {
    /// Creates a slice before the mode is known.
    pub fn of(bounds: Bounds) -> Self {
        Self::Of { bounds, at: None }
    }
}

/// The expressions in a list that give coordinates.
pub(super) fn computed(list: &[Index]) -> impl Iterator<Item = SyntaxId> + '_ {
    list.iter().filter_map(|index| if let Selects::Computed(node) = index.selects { Some(node) } else { None })
}

/// The indices of a list.
pub(super) fn idents(list: &[Index]) -> impl Iterator<Item = &Ident> {
    list.iter().flat_map(Index::idents)
}

/// The operator or function of a reduction.
#[derive(Debug, Clone)]
pub(super) enum Reducer {
    /// A function of the library.
    Fun(Fun),
    /// A function of the kernel file.
    Call(Ident),
    /// The position of a value.
    Place(Sought),
    /// The softmax of a fiber. It becomes statements first of all.
    Softmax,
    /// The largest values of a fiber, in this number. It becomes statements, too.
    Top(SyntaxId),
}

/// The value whose coordinate is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// Position of the first smallest value.
    Least,
    /// Position of the first largest value.
    Greatest,
    /// Position of the first true value.
    First,
}

/// An expression; parentheses and unary plus leave no trace.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// A number literal without sign, including `inf` and `nan`.
    Number(String),
    /// A tensor with its indices; a bare name has none.
    Access { tensor: Ident, indices: Vec<Index> },
    /// `pres(T(i))`: whether a value is stored.
    Stored { tensor: Ident, indices: Vec<Index> },
    /// `fillof(T)`: the fill of a tensor.
    FillOf(Ident),
    /// Whether the index has this coordinate, out of this number.
    Turn { index: Ident, at: u64, of: u64 },
    /// A function or operator of the library.
    Map(Fun, Vec<SyntaxId>),
    /// A function of the kernel file.
    Call(Ident, Vec<SyntaxId>),
    /// The right-hand side of an update: the function, the result's old value (otherwise the function's initial value),
    /// and the new values.
    Update(Fun, Option<SyntaxId>, SyntaxId),
    /// The values that land where these indices equal their expressions, and the values elsewhere; `None` for the
    /// function's initial value.
    Landing(Vec<(Ident, SyntaxId)>, Fun, SyntaxId, Option<SyntaxId>),
    /// The number of the current combination of these indices, from 1 on.
    Turned(Vec<Ident>),
    /// Whether this is any, and what is left where it is none.
    Taken(SyntaxId),
    /// The coordinate of one of these indices in a combination's number.
    Part(SyntaxId, Vec<Ident>, usize),
    /// The value where this number is that of the indices' combination; absent elsewhere.
    IsLast(SyntaxId, Vec<Ident>, SyntaxId),
    /// `op[vars](body)`.
    Reduce(Reducer, Vec<Ident>, SyntaxId),
    /// `cumsum[i](e)`: at each coordinate, the fold of all values up to it.
    Scan(Reducer, Ident, SyntaxId),
    /// `f32(e)`: e as a value of this type.
    Convert(Type, SyntaxId),
    /// `coalesce(T(i+1), 0)`: a read, and the number outside of the tensor.
    Coalesce(SyntaxId, SyntaxId),
    /// `inside(T(i+1))`: whether what is read is inside of the tensor.
    Inside(SyntaxId),
    /// The initial value of a reduction by this function.
    Identity(Fun),
    /// A node that was reported or omitted.
    Reported,
}

/// A node of the expression.
#[derive(Debug)]
pub(super) struct SyntaxNode {
    /// The form of the node.
    pub form: Form,
    /// Position in the file.
    pub span: Range<usize>,
    /// Height of the tree below the node, including the node.
    pub height: usize,
}

/// `target(indices) = value`.
#[derive(Debug)]
pub(super) struct Assignment {
    /// The tensor that is written.
    pub target: Ident,
    /// Name in the file; if several statements write one tensor, each has a tensor of its own.
    pub called: String,
    /// The tensor with the values outside of the written part, if the left-hand side is a part.
    pub keeps: Option<String>,
    /// Indices of the left-hand side; `None` if an error was reported.
    pub indices: Option<Vec<Index>>,
    /// Right-hand side.
    pub value: SyntaxId,
    /// All nodes of the right-hand side, including parts of reported nodes.
    pub nodes: Range<SyntaxId>,
    /// Position of the whole statement in the file.
    pub span: Range<usize>,
}

/// A step of a function's body.
#[derive(Debug)]
pub(super) enum Step {
    /// `let x = e;`: a name for the rest of the block.
    Let(Ident, SyntaxId),
    /// `x = e;`: a new value for an argument or for a name from `let`.
    Set(Ident, SyntaxId),
    /// `while c limit n { .. }`
    While {
        /// Condition: rounds continue while it is not 0.
        condition: SyntaxId,
        /// Largest number of rounds.
        limit: u64,
        /// Steps of a round.
        steps: Vec<Step>,
        /// Position of the loop's head.
        span: Range<usize>,
    },
    /// `for k in lo:hi limit n { .. }`
    For {
        /// Name of the counter.
        name: Ident,
        /// First value of the counter.
        from: SyntaxId,
        /// End of the counter's range (exclusive).
        to: SyntaxId,
        /// Largest number of rounds, if given.
        limit: Option<u64>,
        /// Steps of a round.
        steps: Vec<Step>,
        /// Position of the loop's head.
        span: Range<usize>,
    },
}

/// A function of the kernel file: steps, then the value.
#[derive(Debug)]
pub(super) struct Definition {
    /// Steps before the value.
    pub steps: Vec<Step>,
    /// Value of the body.
    pub value: SyntaxId,
}

/// All statements of a kernel file.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// Whether floats have infinities and NaN.
    pub algebra: Algebra,
    /// Expression nodes; children come before their parents.
    pub nodes: Vec<SyntaxNode>,
    /// Statements in order.
    pub statements: Vec<Assignment>,
    /// Placed modes, each with its pieces in order.
    pub placements: Vec<Vec<Piece>>,
    /// Results of shape operators that index lists cannot express.
    pub shapes: Vec<Shaped>,
    /// Names of the tensors that shape operators are of, also of parts that nothing is read of.
    pub shaped: HashSet<String>,
    /// Selections among placed parts, which have the same fill.
    pub joined: HashSet<SyntaxId>,
    /// Where a part is selected by whether it is there.
    pub selections: HashSet<SyntaxId>,
    /// Names with a size that are not tensors; on their own they are indices.
    pub sized: HashSet<String>,
    /// Indices that are not in the file, for computed coordinates on the left.
    pub unnamed: HashSet<String>,
    /// Names in the file's schedules and orders.
    pub asked: HashSet<String>,
    /// Tensors that are written in place of what operators on the left see, each with the tensor that they see.
    pub seen: HashMap<String, String>,
    /// Temporaries of statements that compute what shape operators take, and their levels.
    pub before: Vec<(Ident, Vec<LevelKind>)>,
}

impl Syntax {
    /// Returns the name that a node is, on its own: an index or a scalar.
    pub fn plain(&self, node: SyntaxId) -> Option<&String> {
        match &self.nodes[node].form {
            Form::Access { tensor, indices } if indices.is_empty() => Some(&tensor.name),
            _ => None,
        }
    }

    /// Returns the file's names of the tensors whose old values updates read, each with the update's function.
    pub fn updated(&self) -> impl Iterator<Item = (&str, Fun)> {
        self.statements.iter().filter_map(|s| match self.nodes[s.value].form {
            Form::Update(fun, Some(_), _) => Some((s.called.as_str(), fun)),
            _ => None,
        })
    }
}
