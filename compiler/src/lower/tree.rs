//! The expression during the lowering of the loops; its leaves are operands whose levels are scanned one by one.

use super::{Lowering, Stop};
use crate::facts::{stored_everywhere, tensor_fill};
use crate::graph::{StreamId, UseId};
use crate::stmt::{Expr, ExprId, Fun, FunctionId, Operator, Prefix, TensorId, VarId};
use crate::types::Type;
use samhw_values::convert;
use std::collections::HashSet;

/// Index of a [`Leaf`] in the lowering's list.
pub(super) type LeafId = usize;

/// The source of a leaf's next level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Scan this level of the leaf's use.
    Stored(usize),
    /// Only this coordinate of this level, below that of the same variable before it. The variable here is that of
    /// the level's own coordinates.
    Fixed(usize, VarId, u64),
    /// The coordinates themselves, as numbers.
    Coordinate,
    /// The (crd, val) streams of a producer.
    Produced(StreamId, StreamId),
    /// A mode of what is reshaped on the chip: the number of the chain, and of the mode in it.
    Reshaped(usize, usize),
}

/// The target of an access.
pub(super) struct Reading {
    pub used: UseId,
    /// Levels in loop order.
    pub levels: Vec<(VarId, Level)>,
    /// Stream of the references with which it begins.
    pub stream: StreamId,
}

/// An operand: an access, a reduction that has become one, or a variable's coordinates.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// Packing of the operand; a producer and coordinates have none.
    pub used: Option<UseId>,
    /// Levels still to scan, in loop order.
    pub levels: Vec<(VarId, Level)>,
    /// Stream of the operand at the current depth: refs, or values once `is_value`.
    pub stream: StreamId,
    /// The stream carries values.
    pub is_value: bool,
    /// Type of its values.
    pub ty: Type,
    /// Value where it is absent.
    pub fill: u64,
    /// Coordinates, or an earlier result that is there at every coordinate, whatever the sizes.
    pub always: bool,
    /// Whether it has a value at every coordinate, because it is stored in this way.
    pub everywhere: bool,
    /// Upper bound on the number of coordinates, if it has coordinates.
    pub below: Option<u64>,
}

/// The expression tree.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Leaf(LeafId),
    /// 1 of the type where the leaf is there, else 0.
    Stored(LeafId, Type),
    Literal(u64, Type),
    Map(Fun, Type, Vec<Tree>),
    Call(FunctionId, Vec<Tree>),
    /// With the expression it came from, which is what gets materialized.
    Reduce(Operator, VarId, Box<Tree>, ExprId),
    /// A scan along the variable, with the expression it came from.
    Prefix(Prefix, VarId, Vec<Tree>, ExprId),
    /// A value of the first type as one of the second.
    Convert(Box<Tree>, Type, Type),
    /// What is read at these coordinates, one for each mode.
    Read(Read, Vec<Tree>),
    /// 1 of the type at the one coordinate of the variable that the value is; all its loops are outside of the variable's.
    At(Type, VarId, Box<Tree>),
}

/// A read at computed coordinates.
#[derive(Debug, Clone)]
pub(super) struct Read {
    /// The packing, all dense; `None` where only whether the coordinates are inside is asked.
    pub used: Option<UseId>,
    /// The tensor.
    pub tensor: TensorId,
    /// Variables of the modes' sizes.
    pub sizes: Vec<VarId>,
    /// Type of the values.
    pub ty: Type,
    /// Value outside of the tensor.
    pub outside: u64,
}

