//! The interpreter of a [`Program`] on fibertrees.

use super::arith::Arith;
use super::few::Few;
use super::fiber::{Fiber, NOWHERE, SOMEWHERE};
use super::key::Key;
use super::operand::OperandTable;
use super::program::{Gather, Kind, Loop, Node, NodeId, Program, Step, StepId};
use super::tree::Tree;
use super::value::Value;
use super::workspace::{Entry, Workspace};
use samhw_compiler::diag::Diagnostic;
use samhw_values::convert;
use std::borrow::Cow;
use std::ops::Range;

/// The state of a run.
pub(super) struct Machine<'p, V: Value> {
    program: &'p Program,
    /// Arithmetic of the workspace.
    arith: Arith,
    dims: &'p [u64],
    /// Tree of each slot; a produced slot's is the latest.
    trees: Vec<Cow<'p, Tree<V>>>,
    /// What reads at computed coordinates see.
    tables: &'p [OperandTable<'p>],
    /// Position of each slot in the level it has reached, or [`NOWHERE`].
    at: Vec<usize>,
    /// Current coordinate of each variable.
    coords: Vec<u64>,
    /// Fibers of the loops that are running, innermost last.
    fibers: Vec<Fiber>,
    /// Where steps emit to.
    workspace: Workspace<V>,
    /// Most keys in a workspace.
    most: usize,
    /// A workspace got too large: stop.
    overflow: bool,
    /// Workspaces to use again.
    spare: Vec<Workspace<V>>,
    /// Coordinates of the outermost loop that are visited, until it begins; `None`: all.
    part: Option<Range<u64>>,
}

