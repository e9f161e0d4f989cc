//! Earlier results that a statement cannot read as they lie on the chip. One that lies in another order, and
//! whose levels are all dense, is read at the coordinates of the loops. Any other is stored once more by a
//! statement of its own: in the order of the loops, in a linked list for each position of the outer modes, to
//! which entries come in the order in which the result lies; or dense, where it is read in falling steps or
//! at computed coordinates.

use super::merge::SplitOff;
use super::tree::Tree;
use super::{Lowering, Stop, store};
use crate::facts::variables;
use crate::graph::StreamId;
use crate::levels::{self, LevelKind};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{Expr, ExprId, Gives, Kernel, TensorId, Var, VarId};

/// Most positions of a dense packing.
pub(super) const MOST_POSITIONS: u64 = 1 << 27;

/// An access that needs its tensor stored once more.
pub(super) struct Turned {
    /// What is read, perhaps a view.
    pub tensor: TensorId,
    /// Its indices.
    pub indices: Vec<VarId>,
    /// Levels of the copy.
    pub levels: Vec<LevelKind>,
    /// The mode of each of these.
    pub mode_order: Vec<usize>,
}

impl Turned {
    /// An access of a tensor with these sizes in linked lists below other modes, if the chip has room for
    /// their heads.
    pub fn in_lists(tensor: TensorId, indices: &[VarId], mode_order: Vec<usize>, shape: &[u64]) -> Option<Self> {
        let mut levels = vec![levels::DENSE; mode_order.len()];
        *levels.last_mut()? = levels::LINKED_LIST;
        let fits = mode_order.len() > 1 && Self::heads(&mode_order, shape) <= MAX_WORKSPACE;
        fits.then(|| Self { tensor, indices: indices.to_vec(), levels, mode_order })
    }

    /// The number of lists of a tensor with these sizes.
    pub fn heads(mode_order: &[usize], shape: &[u64]) -> u64 {
        mode_order.iter().rev().skip(1).map(|&m| shape[m]).fold(1, u64::saturating_mul)
    }

    /// An access of a tensor with these sizes, all of them stored, if the chip has room for that.
    pub fn dense(tensor: TensorId, indices: &[VarId], mode_order: Vec<usize>, shape: &[u64]) -> Option<Self> {
        let all = shape.iter().copied().fold(1, u64::saturating_mul);
        let levels = vec![levels::DENSE; shape.len()];
        (all <= MOST_POSITIONS).then(|| Self { tensor, indices: indices.to_vec(), levels, mode_order })
    }
}

impl Lowering<'_> {
    /// What the access `t(indices)` gives if `t` lies on the chip in another order, and can be read anywhere.
    pub(super) fn anywhere(&mut self, t: TensorId, indices: &[VarId], root: StreamId) -> Result<Option<Tree>, Stop> {
        let tensor = self.kernel.tensor(t);
        let sorted = tensor.mode_order.iter().map(|&m| self.position[&indices[m]]).is_sorted();
        let dense = tensor.levels.iter().all(|l| l.is_dense());
        if sorted || !dense || tensor.view.is_some() || !self.kernel.on_chip(self.stage, t) {
            return Ok(None);
        }
        let ty = tensor.ty;
        let at = indices.iter().map(|&v| self.coordinates(v, self.coordinate_type(v), root)).collect();
        // Loops go to no coordinate outside.
        let read = self.read(t, indices.to_vec(), Gives::ValueOr(0), ty)?;
        Ok(Some(Tree::Read(read, at)))
    }
}

/// How many values a tensor with these sizes has that is stored once more, dense: too many.
pub(super) fn too_many(shape: &[u64]) -> String {
    let all = shape.iter().copied().fold(1, u64::saturating_mul);
    format!("stored once more, for every coordinate, it would have {all} values: at most {MOST_POSITIONS} are possible")
}

