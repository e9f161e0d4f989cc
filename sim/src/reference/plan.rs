//! Translation of a statement and a loop order to loop nests.
//!
//! A reduction whose variable comes after the current loop is transparent: its operands join
//! the loop. One whose variable comes before is evaluated on its own just before the loop,
//! over those of its variables that are still open, and joins the loop as one more operand.

mod nodes;

use super::arith::Arith;
use super::key::Key;
use super::near::Near;
use super::program::{Gather, Kind, Loop, Node, NodeId, Origin, Program, Read, Slot, SlotId, Step, StepId};
use super::value::Value;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::stmt::{Expr, ExprId, Kernel, Operator, Statement, TensorId, VarId};
use samhw_values::convert;

/// Fill of an operand: its value at the run's dimensions, whether that is known without them, and
/// whether something is stored everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fill {
    pub(super) value: Near,
    pub(super) constant: bool,
    pub(super) everywhere: bool,
}

impl Fill {
    /// Describes an operand that stores what it holds.
    pub(super) fn of(value: u64, everywhere: bool) -> Self {
        Self { value: Near::exact(value), constant: true, everywhere }
    }
}

/// Plans `statement` for loops in `order`, which holds every variable of the statement.
pub(super) fn plan(
    kernel: &Kernel,
    statement: &Statement,
    dims: &[u64],
    fills: &dyn Fn(TensorId) -> Fill,
    order: &[VarId],
) -> Result<Program, Diagnostic> {
    let mut position = vec![usize::MAX; kernel.vars.len()];
    order.iter().enumerate().for_each(|(n, v)| position[v.0] = n);
    let program = Program { algebra: kernel.algebra, ..Program::default() };
    let mut planner = Planner { kernel, statement, dims, fills, position, program };
    planner.program.root = planner.node(statement.value)?;
    let free: Vec<VarId> = order.iter().copied().filter(|v| statement.indices.contains(v)).collect();
    let key = Key::new(&free, dims)?;
    planner.program.key = key.clone();
    planner.program.start = planner.step(planner.program.root, &free, &key)?;
    Ok(planner.program)
}

struct Planner<'a> {
    kernel: &'a Kernel,
    statement: &'a Statement,
    dims: &'a [u64],
    fills: &'a dyn Fn(TensorId) -> Fill,
    /// Place of each variable in the loop order.
    position: Vec<usize>,
    program: Program,
}