impl<'p, V: Value> Machine<'p, V> {
    /// `trees` has one for every slot, empty ones for what is produced. `part`: of the outermost loop.
    pub(super) fn new(
        program: &'p Program,
        arith: Arith,
        dims: &'p [u64],
        trees: &'p [Tree<V>],
        tables: &'p [OperandTable<'p>],
        most: usize,
        part: Option<Range<u64>>,
    ) -> Self {
        let at = trees.iter().map(root).collect();
        let trees = trees.iter().map(Cow::Borrowed).collect();
        let mut workspace = Workspace::default();
        workspace.reset(None);
        let coords = vec![0; dims.len()];
        let (fibers, spare) = (Vec::new(), Vec::new());
        Self { program, arith, dims, trees, tables, at, coords, fibers, workspace, most, overflow: false, spare, part }
    }

    /// Runs everything; the result's present coordinates, sorted by the program's key. Error if
    /// some workspace gets too large.
    pub(super) fn result(mut self) -> Result<Vec<(u128, V)>, Diagnostic> {
        self.run(self.program.start);
        if self.overflow {
            return Err(super::too_many("the result or a reduction", self.most));
        }
        Ok(self.workspace.finish(self.arith).iter().map(|e| (e.key, e.value)).collect())
    }

    fn run(&mut self, step: StepId) {
        let program = self.program;
        match &program.steps[step] {
            Step::Value { expr, out } => {
                if let Some(value) = self.value(*expr) {
                    self.emit(out, value);
                }
            }
            Step::Loop(l) => self.visit(l),
            Step::Single { .. } => {}
            Step::Gather { gather, out } => {
                let mut done = self.gather(gather);
                let entries = done.finish(gather.arith);
                if gather.counts.is_some() {
                    self.spread(gather, 0, &mut entries.iter().peekable(), out);
                } else {
                    for e in entries.iter() {
                        gather.kept.unpack(e.key, &mut self.coords);
                        self.emit(out, e.value);
                    }
                }
                self.spare.push(done);
            }
        }
    }

    fn emit(&mut self, out: &Key, value: V) {
        self.workspace.push(self.arith, out.pack(&self.coords), value);
        self.overflow |= self.workspace.overflows(self.most);
    }

    /// Emits a reduction that is present everywhere: `entries` where the body was, else the fill.
    fn spread<'e>(
        &mut self,
        gather: &Gather,
        depth: usize,
        entries: &mut std::iter::Peekable<impl Iterator<Item = &'e Entry<V>>>,
        out: &Key,
    ) {
        let Some(v) = gather.kept.vars().nth(depth) else {
            let key = gather.kept.pack(&self.coords);
            let value = entries.next_if(|e| e.key == key).map_or(V::of(&gather.fill), |e| e.value);
            return self.emit(out, value);
        };
        for c in 0..self.dims[v.0] {
            if self.overflow {
                return;
            }
            self.coords[v.0] = c;
            self.spread(gather, depth + 1, entries, out);
        }
    }

    /// Runs a reduction's loops into a workspace of its own.
    fn gather(&mut self, gather: &Gather) -> Workspace<V> {
        let mut mine = self.spare.pop().unwrap_or_default();
        mine.reset(Some(gather.op));
        std::mem::swap(&mut self.workspace, &mut mine);
        let around = std::mem::replace(&mut self.arith, gather.arith);
        self.run(gather.body);
        self.arith = around;
        std::mem::swap(&mut self.workspace, &mut mine);
        let arith = gather.arith;
        let entries = mine.finish(arith);
        for e in entries {
            if let Some(fill) = &gather.counts
                && self.dims[gather.var.0] > e.count
            {
                let absent = V::repeat(arith, gather.op, V::of(fill), self.dims[gather.var.0] - e.count);
                e.value = V::combine(arith, gather.op, e.value, absent);
            }
            e.value = e.value.settle(arith, gather.op);
        }
        mine
    }

    /// One loop: finds the fibers, then the coordinates at which the expression can be present.
    fn visit(&mut self, l: &Loop) {
        l.produced.iter().for_each(|&(_, slot)| self.at[slot] = SOMEWHERE);
        if !self.possible(l.expr) {
            return;
        }
        for &(step, slot) in &l.produced {
            match &self.program.steps[step] {
                Step::Gather { gather, .. } => {
                    let mut done = self.gather(gather);
                    let rows = done.finish(gather.arith).iter().map(|e| (e.key, e.value));
                    self.trees[slot] = Cow::Owned(Tree::new(&gather.kept, rows));
                    self.spare.push(done);
                }
                Step::Single { at, one, key } => {
                    let here = u64::try_from(self.number(*at)).ok().filter(|&c| c < self.dims[l.var.0]);
                    self.coords[l.var.0] = here.unwrap_or(0);
                    let entry = here.map(|_| (key.pack(&self.coords), V::exact(*one)));
                    self.trees[slot] = Cow::Owned(Tree::new(key, entry.into_iter()));
                }
                Step::Value { .. } | Step::Loop(_) => {}
            }
            self.at[slot] = root(&self.trees[slot]);
        }
        let base = self.fibers.len();
        for &(slot, level) in &l.scanned {
            self.fibers.push(Fiber::new(&self.trees[slot], slot, level, self.at[slot]));
        }
        let everywhere = self.choose_drivers(base, l.expr);
        let mut universe = 0..if everywhere { self.dims[l.var.0] } else { 0 };
        if let Some(part) = self.part.take() {
            universe = part.start..universe.end.min(part.end);
            for f in &mut self.fibers[base..] {
                f.cut(&self.trees[f.slot], &part);
            }
        }
        let several = everywhere || l.scanned.len() > 1;
        while let Some(c) = if everywhere { universe.next() } else { self.head(base) } {
            for n in base..self.fibers.len() {
                let f = &mut self.fibers[n];
                self.at[f.slot] = f.locate(&self.trees[f.slot], c);
            }
            if self.overflow {
                break;
            }
            if !several || self.possible(l.expr) {
                self.coords[l.var.0] = c;
                self.run(l.next);
            }
        }
        for f in self.fibers.drain(base..) {
            self.at[f.slot] = f.parent;
        }
    }

    /// Smallest coordinate that a driving fiber has yet to give.
    fn head(&self, base: usize) -> Option<u64> {
        self.fibers[base..].iter().filter(|f| f.drives).filter_map(|f| f.head(&self.trees[f.slot])).min()
    }

    /// Picks the fibers whose coordinates are visited, the others being looked up there: as few
    /// and as short ones as reach every coordinate where `expr` can be present. True if it can
    /// be present where none of them is, so that every coordinate must be visited.
    fn choose_drivers(&mut self, base: usize, expr: NodeId) -> bool {
        for f in &mut self.fibers[base..] {
            f.drives = !f.is_empty();
            f.settled = f.is_empty();
            self.at[f.slot] = NOWHERE;
        }
        if self.possible(expr) {
            self.fibers[base..].iter_mut().for_each(|f| f.drives = false);
            return true;
        }
        // Presence only grows with what is there: what is impossible without the drivers is
        // impossible without them and more.
        while let Some(n) =
            (base..self.fibers.len()).filter(|&n| !self.fibers[n].settled).max_by_key(|&n| self.fibers[n].remaining())
        {
            let slot = self.fibers[n].slot;
            self.at[slot] = SOMEWHERE;
            let needed = self.possible(expr);
            if needed {
                self.at[slot] = NOWHERE;
            }
            self.fibers[n].drives = needed;
            self.fibers[n].settled = true;
        }
        false
    }

    /// Can `e` be present below the current positions?
    fn possible(&self, e: NodeId) -> bool {
        let node = &self.program.nodes[e];
        node.always || !self.is_fill(node, self.known(e))
    }

    /// Is a value of `node` of which this is known its fill?
    fn is_fill(&self, node: &Node, known: Option<u64>) -> bool {
        matches!((known, node.constant), (Some(a), Some(b)) if self.program.algebra.same(node.arith.ty, a, b))
    }

    /// What is known of the value of `e` where a slot that is somewhere may hold anything, or nothing.
    fn known(&self, e: NodeId) -> Option<u64> {
        let node = &self.program.nodes[e];
        match &node.kind {
            _ if node.always => None,
            Kind::Slot(s) | Kind::Stored(s) => node.constant.filter(|_| self.at[*s] == NOWHERE),
            Kind::Literal | Kind::Nested(_) => node.constant,
            Kind::Index(_) | Kind::Read(..) | Kind::At(..) => None,
            Kind::Reduce(_, _, body) => node.constant.filter(|_| !self.possible(*body)),
            Kind::Map(f, args) => {
                let known = f.partial(&Few::new(args, |a| self.known(a)), node.arith.ty, self.program.algebra);
                self.told(node, known)
            }
            Kind::Convert(from, body) => self.told(node, self.known(*body).map(|v| convert(v, *from, node.arith.ty))),
            Kind::Call(f, args) => {
                let known: Vec<_> = args.iter().map(|&a| self.known(a)).collect();
                f.partial_of(&known, &self.constants(args), 0)
            }
        }
    }

    /// What is known of `node` whose value is decided so. Of a value that is there only that is
    /// known, unless it is one of structure alone.
    fn told(&self, node: &Node, decided: Option<u64>) -> Option<u64> {
        if self.is_fill(node, decided) { node.constant } else { decided.filter(|_| node.structure.is_some()) }
    }

    fn constants(&self, args: &[NodeId]) -> Vec<Option<u64>> {
        args.iter().map(|&a| self.program.nodes[a].constant).collect()
    }

    /// Value of `e` with every variable bound; `None` if absent.
    fn value(&mut self, e: NodeId) -> Option<V> {
        self.exactly(e).present
    }

    /// `e` with every variable bound.
    fn exactly(&mut self, e: NodeId) -> Exact<V> {
        let program = self.program;
        let node = &program.nodes[e];
        let found = |value: Option<V>| match value {
            Some(value) => Exact { known: None, present: Some(value) },
            None => Exact { known: node.constant, present: node.always.then(|| V::of(&node.fill)) },
        };
        match &node.kind {
            Kind::Slot(s) => found((self.at[*s] != NOWHERE).then(|| self.trees[*s].values[self.at[*s]])),
            Kind::Stored(s) => {
                let one = node.arith.ty.one();
                if self.at[*s] == NOWHERE {
                    found(None)
                } else {
                    Exact { known: Some(one), present: Some(V::exact(one)) }
                }
            }
            Kind::Index(v) => found(Some(V::exact(node.arith.number(self.coords[v.0])))),
            Kind::Map(f, args) => {
                let exact = Few::new(args, |a| self.exactly(a));
                let known = Few::new(args, |_| None::<u64>);
                let known = known.with(exact.iter().map(|x| x.known));
                let known = f.partial(&known, node.arith.ty, program.algebra);
                self.function_value(node, known, args, &exact, |v| V::apply(node.arith, *f, v))
            }
            Kind::Call(f, args) => {
                let exact: Vec<Exact<V>> = args.iter().map(|&a| self.exactly(a)).collect();
                let known: Vec<_> = exact.iter().map(|x| x.known).collect();
                let known = f.partial(&known, &self.constants(args));
                let there = exact.iter().enumerate().map(|(k, x)| u64::from(x.present.is_some()) << k).sum();
                self.function_value(node, known, args, &exact, |v| V::call(f, v, there))
            }
            Kind::Convert(from, body) => {
                let exact = self.exactly(*body);
                let known = exact.known.map(|v| convert(v, *from, node.arith.ty));
                self.function_value(node, known, &[*body], &[exact], |v| V::convert(node.arith, *from, v[0]))
            }
            Kind::At(v, at) => {
                let here = self.number(*at) == i128::from(self.coords[v.0]);
                found(here.then(|| V::exact(node.arith.ty.one())))
            }
            Kind::Read(read, at) => {
                let at: Vec<i128> = at.iter().map(|&a| self.number(a)).collect();
                found(Some(self.tables[*read].at(&at, node.arith.ty)))
            }
            Kind::Nested(step) => {
                let Step::Gather { gather, .. } = &program.steps[*step] else { return found(None) };
                let mut done = self.gather(gather);
                let value = done.finish(gather.arith).first().map(|e| e.value);
                self.spare.push(done);
                found(value)
            }
            Kind::Literal | Kind::Reduce(..) => found(None),
        }
    }

    /// The whole number that `e` is, with every variable bound.
    fn number(&mut self, e: NodeId) -> i128 {
        let node = &self.program.nodes[e];
        let value = self.value(e).unwrap_or(V::of(&node.fill));
        node.arith.ty.value(value.near().raw)
    }

    /// A function's value: absent where it is known to be the fill, and where nothing of its
    /// arguments is there.
    fn function_value(
        &self,
        node: &Node,
        known: Option<u64>,
        args: &[NodeId],
        exact: &[Exact<V>],
        f: impl Fn(&[V]) -> V,
    ) -> Exact<V> {
        if !node.always && (self.is_fill(node, known) || exact.iter().all(|x| x.present.is_none())) {
            return Exact { known: node.constant, present: None };
        }
        let value = |(x, &a): (&Exact<V>, &NodeId)| x.present.unwrap_or(V::of(&self.program.nodes[a].fill));
        let values = Few::new(args, |_| V::default()).with(exact.iter().zip(args).map(value));
        // Of a value that is there only that is known, unless it is one of structure alone.
        Exact { known: known.filter(|_| node.structure.is_some()), present: Some(f(&values)) }
    }
}

/// An expression at one coordinate: what is known of it from structure alone, and its value if it is present.
#[derive(Debug, Clone, Copy, Default)]
struct Exact<V> {
    known: Option<u64>,
    present: Option<V>,
}

/// Position before the first level.
fn root<V>(tree: &Tree<V>) -> usize {
    if tree.is_empty() { NOWHERE } else { SOMEWHERE }
}