impl Lowering<'_> {
    /// The tree of `e`: operands at their roots, functions of literals folded.
    pub(super) fn build(&mut self, e: ExprId, root: StreamId) -> Result<Tree, Stop> {
        self.build_in(e, root, &mut Vec::new())
    }

    /// The tree of `e`, where `seen` holds the leaves of the reduction around. Equal accesses there go through the
    /// same loops, and are one leaf.
    fn build_in(
        &mut self,
        e: ExprId,
        root: StreamId,
        seen: &mut Vec<(TensorId, Vec<VarId>, LeafId)>,
    ) -> Result<Tree, Stop> {
        let ty = self.type_of(e);
        Ok(match self.kernel.expr(e).clone() {
            Expr::Literal(v) => Tree::Literal(v, ty),
            Expr::Index(v) => self.coordinates(v, ty, root),
            Expr::Access(t, indices) => match self.anywhere(t, &indices, root)? {
                Some(read) => read,
                None => Tree::Leaf(self.access(t, indices, root, seen)?),
            },
            Expr::Stored(t, indices) => Tree::Stored(self.access(t, indices, root, seen)?, ty),
            Expr::Map(f, args) => {
                let args = args.into_iter().map(|a| self.build_in(a, root, seen)).collect::<Result<Vec<_>, _>>()?;
                match self.decided(f, ty, &args) {
                    Some(v) => Tree::Literal(v, ty),
                    None => Tree::Map(f, ty, args),
                }
            }
            Expr::Call(f, args) => {
                let args = args.into_iter().map(|a| self.build_in(a, root, seen)).collect::<Result<Vec<_>, _>>()?;
                match literals(&args) {
                    Some(v) => Tree::Literal(self.kernel.function(f).apply_where(&v, 0), ty),
                    None => Tree::Call(f, args),
                }
            }
            Expr::At(v, at) => Tree::At(ty, v, Box::new(self.build_in(at, root, seen)?)),
            Expr::Reduce(op, k, body) => Tree::Reduce(op, k, Box::new(self.build(body, root)?), e),
            Expr::Prefix(how, v, of) => {
                let of = of.into_iter().map(|a| self.build_in(a, root, seen)).collect::<Result<_, _>>()?;
                Tree::Prefix(how, v, of, e)
            }
            Expr::Read { tensor, at, sizes, gives } => {
                let at = at.into_iter().map(|a| self.build_in(a, root, seen)).collect::<Result<Vec<_>, _>>()?;
                Tree::Read(self.read(tensor, sizes, gives, ty)?, at)
            }
            Expr::Convert(body) => {
                let from = self.type_of(body);
                match self.build_in(body, root, seen)? {
                    Tree::Literal(v, _) => Tree::Literal(convert(v, from, ty), ty),
                    body => Tree::Convert(Box::new(body), from, ty),
                }
            }
        })
    }

    /// The coordinates of `v` as numbers of type `ty`.
    pub(super) fn coordinates(&mut self, v: VarId, ty: Type, root: StreamId) -> Tree {
        let own = self.coordinate_type(v);
        let own = if as_it_is(own, ty) { ty } else { own };
        self.leaves.push(Leaf {
            used: None,
            levels: vec![(v, Level::Coordinate)],
            stream: root,
            is_value: false,
            ty: own,
            fill: 0,
            always: true,
            everywhere: true,
            below: Some(self.kernel.var(v).max),
        });
        let leaf = Tree::Leaf(self.leaves.len() - 1);
        if own == ty { leaf } else { Tree::Convert(Box::new(leaf), own, ty) }
    }

    /// The whole numbers that coordinates of `v` are.
    pub(super) fn coordinate_type(&self, v: VarId) -> Type {
        let most = self.kernel.var(v).max.saturating_sub(1);
        Type::int((u64::BITS - most.leading_zeros()).max(1), false)
    }

    /// Value of `f`, if its arguments are literals, or literals decide it whatever the coordinates are: no operand
    /// would be scanned for it.
    fn decided(&self, f: Fun, ty: Type, args: &[Tree]) -> Option<u64> {
        let no_operand = |a: &Tree| a.leaves().iter().all(|l| self.leaves[*l].used.is_none());
        let literal = |a: &Tree| if let Tree::Literal(v, _) = a { Some(*v) } else { None };
        let known: Vec<Option<u64>> = args.iter().map(literal).collect();
        if args.iter().all(no_operand) { self.kernel.partial(f, &known, ty) } else { None }
    }

    /// The leaf of an access.
    fn access(
        &mut self,
        t: TensorId,
        indices: Vec<VarId>,
        root: StreamId,
        seen: &mut Vec<(TensorId, Vec<VarId>, LeafId)>,
    ) -> Result<LeafId, Stop> {
        if let Some((.., leaf)) = seen.iter().find(|(u, i, _)| *u == t && *i == indices) {
            return Ok(*leaf);
        }
        let Reading { used, levels, stream } = self.view(t, &indices, root)?;
        let fill = tensor_fill(self.kernel, self.stage, t);
        self.leaves.push(Leaf {
            used: Some(used),
            levels,
            stream,
            is_value: false,
            ty: self.kernel.tensor(t).ty,
            fill: fill.unwrap_or(0),
            always: fill.is_none(),
            everywhere: stored_everywhere(self.kernel, self.stage, t),
            below: None,
        });
        let leaf = self.leaves.len() - 1;
        seen.push((t, indices, leaf));
        Ok(leaf)
    }
}

