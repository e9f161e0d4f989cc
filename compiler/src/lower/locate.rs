//! Leader and follower: operands that are located at the coordinates of other operands instead of being scanned. "The
//! Sparse Abstract Machine", section 4.2; docs/schedules.md.

use super::lattice::{Lattice, subsets};
use super::tree::{LeafId, Level};
use super::{Lowering, Stop};
use crate::diag::{Diagnostic, Place};
use crate::graph::{Leaves, Op, Over, Payload, StreamId, UseId};
use crate::levels::Lookup;
use crate::stmt::{Kernel, TensorId, VarId};
use std::collections::BTreeSet;
use toml::Spanned;

/// The level that is left after a lookup.
pub(super) struct Found {
    /// The level's coordinates.
    pub crd: StreamId,
    /// Operands whose misses are removed from it (bit = operand).
    pub required: u64,
}

/// Refuses requests for tensors that no level looks up.
pub(super) fn all_located(kernel: &Kernel, looked_up: &BTreeSet<TensorId>) -> Result<(), Diagnostic> {
    let found = |name: &String| looked_up.iter().any(|&t| kernel.tensor(t).name == *name);
    let asked = kernel.asked(|s| s.locate.as_deref().unwrap_or_default());
    match asked.into_iter().find(|(name, _)| !found(name.get_ref())) {
        None => Ok(()),
        Some((name, _)) => {
            let what = format!("{} is located nowhere: it meets no other operand at any level", name.get_ref());
            let way = "an operand is looked up where another one gives the coordinates; leave it out of `locate`";
            Err(Diagnostic::new("S041", what).at(Place::Kernel(name.span())).help(way))
        }
    }
}

