//! The loops: one level after the other, operands are scanned, joined by a truth table, and
//! repeated where they lack the variable; reductions end in reducers.

use super::tree::{Leaf, LeafId, Level, Tree};
use super::{Lowering, Stop, algebra, table};
use crate::diag::Diagnostic;
use crate::graph::{AluFun, Arg, Op, Payload, StreamId};
use crate::stmt::{Fun, LevelKind, ReduceOp, VarId};
use std::collections::BTreeSet;

/// What a nest of loops ends in.
pub(super) struct Region {
    /// Coordinates per free variable, outermost first.
    pub crds: Vec<StreamId>,
    /// Values, at the depth of the innermost loop.
    pub val: StreamId,
}

/// A scanned operand of a join.
struct Scanned {
    leaf: Option<LeafId>,
    crd: StreamId,
    stream: StreamId,
    /// Its fiber is never empty where the operand is there.
    full: bool,
}

impl Lowering<'_> {
    fn depth(&self) -> usize {
        self.over.len()
    }

    fn node(
        &mut self,
        name: String,
        op: Op,
        inputs: Vec<StreamId>,
        outputs: Vec<(Payload, Vec<VarId>, bool)>,
    ) -> Vec<StreamId> {
        self.graph.add(name, op, inputs, outputs, self.stage)
    }

    fn var_name(&self, v: VarId) -> String {
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
        let crd = self.join(&t, v, everywhere)?;
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

    fn key_bits(&self, s: StreamId) -> u32 {
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

    /// One level: scan, coiterate by truth table, repeat what lacks `v`.
    fn join(&mut self, t: &Tree, v: VarId, everywhere: bool) -> Result<StreamId, Stop> {
        let ops: Vec<LeafId> = t.leaves();
        let has = |low: &Self, o: LeafId| low.leaves[o].levels.first().is_some_and(|(w, _)| *w == v);
        let (mut with, mut rest): (Vec<_>, Vec<_>) = ops.iter().partition(|&&o| has(self, o));
        let rest_there = |o: LeafId| rest.contains(&o);
        let universe = everywhere || self.algebra(t, &|_| false);
        if !universe && self.algebra(t, &rest_there) {
            (with, rest) = (ops, vec![]);
        }
        if with.is_empty() && !universe {
            // Nothing here has the variable and nothing can differ from its fill.
            return Ok(self.empty_level(v, &rest));
        }
        let mut scanned: Vec<Scanned> = Vec::new();
        for &o in &with {
            let s = self.scan(o, v);
            scanned.push(s);
        }
        if universe {
            let s = self.broadcast(None, self.context[self.depth()], v);
            scanned.push(s);
        }
        let alone = |x: LeafId| rest.contains(&x) || scanned[0].leaf == Some(x);
        if scanned.len() == 1 && !universe && !self.algebra(t, &alone) {
            // Never there: a second operand that never emits makes it a join that drops all.
            let s = self.broadcast(None, self.context[self.depth()], v);
            scanned.push(s);
        }
        let n = scanned.len();
        if n > samhw_primitives::joiner::MAX_OPERANDS {
            let name = self.var_name(v);
            return Err(Stop::Refuse(
                Diagnostic::new(
                    "S005",
                    format!(
                        "{n} operands meet at index {name}, a joiner takes {}",
                        samhw_primitives::joiner::MAX_OPERANDS
                    ),
                )
                .help("split the expression: let a statement of its own compute a part of it"),
            ));
        }
        let there = |p: u64, o: LeafId| {
            rest.contains(&o) || scanned.iter().enumerate().any(|(k, s)| s.leaf == Some(o) && p >> k & 1 == 1)
        };
        let emits = |p: u64| p != 0 && (universe && p >> (n - 1) & 1 == 1 || self.algebra(t, &|o| there(p, o)));
        let keeps =
            |k: usize, p: u64| p >> k & 1 == 1 && scanned[k].leaf.is_some_and(|o| self.matters(t, o, &|x| there(p, x)));
        let emit = table(n, emits);
        let keep: Vec<Vec<u64>> = (0..n).map(|k| table(n, |p| keeps(k, p))).collect();
        let (patterns, list_may_be_empty) = self.advance(&scanned, &rest, &emits, &keeps);
        let mut over = self.over.clone();
        over.push(v);
        let (crd, streams) = if n == 1 && emit[0] == 0b10 {
            (scanned[0].crd, vec![scanned[0].stream])
        } else {
            let mut outputs = vec![(Payload::Crd(v), over.clone(), list_may_be_empty)];
            for (k, s) in scanned.iter().enumerate() {
                let leaf_empty = self.graph.stream(s.stream).may_be_empty;
                let always = (0..1u64 << n).all(|p| !emits(p) || keeps(k, p));
                outputs.push((self.graph.stream(s.stream).payload, over.clone(), leaf_empty || !always));
            }
            let inputs = scanned.iter().flat_map(|s| [s.crd, s.stream]).collect();
            let out = self.node(format!("join_{}", self.var_name(v)), Op::Join { emit, keep }, inputs, outputs);
            (out[0], out[1..].to_vec())
        };
        self.graph.streams[crd.0].may_be_empty = list_may_be_empty;
        for (s, stream) in scanned.iter().zip(streams) {
            if let Some(o) = s.leaf {
                let leaf = &mut self.leaves[o];
                leaf.stream = stream;
                if let Some((_, Level::Produced(..))) = leaf.levels.first() {
                    leaf.is_value = true;
                }
                while leaf.levels.first().is_some_and(|(w, _)| *w == v) {
                    leaf.levels.remove(0);
                }
            }
        }
        for &o in &rest {
            let (stream, name) = (self.leaves[o].stream, format!("repeat_{}_{}", self.leaf_name(o), self.var_name(v)));
            let s = self.graph.stream(stream).clone();
            let out = self.node(name, Op::Repeat, vec![stream, crd], vec![(s.payload, over.clone(), s.may_be_empty)]);
            self.leaves[o].stream = out[0];
        }
        self.patterns = patterns;
        Ok(crd)
    }

    /// Which leaves can be there together inside this level, and whether its lists can be empty.
    fn advance(
        &self,
        scanned: &[Scanned],
        rest: &[LeafId],
        emits: &dyn Fn(u64) -> bool,
        keeps: &dyn Fn(usize, u64) -> bool,
    ) -> (Option<BTreeSet<u64>>, bool) {
        let Some(outer) = &self.patterns else { return (None, true) };
        let (mut inner, mut may_be_empty) = (BTreeSet::new(), false);
        for &alive in outer {
            let can = |s: &Scanned| s.leaf.is_none_or(|o| alive >> o & 1 == 1);
            let possible = scanned.iter().enumerate().filter(|(_, s)| can(s)).fold(0u64, |m, (k, _)| m | 1 << k);
            let fixed = rest.iter().fold(0u64, |m, &o| m | alive & 1 << o);
            let mut subsets = vec![];
            let mut p = possible;
            while p != 0 {
                subsets.push(p);
                p = (p - 1) & possible;
            }
            for &p in subsets.iter().filter(|&&p| emits(p)) {
                let kept = (0..scanned.len()).filter(|&k| keeps(k, p));
                inner.insert(kept.filter_map(|k| scanned[k].leaf).fold(fixed, |m, o| m | 1 << o));
            }
            let sure = (0..scanned.len()).any(|k| {
                possible >> k & 1 == 1
                    && scanned[k].full
                    && subsets.iter().filter(|&&p| p >> k & 1 == 1).all(|&p| emits(p))
            });
            may_be_empty |= !sure;
        }
        (Some(inner), may_be_empty)
    }

    fn leaf_name(&self, o: LeafId) -> String {
        self.leaves[o].used.map_or_else(|| "value".into(), |u| self.graph.uses[u.0].name.clone())
    }

    /// The (crd, ref) streams of leaf `o` at `v`: its level, or every coordinate.
    fn scan(&mut self, o: LeafId, v: VarId) -> Scanned {
        let leaf = self.leaves[o].clone();
        let (level, used) = match (leaf.levels.first(), leaf.used) {
            (Some((w, Level::Stored(l))), Some(u)) if *w == v => (*l, u),
            (Some((w, Level::Produced(crd, val))), _) if *w == v => {
                return Scanned { leaf: Some(o), crd: *crd, stream: *val, full: false };
            }
            _ => return self.broadcast(Some(o), leaf.stream, v),
        };
        let kinds = self.graph.uses[used.0].levels.clone();
        let mut over = self.over.clone();
        over.push(v);
        let name = format!("scan_{}_{}", self.leaf_name(o), self.var_name(v));
        let single = |l: usize| matches!(kinds.get(l), Some(LevelKind::Singleton | LevelKind::SingletonNu));
        let ranged = matches!(self.graph.stream(leaf.stream).payload, Payload::Range(..));
        let repeats = kinds[level] == LevelKind::CompressedNu || ranged && kinds[level] == LevelKind::SingletonNu;
        let groups = repeats && single(level + 1);
        let op = if groups || single(level) { Op::ScanGroup(used, level) } else { Op::Scan(used, level) };
        let payload = if groups { Payload::Range(used, level) } else { Payload::Ref(used, level) };
        let out = self.node(
            name,
            op,
            vec![leaf.stream],
            vec![(Payload::Crd(v), over.clone(), true), (payload, over.clone(), false)],
        );
        let (mut crd, mut stream) = (out[0], out[1]);
        // A stored list is empty only at the root, below a dense level, or in a dense level of size 0.
        let mut full = kinds[level] != LevelKind::Dense && level > 0 && kinds[level - 1] != LevelKind::Dense;
        // Diagonal: the levels of the same variable that follow are looked up.
        for (w, next) in &leaf.levels[1..] {
            let (true, Level::Stored(l)) = (*w == v, next) else { break };
            full = false;
            let name = format!("locate_{}_{}", self.leaf_name(o), self.var_name(v));
            let found = self.node(
                name,
                Op::Locate(used, *l),
                vec![crd, stream],
                vec![(Payload::Ref(used, *l), over.clone(), true)],
            )[0];
            let name = format!("drop_{}_{}", self.leaf_name(o), self.var_name(v));
            let outputs = vec![(Payload::Crd(v), over.clone(), true), (Payload::Ref(used, *l), over.clone(), false)];
            let out = self.node(name, Op::Drop { list: false }, vec![crd, found], outputs);
            (crd, stream) = self.zip(out[0], out[1]);
        }
        Scanned { leaf: Some(o), crd, stream, full }
    }

    /// Two streams of one shape as a bundle, which joiners and collapses take.
    fn zip(&mut self, a: StreamId, b: StreamId) -> (StreamId, StreamId) {
        let (x, y) = (self.graph.stream(a).clone(), self.graph.stream(b).clone());
        let outputs = vec![(x.payload, x.over, x.may_be_empty), (y.payload, y.over, y.may_be_empty)];
        let out = self.node("zip".into(), Op::Zip, vec![a, b], outputs);
        (out[0], out[1])
    }

    fn broadcast(&mut self, leaf: Option<LeafId>, stream: StreamId, v: VarId) -> Scanned {
        let mut over = self.over.clone();
        over.push(v);
        let payload = self.graph.stream(stream).payload;
        let name = leaf.map_or_else(
            || format!("all_{}", self.var_name(v)),
            |o| format!("spread_{}_{}", self.leaf_name(o), self.var_name(v)),
        );
        let outputs = vec![(Payload::Crd(v), over.clone(), true), (payload, over, false)];
        let out = self.node(name, Op::Broadcast(v), vec![stream], outputs);
        Scanned { leaf, crd: out[0], stream: out[1], full: false }
    }

    /// A level without coordinates: the universe joined away.
    fn empty_level(&mut self, v: VarId, rest: &[LeafId]) -> StreamId {
        let context = self.context[self.depth()];
        let (a, b) = (self.broadcast(None, context, v), self.broadcast(None, context, v));
        let mut over = self.over.clone();
        over.push(v);
        let payload = self.graph.stream(a.stream).payload;
        let op = Op::Join { emit: vec![0], keep: vec![vec![0], vec![0]] };
        let outputs =
            vec![(Payload::Crd(v), over.clone(), true), (payload, over.clone(), true), (payload, over.clone(), true)];
        let crd =
            self.node(format!("none_{}", self.var_name(v)), op, vec![a.crd, a.stream, b.crd, b.stream], outputs)[0];
        for &o in rest {
            let s = self.graph.stream(self.leaves[o].stream).clone();
            let name = format!("repeat_{}_{}", self.leaf_name(o), self.var_name(v));
            self.leaves[o].stream =
                self.node(name, Op::Repeat, vec![self.leaves[o].stream, crd], vec![(s.payload, over.clone(), true)])[0];
        }
        crd
    }

    /// Values at the current depth, and whether a leaf can be N.
    fn compute(&mut self, t: &Tree) -> Result<(StreamId, bool), Stop> {
        let over = self.over.clone();
        match t {
            Tree::Leaf(l) => {
                let leaf = self.leaves[*l].clone();
                let possible = self.patterns.as_ref().is_none_or(|p| p.iter().any(|a| a >> l & 1 == 0));
                let empty = self.graph.stream(leaf.stream).may_be_empty && possible;
                let stream = match (leaf.is_value, leaf.used) {
                    (false, Some(used)) => {
                        let name = format!("array_{}", self.leaf_name(*l));
                        let out = (Payload::Val, over, self.graph.stream(leaf.stream).may_be_empty);
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
