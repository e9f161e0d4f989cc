//! The loops, one level after the other: operands are scanned, joined by a truth table, and repeated where they lack
//! the variable; reductions end in reducers.

use super::tree::{Leaf, LeafId, Level, Tree};
use super::{Lowering, Stop};
use crate::facts::identity;
use crate::graph::{AluFun, Arg, Leaves, Op, Over, Payload, StreamId};
use crate::stmt::{ExprId, Fun, Function, FunctionId, Operator, Shared, VarId};
use crate::types::Type;
use samhw_values::convert;

/// The streams at the end of a nest of loops.
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

    pub(super) fn node(&mut self, name: String, op: Op, inputs: Vec<StreamId>, outputs: Vec<Leaves>) -> Vec<StreamId> {
        self.graph.add(name, op, inputs, outputs, self.stage)
    }

    pub(super) fn var_name(&self, v: VarId) -> String {
        self.kernel.var(v).name.clone()
    }

    /// Lowers `t` inside the loops so far, over `free` (in loop order). `everywhere`: visit
    /// every coordinate, because the fill itself counts. Loop state is restored on return.
    pub(super) fn lower(&mut self, t: &Tree, free: &[VarId], everywhere: bool) -> Result<Region, Stop> {
        if let Tree::Reduce(op, k, body, e) = t
            && free.iter().all(|v| self.position[v] > self.position[k])
        {
            return self.reduce(*op, *k, (body, *e), free, everywhere);
        }
        let Some((&v, rest)) = free.split_first() else {
            let (val, may_be_empty) = self.compute(t)?;
            self.graph.streams[val.0].may_be_empty &= may_be_empty;
            return Ok(Region { crds: vec![], val });
        };
        let t = self.produce(t, v, free)?;
        let outer_patterns = self.patterns.clone();
        let ends = rest.is_empty() && t.leaves().iter().all(|&o| self.leaves[o].levels.iter().all(|(w, _)| *w == v));
        let scans = self.scans(&t, v);
        let all = everywhere || !scans.is_empty();
        let spanned = if all { None } else { self.span(&t, v)? };
        let (t, inside) = spanned.map_or((t, None), |(t, inside)| (t, Some(inside)));
        let crd = self.join(&t, v, all, (ends, inside.as_ref()))?;
        self.over.push(v);
        self.context.push(crd);
        let t = self.scanned(t, v, crd, &scans)?;
        let (t, crd) = if everywhere || ends { (t, crd) } else { self.held(t, v, crd)? };
        let mut region = self.lower(&t, rest, everywhere)?;
        region.crds.insert(0, crd);
        self.over.pop();
        self.context.pop();
        self.patterns = outer_patterns;
        Ok(region)
    }

    fn reduce(
        &mut self,
        op: Operator,
        k: VarId,
        (body, e): (&Tree, ExprId),
        free: &[VarId],
        everywhere: bool,
    ) -> Result<Region, Stop> {
        let counts = self.counts(op, body, e);
        let values = Payload::Val(self.type_of(e));
        let all = everywhere || counts;
        if all {
            self.counting.push(k);
            let mut scans = false;
            body.each_scan(&mut |_, along, _, _| scans |= along == k);
            // A reducer that keeps coordinates has none where it gets none. Of a scan it is not known
            // what there is without coordinates.
            if scans || !free.is_empty() && !self.direct {
                self.nonempty.push(k);
            }
        }
        let inner: Vec<VarId> = std::iter::once(k).chain(free.iter().copied()).collect();
        let absent = self.absent(body);
        let Region { crds, mut val } = self.lower(body, &inner, all)?;
        if all && self.graph.stream(val).may_be_empty {
            val = self.filled(val, absent);
        }
        if !free.is_empty() && self.passes(k, crds[0]) {
            return Ok(Region { crds: crds[1..].to_vec(), val });
        }
        if !all && self.merges(e, k, &crds[1..]) {
            return Err(Stop::Merge(e));
        }
        let list_may_be_empty = self.graph.stream(crds[0]).may_be_empty;
        let name = format!("{}_{}", op.name(), self.var_name(k));
        let around = self.over.clone();
        if free.is_empty() {
            let empty = list_may_be_empty || self.graph.stream(val).may_be_empty;
            let out =
                self.node(name, Op::Reduce { op, kept: 0 }, vec![val], vec![Leaves::maybe(values, around, empty)]);
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
                Op::Collapse(1 << bits),
                vec![outer, inner, x],
                vec![Leaves::absent(key, over.clone()), Leaves::maybe(values, over, self.graph.stream(x).may_be_empty)],
            );
            kept.push(out[0]);
            val = out[1];
        }
        let mut over = around;
        let mut outputs = Vec::new();
        for (n, &c) in kept.iter().enumerate() {
            over.push(free[n]);
            outputs.push(Leaves::maybe(self.graph.stream(c).payload, over.clone(), n == 0));
        }
        outputs.push(Leaves::sure(values, over.clone()));
        let inputs = kept.iter().copied().chain([val]).collect();
        let mut out = self.node(name.clone(), Op::Reduce { op, kept: kept.len() }, inputs, outputs);
        let mut val = out.pop().unwrap_or(val);
        while let Some((bits, outer, inner)) = folded.pop() {
            let key = out.pop().unwrap_or(val);
            let upper = self.graph.stream(key).over.clone();
            let over: Over = upper.iter().copied().chain([free[out.len() + 1]]).collect();
            let outputs =
                vec![Leaves::sure(outer, upper), Leaves::sure(inner, over.clone()), Leaves::sure(values, over)];
            let split = self.node(format!("divide_{name}"), Op::Divide(1 << bits), vec![key, val], outputs);
            out.extend(&split[..2]);
            val = split[2];
        }
        Ok(Region { crds: out, val })
    }

    pub(super) fn key_bits(&self, s: StreamId) -> u32 {
        match self.graph.stream(s).payload {
            Payload::Key(bits) => bits,
            Payload::Crd(v) => crate::facts::coordinate_bits(self.kernel.var(v).max),
            _ => 64,
        }
    }

    /// Reductions whose variable precedes `v` end in a reducer here; their result is an
    /// operand from now on.
    fn produce(&mut self, t: &Tree, v: VarId, free: &[VarId]) -> Result<Tree, Stop> {
        Ok(match t {
            Tree::Leaf(_) | Tree::Stored(..) | Tree::Literal(..) => t.clone(),
            Tree::Convert(body, from, to) => Tree::Convert(Box::new(self.produce(body, v, free)?), *from, *to),
            Tree::Prefix(how, along, of, e) => {
                let of = of.iter().map(|a| self.produce(a, v, free)).collect::<Result<_, _>>()?;
                Tree::Prefix(*how, *along, of, *e)
            }
            Tree::At(ty, var, at) if *var == v => self.single(*ty, v, at)?,
            Tree::At(ty, var, at) => Tree::At(*ty, *var, Box::new(self.produce(at, v, free)?)),
            Tree::Map(f, ty, args) => {
                Tree::Map(*f, *ty, args.iter().map(|a| self.produce(a, v, free)).collect::<Result<_, _>>()?)
            }
            Tree::Call(f, args) => {
                Tree::Call(*f, args.iter().map(|a| self.produce(a, v, free)).collect::<Result<_, _>>()?)
            }
            Tree::Read(read, at) => {
                Tree::Read(read.clone(), at.iter().map(|a| self.produce(a, v, free)).collect::<Result<_, _>>()?)
            }
            Tree::Reduce(op, k, body, e) if self.position[k] > self.position[&v] => {
                let mut inner = free.to_vec();
                inner.insert(free.partition_point(|x| self.position[x] < self.position[k]), *k);
                Tree::Reduce(*op, *k, Box::new(self.produce(body, v, &inner)?), *e)
            }
            Tree::Reduce(op, _, body, e) => {
                let open = self.variables(t);
                let mine: Vec<VarId> = free.iter().copied().filter(|f| open.contains(f)).collect();
                // A producer streams if it meets its one level here; what would have to be
                // read again, or passed through further joins, is stored.
                if mine.len() > 1 || mine.first().is_some_and(|&m| m != v) {
                    return Err(Stop::Materialize(*e));
                }
                let direct = std::mem::replace(&mut self.direct, false);
                let region = self.lower(t, &mine, false)?;
                self.direct = direct;
                let levels = match region.crds.first() {
                    Some(&crd) => vec![(v, Level::Produced(crd, region.val))],
                    None => vec![],
                };
                let ty = self.type_of(*e);
                let fill = identity(*op, ty);
                let always = self.counts(*op, body, *e);
                let everywhere = self.settled(t).known.is_none();
                Tree::Leaf(self.produced(Leaf {
                    used: None,
                    levels,
                    stream: region.val,
                    is_value: true,
                    ty,
                    fill,
                    always,
                    everywhere,
                    below: None,
                }))
            }
        })
    }

    /// An operand from here on, present or not, whatever else is there.
    pub(super) fn produced(&mut self, leaf: Leaf) -> LeafId {
        self.leaves.push(leaf);
        let id = self.leaves.len() - 1;
        self.patterns = match (&self.patterns, id < 64) {
            (Some(p), true) => Some(p.iter().flat_map(|&a| [a, a | 1 << id]).collect()),
            _ => None,
        };
        id
    }

    /// Values at the current depth, and whether a leaf can be N.
    pub(super) fn compute(&mut self, t: &Tree) -> Result<(StreamId, bool), Stop> {
        let over = self.over.clone();
        match t {
            Tree::Stored(l, ty) => {
                let (stream, empty) = (self.leaves[*l].stream, self.leaf_may_be_empty(*l));
                let one = Arg::Const(ty.one());
                let op = Op::Alu { fun: AluFun::Const, args: vec![one], emit: 0b10 };
                let name = format!("stored_{}", self.leaf_name(*l));
                let out = Leaves::maybe(Payload::Val(*ty), over, self.reference(Some(*l), stream).1);
                Ok((self.node(name, op, vec![stream], vec![out])[0], empty))
            }
            Tree::Leaf(l) => {
                let leaf = self.leaves[*l].clone();
                let empty = self.leaf_may_be_empty(*l);
                let stream = match (leaf.is_value, leaf.used) {
                    (false, Some(used)) => {
                        let name = format!("array_{}", self.leaf_name(*l));
                        let out = Leaves::maybe(Payload::Val(leaf.ty), over, self.reference(Some(*l), leaf.stream).1);
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
            Tree::Literal(v, ty) => {
                let op = Op::Alu { fun: AluFun::Const, args: vec![Arg::Const(*v)], emit: 0b10 };
                let context = self.context[self.depth()];
                Ok((
                    self.node("constant".into(), op, vec![context], vec![Leaves::sure(Payload::Val(*ty), over)])[0],
                    false,
                ))
            }
            Tree::Reduce(..) => {
                let region = self.lower(t, &[], false)?;
                Ok((region.val, self.graph.stream(region.val).may_be_empty))
            }
            Tree::Map(f, ty, args) => self.map(t, *f, *ty, args),
            Tree::Convert(body, from, to) => self.convert(t, body, *from, *to),
            Tree::Call(f, args) => self.call(t, *f, args),
            Tree::Read(read, at) => Ok((self.read_at(read, at)?, false)),
            Tree::At(..) | Tree::Prefix(..) => unreachable!("the loop around has made it an operand"),
        }
    }

    /// Whether a leaf of operand `l` can be N at the current depth.
    fn leaf_may_be_empty(&self, l: LeafId) -> bool {
        let possible = self.patterns.as_ref().is_none_or(|p| p.iter().any(|a| a >> l & 1 == 0));
        self.reference(Some(l), self.leaves[l].stream).1 && possible
    }

    fn map(&mut self, t: &Tree, f: Fun, ty: Type, args: &[Tree]) -> Result<(StreamId, bool), Stop> {
        let values = self.arguments(args)?;
        let known = |low: &Self, p: u64| low.kernel.partial(f, &low.of_arguments(args, &values, p), ty);
        let emit = self.emits(t, values.streams.len(), &known);
        let empty = self.empties(t, &values, emit);
        let alu = Op::Alu { fun: AluFun::Fun(f), args: values.args, emit };
        let outputs = vec![Leaves::maybe(Payload::Val(ty), self.over.clone(), empty)];
        Ok((self.node(f.name().into(), alu, values.streams, outputs)[0], empty))
    }

    /// The values of `body`, of type `from`, as values of type `to`.
    fn convert(&mut self, t: &Tree, body: &Tree, from: Type, to: Type) -> Result<(StreamId, bool), Stop> {
        let values = self.arguments(std::slice::from_ref(body))?;
        let known = |low: &Self, p: u64| {
            let body = low.of_arguments(std::slice::from_ref(body), &values, p)[0];
            body.map(|v| convert(v, from, to))
        };
        let emit = self.emits(t, 1, &known);
        let empty = self.empties(t, &values, emit);
        let alu = Op::Alu { fun: AluFun::Convert(from), args: values.args, emit };
        let outputs = vec![Leaves::maybe(Payload::Val(to), self.over.clone(), empty)];
        Ok((self.node(format!("to_{}", to.to_string().replace('.', "_")), alu, values.streams, outputs)[0], empty))
    }

    /// A function of the kernel file: its body as ALUs over its arguments, or as a program if it has loops. Arguments read as
    /// their fills where they are absent; where the result is there, is up to the declared algebra.
    fn call(&mut self, t: &Tree, f: FunctionId, args: &[Tree]) -> Result<(StreamId, bool), Stop> {
        let values = self.arguments(args)?;
        let fills = self.fills(args);
        let function: Function = self.function(f).clone();
        let known = |low: &Self, p: u64| function.partial(&low.of_arguments(args, &values, p), &fills);
        let emit = self.emits(t, values.streams.len(), &known);
        let empty = self.empties(t, &values, emit);
        if !function.iterates() || !function.cases.is_empty() {
            return Ok(super::call::inline(self, &function, values, emit, empty));
        }
        let alu = Op::Alu { fun: AluFun::Call(Shared::new(&function)), args: values.args, emit };
        let outputs = vec![Leaves::maybe(Payload::Val(function.ty), self.over.clone(), empty)];
        Ok((self.node(function.name, alu, values.streams, outputs)[0], empty))
    }
}
