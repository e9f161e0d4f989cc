//! The statement IR: a kernel after parsing and resolving, before lowering. The frontend makes it; lowering and the
//! reference executor read it. An index arena throughout.

use crate::levels::LevelKind;
use crate::repeat::Repeat;
use crate::schedule::{OwnSchedule, Schedule};
use crate::types::Type;
use crate::view::View;
use std::collections::{BTreeMap, BTreeSet};

pub use crate::facts::Settled;
pub use crate::function::{Case, Function, Loop, Term};
pub use crate::operator::{Operator, Shared};
pub use crate::prefix::Prefix;
pub use samhw_values::{Algebra, Fun};

/// Index of a [`Var`] in [`Kernel::vars`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub usize);
/// Index of a [`Tensor`] in [`Kernel::tensors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorId(pub usize);
/// Index of an [`Expr`] in [`Kernel::exprs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub usize);
/// Index of a [`Function`] in [`Kernel::functions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub usize);

/// An index variable. A reduction variable belongs to exactly one reduction: the same
/// name in two reductions makes two variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Var {
    /// Name in the source.
    pub name: String,
    /// Largest size of the dimension that the hardware must support.
    pub max: u64,
}

/// A declared tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Name in the source.
    pub name: String,
    /// Element type.
    pub ty: Type,
    /// Largest size of each mode, in index order (not storage order). Empty for a scalar.
    pub shape: Vec<u64>,
    /// Level kinds, outermost stored level first.
    pub levels: Vec<LevelKind>,
    /// `mode_order[l]` is the mode that storage level `l` holds.
    pub mode_order: Vec<usize>,
    /// Raw bits of the fill, the value where nothing is stored; `None` if not declared (0 for an operand, derived from
    /// the expression for a result).
    pub fill: Option<u64>,
    /// Declared capacity in stored values, if any.
    pub nnz: Option<u64>,
    /// Declared capacity of a level in runs or blocks, if any.
    pub runs: Option<u64>,
    /// For a result: whether values equal to the fill are not stored.
    pub prune: bool,
    /// Bytes of the tensor's table in the kernel file, for errors.
    pub span: std::ops::Range<usize>,
    /// For a view: the part of another tensor that it shows.
    pub view: Option<View>,
}

/// A node of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A constant, raw bits of the expression's type.
    Literal(u64),
    /// `T(i, j)`; a variable may occur twice, for a diagonal.
    Access(TensorId, Vec<VarId>),
    /// `pres(T(i, j))`: 1 where the tensor stores a value, otherwise 0.
    Stored(TensorId, Vec<VarId>),
    /// The coordinate of a variable as a number.
    Index(VarId),
    /// A library function of its arguments.
    Map(Fun, Vec<ExprId>),
    /// A call of a function of the kernel file.
    Call(FunctionId, Vec<ExprId>),
    /// A reduction of the body over one variable, by an operator with an identity.
    Reduce(Operator, VarId, ExprId),
    /// A scan: at each coordinate of the variable, a function of the bodies at all coordinates up to it; a fold with
    /// more than two arguments has several bodies. It binds nothing, and is there at every coordinate.
    Prefix(Prefix, VarId, Vec<ExprId>),
    /// A conversion from another type to the type of this expression.
    Convert(ExprId),
    /// 1 where the variable's coordinate equals the value of an integer expression of at least 8 bits; absent
    /// elsewhere.
    At(VarId, ExprId),
    /// `T(i + 1, p(j))`: a value at computed coordinates.
    Read {
        /// The tensor.
        tensor: TensorId,
        /// A coordinate for each mode, as an integer expression of at least 8 bits.
        at: Vec<ExprId>,
        /// Variables with the sizes of the modes; no loop iterates over them.
        sizes: Vec<VarId>,
        /// The value there, or whether there is one.
        gives: Gives,
    },
}

/// The result of a read at computed coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// The value; outside of the tensor its fill.
    Value,
    /// The value; outside of the tensor these raw bits.
    ValueOr(u64),
    /// 1 inside of the tensor, 0 outside.
    Inside,
}

/// `result(indices) = value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The tensor written.
    pub result: TensorId,
    /// Indices of the result, one variable per mode.
    pub indices: Vec<VarId>,
    /// Right-hand side, with every reduction explicit.
    pub value: ExprId,
    /// Element type of the result and of every expression without an entry in [`Kernel::types`].
    pub ty: Type,
    /// Bytes of the statement in the kernel file.
    pub span: std::ops::Range<usize>,
    /// Derived properties of the result, computed by [`Kernel::settle`].
    pub settled: Settled,
    /// Order and schedule of this statement alone.
    pub own: OwnSchedule,
}

