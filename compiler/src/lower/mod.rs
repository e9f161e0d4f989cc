//! Lowering of statements and loop orders to a SAM graph. `tree` holds the expression with its operands on their way
//! through the loops, `algebra` the iteration algebra, `region` the loops, `result` the writers, `uses` which packing
//! an access reads, `read` reads at computed coordinates, `wide` what happens to joins that are too wide.

mod algebra;
mod arguments;
mod bounds;
mod call;
mod conditions;
mod fuse;
mod hardware;
mod join;
mod lattice;
mod locate;
pub(crate) mod merge;
mod parts;
mod read;
mod region;
mod reshaped;
mod result;
mod scanned;
mod scans;
mod scatter;
mod tree;
mod triangle;
pub(crate) mod turn;
mod uses;
mod wide;

use crate::diag::{Diagnostic, Place};
use crate::facts::{Settled, open_variables, variables};
use crate::graph::{Graph, Leaves, Op, Payload, UseId};
use crate::levels::{self, LevelKind};
use crate::stmt::{Expr, ExprId, Kernel, Statement, Tensor, TensorId, VarId};
use merge::SplitOff;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use tree::Leaf;
use turn::Turned;

/// A lowered kernel, in which every loop order is fixed and every reduction can be streamed, with its graph.
/// Temporaries that lowering introduced are tensors and statements of their own.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The kernel, including temporaries.
    pub kernel: Kernel,
    /// Loop order of each statement.
    pub orders: Vec<Vec<VarId>>,
    /// Tensors that exist only on the chip.
    pub temporaries: Vec<TensorId>,
    /// Variables of reductions that include absent entries: their results for fills depend on the sizes.
    pub counting: Vec<VarId>,
    /// Variables that lowering added, each with the one whose size it has, `None` for its declared size; only those of
    /// slices come after them.
    pub again: Vec<(VarId, Option<VarId>)>,
    /// Variables of [`Self::counting`] whose run-time sizes must not be 0: the reducer keeps coordinates, of which it
    /// has none for size 0, but their reader needs all of them.
    pub nonempty: Vec<VarId>,
    /// Decisions of the lowering, in sentences.
    pub notes: Vec<String>,
    /// Lanes that are not where the schedule asks for them, in sentences.
    pub redirected: Vec<String>,
    /// Results whose parts are written in other levels by lanes, with the declared levels.
    pub declared: BTreeMap<TensorId, Vec<LevelKind>>,
    /// Slices of variables for lanes; their variables are the last ones of the kernel, in this order.
    pub slices: Vec<crate::graph::Slice>,
    /// The SAM graph.
    pub graph: Graph,
}

/// Why one statement could not be lowered as it stands.
enum Stop {
    /// This reduction must be stored and scanned again.
    Materialize(ExprId),
    /// What this reduction takes must be stored in lists, and is merged.
    Merge(ExprId),
    /// What this access reads must be stored once more.
    Turn(Turned),
    /// The user has to change something.
    Refuse(Diagnostic),
}

/// Bits of a truth table over n operands.
pub(crate) fn table(n: usize, f: impl Fn(u64) -> bool) -> Vec<u64> {
    let rows = 1u64 << n;
    let mut words = vec![0u64; rows.div_ceil(64) as usize];
    for p in (0..rows).filter(|&p| f(p)) {
        words[(p / 64) as usize] |= 1 << (p % 64);
    }
    words
}

impl Lowered {
    /// Returns the variables of the lanes of `v`, in every statement; `v` itself where it has none.
    pub fn lanes_of(&self, v: VarId) -> Vec<VarId> {
        let mut lanes: Vec<VarId> = self.slices.iter().filter(|s| s.of == v).map(|s| s.var).collect();
        lanes.dedup();
        if lanes.is_empty() { vec![v] } else { lanes }
    }
    /// Returns the variable of which `v` has a lane's coordinates; `v` itself where it is no lane's.
    pub fn whole(&self, v: VarId) -> VarId {
        self.slices.iter().find(|s| s.var == v).map_or(v, |s| s.of)
    }
    /// A kernel of which nothing is lowered yet.
    pub(crate) fn begin(kernel: Kernel) -> Self {
        Self {
            kernel,
            orders: vec![],
            temporaries: vec![],
            counting: vec![],
            again: vec![],
            nonempty: vec![],
            notes: vec![],
            redirected: vec![],
            declared: BTreeMap::new(),
            slices: vec![],
            graph: Graph::default(),
        }
    }
}

