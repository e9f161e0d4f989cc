//! One level of the loops: operands that have the variable are scanned and joined by a truth
//! table, the iteration lattice; the others are repeated.

use super::tree::{LeafId, Level, Tree};
use super::{Lowering, Stop, table};
use crate::graph::{Op, Payload, StreamId};
use crate::stmt::{LevelKind, VarId};
use std::collections::BTreeSet;

/// A scanned operand of a join.
struct Scanned {
    leaf: Option<LeafId>,
    crd: StreamId,
    stream: StreamId,
    /// Its fiber is never empty where the operand is there.
    full: bool,
}

impl Lowering<'_> {
    /// One level: scan, coiterate by truth table, repeat what lacks `v`.
    pub(super) fn join(&mut self, t: &Tree, v: VarId, everywhere: bool) -> Result<StreamId, Stop> {
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
            return Err(self.too_many(n, v));
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
        // Of several copies some get nothing of a short list.
        let list_may_be_empty = list_may_be_empty || self.has_copies(v);
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

    fn has_copies(&self, v: VarId) -> bool {
        let name = &self.kernel.var(v).name;
        let copied = self.kernel.schedule.parallel.iter().any(|(of, n)| of.get_ref() == name && *n.get_ref() > 1);
        copied && self.statement.indices.contains(&v)
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

    pub(super) fn leaf_name(&self, o: LeafId) -> String {
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
    pub(super) fn zip(&mut self, a: StreamId, b: StreamId) -> (StreamId, StreamId) {
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
}
