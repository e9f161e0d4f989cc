//! A statement compiled for one loop order: expression nodes and loop nests. Independent of the data; [`super::plan`]
//! makes it, [`super::machine`] runs it.

use super::arith::Arith;
use super::key::Key;
use super::near::Near;
use samhw_compiler::stmt::{Algebra, Fun, Function, Gives, Operator, TensorId, VarId};
use samhw_compiler::types::Type;

/// Index of a [`Node`].
pub(super) type NodeId = usize;
/// Index of a [`Step`].
pub(super) type StepId = usize;
/// Index of a [`Slot`].
pub(super) type SlotId = usize;

/// The operation of an expression node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// The value at a slot's current position.
    Slot(SlotId),
    /// A constant: the node's fill.
    Literal,
    /// 1 if the slot has something at its current position, else 0.
    Stored(SlotId),
    /// A variable's coordinate.
    Index(VarId),
    /// A function of its arguments.
    Map(Fun, Vec<NodeId>),
    /// A function of the kernel file.
    Call(Function, Vec<NodeId>),
    /// A reduction whose variable is still to come.
    Reduce(Operator, VarId, NodeId),
    /// A value of this type as one of the node's.
    Convert(Type, NodeId),
    /// A reduction to a scalar, by its own loops.
    Nested(StepId),
    /// 1 where the variable's coordinate is this number, absent elsewhere.
    At(VarId, NodeId),
    /// What this read of the program gives at these coordinates.
    Read(usize, Vec<NodeId>),
}

/// A read at computed coordinates.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) tensor: TensorId,
    /// The value there, or whether there is one.
    pub(super) gives: Gives,
}

/// An expression node.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Arithmetic of its type.
    pub(super) arith: Arith,
    /// Value of the node where it is absent, at the run's dimensions.
    pub(super) fill: Near,
    /// The same value if it is known without the dimensions.
    pub(super) constant: Option<u64>,
    /// Present whatever is stored: it has no constant fill.
    pub(super) always: bool,
    /// Constant fill of the node, if it does not depend on operands that are stored everywhere. Those make it
    /// present everywhere where there is none, unless some other operand can make it absent: see `grows`.
    pub(super) settled: Option<u64>,
    /// More of operands never make it absent.
    pub(super) grows: bool,
    /// Arguments of a function without which it is absent, one bit each.
    pub(super) needed: u64,
    /// The slot, if the node is made of whether that one is there, and literals.
    pub(super) structure: Option<Option<SlotId>>,
}

/// The source of a slot's tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// A distinct access of the statement.
    Access(TensorId, Vec<VarId>),
    /// A reduction's result, made again each time its loop is entered.
    Produced,
}

/// A fibertree that loops walk.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) origin: Origin,
    /// Levels of the slot's tree, outermost first: distinct variables in loop order.
    pub(super) key: Key,
}

/// A loop over one variable.
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) var: VarId,
    /// The expression whose presence decides which coordinates are visited.
    pub(super) expr: NodeId,
    /// Slots with a level of this variable, and which.
    pub(super) scanned: Vec<(SlotId, usize)>,
    /// Evaluated before the loop into a slot: reductions, each a [`Gather`] step, and coordinates, each a `Single`.
    pub(super) produced: Vec<(StepId, SlotId)>,
    pub(super) next: StepId,
}

/// A reduction that runs its body's loops into a workspace.
#[derive(Debug)]
pub(super) struct Gather {
    pub(super) op: Operator,
    /// Arithmetic of its type.
    pub(super) arith: Arith,
    pub(super) var: VarId,
    /// Variables of the workspace.
    pub(super) kept: Key,
    pub(super) body: StepId,
    /// Absent entries take part: value of one, at the run's dimensions.
    pub(super) counts: Option<Near>,
    /// Value where nothing of the body is present.
    pub(super) fill: Near,
}

/// A piece of a loop nest. Steps emit (coordinates, value) to the enclosing workspace.
#[derive(Debug)]
pub(super) enum Step {
    /// All variables are bound: compute, and emit if present.
    Value { expr: NodeId, out: Key },
    /// Visit coordinates.
    Loop(Loop),
    /// Reduce, then emit what the workspace holds.
    Gather { gather: Gather, out: Key },
    /// The one coordinate of a variable that an expression gives; only before a loop.
    Single { at: NodeId, one: u64, key: Key },
}

/// The program of one statement and one loop order.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) nodes: Vec<Node>,
    pub(super) steps: Vec<Step>,
    pub(super) slots: Vec<Slot>,
    pub(super) reads: Vec<Read>,
    /// The assumption on floats where something is absent.
    pub(super) algebra: Algebra,
    /// The first step.
    pub(super) start: StepId,
    /// The right-hand side before loops were made.
    pub(super) root: NodeId,
    /// The free variables in loop order: what the outermost workspace is keyed by.
    pub(super) key: Key,
}