/// Lowers every statement in the order `order` (all variables, outermost first), in which the
/// kernel is nested.
///
/// Variables that it adds get their places in `order`.
pub(crate) fn lower(lowered: &mut Lowered, order: &mut Vec<VarId>) -> Result<(), Diagnostic> {
    let kernel = &mut lowered.kernel;
    for statement in &kernel.statements {
        let here = |d| at(statement, d);
        hardware::check(kernel, statement).map_err(here)?;
    }
    let all = kernel.statements.len();
    let Made { graph, said, mut temporaries, again } = made(kernel, 0..all, order, &lowered.declared, |_| ())?;
    lowered.again.extend(again);
    let Said { counting, nonempty, notes, looked_up } = said;
    temporaries.extend(&kernel.temporaries);
    locate::all_located(kernel, &looked_up)?;
    scatter::all_written(kernel)?;
    fuse::check(kernel)?;
    lowered.orders = kernel.statements.iter().map(|s| restricted(kernel, s, order)).collect();
    (lowered.temporaries, lowered.counting, lowered.nonempty) = (temporaries, counting, nonempty);
    (lowered.notes, lowered.graph) = (notes, graph);
    Ok(())
}

/// Applies `look` to the graph of statement `n` alone, in the order `order` of its variables, before anything
/// copies it. The kernel stays as it was, except which of directly nested reductions has which variable.
pub(crate) fn tried<R>(
    kernel: &mut Kernel,
    n: usize,
    order: &[VarId],
    look: impl FnOnce(&mut Lowered) -> R,
) -> Result<R, Diagnostic> {
    let mut open = vec![kernel.statements[n].value];
    let mut own = Vec::new();
    while let Some(e) = open.pop() {
        own.push(e);
        open.extend(kernel.expr(e).children());
    }
    nest(kernel, own, order);
    let mut lowered = Lowered::begin(std::mem::take(kernel));
    let (mut whole, declared) = (None, BTreeMap::new());
    let kept = |kernel: &Kernel| {
        whole.get_or_insert_with(|| kernel.clone());
    };
    let checked = hardware::check(&lowered.kernel, &lowered.kernel.statements[n]);
    let mut order = order.to_vec();
    let made = checked.and_then(|()| made(&mut lowered.kernel, n..n + 1, &mut order, &declared, kept));
    let found = made.map(|made| {
        lowered.graph = made.graph.pruned();
        lowered.again = made.again;
        look(&mut lowered)
    });
    *kernel = whole.unwrap_or(lowered.kernel);
    found
}

/// What lowering gives.
struct Made {
    graph: Graph,
    said: Said,
    temporaries: Vec<TensorId>,
    again: Vec<(VarId, Option<VarId>)>,
}

impl Made {
    /// Takes note of a statement that was split off.
    fn add(&mut self, split: SplitOff) {
        self.temporaries.push(split.tensor);
        self.again.extend(split.again);
        self.said.notes.extend(Some(split.note).filter(|note| !note.is_empty()));
    }
}

