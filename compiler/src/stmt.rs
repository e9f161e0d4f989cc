//! The statement: a kernel after parsing and resolving, before lowering. The frontend
//! makes it; lowering and the reference executor read it. An index arena throughout.

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
    /// Largest size of its dimension that the hardware must take.
    pub max: u64,
}

/// A declared tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Name in the source.
    pub name: String,
    /// Element type.
    pub ty: Type,
    /// Largest size per mode (index order, not storage order). Empty for a scalar.
    pub shape: Vec<u64>,
    /// Level kinds, outermost stored level first.
    pub levels: Vec<LevelKind>,
    /// `mode_order[l]` is the mode that storage level `l` holds.
    pub mode_order: Vec<usize>,
    /// Raw bits of the value where nothing is stored; `None`: not declared (0 for an
    /// operand, derived from the expression for a result).
    pub fill: Option<u64>,
    /// Declared capacity in stored values, if any.
    pub nnz: Option<u64>,
    /// Declared capacity of a level in runs or blocks, if any.
    pub runs: Option<u64>,
    /// Of a result: values that are the fill are not stored.
    pub prune: bool,
    /// Bytes of its table in the kernel file, for errors.
    pub span: std::ops::Range<usize>,
    /// Of a view: which part of which tensor it is.
    pub view: Option<View>,
}

/// A node of the expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A constant, raw bits of the expression's type.
    Literal(u64),
    /// `T(i, j)`; the same variable may stand twice (a diagonal).
    Access(TensorId, Vec<VarId>),
    /// `pres(T(i, j))`: 1 where the tensor stores a value, else 0.
    Stored(TensorId, Vec<VarId>),
    /// A variable's coordinate, as a number.
    Index(VarId),
    /// A function of its arguments.
    Map(Fun, Vec<ExprId>),
    /// A function of the kernel file.
    Call(FunctionId, Vec<ExprId>),
    /// A reduction of the body over one variable, with a function that has an identity.
    Reduce(Operator, VarId, ExprId),
    /// A scan: at each coordinate of the variable, what is made of the bodies at all coordinates up
    /// to there; a fold with more arguments than two takes as many. It binds nothing, and is there
    /// at every coordinate.
    Prefix(Prefix, VarId, Vec<ExprId>),
    /// A value of another type as one of this expression's.
    Convert(ExprId),
    /// 1 where a variable's coordinate is what an expression of whole numbers, of 8 bits or more, gives; nowhere else it is there.
    At(VarId, ExprId),
    /// `T(i + 1, p(j))`: the value at coordinates that expressions of whole numbers give.
    Read {
        /// The tensor.
        tensor: TensorId,
        /// A coordinate for each mode, of 8 bits or more.
        at: Vec<ExprId>,
        /// Variables of no loop that have the modes' sizes.
        sizes: Vec<VarId>,
        /// Raw bits of the value outside of the tensor; `None`: its fill.
        outside: Option<u64>,
    },
}

/// `result(indices) = value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The tensor written.
    pub result: TensorId,
    /// Its indices, one variable per mode.
    pub indices: Vec<VarId>,
    /// Right-hand side; every reduction explicit.
    pub value: ExprId,
    /// Element type of the result, and of every expression that [`Kernel::types`] says nothing of.
    pub ty: Type,
    /// Bytes of the statement in the kernel file.
    pub span: std::ops::Range<usize>,
    /// What is known of its result; [`Kernel::settle`] finds it out.
    pub settled: Settled,
    /// What the kernel file asks of it alone.
    pub own: OwnSchedule,
}

/// A resolved kernel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernel {
    /// Name; a Verilog identifier.
    pub name: String,
    /// Variables.
    pub vars: Vec<Var>,
    /// Tensors, operands and results.
    pub tensors: Vec<Tensor>,
    /// Expression nodes.
    pub exprs: Vec<Expr>,
    /// Types of expressions that are not those of their statements.
    pub types: BTreeMap<ExprId, Type>,
    /// Functions of the kernel file.
    pub functions: Vec<Function>,
    /// Statements in the order they run; a later one may read an earlier one's result. A
    /// tensor that stands on both sides of one statement is read at its value before it.
    pub statements: Vec<Statement>,
    /// Operands of which one triangle is stored.
    pub symmetric: BTreeSet<TensorId>,
    /// Results that exist on the chip only.
    pub temporaries: Vec<TensorId>,
    /// Results of which no table says how they are stored.
    pub undeclared: BTreeSet<TensorId>,
    /// Whether and how often they run again.
    pub repeat: Option<Repeat>,
    /// Loop order by variable name, if the file gives one.
    pub order: Option<Vec<String>>,
    /// What the file asks of the hardware's way through the loops.
    pub schedule: Schedule,
    /// How quotients are computed.
    pub division: Division,
    /// Its arrays lie behind a bus, which gives words fastest in the order in which they are stored.
    pub bus: bool,
    /// What is taken for granted of floats where something is absent.
    pub algebra: Algebra,
}

/// How hardware computes quotients, rests and roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Division {
    /// A stage for each digit: a value per cycle.
    #[default]
    Pipelined,
    /// A program: smaller, a value at a time.
    Iterative,
}

impl Kernel {
    /// The variable.
    pub fn var(&self, v: VarId) -> &Var {
        &self.vars[v.0]
    }
    /// The tensor.
    pub fn tensor(&self, t: TensorId) -> &Tensor {
        &self.tensors[t.0]
    }
    /// What statements write for the host, in order.
    pub fn results(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.statements.iter().map(|s| s.result).filter(|t| !self.temporaries.contains(t))
    }
    /// The expression node.
    pub fn expr(&self, e: ExprId) -> &Expr {
        &self.exprs[e.0]
    }
    /// Type of the values of expression `e` of statement `n`.
    pub fn type_of(&self, n: usize, e: ExprId) -> Type {
        self.type_in(&self.statements[n], e)
    }
    /// ... of a statement.
    pub fn type_in(&self, statement: &Statement, e: ExprId) -> Type {
        self.types.get(&e).copied().unwrap_or(statement.ty)
    }
    /// The value of `f` where only some arguments are known, if they decide it.
    pub fn partial(&self, f: Fun, args: &[Option<u64>], ty: Type) -> Option<u64> {
        f.partial(args, ty, self.algebra)
    }
    /// The function of the kernel file.
    pub fn function(&self, f: FunctionId) -> &Function {
        &self.functions[f.0]
    }
    /// Accesses in `e` by indices, left to right.
    pub fn accesses(&self, e: ExprId) -> Vec<(TensorId, &[VarId])> {
        self.named(e, false)
    }
    /// ... and reads at computed coordinates, with the variables of the modes' sizes in place of indices.
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
    /// The expressions that it is made of, left to right.
    pub fn children(&self) -> &[ExprId] {
        match self {
            Self::Literal(_) | Self::Access(..) | Self::Stored(..) | Self::Index(_) => &[],
            Self::Map(_, args) | Self::Call(_, args) | Self::Prefix(_, _, args) | Self::Read { at: args, .. } => args,
            Self::Reduce(_, _, body) | Self::Convert(body) | Self::At(_, body) => std::slice::from_ref(body),
        }
    }
}