/// Stores what statement `n` reads once more, in a statement of its own before it. `None` if a statement
/// before it has done so: it reads what that has stored.
pub(super) fn store_turned(kernel: &mut Kernel, n: usize, turned: &Turned, order: &mut Vec<VarId>) -> Option<SplitOff> {
    let base = kernel.base(turned.tensor);
    if let Some(copy) = stored_before(kernel, n, base, turned) {
        redirect(kernel, n, turned, copy);
        return None;
    }
    // Its loops follow the result, those of the reader do not.
    let stored = kernel.tensor(base).clone();
    let sizes: Vec<VarId> = (0..stored.shape.len()).map(|m| size_of(kernel, turned, m)).collect();
    let own: Vec<VarId> = (0..sizes.len()).map(|m| VarId(kernel.vars.len() + m)).collect();
    for &v in &sizes {
        let var: Var = kernel.var(v).clone();
        kernel.vars.push(var);
    }
    order.extend(stored.mode_order.iter().map(|&m| own[m]));
    let whole = ExprId(kernel.exprs.len());
    kernel.exprs.push(Expr::Access(base, own.clone()));
    kernel.types.insert(whole, stored.ty);
    let copy = store(kernel, n, whole, own.clone(), turned.levels.clone());
    kernel.tensors[copy.0].mode_order.clone_from(&turned.mode_order);
    redirect(kernel, n + 1, turned, copy);
    let note = note(kernel, own[0]).unwrap_or_default();
    Some(SplitOff { tensor: copy, again: own.into_iter().zip(sizes).collect(), note })
}

/// A variable with the size of mode `m` of what is stored.
fn size_of(kernel: &Kernel, turned: &Turned, m: usize) -> VarId {
    match &kernel.tensor(turned.tensor).view {
        None => turned.indices[m],
        Some(view) => view.modes[m].dim.or_else(|| Some(turned.indices[view.shown(m)?])).expect("a size"),
    }
}

/// Statement `n` reads `copy` where it has read the other.
fn redirect(kernel: &mut Kernel, n: usize, turned: &Turned, copy: TensorId) {
    let view = kernel.tensor(turned.tensor).view.clone();
    let read = match view {
        None => copy,
        Some(mut view) => {
            view.base = copy;
            let tensor = view.tensor(kernel.tensor(copy));
            kernel.tensors.push(tensor);
            TensorId(kernel.tensors.len() - 1)
        }
    };
    let mut open = vec![kernel.statements[n].value];
    while let Some(e) = open.pop() {
        match &mut kernel.exprs[e.0] {
            Expr::Access(t, i) | Expr::Stored(t, i) if *t == turned.tensor && *i == turned.indices => *t = read,
            other => {
                if let Expr::Read { tensor, .. } = other
                    && *tensor == turned.tensor
                {
                    *tensor = read;
                }
                open.extend(other.children());
            }
        }
    }
}

/// What a statement before `n` has stored of all of `base` in these levels.
fn stored_before(kernel: &Kernel, n: usize, base: TensorId, turned: &Turned) -> Option<TensorId> {
    let same = |t: TensorId| {
        let tensor = kernel.tensor(t);
        tensor.levels == turned.levels && tensor.mode_order == turned.mode_order
    };
    let copies = kernel.statements[..n].iter().filter(|s| copied(kernel, s.value, &s.indices) == Some(base));
    copies.map(|s| s.result).find(|&t| same(t))
}

/// The tensor that a statement with these indices on its left copies, mode by mode.
fn copied(kernel: &Kernel, value: ExprId, indices: &[VarId]) -> Option<TensorId> {
    match kernel.expr(value) {
        Expr::Access(t, read) if read == indices => Some(*t),
        _ => None,
    }
}

/// Whether a statement cannot read an earlier result as it lies in this loop order.
pub(crate) fn turns(kernel: &Kernel, order: &[VarId]) -> bool {
    let place = |v: VarId| order.iter().position(|o| *o == v);
    kernel.statements.iter().enumerate().any(|(n, s)| {
        let accesses = kernel.accesses(s.value);
        let lies = |t: TensorId, indices: &[VarId]| {
            let tensor = kernel.tensor(t);
            tensor.view.is_none() && tensor.mode_order.iter().map(|&m| place(indices[m])).is_sorted()
        };
        // What is accessed in another order, in part, or at computed coordinates.
        kernel.reads(s.value).len() > accesses.len() && kernel.reads(s.value).iter().any(|(t, _)| kernel.on_chip(n, *t))
            || accesses.into_iter().any(|(t, indices)| kernel.on_chip(n, t) && !lies(t, indices))
    })
}

/// What the statement of the variable `v` stores once more, if it does.
pub(crate) fn note(kernel: &Kernel, v: VarId) -> Option<String> {
    let statement = kernel.statements.iter().find(|s| variables(kernel, s).contains(&v))?;
    let read = kernel.tensor(copied(kernel, statement.value, &statement.indices)?);
    let copy = kernel.tensor(statement.result);
    let how =
        if copy.levels.iter().any(|l| l.is_linked()) { "in linked lists, in the order of the loops" } else { "dense" };
    Some(format!("{} cannot be read as it lies on the chip: {} stores it once more, {how}", read.name, copy.name))
}