impl Planner<'_> {
    fn push(&mut self, node: Node) -> NodeId {
        self.program.nodes.push(node);
        self.program.nodes.len() - 1
    }

    /// The expression as nodes, with fills.
    fn node(&mut self, e: ExprId) -> Result<NodeId, Diagnostic> {
        let kernel = self.kernel;
        let arith = Arith::new(kernel.type_in(self.statement, e));
        match kernel.expr(e) {
            &Expr::Literal(v) => Ok(self.known(Kind::Literal, arith, Near::exact(v), Some(v), Some(v))),
            Expr::Access(t, indices) => {
                let slot = self.access(*t, indices)?;
                let fill = (self.fills)(*t);
                let constant = fill.constant.then_some(fill.value.raw);
                let settled = constant.filter(|_| !fill.everywhere);
                Ok(self.known(Kind::Slot(slot), arith, fill.value, constant, settled))
            }
            Expr::Stored(t, indices) => {
                let slot = self.access(*t, indices)?;
                let constant = (self.fills)(*t).constant.then_some(0);
                Ok(self.known(Kind::Stored(slot), arith, Near::exact(0), constant, constant))
            }
            &Expr::Index(v) => Ok(self.known(Kind::Index(v), arith, Near::exact(0), None, None)),
            Expr::Map(f, args) => {
                if args.len() != f.arity() {
                    let message = format!("{f:?} is applied to {} arguments", args.len());
                    return Err(Diagnostic::new(super::ARGUMENTS, message));
                }
                let Arguments { args, fills, constants, settled } = self.arguments(args)?;
                let algebra = kernel.algebra;
                let settled = f.partial(&settled, arith.ty, algebra);
                let constant = settled.or(f.partial(&constants, arith.ty, algebra));
                // Absent, in addition to the literals, of which nothing can change.
                let literal = |k: usize| matches!(self.program.nodes[args[k]].kind, Kind::Literal);
                let alone = |k: usize| -> Vec<Option<u64>> {
                    (0..args.len()).map(|j| constants[j].filter(|_| j == k || literal(j))).collect()
                };
                let decided = |k: usize| constants[k].and_then(|_| f.partial(&alone(k), arith.ty, algebra));
                let needed = (0..args.len()).filter(|&k| decided(k).is_some() && decided(k) == constant);
                let needed = needed.fold(0, |m, k| m | 1 << k);
                let fill = Near::apply(arith, *f, &fills);
                let node = self.known(Kind::Map(*f, args), arith, fill, constant, settled);
                self.program.nodes[node].needed = needed;
                Ok(node)
            }
            Expr::Call(f, args) => {
                let function = kernel.function(*f);
                let Arguments { args, fills, constants, settled } = self.arguments(args)?;
                let settled = function.partial(&settled, &constants);
                let constant = settled.or(function.partial(&constants, &constants));
                let there = constants.iter().enumerate().map(|(k, c)| u64::from(c.is_none()) << k).sum();
                let fill = Near::call(function, &fills, there);
                Ok(self.known(Kind::Call(function.clone(), args), arith, fill, constant, settled))
            }
            &Expr::Reduce(op, v, body) => {
                let body = self.node(body)?;
                Ok(self.reduce(op, v, body, arith))
            }
            Expr::Prefix(..) => unreachable!("scans are tensors here"),
            &Expr::At(v, at) => {
                let at = self.node(at)?;
                Ok(self.known(Kind::At(v, at), arith, Near::exact(0), Some(0), Some(0)))
            }
            Expr::Read { tensor, at, gives, .. } => {
                let at = self.arguments(at)?.args;
                self.program.reads.push(Read { tensor: *tensor, gives: *gives });
                Ok(self.known(Kind::Read(self.program.reads.len() - 1, at), arith, Near::exact(0), None, None))
            }
            &Expr::Convert(body) => {
                let from = kernel.type_in(self.statement, body);
                let body = self.node(body)?;
                let Node { fill, constant, settled, .. } = self.program.nodes[body];
                let [constant, settled] = [constant, settled].map(|c| Some(convert(c?, from, arith.ty)));
                let fill = Near::convert(arith, from, fill);
                Ok(self.known(Kind::Convert(from, body), arith, fill, constant, settled))
            }
        }
    }

    /// A node with its fill, and the same where it is known without the dimensions, and without
    /// what is stored everywhere.
    fn known(&mut self, kind: Kind, arith: Arith, fill: Near, constant: Option<u64>, settled: Option<u64>) -> NodeId {
        let inside = |args: &[NodeId]| args.iter().all(|&a| self.program.nodes[a].grows);
        let grows = match &kind {
            Kind::Stored(_) => false,
            Kind::Slot(_) | Kind::Literal | Kind::Index(_) | Kind::Nested(_) => true,
            Kind::Map(_, args) | Kind::Read(_, args) => inside(args),
            Kind::Call(f, args) => f.iterate.is_none() && f.cases.is_empty() && inside(args),
            Kind::Reduce(_, _, body) | Kind::Convert(_, body) | Kind::At(_, body) => inside(&[*body]),
        };
        let structure = match &kind {
            Kind::Stored(s) => Some(Some(*s)),
            Kind::Literal => Some(None),
            Kind::Convert(_, body) => self.program.nodes[*body].structure,
            Kind::Map(_, args) => {
                args.iter().map(|&a| self.program.nodes[a].structure).try_fold(None, |all, of| match (all, of?) {
                    (Some(a), Some(b)) => (a == b).then_some(Some(a)),
                    (a, b) => Some(a.or(b)),
                })
            }
            _ => None,
        };
        self.push(Node {
            kind,
            arith,
            fill: constant.map_or(fill, Near::exact),
            constant,
            always: constant.is_none(),
            settled,
            grows,
            needed: 0,
            structure,
        })
    }

    /// Nodes of arguments, and what is known of them.
    fn arguments(&mut self, args: &[ExprId]) -> Result<Arguments, Diagnostic> {
        let args = args.iter().map(|&a| self.node(a)).collect::<Result<Vec<_>, _>>()?;
        let nodes = || args.iter().map(|&a| &self.program.nodes[a]);
        let fills = nodes().map(|n| n.fill).collect();
        let constants = nodes().map(|n| n.constant).collect();
        let settled = nodes().map(|n| n.settled).collect();
        Ok(Arguments { args, fills, constants, settled })
    }

    fn reduce(&mut self, op: Operator, v: VarId, body: NodeId, arith: Arith) -> NodeId {
        let identity = arith.identity(op);
        let of = &self.program.nodes[body];
        let skips = of.constant.is_some_and(|c| self.kernel.algebra.same(arith.ty, c, identity));
        let constant = skips.then_some(identity);
        let settled = constant.filter(|_| of.settled.is_some() || !of.grows);
        let fill = Near::repeat(arith, op, self.program.nodes[body].fill, self.dims[v.0]).settle(arith, op);
        self.known(Kind::Reduce(op, v, body), arith, fill, constant, settled)
    }

    /// The slot of an access; equal accesses share one.
    fn access(&mut self, t: TensorId, indices: &[VarId]) -> Result<SlotId, Diagnostic> {
        let origin = Origin::Access(t, indices.to_vec());
        if let Some(slot) = self.program.slots.iter().position(|s| s.origin == origin) {
            return Ok(slot);
        }
        let mut vars = indices.to_vec();
        vars.sort_by_key(|v| self.position[v.0]);
        vars.dedup();
        self.slot(origin, &vars)
    }

    fn slot(&mut self, origin: Origin, vars: &[VarId]) -> Result<SlotId, Diagnostic> {
        let key = Key::new(vars, self.dims)?;
        self.program.slots.push(Slot { origin, key });
        Ok(self.program.slots.len() - 1)
    }

    /// Loops over `vars` (in loop order), which are what of the region of `e` is still open;
    /// emits to a workspace keyed by `out`.
    fn step(&mut self, e: NodeId, vars: &[VarId], out: &Key) -> Result<StepId, Diagnostic> {
        let step = match (self.program.nodes[e].kind.clone(), vars) {
            (Kind::Reduce(op, v, body), _) if vars.first().is_none_or(|&w| self.before(v, w)) => {
                Step::Gather { gather: self.gather(e, op, v, body, vars)?, out: out.clone() }
            }
            (_, []) => {
                let expr = self.rewrite(e, &mut |planner, r, op, v, body| {
                    let gather = planner.gather(r, op, v, body, &[])?;
                    planner.program.steps.push(Step::Gather { gather, out: Key::default() });
                    let kind = Kind::Nested(planner.program.steps.len() - 1);
                    Ok(planner.push(Node { kind, ..planner.program.nodes[r].clone() }))
                })?;
                Step::Value { expr, out: out.clone() }
            }
            (_, &[v, ref rest @ ..]) => {
                let mut produced = Vec::new();
                let expr = self.produce(e, v, vars, &mut produced)?;
                let expr = self.singles(expr, v, &mut produced)?;
                let mut slots = Vec::new();
                self.slots(expr, &mut slots);
                let level = |s: SlotId| self.program.slots[s].key.vars().position(|w| w == v);
                let scanned = slots.into_iter().filter_map(|s| Some((s, level(s)?))).collect();
                let next = self.step(expr, rest, out)?;
                Step::Loop(Loop { var: v, expr, scanned, produced, next })
            }
        };
        self.program.steps.push(step);
        Ok(self.program.steps.len() - 1)
    }

    fn before(&self, v: VarId, w: VarId) -> bool {
        self.position[v.0] < self.position[w.0]
    }

    /// The reduction `e` as loops of its own that keep `vars`.
    fn gather(
        &mut self,
        e: NodeId,
        op: Operator,
        v: VarId,
        body: NodeId,
        vars: &[VarId],
    ) -> Result<Gather, Diagnostic> {
        let kept = Key::new(vars, self.dims)?;
        let inner: Vec<VarId> = std::iter::once(v).chain(vars.iter().copied()).collect();
        let counts = self.program.nodes[e].always.then_some(self.program.nodes[body].fill);
        let body = self.step(body, &inner, &kept)?;
        let arith = self.program.nodes[e].arith;
        Ok(Gather { op, arith, var: v, kept, body, counts, fill: self.program.nodes[e].fill })
    }

    /// `e` with every reduction whose variable precedes `v` replaced by a slot; `open` are the
    /// variables that are not bound yet, in loop order.
    fn produce(
        &mut self,
        e: NodeId,
        v: VarId,
        open: &[VarId],
        produced: &mut Vec<(StepId, SlotId)>,
    ) -> Result<NodeId, Diagnostic> {
        self.rewrite(e, &mut |planner, r, op, k, body| {
            if planner.before(v, k) {
                let mut open = open.to_vec();
                open.insert(open.partition_point(|&w| planner.before(w, k)), k);
                let replaced = planner.produce(body, v, &open, produced)?;
                if replaced == body {
                    return Ok(r);
                }
                let kind = Kind::Reduce(op, k, replaced);
                return Ok(planner.push(Node { kind, ..planner.program.nodes[r].clone() }));
            }
            let mut slots = Vec::new();
            planner.slots(r, &mut slots);
            let mut numbers = Vec::new();
            planner.numbers(r, &mut numbers);
            let stored = |w: &VarId| slots.iter().any(|&s| planner.program.slots[s].key.vars().any(|x| x == *w));
            let used = |w: &VarId| stored(w) || numbers.contains(w);
            let mine: Vec<VarId> = open.iter().copied().filter(used).collect();
            let gather = planner.gather(r, op, k, body, &mine)?;
            let slot = planner.slot(Origin::Produced, &mine)?;
            planner.program.steps.push(Step::Gather { gather, out: Key::default() });
            produced.push((planner.program.steps.len() - 1, slot));
            Ok(planner.push(Node { kind: Kind::Slot(slot), ..planner.program.nodes[r].clone() }))
        })
    }

    /// `e` with the coordinates of `v` that are known before its loop replaced by slots.
    fn singles(&mut self, e: NodeId, v: VarId, produced: &mut Vec<(StepId, SlotId)>) -> Result<NodeId, Diagnostic> {
        match self.program.nodes[e].kind {
            Kind::At(w, at) if w == v && self.is_bound(at, v) => {
                let slot = self.slot(Origin::Produced, &[v])?;
                let key = self.program.slots[slot].key.clone();
                self.program.steps.push(Step::Single { at, one: self.program.nodes[e].arith.ty.one(), key });
                produced.push((self.program.steps.len() - 1, slot));
                Ok(self.push(Node { kind: Kind::Slot(slot), ..self.program.nodes[e].clone() }))
            }
            _ => self.rewrite_inside(e, &mut |planner, inside| planner.singles(inside, v, produced)),
        }
    }
}

/// Nodes of arguments, and of each its fill, that where it is constant, and where it does not
/// depend on what is stored everywhere.
struct Arguments {
    args: Vec<NodeId>,
    fills: Vec<Near>,
    constants: Vec<Option<u64>>,
    settled: Vec<Option<u64>>,
}