impl Lowering<'_> {
    /// The operands of a level that are looked up (bit = operand): those the kernel file names, else dense ones.
    pub(super) fn located(&mut self, lattice: &Lattice, v: VarId) -> Result<u64, Stop> {
        match &self.kernel.schedule_of(self.statement).locate {
            None => Ok(self.dense_followers(lattice, v)),
            Some(_) if lattice.width() == 1 => Ok(0),
            Some(names) => self.asked(lattice, v, names),
        }
    }

    /// As many dense operands as can follow. Where all are dense the innermost level leads: the others may
    /// need no arithmetic.
    fn dense_followers(&self, lattice: &Lattice, v: VarId) -> u64 {
        let dense = |k: &usize| {
            lattice.operands.get(*k).is_some_and(|&o| self.lookups(o, v).is_some() && self.everywhere_dense(o, v))
        };
        let mut dense: Vec<usize> = (0..lattice.width()).filter(dense).collect();
        if dense.len() == lattice.width() {
            let level = |&&k: &&usize| self.lookups(lattice.operands[k], v).and_then(|l| l.first().copied());
            let leader = dense.iter().rev().max_by_key(level).copied();
            dense.retain(|&k| Some(k) != leader);
        }
        dense.into_iter().fold(0, |set, k| if self.led(lattice, v, set | 1 << k) { set | 1 << k } else { set })
    }

    /// The operands of this level that the kernel file asks for. Where that is all of them, one leads.
    fn asked(&mut self, lattice: &Lattice, v: VarId, names: &[Spanned<String>]) -> Result<u64, Stop> {
        let mut asked: Vec<(usize, TensorId, &Spanned<String>)> = Vec::new();
        for (k, &o) in lattice.operands.iter().enumerate() {
            let tensor = self.leaves[o].used.map(|u| self.graph.uses[u.0].tensor);
            let has = self.leaves[o].levels.first().is_some_and(|(w, _)| *w == v);
            let Some(t) = tensor.filter(|_| has) else { continue };
            let own = self.kernel.tensor(t).name.as_str();
            asked.extend(names.iter().find(|n| n.get_ref() == own).map(|name| (k, t, name)));
        }
        let refuse = |name: &Spanned<String>, why: &str, way: &str| {
            let what = format!("{} cannot be located at index {}: {why}", name.get_ref(), self.var_name(v));
            Err(Stop::Refuse(Diagnostic::new("S040", what).at(Place::Kernel(name.span())).help(way)))
        };
        if let Some(&(.., name)) = asked.iter().find(|&&(k, ..)| self.lookups(lattice.operands[k], v).is_none()) {
            let way = "store it dense or compressed, or leave it out of `locate`";
            return refuse(name, "its level does not hold every coordinate once, in order", way);
        }
        let all = asked.iter().fold(0u64, |set, (k, ..)| set | 1 << k);
        let leaders = asked.iter().rev().filter(|_| all == (1 << lattice.width()) - 1).map(|(k, ..)| 1u64 << k);
        let choices: Vec<u64> = match all == (1 << lattice.width()) - 1 {
            true => leaders.map(|leader| all & !leader).collect(),
            false => vec![all],
        };
        let Some(set) = choices.into_iter().find(|&set| set == 0 || self.led(lattice, v, set)) else {
            let alone = asked.iter().find(|(k, ..)| !self.led(lattice, v, 1 << k)).or(asked.first());
            let Some(&(.., name)) = alone else { return Ok(0) };
            let way =
                "a tensor can be looked up only where other operands give the coordinates; leave it out of `locate`";
            return refuse(name, "a value can be where no other operand has a coordinate", way);
        };
        self.looked_up.extend(asked.iter().filter(|(k, ..)| set >> k & 1 == 1).map(|&(_, t, _)| t));
        Ok(set)
    }

    /// True if every coordinate that matters is had by an operand outside `set`.
    fn led(&self, lattice: &Lattice, v: VarId, set: u64) -> bool {
        let alone = |p: u64, certain: u64| p != 0 && p & certain == certain && lattice.emits(p) && p & !set == 0;
        let outside = lattice.sets().any(|p| lattice.emits(p) && p & !set != 0);
        // Where more must not be visited than the table says, nothing may be missed or let through.
        let follower = |k: usize| lattice.operands.get(k).is_some_and(|&o| self.never_missed(o, v));
        if lattice.exact && !(0..lattice.width()).all(|k| set >> k & 1 == 0 || follower(k)) {
            return false;
        }
        let alone = |p: u64, certain: u64| {
            alone(p, certain)
                || lattice.exact
                    && p & certain == certain
                    && !lattice.emits(p)
                    && subsets(set).any(|r| lattice.emits(p & !set | r))
        };
        outside
            && match &self.patterns {
                None => !lattice.sets().any(|p| alone(p, 0)),
                Some(outer) => outer.iter().all(|&alive| {
                    let (possible, certain) = self.possible(lattice, v, alive);
                    !subsets(possible).any(|p| alone(p, certain))
                }),
            }
    }

    /// The levels that a lookup of leaf `o` at `v` goes through, if they can be looked up in.
    pub(super) fn lookups(&self, o: LeafId, v: VarId) -> Option<Vec<usize>> {
        let leaf = &self.leaves[o];
        let used = leaf.used.filter(|_| !self.has_edge(o, v))?;
        let mut out = Vec::new();
        for (_, level) in leaf.levels.iter().take_while(|(w, _)| *w == v) {
            let Level::Stored(l) = level else { return None };
            let ranged = self.graph.uses[used.0].levels.get(l + 1).is_some_and(|k| k.is_singleton());
            // Coordinates of a part are not those of its level.
            let part = self.parts.contains_key(&(used, *l));
            if part || ranged || !self.graph.uses[used.0].levels[*l].is_searchable() {
                return None;
            }
            out.push(*l);
        }
        (!out.is_empty()).then_some(out)
    }

    /// True if leaf `o` is at every coordinate of `v` wherever it is there at all: its levels are
    /// dense, or it has none.
    pub(super) fn everywhere_dense(&self, o: LeafId, v: VarId) -> bool {
        let leaf = &self.leaves[o];
        if self.has_edge(o, v) {
            return false;
        }
        let own = leaf.levels.iter().take_while(|(w, _)| *w == v);
        own.into_iter().all(|(_, l)| match (l, leaf.used) {
            (Level::Stored(l), Some(u)) => {
                let covered = self.parts.get(&(u, *l)).is_none_or(|(_, window)| window.covers());
                covered && self.graph.uses[u.0].levels[*l].is_dense()
            }
            _ => false,
        })
    }

    /// Looks the operands `located` up at the coordinates `crd` that the others, `live`, give. Where coordinates
    /// below which nothing can be would cost loops further inside, they are removed.
    pub(super) fn look_up(
        &mut self,
        lattice: &Lattice,
        located: u64,
        v: VarId,
        crd: StreamId,
        live: &[LeafId],
        ends: bool,
    ) -> Found {
        let mut found = Found { crd, required: 0 };
        let mut live = live.to_vec();
        let steady = self.every_coordinate(crd);
        let mut order: Vec<usize> = (0..lattice.width()).filter(|k| located >> k & 1 == 1).collect();
        // Those that can miss first: fewer coordinates are left for the others, and none of those needs a dropper.
        order.sort_by_key(|&k| self.never_missed(lattice.operands[k], v));
        let over = self.below(v);
        for k in order {
            let o = lattice.operands[k];
            let (Some(levels), Some(used)) = (self.lookups(o, v), self.leaves[o].used) else { continue };
            self.note_lookup(o, &levels, v);
            let certain = self.never_missed(o, v);
            if certain && levels == [0] {
                self.leaves[o].stream = found.crd;
            } else if certain && levels.len() == 1 && steady && found.required == 0 {
                // The leader has every coordinate: so has this one's scanner, in step.
                self.leaves[o].stream = self.scan(o, v).stream;
            } else {
                self.leaves[o].stream = self.look_up_in(o, used, &levels, v, found.crd, &over);
            }
            let (_, misses) = self.reference(Some(o), self.leaves[o].stream);
            let needed = lattice.sets().all(|p| !lattice.emits(p) || p >> k & 1 == 1);
            let solid = live.iter().all(|&x| !self.reference(Some(x), self.leaves[x].stream).1);
            if misses && needed && solid && !ends {
                found.crd = self.remove_misses(o, v, found.crd, &live, &over);
                found.required |= 1 << k;
            }
            live.push(o);
        }
        found
    }

    /// Repeats leaf `o` along `crd` and locates, level by level.
    fn look_up_in(
        &mut self,
        o: LeafId,
        used: UseId,
        levels: &[usize],
        v: VarId,
        crd: StreamId,
        over: &Over,
    ) -> StreamId {
        let (leaf, index) = (self.leaf_name(o), self.var_name(v));
        let mut at = self.repeated(o, format!("repeat_{leaf}_{index}"), crd, over);
        for &l in levels {
            let dense = self.graph.uses[used.0].levels[l].is_dense();
            let empty = !dense || self.reference(Some(o), at).1;
            let output = Leaves::maybe(Payload::Ref(used, l), over.clone(), empty);
            at = self.node(format!("locate_{leaf}_{index}"), Op::Locate(used, l), vec![crd, at], vec![output])[0];
        }
        at
    }

    /// Removes the coordinates at which leaf `o` is not, with what `live` has there. The coordinates that are left.
    fn remove_misses(&mut self, o: LeafId, v: VarId, crd: StreamId, live: &[LeafId], over: &[VarId]) -> StreamId {
        let at = self.leaves[o].stream;
        let (found, _) = self.reference(Some(o), at);
        let filter = |low: &mut Self, name: String, outer: StreamId, payload: Payload| {
            let outputs = vec![
                Leaves::maybe(payload, over.to_vec(), payload == Payload::Crd(v)),
                Leaves::sure(found, over.to_vec()),
            ];
            low.node(name, Op::Drop { list: false, explicit: None }, vec![outer, at], outputs)
        };
        let name = format!("drop_{}_{}", self.leaf_name(o), self.var_name(v));
        for &x in live.iter().filter(|&&x| self.leaves[x].stream != crd).collect::<Vec<_>>() {
            let stream = self.leaves[x].stream;
            let (payload, _) = self.reference(Some(x), stream);
            let name = format!("drop_{}_{}_for_{}", self.leaf_name(x), self.var_name(v), self.leaf_name(o));
            self.leaves[x].stream = filter(self, name, stream, payload)[0];
        }
        let out = filter(self, name, crd, Payload::Crd(v));
        for &x in live {
            if self.leaves[x].stream == crd {
                self.leaves[x].stream = out[0];
            }
        }
        self.leaves[o].stream = out[1];
        out[0]
    }

    /// True if a lookup of leaf `o` finds something at every coordinate.
    pub(super) fn never_missed(&self, o: LeafId, v: VarId) -> bool {
        self.everywhere_dense(o, v) && !self.reference(Some(o), self.leaves[o].stream).1
    }

    /// True if `crd` has every coordinate below every item: it comes from a dense level or a universe.
    fn every_coordinate(&self, crd: StreamId) -> bool {
        let node = self.graph.node(self.graph.stream(crd).from.0);
        let dense = matches!(node.op, Op::Broadcast(_))
            || matches!(node.op, Op::Scan(u, l) if self.graph.uses[u.0].levels[l].is_dense());
        dense
            && node
                .inputs
                .iter()
                .all(|&s| !self.graph.stream(s).may_be_empty || matches!(self.graph.stream(s).payload, Payload::Crd(_)))
    }

    fn note_lookup(&mut self, o: LeafId, levels: &[usize], v: VarId) {
        let used = self.leaves[o].used.map_or(0, |u| u.0);
        let lookup = levels.iter().filter_map(|&l| self.graph.uses[used].levels[l].lookup()).max();
        let how = match lookup {
            Some(Lookup::Computed) if self.kernel.schedule_of(self.statement).locate.is_none() => {
                "a dense level has every coordinate: its position is computed".to_string()
            }
            lookup => format!("as the kernel file asks{}", lookup.map_or("", Lookup::how)),
        };
        let note = format!("{} is located at {}: {how}", self.leaf_name(o), self.var_name(v));
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
