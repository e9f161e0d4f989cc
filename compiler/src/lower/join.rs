//! One level of the loops: operands with the variable are scanned and joined by a truth table, the iteration lattice;
//! others are repeated.

use super::lattice::{Lattice, subsets};
use super::scanned::{Inside, Scanned};
use super::tree::{LeafId, Level, Tree};
use super::{Lowering, Stop, table};
use crate::facts;
use crate::graph::{AluFun, Arg, Leaves, Op, Over, Payload, StreamId};
use crate::stmt::VarId;
use std::collections::BTreeSet;

fn bit(table: &[u64], p: u64) -> bool {
    table[(p / 64) as usize] >> (p % 64) & 1 == 1
}

impl Lowering<'_> {
    /// One level: scan, coiterate by truth table, look up what is located, repeat what lacks `v`. `ends`: no loop
    /// of the region is further inside.
    /// `inside`: bounds, to which the loop is cut.
    pub(super) fn join(
        &mut self,
        t: &Tree,
        v: VarId,
        everywhere: bool,
        (ends, inside): (bool, Option<&Inside>),
    ) -> Result<StreamId, Stop> {
        if let Some(crd) = self.joined_before(t, v) {
            return Ok(crd);
        }
        let lattice = self.lattice(t, v, everywhere)?;
        let alike = !lattice.universe && inside.is_none() && self.divided_alike(t, v, &lattice.operands);
        if !alike {
            self.undisturbed(t, v, lattice.width() == 1 && inside.is_none())?;
        }
        if lattice.width() == 0 {
            // Nothing here has the variable and nothing can differ from its fill.
            let crd = self.empty_level(v, &lattice.rest);
            let over = self.graph.stream(crd).over.clone();
            self.number(&lattice.waiting, v, crd, &over);
            return Ok(crd);
        }
        let located = if alike { 0 } else { self.located(&lattice, v)? };
        let scans: Vec<usize> = (0..lattice.width()).filter(|k| located >> k & 1 == 0).collect();
        let (mut scanned, looked_up) = self.scan_all((&lattice, &scans, located), v, alike, inside);
        let full: Vec<usize> = scans.iter().zip(&scanned).filter(|(_, s)| s.full).map(|(&k, _)| k).collect();
        // A set of scanned operands, as a set of all.
        let wide = |q: u64| scans.iter().enumerate().fold(0u64, |m, (n, k)| m | (q >> n & 1) << k);
        let emits = |q: u64| q != 0 && subsets(located).any(|r| lattice.emits(wide(q) | r));
        let keeps = |n: usize, q: u64| {
            subsets(located).any(|r| lattice.emits(wide(q) | r) && lattice.keeps(scans[n], wide(q) | r))
        };
        if scanned.len() == 1 && !emits(1) {
            // Never there: a second operand that never emits makes it a join that drops all.
            scanned.push(self.broadcast(None, self.context[self.depth()], v));
        }
        let n = scanned.len();
        self.few_enough(n, v)?;
        // Joiners take coordinates and what is next to them from one node.
        for s in scanned.iter_mut().filter(|_| n > 1) {
            if self.graph.stream(s.crd).from.0 != self.graph.stream(s.stream).from.0 {
                (s.crd, s.stream) = self.zip(s.crd, s.stream);
            }
        }
        let emit = table(n, |q| q >> scans.len() == 0 && emits(q));
        let keep: Vec<Vec<u64>> = (0..n)
            .map(|k| table(n, |q| k < scans.len() && q >> scans.len() == 0 && q >> k & 1 == 1 && keeps(k, q)))
            .collect();
        let over = self.below(v);
        let what = if alike { self.key_of(lattice.operands[0]) } else { Payload::Crd(v) };
        let (mut crd, streams) = self.joined((&scanned, what), v, emit, keep);
        for (s, stream) in scanned.iter().zip(streams) {
            if let Some(o) = s.leaf {
                let leaf = &mut self.leaves[o];
                leaf.stream = stream;
                if let Some((_, Level::Produced(..))) = leaf.levels.first() {
                    leaf.is_value = true;
                }
            }
        }
        if alike {
            let joined: Vec<_> = lattice.operands.iter().map(|&o| (o, self.leaves[o].stream)).collect();
            crd = self.divide_joined(crd, &joined);
        }
        let live: Vec<LeafId> = scanned.iter().filter_map(|s| s.leaf).collect();
        let found = self.look_up(&lattice, looked_up, v, crd, &live, ends);
        self.repeat(&lattice.rest, v, found.crd, &over);
        self.number(&lattice.waiting, v, found.crd, &over);
        let (patterns, list_may_be_empty) = self.advance(
            &lattice,
            v,
            &|p| {
                let q = scans.iter().enumerate().fold(0u64, |m, (n, k)| m | (p >> k & 1) << n);
                (emits(q) && p & found.required == found.required)
                    .then(|| scans.iter().enumerate().filter(|(n, _)| !keeps(*n, q)).fold(p, |m, (_, k)| m & !(1 << k)))
            },
            &full,
        );
        for &o in &lattice.operands {
            let levels = &mut self.leaves[o].levels;
            while levels.first().is_some_and(|(w, _)| *w == v) {
                levels.remove(0);
            }
        }
        self.graph.streams[found.crd.0].may_be_empty = list_may_be_empty || self.has_copies(v);
        self.patterns = patterns;
        Ok(found.crd)
    }

    /// Scans these operands of a lattice, and returns which are looked up: those that are `located`, and the level that
    /// bounds cut, at what they leave. `alike`: numbers in place of modes.
    fn scan_all(
        &mut self,
        (lattice, scans, located): (&Lattice, &[usize], u64),
        v: VarId,
        alike: bool,
        inside: Option<&Inside>,
    ) -> (Vec<Scanned>, u64) {
        let mut scanned: Vec<Scanned> = Vec::new();
        let mut looked_up = located;
        for &k in scans {
            scanned.push(match (lattice.operands.get(k), inside) {
                (Some(_), Some(&Inside::Dense(crd))) => {
                    looked_up |= 1 << k;
                    Scanned { leaf: None, crd, stream: crd, full: false }
                }
                (Some(&o), Some(Inside::Listed(ends, bounds))) => {
                    let list = self.scan(o, v);
                    let name = format!("scan_{}_{}", self.leaf_name(o), self.var_name(v));
                    self.between((list, &name), v, *ends, bounds)
                }
                (Some(&o), None) if alike => self.numbers_of(o, v),
                (Some(&o), None) => self.scan(o, v),
                (None, _) => self.broadcast(None, self.context[self.depth()], v),
            });
        }
        (scanned, looked_up)
    }

    /// Coordinates, which are `what`, and references of what is scanned, joined by tables if there is more than one.
    fn joined(
        &mut self,
        (scanned, what): (&[Scanned], Payload),
        v: VarId,
        emit: Vec<u64>,
        keep: Vec<Vec<u64>>,
    ) -> (StreamId, Vec<StreamId>) {
        if let [only] = scanned {
            return (only.crd, vec![only.stream]);
        }
        let over = self.below(v);
        let mut outputs = vec![Leaves::absent(what, over.clone())];
        for (k, s) in scanned.iter().enumerate() {
            let (payload, leaf_empty) = self.reference(s.leaf, s.stream);
            let always = (0..1u64 << scanned.len()).all(|p| !bit(&emit, p) || bit(&keep[k], p));
            outputs.push(Leaves::maybe(payload, over.clone(), leaf_empty || !always));
        }
        let inputs = scanned.iter().flat_map(|s| [s.crd, s.stream]).collect();
        let out = self.node(format!("join_{}", self.var_name(v)), Op::Join { emit, keep }, inputs, outputs);
        (out[0], out[1..].to_vec())
    }

    /// The coordinates of `v` that any of these streams has.
    pub(super) fn any_of(&mut self, crds: &[StreamId], v: VarId) -> Result<StreamId, Stop> {
        let (n, mut scanned) = (crds.len(), Vec::new());
        self.few_enough(n, v)?;
        for &crd in crds {
            let (crd, stream) = if n > 1 { self.zip(crd, crd) } else { (crd, crd) };
            scanned.push(Scanned { leaf: None, crd, stream, full: false });
        }
        Ok(self.joined((&scanned, Payload::Crd(v)), v, table(n, |q| q != 0), vec![table(n, |_| false); n]).0)
    }

    /// True if some copies of the graph may get nothing of a short list over `v`.
    fn has_copies(&self, v: VarId) -> bool {
        let name = &self.kernel.var(v).name;
        self.kernel.schedule_of(self.statement).copied(name) && self.statement.indices.contains(&v)
    }

    /// The coordinates of `v` become the values of the leaves that wait for them.
    fn number(&mut self, waiting: &[LeafId], v: VarId, crd: StreamId, over: &[VarId]) {
        for &o in waiting {
            if self.leaves[o].levels.first().is_none_or(|(w, _)| *w != v) {
                continue;
            }
            let op = Op::Alu { fun: AluFun::Id, args: vec![Arg::Stream(0)], emit: 0b10 };
            let outputs = vec![Leaves::sure(Payload::Val(self.leaves[o].ty), over.to_vec())];
            let stream = self.node(format!("number_{}", self.var_name(v)), op, vec![crd], outputs)[0];
            let leaf = &mut self.leaves[o];
            (leaf.stream, leaf.is_value) = (stream, true);
            leaf.levels.clear();
        }
    }

    /// Which leaves can be there together inside this level, and whether its lists can be empty. `inside(p)`: the
    /// operands that are left of `p` where a coordinate has exactly these, or `None` if it is not visited.
    fn advance(
        &self,
        lattice: &Lattice,
        v: VarId,
        inside: &dyn Fn(u64) -> Option<u64>,
        full: &[usize],
    ) -> (Option<BTreeSet<u64>>, bool) {
        let Some(outer) = &self.patterns else { return (None, true) };
        let (mut inner, mut may_be_empty) = (BTreeSet::new(), false);
        for &alive in outer {
            let (possible, certain) = self.possible(lattice, v, alive);
            let fixed = lattice.rest.iter().chain(&lattice.waiting).fold(0u64, |m, &o| m | alive & 1 << o);
            let sets = || subsets(possible & !certain).map(|p| p | certain).filter(|&p| p != 0);
            for left in sets().filter_map(inside) {
                let there = lattice.operands.iter().enumerate().filter(|(k, _)| left >> k & 1 == 1);
                inner.insert(there.fold(fixed, |m, (_, &o)| m | 1 << o));
            }
            let sure = full
                .iter()
                .any(|&k| possible >> k & 1 == 1 && sets().filter(|p| p >> k & 1 == 1).all(|p| inside(p).is_some()));
            may_be_empty |= !sure;
        }
        (Some(inner), may_be_empty)
    }

    /// The payload of leaf `o`'s references in `s`, and whether one can be N. Coordinates serve as positions in
    /// a dense first level, and never are N.
    pub(super) fn reference(&self, o: Option<LeafId>, s: StreamId) -> (Payload, bool) {
        let stream = self.graph.stream(s);
        match (stream.payload, o.and_then(|o| self.leaves[o].used)) {
            (Payload::Crd(_), Some(u)) => (Payload::Ref(u, 0), false),
            (payload, _) => (payload, stream.may_be_empty),
        }
    }

    /// Returns the variables that a stream along `v` ranges over here: the loops around, and `v`.
    pub(super) fn below(&self, v: VarId) -> Over {
        self.over.iter().copied().chain([v]).collect()
    }

    /// The streams of leaves `rest` are repeated for each of the coordinates `crd` along `v`, which range
    /// over `over`. Leaves whose first level is still to come begin at the root, and have one stream as
    /// long as they do.
    fn repeat(&mut self, rest: &[LeafId], v: VarId, crd: StreamId, over: &Over) {
        let from: Vec<StreamId> = rest.iter().map(|&o| self.leaves[o].stream).collect();
        let mut roots: Vec<(StreamId, StreamId)> = Vec::new();
        for (&o, &s) in rest.iter().zip(&from) {
            let made = roots.iter().find(|(root, _)| *root == s).map(|(_, repeated)| *repeated);
            self.leaves[o].stream = made.unwrap_or_else(|| {
                let shared =
                    self.graph.stream(s).payload == Payload::Root && from.iter().filter(|f| **f == s).count() > 1;
                let of = if shared { "root".into() } else { self.leaf_name(o) };
                let repeated = self.repeated(o, format!("repeat_{of}_{}", self.var_name(v)), crd, over);
                roots.extend(shared.then_some((s, repeated)));
                repeated
            });
        }
    }

    /// Leaf `o`'s stream, once for each of the coordinates `crd`, which range over `over`.
    pub(super) fn repeated(&mut self, o: LeafId, name: String, crd: StreamId, over: &Over) -> StreamId {
        let stream = self.leaves[o].stream;
        let (payload, empty) = self.reference(Some(o), stream);
        self.node(name, Op::Repeat, vec![stream, crd], vec![Leaves::maybe(payload, over.clone(), empty)])[0]
    }

    pub(super) fn leaf_name(&self, o: LeafId) -> String {
        self.leaves[o].used.map_or_else(|| "value".into(), |u| self.graph.uses[u.0].name.clone())
    }

    /// The (crd, ref) streams of leaf `o` at `v`: its level as far as it is read, or every coordinate.
    pub(super) fn scan(&mut self, o: LeafId, v: VarId) -> Scanned {
        let whole = self.scan_whole(o, v);
        self.in_triangles(o, v, whole)
    }

    fn scan_whole(&mut self, o: LeafId, v: VarId) -> Scanned {
        let leaf = self.leaves[o].clone();
        let (level, used) = match (leaf.levels.first(), leaf.used) {
            (Some((w, Level::Stored(l))), Some(u)) if *w == v => (*l, u),
            (Some((w, Level::Produced(crd, val))), _) if *w == v => {
                return Scanned { leaf: Some(o), crd: *crd, stream: *val, full: false };
            }
            (Some((w, Level::Reshaped(chain, mode))), _) if *w == v => return self.reshaped(o, *chain, *mode),
            _ => return self.broadcast(Some(o), leaf.stream, v),
        };
        let kinds = self.graph.uses[used.0].levels.clone();
        let over = self.below(v);
        let name = format!("scan_{}_{}", self.leaf_name(o), self.var_name(v));
        let single = |l: usize| kinds.get(l).is_some_and(|k| k.is_singleton());
        let ranged = matches!(self.graph.stream(leaf.stream).payload, Payload::Range(..));
        let repeats = kinds[level].repeats() && (ranged || !kinds[level].is_singleton());
        let groups = repeats && single(level + 1);
        let op = if groups || single(level) { Op::ScanGroup(used, level) } else { Op::Scan(used, level) };
        let payload = if groups { Payload::Range(used, level) } else { Payload::Ref(used, level) };
        let part = self.parts.get(&(used, level)).cloned();
        let whole = part.is_none();
        let (mut crd, mut stream) = if let Some(part) = part {
            self.scan_part((used, level), part, leaf.stream, (name, op, payload), (&over, Payload::Crd(v)))
        } else {
            let outputs = vec![Leaves::absent(Payload::Crd(v), over.clone()), Leaves::sure(payload, over.clone())];
            let out = self.node(name, op, vec![leaf.stream], outputs);
            (out[0], out[1])
        };
        // A stored list is empty only at the root, below a dense level, or in a dense level of size 0.
        let mut full = whole && !kinds[level].is_dense() && level > 0 && !kinds[level - 1].is_dense();
        // Nor where it is dealt to lanes.
        full &= !(self.statement.indices.contains(&v) && facts::dealt(self.kernel, self.graph.uses[used.0].tensor, v));
        // Diagonal: the levels of the same variable that follow are looked up.
        for (w, next) in &leaf.levels[1..] {
            let (found, l) = match next {
                Level::Stored(l) if *w == v && self.lists_alone(used, *l) => {
                    (crd, stream) = self.matched((used, *l), v, (crd, stream));
                    full = false;
                    continue;
                }
                Level::Stored(l) if *w == v => {
                    let name = format!("locate_{}_{}", self.leaf_name(o), self.var_name(v));
                    let found = Leaves::absent(Payload::Ref(used, *l), over.clone());
                    (self.node(name, Op::Locate(used, *l), vec![crd, stream], vec![found])[0], l)
                }
                Level::Fixed(l, dim, at) if *w == v => (self.fixed(used, *l, (*dim, *at), stream), l),
                _ => break,
            };
            if !self.graph.stream(found).may_be_empty {
                (crd, stream) = self.zip(crd, found);
                continue;
            }
            full = false;
            let name = format!("drop_{}_{}", self.leaf_name(o), self.var_name(v));
            let outputs =
                vec![Leaves::absent(Payload::Crd(v), over.clone()), Leaves::sure(Payload::Ref(used, *l), over.clone())];
            let out = self.node(name, Op::Drop { list: false, explicit: None }, vec![crd, found], outputs);
            (crd, stream) = self.zip(out[0], out[1]);
        }
        Scanned { leaf: Some(o), crd, stream, full }
    }

    /// Two streams of one shape as a bundle, which joiners and collapses take.
    pub(super) fn zip(&mut self, a: StreamId, b: StreamId) -> (StreamId, StreamId) {
        let (x, y) = (self.graph.stream(a).clone(), self.graph.stream(b).clone());
        let outputs = vec![x.leaves(), y.leaves()];
        let out = self.node("zip".into(), Op::Zip, vec![a, b], outputs);
        (out[0], out[1])
    }

    fn broadcast(&mut self, leaf: Option<LeafId>, stream: StreamId, v: VarId) -> Scanned {
        let over = self.below(v);
        let (payload, _) = self.reference(leaf, stream);
        let name = leaf.map_or_else(
            || format!("all_{}", self.var_name(v)),
            |o| format!("spread_{}_{}", self.leaf_name(o), self.var_name(v)),
        );
        let outputs = vec![Leaves::absent(Payload::Crd(v), over.clone()), Leaves::sure(payload, over)];
        let out = self.node(name, Op::Broadcast(v), vec![stream], outputs);
        Scanned { leaf, crd: out[0], stream: out[1], full: false }
    }

    /// A level without coordinates: the universe joined away.
    fn empty_level(&mut self, v: VarId, rest: &[LeafId]) -> StreamId {
        let context = self.context[self.depth()];
        let (a, b) = (self.broadcast(None, context, v), self.broadcast(None, context, v));
        let over = self.below(v);
        let payload = self.graph.stream(a.stream).payload;
        let op = Op::Join { emit: vec![0], keep: vec![vec![0], vec![0]] };
        let outputs = vec![
            Leaves::absent(Payload::Crd(v), over.clone()),
            Leaves::absent(payload, over.clone()),
            Leaves::absent(payload, over.clone()),
        ];
        let crd =
            self.node(format!("none_{}", self.var_name(v)), op, vec![a.crd, a.stream, b.crd, b.stream], outputs)[0];
        self.repeat(rest, v, crd, &over);
        crd
    }
}
