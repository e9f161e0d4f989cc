//! The syntax tree of the expression parser: statements with unresolved names.

mod children;
pub(super) mod shape;

use self::shape::Shaped;
use crate::stmt::Fun;
use crate::types::Type;
use std::collections::HashSet;
use std::ops::Range;

/// Index of a [`SyntaxNode`] in [`Syntax::nodes`].
pub(super) type SyntaxId = usize;

/// A name and its bytes in the file.
#[derive(Debug, Clone)]
pub(super) struct Ident {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// An item of an index list.
#[derive(Debug, Clone)]
pub(super) struct Index {
    /// What it selects.
    pub selects: Selects,
    /// Its bytes in the file.
    pub span: Range<usize>,
}

/// What an item of an index list selects.
#[derive(Debug, Clone)]
pub(super) enum Selects {
    /// `i`: the whole mode.
    All(Ident),
    /// `i[lo:hi:step]`.
    Slice(Ident, Bounds),
    /// `i[{1,3,5}]`.
    Set(Ident, Vec<i64>),
    /// `i` of both modes of a matrix: as many coordinates as the shorter one has.
    Diagonal(Ident),
    /// `2`: one coordinate, no index.
    At(i64),
    /// `i+1`, `p(i)`: the coordinate that this expression gives.
    Computed(SyntaxId),
    /// The indices that this mode and those at `Within` after it are seen as, counted row by row, with the sizes that
    /// operators say of them; the others' follow from the modes.
    Reshaped(Vec<Ident>, Vec<Option<u64>>),
    /// One more mode of the item before.
    Within,
    /// The index of a mode that is one of the pieces of which another is put together: number of the placement, and
    /// of the piece in it, and what slice of the mode it is.
    Placed(Ident, usize, usize, Bounds),
    /// The indices of what shape operators make of the tensor, all modes of which this and those at
    /// `Within` are: number of what is made, and of the tensor in it.
    Shaped(Vec<Ident>, usize, usize),
}

/// Which coordinates of a mode, whatever its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// Those of `lo:hi:step`.
    Slice([Option<i64>; 3]),
    /// Those of `lo:hi:step` that exist.
    Clipped([Option<i64>; 3]),
    /// The last ones, so many as this is more than a multiple of the size.
    Last(i64),
    /// All but those.
    ButLast(i64),
}

impl Bounds {
    /// Every coordinate.
    pub const ALL: Self = Self::Slice([None; 3]);
}

impl Index {
    /// The index that runs over what is selected, if it is one.
    pub fn ident(&self) -> Option<&Ident> {
        match self.idents() {
            [ident] => Some(ident),
            _ => None,
        }
    }

    /// The indices that run over what is selected.
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
    /// So many coordinates of nothing.
    Gap(u64),
    /// A slice, as in an index list, of a mode of a tensor: of which one is known where accesses are.
    Of { bounds: Bounds, at: Option<(Ident, usize)> },
}

impl Piece {
    /// A slice of what is not yet known.
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

/// What reduces.
#[derive(Debug, Clone)]
pub(super) enum Reducer {
    /// A function of the library.
    Fun(Fun),
    /// A function of the kernel file.
    Call(Ident),
    /// What gives the coordinate of a value.
    Place(Sought),
    /// What makes shares of 1 of a fiber's values. It becomes statements first of all.
    Softmax,
    /// What keeps the greatest values of a fiber, so many. It becomes statements, too.
    Top(SyntaxId),
}

/// Which value's coordinate is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// The first of the least.
    Least,
    /// The first of the greatest.
    Greatest,
    /// The first that is true.
    First,
}

