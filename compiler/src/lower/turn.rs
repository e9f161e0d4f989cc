//! Earlier results that a statement cannot read as they lie on the chip. One that lies in another order, and
//! whose levels are all dense, is read at the coordinates of the loops. Any other is stored once more by a
//! statement of its own: in the order of the loops, in a linked list for each position of the outer modes, to
//! which entries come in the order in which the result lies; or dense, where it is read in falling steps or
//! at computed coordinates. What shape operators make of it on the chip is stored, too, where it cannot be read as a
//! stream: one operator after the other.

use super::merge::SplitOff;
use super::tree::Tree;
use super::{Lowering, Stop, store};
use crate::diag::Diagnostic;
use crate::facts::variables;
use crate::graph::StreamId;
use crate::levels::{self, LevelKind};
use crate::netlist::room::MAX_WORKSPACE;
use crate::stmt::{Expr, ExprId, Gives, Kernel, Statement, Tensor, TensorId, Var, VarId};
use crate::view::{ShapeStep, ShapeSteps, View};

/// Most positions of a dense packing.
pub(super) const MOST_POSITIONS: u64 = 1 << 27;

/// Steps of shape operators that are stored, and those that make the view of that.
#[derive(Clone)]
struct ShapeCut {
    stored: ShapeSteps,
    rest: ShapeSteps,
    /// The mode of what is stored that has each entry this often, behind that of the coordinates that are repeated.
    again: Option<(usize, u64)>,
}

/// An access that needs its tensor stored once more.
#[derive(Clone)]
pub(super) struct Turned {
    /// What is read, perhaps a view.
    pub tensor: TensorId,
    /// Its indices.
    pub indices: Vec<VarId>,
    /// Levels of the copy.
    pub levels: Vec<LevelKind>,
    /// The mode of each of these.
    pub mode_order: Vec<usize>,
    /// What is stored of the tensor's base; `None`: the base itself.
    shape: Option<Box<ShapeCut>>,
}

impl Turned {
    /// An access of a tensor with these sizes in linked lists below other modes, if the chip has room for
    /// their heads.
    pub fn in_lists(tensor: TensorId, indices: &[VarId], mode_order: Vec<usize>, shape: &[u64]) -> Option<Self> {
        let mut levels = vec![levels::DENSE; mode_order.len()];
        *levels.last_mut()? = levels::LINKED_LIST;
        let fits = mode_order.len() > 1 && Self::heads(&mode_order, shape) <= MAX_WORKSPACE;
        fits.then(|| Self { tensor, indices: indices.to_vec(), levels, mode_order, shape: None })
    }

    /// The number of lists of a tensor with these sizes.
    pub fn heads(mode_order: &[usize], shape: &[u64]) -> u64 {
        mode_order.iter().rev().skip(1).map(|&m| shape[m]).fold(1, u64::saturating_mul)
    }

    /// An access of a tensor with this many modes, whose entries are stored row by row as they come.
    pub fn in_rows(tensor: TensorId, indices: &[VarId], modes: usize) -> Self {
        let (levels, mode_order) = (vec![levels::COMPRESSED; modes], (0..modes).collect());
        Self { tensor, indices: indices.to_vec(), levels, mode_order, shape: None }
    }

    /// An access of a view of a tensor that is stored row by row: what the first of its steps make is stored, in lists
    /// if entries come in another order.
    pub fn seen(tensor: TensorId, steps: &ShapeSteps, indices: &[VarId]) -> Option<Self> {
        if let Some((mode, times, rest)) = steps.spread() {
            let stored = ShapeSteps::begin(steps.of.clone());
            let cut = ShapeCut { stored, rest, again: Some((mode + 1, times)) };
            return Some(Self { shape: Some(Box::new(cut)), ..Self::in_rows(tensor, indices, steps.of.len() + 1) });
        }
        let (stored, rest) = steps.cut();
        let chain = stored.chain()?;
        let rows: Vec<usize> = (0..stored.shape.len()).collect();
        let turned = match chain.order.is_sorted() {
            true => Self::in_rows(tensor, indices, rows.len()),
            false => Self::in_lists(tensor, indices, rows, &stored.shape)?,
        };
        Some(Self { shape: Some(Box::new(ShapeCut { stored, rest, again: None })), ..turned })
    }