/// Lowers these statements, and before each the temporaries that it takes; `before` sees the kernel
/// before it gets one.
fn made(
    kernel: &mut Kernel,
    statements: Range<usize>,
    order: &mut Vec<VarId>,
    declared: &BTreeMap<TensorId, Vec<LevelKind>>,
    mut before: impl FnMut(&Kernel),
) -> Result<Made, Diagnostic> {
    let mut made = Made { graph: Graph::default(), said: Said::default(), temporaries: Vec::new(), again: Vec::new() };
    let mut n = statements.start;
    while n < statements.end + made.temporaries.len() {
        // A statement that cannot be lowered as it stands leaves nothing; those before it stay as they are.
        let (mark, said) = (made.graph.mark(), made.said.clone());
        let scattered = scatter::plan(kernel, n, order, declared, &mut made.said)?;
        match lower_statement(kernel, n, order, &mut made.graph, &mut made.said, scattered) {
            Ok(()) => n += 1,
            Err(Stop::Refuse(d)) => return Err(at(&kernel.statements[n], d)),
            Err(Stop::Materialize(e)) => {
                before(kernel);
                made.temporaries.push(materialize(kernel, n, e, order));
                made.graph.truncate(mark);
                made.said = said;
            }
            Err(Stop::Merge(e)) => {
                before(kernel);
                let merged = merge::split_off(kernel, n, e, order);
                made.graph.truncate(mark);
                made.said = said;
                made.add(merged);
            }
            Err(Stop::Turn(turned)) => {
                before(kernel);
                let split = turn::store_turned(kernel, n, (&turned, &made.temporaries), order);
                let split = split.map_err(|d| at(&kernel.statements[n], d))?;
                made.graph.truncate(mark);
                made.said = said;
                split.into_iter().for_each(|split| made.add(split));
            }
        }
    }
    Ok(made)
}

/// `d` with the place of the statement that is refused, unless it has one.
fn at(statement: &Statement, d: Diagnostic) -> Diagnostic {
    d.or_at(Place::Kernel(statement.span.clone()))
}

/// Gives the variables of directly nested reductions of one operator to them in loop order:
/// the outermost reduction gets the outermost variable.
pub(crate) fn nest(kernel: &mut Kernel, exprs: impl IntoIterator<Item = ExprId>, order: &[VarId]) {
    for e in exprs {
        let Expr::Reduce(op, ..) = *kernel.expr(e) else { continue };
        let (mut chain, mut at) = (vec![], e);
        while let Expr::Reduce(o, k, body) = kernel.expr(at)
            && *o == op
        {
            chain.push((at, *k));
            at = *body;
        }
        let mut vars: Vec<VarId> = chain.iter().map(|&(_, k)| k).collect();
        vars.sort_by_key(|v| order.iter().position(|o| o == v));
        for ((id, _), v) in chain.into_iter().zip(vars) {
            if let Expr::Reduce(_, k, _) = &mut kernel.exprs[id.0] {
                *k = v;
            }
        }
    }
}

/// `order` without the variables that the statement does not use.
fn restricted(kernel: &Kernel, s: &Statement, order: &[VarId]) -> Vec<VarId> {
    let used = variables(kernel, s);
    order.iter().copied().filter(|v| used.contains(v)).collect()
}

/// Splits reduction `e` of statement `n` off into a statement of its own, before it, that
/// writes a temporary; the reduction becomes an access to that temporary.
fn materialize(kernel: &mut Kernel, n: usize, e: ExprId, order: &[VarId]) -> TensorId {
    let free = open_variables(kernel, e);
    let indices: Vec<VarId> = order.iter().copied().filter(|v| free.contains(v)).collect();
    let levels = vec![levels::COMPRESSED; indices.len()];
    store(kernel, n, e, indices, levels)
}

/// Splits `e` of statement `n` off into a statement of its own, before it, that writes a temporary with these
/// indices in these levels; `e` becomes an access to that temporary.
fn store(kernel: &mut Kernel, n: usize, e: ExprId, indices: Vec<VarId>, levels: Vec<LevelKind>) -> TensorId {
    let ty = kernel.type_of(n, e);
    settle(kernel, n, e);
    let tensor = TensorId(kernel.tensors.len());
    kernel.tensors.push(Tensor {
        name: format!("tmp{}", tensor.0),
        ty,
        shape: indices.iter().map(|&v| kernel.var(v).max).collect(),
        levels,
        mode_order: (0..indices.len()).collect(),
        fill: None,
        nnz: None,
        runs: None,
        prune: false,
        span: kernel.statements[n].span.clone(),
        view: None,
    });
    let value = ExprId(kernel.exprs.len());
    let stored = kernel.expr(e).clone();
    kernel.exprs.push(stored);
    kernel.types.insert(value, ty);
    kernel.exprs[e.0] = Expr::Access(tensor, indices.clone());
    let span = kernel.statements[n].span.clone();
    let (settled, own) = (Settled::default(), kernel.statements[n].own.clone());
    kernel.statements.insert(n, Statement { result: tensor, indices, value, ty, span, settled, own });
    kernel.settle_statement(n);
    tensor
}