/// An expression; parentheses and unary plus leave no trace.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// A number as it is written, without sign; `inf` and `nan` too.
    Number(String),
    /// A tensor with its indices; a bare name has none.
    Access { tensor: Ident, indices: Vec<Index> },
    /// `pres(T(i))`
    Stored { tensor: Ident, indices: Vec<Index> },
    /// `fillof(T)`
    FillOf(Ident),
    /// Whether the index is at this place; it counts so many.
    Turn { index: Ident, at: u64, of: u64 },
    /// A function or operator of the library.
    Map(Fun, Vec<SyntaxId>),
    /// A function of the kernel file.
    Call(Ident, Vec<SyntaxId>),
    /// The right-hand side of an update: the function, the result's old value (else it begins at what the function begins
    /// with), what it is updated with.
    Update(Fun, Option<SyntaxId>, SyntaxId),
    /// What lands where these indices are what their expressions give, and what is elsewhere;
    /// `None`: what the function begins with.
    Landing(Vec<(Ident, SyntaxId)>, Fun, SyntaxId, Option<SyntaxId>),
    /// Which of all combinations of these indices it is, from 1 on.
    Turned(Vec<Ident>),
    /// Whether this is any, and what is left where it is none.
    Taken(SyntaxId),
    /// The coordinate that one of these indices has in this.
    Part(SyntaxId, Vec<Ident>, usize),
    /// The last value where this number is that of these indices; nothing elsewhere.
    IsLast(SyntaxId, Vec<Ident>, SyntaxId),
    /// `op[vars](body)`.
    Reduce(Reducer, Vec<Ident>, SyntaxId),
    /// `cumsum[i](e)`: at each coordinate the fold of all up to there.
    Scan(Reducer, Ident, SyntaxId),
    /// `f32(e)`: e as a value of this type.
    Convert(Type, SyntaxId),
    /// `coalesce(T(i+1), 0)`: what is read, and what it is outside of the tensor.
    Coalesce(SyntaxId, SyntaxId),
    /// The value with which a reduction by this function begins.
    Identity(Fun),
    /// Something reported already, or left out.
    Reported,
}

/// A node of the expression.
#[derive(Debug)]
pub(super) struct SyntaxNode {
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
    /// What the file calls it: several statements may write one, each has a tensor of its own then.
    pub called: String,
    /// The tensor which has what is left as it is where the left-hand side is a part.
    pub keeps: Option<String>,
    /// Its indices; `None` if they have been reported.
    pub indices: Option<Vec<Index>>,
    /// Right-hand side.
    pub value: SyntaxId,
    /// All nodes of the right-hand side, also those that are part of something reported.
    pub nodes: Range<SyntaxId>,
    /// Bytes of the whole statement in the file.
    pub span: Range<usize>,
}

/// A step of a function's body.
#[derive(Debug)]
pub(super) enum Step {
    /// `let x = e;`: a name from here to the end of the block.
    Let(Ident, SyntaxId),
    /// `x = e;`: another value of an argument, or of what `let` names.
    Set(Ident, SyntaxId),
    /// `while c limit n { .. }`
    While {
        /// Rounds go on while this is not 0.
        condition: SyntaxId,
        /// Most rounds.
        limit: u64,
        /// A round.
        steps: Vec<Step>,
        /// Place of the loop's head.
        span: Range<usize>,
    },
    /// `for k in lo:hi limit n { .. }`
    For {
        /// What counts.
        name: Ident,
        /// Its first value.
        from: SyntaxId,
        /// The value after its last one.
        to: SyntaxId,
        /// Most rounds, if given.
        limit: Option<u64>,
        /// A round.
        steps: Vec<Step>,
        /// Place of the loop's head.
        span: Range<usize>,
    },
}

/// A function of the kernel file: steps, then the value.
#[derive(Debug)]
pub(super) struct Definition {
    /// What comes before the value.
    pub steps: Vec<Step>,
    /// The value.
    pub value: SyntaxId,
}

/// All statements of a kernel file.
#[derive(Debug, Default)]
pub(super) struct Syntax {
    /// Expression nodes; children come before their parents.
    pub nodes: Vec<SyntaxNode>,
    /// Statements in order.
    pub statements: Vec<Assignment>,
    /// Modes that are put together, of pieces one after the other.
    pub placements: Vec<Vec<Piece>>,
    /// What shape operators make, where index lists alone cannot say it.
    pub shapes: Vec<Shaped>,
    /// Selections among parts that are put together, which have one fill.
    pub joined: HashSet<SyntaxId>,
    /// Names that have a size and are no tensors': by themselves they are indices.
    pub sized: HashSet<String>,
    /// Indices that are not in the file: those of computed coordinates on the left.
    pub unnamed: HashSet<String>,
}

impl Syntax {
    /// What the file calls the tensors whose old values updates read, each with the function that updates it.
    pub fn updated(&self) -> impl Iterator<Item = (&str, Fun)> {
        self.statements.iter().filter_map(|s| match self.nodes[s.value].form {
            Form::Update(fun, Some(_), _) => Some((s.called.as_str(), fun)),
            _ => None,
        })
    }
}