/// A resolved kernel: tensors, expressions, statements and schedule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernel {
    /// Name of the kernel, a Verilog identifier.
    pub name: String,
    /// Variables.
    pub vars: Vec<Var>,
    /// Tensors, operands and results.
    pub tensors: Vec<Tensor>,
    /// Expression nodes.
    pub exprs: Vec<Expr>,
    /// Types of expressions, where they differ from their statement's type.
    pub types: BTreeMap<ExprId, Type>,
    /// Where the file asks whether an entry is stored: a dense copy does not know it.
    pub presence: BTreeSet<ExprId>,
    /// Functions of the kernel file.
    pub functions: Vec<Function>,
    /// Statements in execution order; a later one may read an earlier one's result. A tensor that is on both sides
    /// of one statement is read at its value before it.
    pub statements: Vec<Statement>,
    /// Operands of which only one triangle is stored.
    pub symmetric: BTreeSet<TensorId>,
    /// Results that exist on the chip only.
    pub temporaries: Vec<TensorId>,
    /// Split tensors: for each mode of the tensor in the file the sizes of its tiles, largest
    /// first, each of which makes a mode more here.
    pub tiles: BTreeMap<TensorId, Vec<Vec<u64>>>,
    /// Results without a table that declares their storage.
    pub undeclared: BTreeSet<TensorId>,
    /// Condition and limit of repeated execution, if any.
    pub repeat: Option<Repeat>,
    /// Loop order by variable name, if the file gives one.
    pub order: Option<Vec<String>>,
    /// The schedule for all statements.
    pub schedule: Schedule,
    /// Variables of which lanes take every W-th coordinate, though the host could cut an operand into equal runs.
    pub dealt: BTreeSet<VarId>,
    /// The hardware for quotients.
    pub division: Division,
    /// Number of lists that a reducer's workspace holds at a time, if the file says it.
    pub banks: Option<u32>,
    /// Whether the arrays are behind a bus, which is fastest for reads in storage order.
    pub bus: bool,
    /// Bytes up to which an array behind the bus is kept on the chip.
    pub room: u64,
    /// Assumptions about floats where operands are absent.
    pub algebra: Algebra,
}

/// The hardware for quotients, remainders and roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Division {
    /// A pipeline with a stage for each digit: one value per cycle.
    #[default]
    Pipelined,
    /// A program: smaller, but one value at a time.
    Iterative,
}

impl Kernel {
    /// Returns the variable.
    pub fn var(&self, v: VarId) -> &Var {
        &self.vars[v.0]
    }
    /// Returns the tensor.
    pub fn tensor(&self, t: TensorId) -> &Tensor {
        &self.tensors[t.0]
    }
    /// Lists the results for the host, in order.
    pub fn results(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.statements.iter().map(|s| s.result).filter(|t| !self.temporaries.contains(t))
    }
    /// Returns the expression node.
    pub fn expr(&self, e: ExprId) -> &Expr {
        &self.exprs[e.0]
    }
    /// Returns the type of expression `e` in statement `n`.
    pub fn type_of(&self, n: usize, e: ExprId) -> Type {
        self.type_in(&self.statements[n], e)
    }
    /// Returns the type of expression `e` in `statement`.
    pub fn type_in(&self, statement: &Statement, e: ExprId) -> Type {
        self.types.get(&e).copied().unwrap_or(statement.ty)
    }
    /// Returns the result of `f` if the known arguments decide it.
    pub fn partial(&self, f: Fun, args: &[Option<u64>], ty: Type) -> Option<u64> {
        f.partial(args, ty, self.algebra)
    }
    /// Returns the function of the kernel file.
    pub fn function(&self, f: FunctionId) -> &Function {
        &self.functions[f.0]
    }
    /// Lists the accesses by indices in `e`, left to right.
    pub fn accesses(&self, e: ExprId) -> Vec<(TensorId, &[VarId])> {
        self.named(e, false)
    }
    /// Lists the reads in `e`: accesses by indices, and reads at computed coordinates with the variables of the modes'
    /// sizes as indices.
    pub fn reads(&self, e: ExprId) -> Vec<(TensorId, &[VarId])> {
        self.named(e, true)
    }
    fn named(&self, e: ExprId, computed: bool) -> Vec<(TensorId, &[VarId])> {
        let own = match self.expr(e) {
            Expr::Access(t, i) | Expr::Stored(t, i) => Some((*t, i.as_slice())),
            Expr::Read { tensor, sizes, .. } if computed => Some((*tensor, sizes.as_slice())),
            _ => None,
        };
        let inside = self.expr(e).children().iter().flat_map(|&a| self.named(a, computed));
        own.into_iter().chain(inside).collect()
    }
}

impl Expr {
    /// Returns the operands of the expression, left to right.
    pub fn children(&self) -> &[ExprId] {
        match self {
            Self::Literal(_) | Self::Access(..) | Self::Stored(..) | Self::Index(_) => &[],
            Self::Map(_, args) | Self::Call(_, args) | Self::Prefix(_, _, args) | Self::Read { at: args, .. } => args,
            Self::Reduce(_, _, body) | Self::Convert(body) | Self::At(_, body) => std::slice::from_ref(body),
        }
    }
}