/// Writes down the types of `e` and all below it: in another statement they would be read otherwise.
fn settle(kernel: &mut Kernel, n: usize, e: ExprId) {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        let ty = kernel.type_of(n, e);
        kernel.types.insert(e, ty);
        open.extend(kernel.expr(e).children());
    }
}

/// What lowering tells in addition to the graph.
#[derive(Clone, Default)]
struct Said {
    counting: Vec<VarId>,
    nonempty: Vec<VarId>,
    notes: Vec<String>,
    /// Tensors of `locate` that met others at some level.
    looked_up: BTreeSet<TensorId>,
}

/// State while one statement is lowered.
struct Lowering<'a> {
    kernel: &'a Kernel,
    statement: &'a Statement,
    position: HashMap<VarId, usize>,
    graph: &'a mut Graph,
    counting: &'a mut Vec<VarId>,
    nonempty: &'a mut Vec<VarId>,
    /// What a reduction here makes goes to the result with nothing between, and the result has all
    /// coordinates.
    direct: bool,
    notes: &'a mut Vec<String>,
    looked_up: &'a mut BTreeSet<TensorId>,
    stage: usize,
    leaves: Vec<Leaf>,
    /// Of reductions that were asked for: does more of operands never make the body absent?
    growing: RefCell<HashMap<ExprId, bool>>,
    /// Per depth a stream without N that has a leaf per item: what universes are scanned from.
    context: Vec<crate::graph::StreamId>,
    /// Variables of the loops around, outermost first.
    over: Vec<VarId>,
    /// What is reshaped on the chip.
    chains: Vec<reshaped::Chain>,
    /// Levels of uses of which only a part is read.
    parts: HashMap<(UseId, usize), parts::LevelPart>,
    /// Triangles of uses that alone are read.
    triangles: Vec<(UseId, triangle::Triangle)>,
    /// Which leaves can be there together at the current depth (bit = leaf); `None`: unknown.
    patterns: Option<BTreeSet<u64>>,
    /// How values are folded into the result, if they are scattered.
    scattered: Option<scatter::Scattered>,
    /// Conditions without indices: where one does not hold, no loop of the statement begins.
    gates: Vec<tree::Tree>,
}

fn lower_statement(
    kernel: &Kernel,
    n: usize,
    order: &[VarId],
    graph: &mut Graph,
    said: &mut Said,
    scattered: Option<scatter::Scattered>,
) -> Result<(), Stop> {
    let statement = &kernel.statements[n];
    let position = order.iter().enumerate().map(|(p, &v)| (v, p)).collect();
    let root = graph.add("root".into(), Op::Root, vec![], vec![Leaves::sure(Payload::Root, vec![])], n)[0];
    let mut low = Lowering {
        kernel,
        statement,
        position,
        graph,
        counting: &mut said.counting,
        nonempty: &mut said.nonempty,
        direct: kernel.tensor(statement.result).levels.iter().all(|l| l.is_dense()),
        notes: &mut said.notes,
        looked_up: &mut said.looked_up,
        stage: n,
        leaves: Vec::new(),
        growing: RefCell::default(),
        context: vec![root],
        over: Vec::new(),
        chains: Vec::new(),
        parts: HashMap::new(),
        triangles: Vec::new(),
        patterns: None,
        scattered,
        gates: Vec::new(),
    };
    let tree = low.build(statement.value, root)?;
    low.gates = low.conditions_without_indices(&tree);
    if low.leaves.len() <= 8 {
        // A single coordinate may not be there.
        let missing = |(l, leaf): (usize, &Leaf)| u64::from(low.graph.stream(leaf.stream).may_be_empty) << l;
        let missing: u64 = low.leaves.iter().enumerate().map(missing).sum();
        let all = (1u64 << low.leaves.len()) - 1;
        low.patterns = Some((0..=all).filter(|p| p | missing == all).collect());
    }
    let mut free = statement.indices.clone();
    free.sort_by_key(|v| low.position[v]);
    let region = low.everywhere_if_forced(&tree, &free)?;
    let everywhere = low.fill(&tree).is_none().then(|| low.absent(&tree));
    low.write(&free, region, everywhere)
}