/// Are the bits of coordinates, which are of type `own`, those of their values in `ty`?
fn as_it_is(own: Type, ty: Type) -> bool {
    let fits = own.range().1 <= ty.range().1;
    ty.is_int() && (fits || own.bits() <= ty.bits() && !ty.saturates())
}

/// The values of `args` if all are literals.
fn literals(args: &[Tree]) -> Option<Vec<u64>> {
    args.iter().map(|a| if let Tree::Literal(v, _) = a { Some(*v) } else { None }).collect()
}

/// A node of a tree, the node around it, and which of its children it is.
#[derive(Clone, Copy)]
pub(super) struct NodeInTree<'t> {
    pub node: &'t Tree,
    pub around: Option<(&'t Tree, usize)>,
}

/// Hears of a scan: how it folds, along what, its operands, where it is.
type EachScan<'a> = dyn FnMut(Prefix, VarId, &[Tree], ExprId) + 'a;

impl Tree {
    /// What it is made of at the next level.
    fn children(&self) -> &[Tree] {
        match self {
            Self::Leaf(_) | Self::Stored(..) | Self::Literal(..) => &[],
            Self::Map(_, _, args) | Self::Call(_, args) | Self::Read(_, args) | Self::Prefix(_, _, args, _) => args,
            Self::Reduce(_, _, body, _) | Self::Convert(body, ..) | Self::At(_, _, body) => std::slice::from_ref(body),
        }
    }

    fn children_mut(&mut self) -> &mut [Tree] {
        match self {
            Self::Leaf(_) | Self::Stored(..) | Self::Literal(..) => &mut [],
            Self::Map(_, _, args) | Self::Call(_, args) | Self::Read(_, args) | Self::Prefix(_, _, args, _) => args,
            Self::Reduce(_, _, body, _) | Self::Convert(body, ..) | Self::At(_, _, body) => std::slice::from_mut(body),
        }
    }

    /// Applies `f` to each of the children.
    pub(super) fn map_children<E>(self, f: &mut dyn FnMut(Tree) -> Result<Tree, E>) -> Result<Tree, E> {
        let mut all = |args: Vec<Tree>| args.into_iter().map(&mut *f).collect::<Result<Vec<Tree>, E>>();
        Ok(match self {
            Self::Leaf(_) | Self::Stored(..) | Self::Literal(..) => self,
            Self::Map(fun, ty, args) => Self::Map(fun, ty, all(args)?),
            Self::Call(fun, args) => Self::Call(fun, all(args)?),
            Self::Read(read, args) => Self::Read(read, all(args)?),
            Self::Reduce(op, k, body, e) => Self::Reduce(op, k, Box::new(f(*body)?), e),
            Self::Prefix(how, v, of, e) => Self::Prefix(how, v, all(of)?, e),
            Self::Convert(body, from, to) => Self::Convert(Box::new(f(*body)?), from, to),
            Self::At(ty, v, body) => Self::At(ty, v, Box::new(f(*body)?)),
        })
    }

    /// Calls `f` for each scan in it, outer ones first.
    pub(super) fn each_scan(&self, f: &mut EachScan) {
        if let Self::Prefix(how, v, of, e) = self {
            f(*how, *v, of, *e);
        }
        self.children().iter().for_each(|child| child.each_scan(f));
    }