    /// An access of a tensor with these sizes, all of them stored, if the chip has room for that.
    pub fn dense(tensor: TensorId, indices: &[VarId], mode_order: Vec<usize>, shape: &[u64]) -> Option<Self> {
        let all = shape.iter().copied().fold(1, u64::saturating_mul);
        let levels = vec![levels::DENSE; shape.len()];
        (all <= MOST_POSITIONS).then(|| Self { tensor, indices: indices.to_vec(), levels, mode_order, shape: None })
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
///
/// # Errors
///
/// S007, if it is such a statement itself.
pub(super) fn store_turned(
    kernel: &mut Kernel,
    n: usize,
    (turned, temporaries): (&Turned, &[TensorId]),
    order: &mut Vec<VarId>,
) -> Result<Option<SplitOff>, Diagnostic> {
    let whole = turned.shape.as_ref().is_none_or(|cut| cut.rest.steps.is_empty());
    if let Some(copy) = stored_before(kernel, n, turned).filter(|_| whole) {
        redirect(kernel, n, turned, copy);
        return Ok(None);
    }
    let base = kernel.base(turned.tensor);
    let read = match &turned.shape {
        None => base,
        Some(cut) if cut.again.is_some() => base,
        Some(cut) => {
            let dims = kernel.tensor(turned.tensor).view.iter().flat_map(|view| &view.modes).map(|mode| mode.dim);
            let view = View::through(cut.stored.clone(), base, dims);
            pushed(kernel, view.tensor(kernel.tensor(base)))
        }
    };
    let again = temporaries.contains(&kernel.statements[n].result) && copied(kernel, &kernel.statements[n]).is_some();
    if turned.shape.is_some() && again {
        let told = kernel.access_told(turned.tensor, &turned.indices);
        let problem = Diagnostic::new("S007", format!("{told} cannot be read from its arrays on the chip"));
        return Err(problem
            .help("split its indices alike in the statement that writes it, or leave them out of `split`")
            .help("or reshape its operands instead, so that it has the same modes as they have"));
    }
    // Its loops follow the result, those of the reader do not.
    let stored = kernel.tensor(read).clone();
    let repeated = turned.shape.as_ref().and_then(|cut| cut.again);
    let mut shape = stored.shape.clone();
    if let Some((mode, times)) = repeated {
        shape.insert(mode, times);
    }
    let sizes: Vec<Option<VarId>> = (0..shape.len()).map(|m| size_of(kernel, turned, m)).collect();
    let own: Vec<VarId> = (0..sizes.len()).map(|m| VarId(kernel.vars.len() + m)).collect();
    for (&size, &max) in sizes.iter().zip(&shape) {
        let new = || Var { name: format!("mode{}", kernel.vars.len()), max };
        let var: Var = size.map_or_else(new, |v| kernel.var(v).clone());
        kernel.vars.push(var);
    }
    // What is made comes in the order of its streams.
    let chain = turned.shape.as_ref().and_then(|cut| cut.stored.chain());
    let place = |m: usize| chain.as_ref().and_then(|chain| chain.order.iter().position(|&mode| mode == m)).unwrap_or(m);
    match &chain {
        Some(_) if repeated.is_some() => order.extend(&own),
        Some(chain) => order.extend((0..chain.order.len()).map(|m| own[place(m)])),
        None => order.extend(stored.mode_order.iter().map(|&m| own[m])),
    }
    let whole = ExprId(kernel.exprs.len());
    let mut seen = own.clone();
    if let Some((mode, _)) = repeated {
        seen.remove(mode);
    }
    kernel.exprs.push(Expr::Access(read, seen));
    kernel.types.insert(whole, stored.ty);
    let copy = store(kernel, n, whole, own.clone(), turned.levels.clone());
    kernel.tensors[copy.0].mode_order.clone_from(&turned.mode_order);
    let first = kernel.vars.len();
    redirect(kernel, n + 1, turned, copy);
    let dims = (first..kernel.vars.len()).map(|v| (VarId(v), None));
    let note = note(kernel, own[0]).unwrap_or_default();
    let again = own.into_iter().zip(sizes).chain(dims).collect();
    Ok(Some(SplitOff { tensor: copy, again, note }))
}

/// Adds a tensor.
fn pushed(kernel: &mut Kernel, tensor: Tensor) -> TensorId {
    kernel.tensors.push(tensor);
    TensorId(kernel.tensors.len() - 1)
}

/// A variable with the size of mode `m` of what is stored, if one has it.
fn size_of(kernel: &Kernel, turned: &Turned, m: usize) -> Option<VarId> {
    match (&turned.shape, &kernel.tensor(turned.tensor).view) {
        (Some(_), _) => None,
        (None, None) => turned.indices.get(m).copied(),
        (None, Some(view)) => view.modes[m].dim.or_else(|| Some(turned.indices[view.shown(m)?])),
    }
}

/// Statement `n` reads `copy` where it has read the other.
fn redirect(kernel: &mut Kernel, n: usize, turned: &Turned, copy: TensorId) {
    let view = match &turned.shape {
        None => kernel.tensor(turned.tensor).view.clone().map(|view| View { base: copy, ..view }),
        Some(cut) if cut.rest.steps.is_empty() => None,
        Some(cut) => {
            let first = kernel.vars.len();
            for &max in &cut.rest.of {
                kernel.vars.push(Var { name: format!("mode{}", kernel.vars.len()), max });
            }
            Some(View::through(cut.rest.clone(), copy, (first..kernel.vars.len()).map(|v| Some(VarId(v)))))
        }
    };
    let read = view.map_or(copy, |view| pushed(kernel, view.tensor(kernel.tensor(copy))));
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

/// What a statement before `n` has stored of what is turned, in these levels.
fn stored_before(kernel: &Kernel, n: usize, turned: &Turned) -> Option<TensorId> {
    let base = kernel.base(turned.tensor);
    let same = |t: TensorId| {
        let tensor = kernel.tensor(t);
        tensor.levels == turned.levels && tensor.mode_order == turned.mode_order
    };
    let read = |t: TensorId| match (&turned.shape, &kernel.tensor(t).view) {
        (None, _) => t == base,
        (Some(cut), Some(view)) => {
            view.base == base && view.steps(&kernel.tensor(base).shape).as_ref() == Some(&cut.stored)
        }
        (Some(_), None) => false,
    };
    let copies = kernel.statements[..n].iter().filter(|s| copied(kernel, s).is_some_and(read));
    copies.map(|s| s.result).find(|&t| same(t))
}

/// The tensor that a statement copies, mode by mode.
fn copied(kernel: &Kernel, statement: &Statement) -> Option<TensorId> {
    match kernel.expr(statement.value) {
        Expr::Access(t, read) if *read == statement.indices => Some(*t),
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
            || accesses.into_iter().any(|(t, indices)| {
                kernel.on_chip(n, t) && !lies(t, indices)
                    || kernel.reshapes(n, t) && kernel.tensor(t).view.as_ref().is_some_and(View::reshapes)
            })
    })
}

/// What the statement of the variable `v` stores once more, if it does.
pub(crate) fn note(kernel: &Kernel, v: VarId) -> Option<String> {
    let statement = kernel.statements.iter().find(|s| variables(kernel, s).contains(&v))?;
    let t = copied(kernel, statement)?;
    let (read, copy) = (kernel.tensor(t), kernel.tensor(statement.result));
    if read.view.as_ref().is_some_and(View::reshapes) {
        let made = kernel.access_text(t, &[]);
        let steps = |view: &View| view.steps(&kernel.tensor(view.base).shape);
        let last = read.view.as_ref().and_then(steps).and_then(|steps| steps.steps.last().map(ShapeStep::operator));
        let views = kernel.tensors.iter().filter_map(|tensor| tensor.view.as_ref());
        let next = views
            .filter(|view| view.base == statement.result)
            .find_map(|view| Some(steps(view)?.steps.first()?.operator()));
        let why = match last.zip(next) {
            Some((last, next)) => format!("{next} needs another order than {last} leaves"),
            None => "its reader joins other lists with it".to_owned(),
        };
        return Some(format!("{} stores {made}: {why}", copy.name));
    }
    let how =
        if copy.levels.iter().any(|l| l.is_linked()) { "in linked lists, in the order of the loops" } else { "dense" };
    Some(format!("{} cannot be read as it lies on the chip: {} stores it once more, {how}", read.name, copy.name))
}
