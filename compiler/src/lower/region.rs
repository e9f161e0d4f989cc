//! The loops: one level after the other, operands are scanned, joined by a truth table, and
//! repeated where they lack the variable; reductions end in reducers.

use super::tree::{Leaf, Level, Tree};
use super::{Lowering, Stop, algebra, table};
use crate::graph::{AluFun, Arg, Op, Payload, StreamId};
use crate::stmt::{Fun, ReduceOp, VarId};

/// What a nest of loops ends in.
pub(super) struct Region {
    /// Coordinates per free variable, outermost first.
    pub crds: Vec<StreamId>,
    /// Values, at the depth of the innermost loop.
    pub val: StreamId,
}

impl Lowering<'_> {
    pub(super) fn depth(&self) -> usize {
        self.over.len()
    }

    pub(super) fn node(
        &mut self,
        name: String,
        op: Op,
        inputs: Vec<StreamId>,
        outputs: Vec<(Payload, Vec<VarId>, bool)>,
    ) -> Vec<StreamId> {
        self.graph.add(name, op, inputs, outputs, self.stage)
    }

    pub(super) fn var_name(&self, v: VarId) -> String {
        self.kernel.var(v).name.clone()
    }

    /// Lowers `t` inside the loops so far, over `free` (in loop order). `everywhere`: visit
    /// every coordinate, because the fill itself counts. Loop state is restored on return.
    pub(super) fn lower(&mut self, t: &Tree, free: &[VarId], everywhere: bool) -> Result<Region, Stop> {
        if let Tree::Reduce(op, k, body, _) = t
            && free.iter().all(|v| self.position[v] > self.position[k])
        {
            return self.reduce(*op, *k, body, free, everywhere);
        }
        let Some((&v, rest)) = free.split_first() else {
            let (val, may_be_empty) = self.compute(t)?;
            self.graph.streams[val.0].may_be_empty &= may_be_empty;
            return Ok(Region { crds: vec![], val });
        };
        let t = self.produce(t, v, free)?;
        let outer_patterns = self.patterns.clone();
        let ends = rest.is_empty() && t.leaves().iter().all(|&o| self.leaves[o].levels.iter().all(|(w, _)| *w == v));
        let crd = self.join(&t, v, everywhere, ends)?;
        self.over.push(v);
        self.context.push(crd);
        let mut region = self.lower(&t, rest, everywhere)?;
        region.crds.insert(0, crd);
        self.over.pop();
        self.context.pop();
        self.patterns = outer_patterns;
        Ok(region)
    }

    fn reduce(
        &mut self,
        op: ReduceOp,
        k: VarId,
        body: &Tree,
        free: &[VarId],
        everywhere: bool,
    ) -> Result<Region, Stop> {
        let counts = self.counts(op, body);
        let all = everywhere || counts;
        if all {
            self.counting.push(k);
        }
        let inner: Vec<VarId> = std::iter::once(k).chain(free.iter().copied()).collect();
        let fill = self.fill(body);
        let Region { crds, mut val } = self.lower(body, &inner, all)?;
        let over = self.graph.stream(val).over.clone();
        if all && self.graph.stream(val).may_be_empty {
            let alu = Op::Alu { fun: AluFun::Id, args: vec![Arg::Stream(fill)], emit: 0b11 };
            val = self.node("fill".into(), alu, vec![val], vec![(Payload::Val, over.clone(), false)])[0];
        }
        let list_may_be_empty = self.graph.stream(crds[0]).may_be_empty;
        let name = format!("{}_{}", op_name(op), self.var_name(k));
        let around = self.over.clone();
        if free.is_empty() {
            let empty = list_may_be_empty || self.graph.stream(val).may_be_empty;
            let out = self.node(name, Op::Reduce { op, kept: 0 }, vec![val], vec![(Payload::Val, around, empty)]);
            return Ok(Region { crds: vec![], val: out[0] });
        }
        // Fold kept levels beyond two into one key, reduce, and unfold.
        let mut kept: Vec<StreamId> = crds[1..].to_vec();
        let mut folded = Vec::new();
        while kept.len() > 2 {
            let (inner, outer) = (kept.pop().unwrap_or(val), kept.pop().unwrap_or(val));
            let bits = self.key_bits(inner);
            let (inner, x) = if folded.is_empty() { self.zip(inner, val) } else { (inner, val) };
            let over = self.graph.stream(outer).over.clone();
            let key = Payload::Key(bits + self.key_bits(outer));
            folded.push((bits, self.graph.stream(outer).payload, self.graph.stream(inner).payload));
            let out = self.node(
                format!("collapse_{name}"),
                Op::Collapse(bits),
                vec![outer, inner, x],
                vec![(key, over.clone(), true), (Payload::Val, over, self.graph.stream(x).may_be_empty)],
            );
            kept.push(out[0]);
            val = out[1];
        }
        let mut over = around;
        let mut outputs = Vec::new();
        for (n, &c) in kept.iter().enumerate() {
            over.push(free[n]);
            outputs.push((self.graph.stream(c).payload, over.clone(), n == 0));
        }
        outputs.push((Payload::Val, over.clone(), false));
        let inputs = kept.iter().copied().chain([val]).collect();
        let mut out = self.node(name.clone(), Op::Reduce { op, kept: kept.len() }, inputs, outputs);
        let mut val = out.pop().unwrap_or(val);
        while let Some((bits, outer, inner)) = folded.pop() {
            let key = out.pop().unwrap_or(val);
            let mut over = self.graph.stream(key).over.clone();
            let upper = over.clone();
            over.push(free[out.len() + 1]);
            let outputs = vec![(outer, upper, false), (inner, over.clone(), false), (Payload::Val, over, false)];
            let split = self.node(format!("divide_{name}"), Op::Divide(bits), vec![key, val], outputs);
            out.extend(&split[..2]);
            val = split[2];
        }
        Ok(Region { crds: out, val })
    }

    pub(super) fn key_bits(&self, s: StreamId) -> u32 {
        match self.graph.stream(s).payload {
            Payload::Key(bits) => bits,
            Payload::Crd(v) => crate::netlist::coordinate_bits(self.kernel.var(v).max),
            _ => 64,
        }
    }

    /// Reductions whose variable precedes `v` end in a reducer here; their result is an
    /// operand from now on.
    fn produce(&mut self, t: &Tree, v: VarId, free: &[VarId]) -> Result<Tree, Stop> {
        Ok(match t {
            Tree::Leaf(_) | Tree::Literal(_) => t.clone(),
            Tree::Map(f, args) => {
                Tree::Map(*f, args.iter().map(|a| self.produce(a, v, free)).collect::<Result<_, _>>()?)
            }
            Tree::Reduce(op, k, body, e) if self.position[k] > self.position[&v] => {
                let mut inner: Vec<VarId> = free.iter().copied().chain([*k]).collect();
                inner.sort_by_key(|x| self.position[x]);
                Tree::Reduce(*op, *k, Box::new(self.produce(body, v, &inner)?), *e)
            }
            Tree::Reduce(op, _, _, e) => {
                let open = self.variables(t);
                let mine: Vec<VarId> = free.iter().copied().filter(|f| open.contains(f)).collect();
                // A producer streams if it meets its one level here; what would have to be
                // read again, or passed through further joins, is stored.
                if mine.len() > 1 || mine.first().is_some_and(|&m| m != v) {
                    return Err(Stop::Materialize(*e));
                }
                let region = self.lower(t, &mine, false)?;
                let levels = match region.crds.first() {
                    Some(&crd) => vec![(v, Level::Produced(crd, region.val))],
                    None => vec![],
                };
                let fill = algebra::identity(*op, self.statement.ty);
                self.leaves.push(Leaf { used: None, levels, stream: region.val, is_value: true, fill, always: false });
                let id = self.leaves.len() - 1;
                self.patterns = match (&self.patterns, id < 64) {
                    // Present or not, whatever else is there.
                    (Some(p), true) => Some(p.iter().flat_map(|&a| [a, a | 1 << id]).collect()),
                    _ => None,
                };
                Tree::Leaf(id)
            }
        })
    }

    /// Values at the current depth, and whether a leaf can be N.
    fn compute(&mut self, t: &Tree) -> Result<(StreamId, bool), Stop> {
        let over = self.over.clone();
        match t {
            Tree::Leaf(l) => {
                let leaf = self.leaves[*l].clone();
                let possible = self.patterns.as_ref().is_none_or(|p| p.iter().any(|a| a >> l & 1 == 0));
                let absent = self.reference(Some(*l), leaf.stream).1;
                let empty = absent && possible;
                let stream = match (leaf.is_value, leaf.used) {
                    (false, Some(used)) => {
                        let name = format!("array_{}", self.leaf_name(*l));
                        let out = (Payload::Val, over, absent);
                        let val = self.node(name, Op::Array(used), vec![leaf.stream], vec![out])[0];
                        // Read once, whoever else in the expression wants it.
                        self.leaves[*l].stream = val;
                        self.leaves[*l].is_value = true;
                        val
                    }
                    _ => leaf.stream,
                };
                Ok((stream, empty))
            }
            Tree::Literal(v) => {
                let op = Op::Alu { fun: AluFun::Const, args: vec![Arg::Const(*v)], emit: 0b10 };
                let context = self.context[self.depth()];
                Ok((self.node("constant".into(), op, vec![context], vec![(Payload::Val, over, false)])[0], false))
            }
            Tree::Reduce(..) => {
                let region = self.lower(t, &[], false)?;
                Ok((region.val, self.graph.stream(region.val).may_be_empty))
            }
            Tree::Map(f, args) => self.map(t, *f, args),
        }
    }

    fn map(&mut self, t: &Tree, f: Fun, args: &[Tree]) -> Result<(StreamId, bool), Stop> {
        let (mut inputs, mut alu_args, mut empties, mut places) = (vec![], vec![], vec![], vec![]);
        for (k, a) in args.iter().enumerate() {
            if let Tree::Literal(v) = a {
                alu_args.push(Arg::Const(*v));
                continue;
            }
            let (stream, empty) = self.compute(a)?;
            inputs.push(stream);
            empties.push(empty);
            places.push(k);
            alu_args.push(Arg::Stream(self.fill(a)));
        }
        let fills: Vec<u64> = args.iter().map(|a| self.fill(a)).collect();
        let n = inputs.len();
        // A reduction that counts absent entries is there wherever it has a range at all.
        let always: Vec<bool> = args.iter().map(|a| self.algebra(a, &|_| false)).collect();
        // There where the algebra of f holds, given which arguments are.
        let emits = |p: u64| {
            let here = |k: usize| places.iter().position(|&x| x == k).is_some_and(|i| p >> i & 1 == 1);
            p != 0 && !(0..args.len()).any(|k| !here(k) && !always[k] && algebra::annihilator(f, k) == Some(fills[k]))
        };
        let emit = table(n, emits)[0];
        let sure = empties.iter().enumerate().filter(|(_, e)| !**e).fold(0u64, |m, (i, _)| m | 1 << i);
        let by_args = (0..1u64 << n).any(|p| p & sure == sure && !emits(p));
        // Without reductions inside, the sets of leaves that can occur together say more.
        let pure = !t.has_reduction();
        let by_leaves = match &self.patterns {
            Some(patterns) if pure => patterns.iter().any(|a| !self.algebra(t, &|o| a >> o & 1 == 1)),
            _ => true,
        };
        let empty = by_args && by_leaves;
        let name = fun_name(f).to_string();
        let out = self.node(
            name,
            Op::Alu { fun: AluFun::Fun(f), args: alu_args, emit },
            inputs,
            vec![(Payload::Val, self.over.clone(), empty)],
        );
        Ok((out[0], empty))
    }
}

fn op_name(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Add => "sum",
        ReduceOp::Min => "min",
        ReduceOp::Max => "max",
    }
}

fn fun_name(f: Fun) -> &'static str {
    match f {
        Fun::Add => "add",
        Fun::Sub => "sub",
        Fun::Mul => "mul",
        Fun::Neg => "neg",
    }
}