    /// Returns the nodes in the order of their numbers: each before its children, left to right.
    pub(super) fn nodes(&self) -> Vec<NodeInTree<'_>> {
        let mut all = Vec::new();
        self.add_nodes(None, &mut all);
        all
    }

    fn add_nodes<'t>(&'t self, around: Option<(&'t Tree, usize)>, all: &mut Vec<NodeInTree<'t>>) {
        all.push(NodeInTree { node: self, around });
        for (k, child) in self.children().iter().enumerate() {
            child.add_nodes(Some((self, k)), all);
        }
    }

    /// Replaces the node with this number.
    pub(super) fn with(&self, mut at: usize, node: &Tree) -> Tree {
        let mut copy = self.clone();
        if let Some(place) = copy.numbered(&mut at) {
            *place = node.clone();
        }
        copy
    }

    /// The node `at` nodes further on, if it is in here; `at` is then less by those in here.
    fn numbered(&mut self, at: &mut usize) -> Option<&mut Tree> {
        if *at == 0 {
            return Some(self);
        }
        *at -= 1;
        self.children_mut().iter_mut().find_map(|child| child.numbered(at))
    }

    /// Leaves, left to right, each once.
    pub(super) fn leaves(&self) -> Vec<LeafId> {
        let (mut out, mut seen) = (Vec::new(), HashSet::new());
        self.each_leaf(&mut |l| out.extend(seen.insert(l).then_some(l)));
        out
    }

    /// Calls `visit` with every leaf, left to right, as often as it occurs.
    fn each_leaf(&self, visit: &mut impl FnMut(LeafId)) {
        match self {
            Self::Leaf(l) | Self::Stored(l, _) => visit(*l),
            Self::Literal(..) => {}
            Self::Convert(body, ..) | Self::At(_, _, body) => body.each_leaf(visit),
            Self::Map(_, _, args) | Self::Call(_, args) | Self::Read(_, args) | Self::Prefix(_, _, args, _) => {
                args.iter().for_each(|a| a.each_leaf(visit));
            }
            Self::Reduce(_, _, body, _) => body.each_leaf(visit),
        }
    }

    /// True if a value in it may be known from what is stored: then only the joiner that sees all operands knows
    /// where the expression is there, and must not let more through.
    pub(super) fn knows_by_presence(&self) -> bool {
        match self {
            Self::Leaf(_) | Self::Literal(..) => false,
            Self::Stored(..) | Self::Call(..) => true,
            Self::Map(_, _, args) | Self::Read(_, args) | Self::Prefix(_, _, args, _) => {
                args.iter().any(Self::knows_by_presence)
            }
            Self::Reduce(_, _, body, _) | Self::Convert(body, ..) | Self::At(_, _, body) => body.knows_by_presence(),
        }
    }

    /// True if it is made of whether one leaf is there, and literals.
    pub(super) fn is_structure(&self) -> bool {
        fn only(t: &Tree) -> bool {
            match t {
                Tree::Stored(..) | Tree::Literal(..) => true,
                Tree::Map(_, _, args) => args.iter().all(only),
                Tree::Convert(body, ..) => only(body),
                Tree::Leaf(_)
                | Tree::Call(..)
                | Tree::Reduce(..)
                | Tree::Prefix(..)
                | Tree::Read(..)
                | Tree::At(..) => false,
            }
        }
        only(self) && self.leaves().len() <= 1
    }

    /// True if a reduction stands anywhere in it.
    pub(super) fn has_reduction(&self) -> bool {
        match self {
            Self::Leaf(_) | Self::Stored(..) | Self::Literal(..) => false,
            Self::Convert(body, ..) | Self::At(_, _, body) => body.has_reduction(),
            Self::Map(_, _, args) | Self::Call(_, args) | Self::Read(_, args) | Self::Prefix(_, _, args, _) => {
                args.iter().any(Self::has_reduction)
            }
            Self::Reduce(..) => true,
        }
    }
}
