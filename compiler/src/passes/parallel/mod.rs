//! `parallel = { v = P }`: makes P copies of the graph below variable v. Before: a lowered graph in which a list over v
//! may be empty wherever that matters. After: a parallelizer deals the leaves of v's level, everything that depends on
//! them stands P times, and what must be whole again comes together in one of three ways:
//!
//! - *own arrays*: each copy writes its part of the result to arrays of its own. For a free variable, where nobody reads the result
//!   on the chip and its last level is not dense.
//! - *tree*: v is reduced; what each copy has reduced is combined pairwise.
//! - *serializer*: items come back in the order in which they were dealt, and the writers see no difference.
//!
//! Leaves go to the next free copy, or to the copies in turn, as the schedule says; but where equal coordinates must meet in one
//! copy, their low bits choose it.

mod groups;

use super::copies::Rewrite;
use crate::diag::{Diagnostic, Place};
use crate::facts;
use crate::graph::{Graph, Leaves, NodeId, Op, Payload, Stream, StreamId, UseId};
use crate::lower::Lowered;
use crate::schedule::{Balance, Copies};
use crate::stmt::{Statement, VarId};
use groups::{Groups, Structure};
use samhw_primitives::copies::parallelizer::Deal;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Largest number of copies.
pub const MAX_COPIES: u64 = 32;

/// Variables of which the schedule wants copies, with the place: of an index with lanes those of each lane.
fn wanted(lowered: &Lowered) -> Vec<(VarId, Copies, Range<usize>)> {
    let kernel = &lowered.kernel;
    let of = |((name, copies), statements): (&(toml::Spanned<String>, Copies), Vec<usize>)| {
        let named = kernel.named_in(name.get_ref(), &statements).into_iter().flat_map(|v| lowered.lanes_of(v));
        named.map(|v| (v, copies.clone(), name.span())).collect::<Vec<_>>()
    };
    kernel.asked(|s| &s.parallel).into_iter().filter(|((_, copies), _)| copies.several()).flat_map(of).collect()
}

/// Makes the copies that the schedule requests.
pub fn apply(lowered: &mut Lowered) -> Result<(), Diagnostic> {
    let wanted = wanted(lowered);
    let said = no_scans(lowered, &wanted)?;
    lowered.redirected.extend(said);
    for (v, copies, span) in wanted {
        let number = *copies.number.get_ref();
        if number > MAX_COPIES {
            return Err(Diagnostic::new("S010", format!("{number} copies of the graph"))
                .help(format!("at most {MAX_COPIES} are possible"))
                .at(Place::Kernel(span)));
        }
        let stages = (0..lowered.kernel.statements.len()).filter(|n| !scans(lowered, *n, v));
        for stage in stages.collect::<Vec<_>>() {
            let keyed = lowered.graph.keyed();
            let here = LoopRegion {
                lowered,
                keyed,
                v,
                stage,
                copies: number as usize,
                wanted: &copies,
                span: span.clone(),
                structures: RefCell::default(),
            };
            if let Some(graph) = here.parallel()? {
                lowered.graph = graph;
            }
        }
    }
    Ok(())
}

/// Whether statement `n` scans along `v`: it has no copies of it.
fn scans(lowered: &Lowered, n: usize, v: VarId) -> bool {
    let (kernel, whole) = (&lowered.kernel, lowered.whole(v));
    facts::scanned(kernel, kernel.statements[n].value).iter().any(|(along, _)| whole == *along)
}

/// Refuses an entry where every statement with its index scans along it; else says which do.
fn no_scans(lowered: &Lowered, wanted: &[(VarId, Copies, Range<usize>)]) -> Result<Vec<String>, Diagnostic> {
    let (kernel, mut said) = (&lowered.kernel, Vec::new());
    let all: Vec<Vec<VarId>> = kernel.statements.iter().map(|s| facts::variables(kernel, s)).collect();
    let with = |v: VarId| -> (Vec<usize>, Vec<usize>) {
        let has = |n: &usize| all[*n].contains(&lowered.whole(v));
        (0..all.len()).filter(has).partition(|n| scans(lowered, *n, v))
    };
    for (v, _, span) in wanted {
        if wanted.iter().filter(|(.., other)| other == span).all(|(v, ..)| with(*v).1.is_empty()) {
            super::lanes::not_scanned(kernel, &[*v], "copies").map_err(|d| d.at(Place::Kernel(span.clone())))?;
        }
        for n in with(*v).0 {
            let (index, result) = (&kernel.var(*v).name, &kernel.tensor(kernel.statements[n].result).name);
            said.push(format!("copies of {index}: none in {result}, which goes along it from end to end"));
        }
    }
    Ok(said)
}

/// What becomes of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodePart {
    /// The node occurs once, in front of the parallelizer or next to it.
    Outside,
    /// The node occurs in each copy.
    Inside,
    /// The node occurs once, behind the serializer.
    After,
}

/// How copies come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Own,
    Tree,
    Serial,
}

/// One variable of one statement.
struct LoopRegion<'a> {
    lowered: &'a Lowered,
    keyed: Vec<Vec<VarId>>,
    v: VarId,
    stage: usize,
    copies: usize,
    wanted: &'a Copies,
    span: Range<usize>,
    /// The structure of each stream that was asked for.
    structures: RefCell<HashMap<StreamId, Structure>>,
}

impl LoopRegion<'_> {
    fn graph(&self) -> &Graph {
        &self.lowered.graph
    }
    fn statement(&self) -> &Statement {
        &self.lowered.kernel.statements[self.stage]
    }
    fn name(&self) -> &str {
        &self.lowered.kernel.var(self.v).name
    }
    fn has(&self, s: StreamId) -> bool {
        self.graph().stream(s).over.contains(&self.v) || self.keyed[s.0].contains(&self.v)
    }
    /// True if the stream's leaves are at the level of v.
    fn at(&self, s: StreamId) -> bool {
        self.graph().stream(s).over.last() == Some(&self.v)
    }
    fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.graph().nodes.len()).map(NodeId)
    }

    /// The variable that a reducer folds away, and those it keeps.
    fn reduced(&self, n: NodeId) -> Option<(VarId, Vec<VarId>)> {
        let node = self.graph().node(n);
        let Op::Reduce { kept, .. } = node.op else { return None };
        let val = *node.inputs.last()?;
        let over = &self.graph().stream(val).over;
        let at = over.len().checked_sub(kept + 1)?;
        let keys = node.inputs.iter().flat_map(|s| &self.keyed[s.0]);
        Some((over[at], over[at + 1..].iter().chain(keys).copied().collect()))
    }

    /// The graph with copies; `None` where the statement does not have the variable.
    fn parallel(&self) -> Result<Option<Graph>, Diagnostic> {
        let mine = |n: &NodeId| self.graph().node(*n).stage == self.stage;
        if !self.nodes().filter(mine).any(|n| self.graph().node(n).outputs.iter().any(|&s| self.has(s))) {
            return Ok(None);
        }
        let reducers: Vec<_> = self.nodes().filter(mine).filter_map(|n| self.reduced(n)).collect();
        // A coordinate met again under another one, and added to it later.
        let again = reducers.iter().any(|(_, kept)| kept.contains(&self.v));
        let exit = self.exit(&reducers);
        let parts = self.parts(exit);
        let groups = self.dealt(&parts);
        let deal = match exit {
            Exit::Own | Exit::Tree if again || groups.len() > 1 => self.by_coordinate()?,
            _ if self.wanted.balance.as_ref().is_some_and(|b| *b.get_ref() == Balance::Fibers) => Deal::InTurn,
            _ => Deal::NextFree,
        };
        if exit == Exit::Serial && self.mixed(&parts, &groups) {
            let what = format!("copies of {}, dealt to in several places that meet in a copy", self.name());
            let last = self.lowered.kernel.tensor(self.statement().result).levels.last();
            let way = match last.is_none_or(|level| level.is_dense()) {
                true => "make the result's last level compressed, or choose another variable",
                false => "give copies to one index alone, or choose another variable",
            };
            return Err(Diagnostic::new("S012", what).help(way).at(Place::Kernel(self.span.clone())));
        }
        Ok(Some(self.rewrite(exit, &parts, &groups, deal)))
    }

    /// Dealing where equal coordinates must meet in one copy.
    fn by_coordinate(&self) -> Result<Deal, Diagnostic> {
        let other = format!("or choose a loop order in which no reduction is outside {}", self.name());
        if let Some(balance) = &self.wanted.balance {
            let what = format!("`balance` of copies of {}, whose coordinates can repeat", self.name());
            return Err(Diagnostic::new("S021", what)
                .help("equal coordinates must go to one copy, which their low bits choose: leave `balance` out")
                .help(other)
                .at(Place::Kernel(balance.span())));
        }
        Ok(Deal::Coordinate)
    }

    fn exit(&self, reducers: &[(VarId, Vec<VarId>)]) -> Exit {
        let kernel = &self.lowered.kernel;
        let result = self.statement().result;
        let mine = |n: &NodeId| self.graph().node(*n).stage == self.stage;
        let into = |n: NodeId| matches!(self.graph().node(n).op, Op::WriteValues { scatter: Some(_), .. });
        if self.nodes().filter(mine).any(into) {
            return Exit::Serial;
        }
        if !self.statement().indices.contains(&self.lowered.whole(self.v)) {
            // Fibers of one level can be added pairwise, in any order; others come back before they are reduced.
            let simple = reducers.iter().filter(|(r, _)| *r == self.v).all(|(_, kept)| kept.len() <= 1);
            let ordered = |n: NodeId| matches!(self.graph().node(n).op, Op::Reduce { op, .. } if !op.commutes());
            let simple = simple && !self.nodes().any(ordered);
            return if simple { Exit::Tree } else { Exit::Serial };
        }
        let read = kernel.read_again(self.stage);
        let scattered = kernel.tensor(result).levels.last().is_none_or(|l| l.is_dense());
        if read || scattered || self.lowered.temporaries.contains(&result) { Exit::Serial } else { Exit::Own }
    }

    /// Whether a node writes what another lane of the variable has.
    fn is_of_another_lane(&self, n: NodeId) -> bool {
        let Some(access) = self.graph().node(n).op.access() else { return false };
        let whole = self.lowered.whole(self.v);
        self.graph().uses[access.of.0].slices.iter().any(|s| s.of == whole && s.var != self.v)
    }

    fn parts(&self, exit: Exit) -> Vec<NodePart> {
        let mut parts = vec![NodePart::Outside; self.graph().nodes.len()];
        for n in self.nodes() {
            let node = self.graph().node(n);
            if node.stage != self.stage {
                continue;
            }
            let of = |s: &StreamId| parts[self.graph().stream(*s).from.0.0];
            let from = |p: NodePart| node.inputs.iter().any(|s| of(s) == p);
            let writes =
                matches!(node.op, Op::WriteLevel { .. } | Op::WriteValues { .. }) && !self.is_of_another_lane(n);
            // What makes the level of v, or is next to it, needs no copies.
            let late = exit != Exit::Tree && parts.contains(&NodePart::Inside);
            let level = matches!(node.op, Op::Join { .. } | Op::Zip | Op::Slice(_) | Op::Between(..))
                || !late && matches!(node.op, Op::Repeat | Op::Locate(..) | Op::Drop { .. } | Op::Constant(..));
            let touches =
                node.inputs.iter().any(|&s| self.has(s)) && !(level && node.outputs.iter().all(|&s| self.at(s)));
            let dropped =
                matches!(node.op, Op::Drop { .. }) && (self.at(node.outputs[0]) || !self.has(node.outputs[0]));
            // Positions and repeated coordinates of a result come late.
            let comes_late = late && matches!(node.op, Op::Repeat | Op::Locate(..)) && self.at(node.outputs[0]);
            // Its items have any number of keys.
            let keyed = matches!(node.op, Op::Collapse(_)) && (self.at(node.inputs[0]) || self.at(node.inputs[1]));
            let reduced = || {
                let reduced = self.reduced(n).filter(|_| matches!(node.op, Op::Reduce { .. }));
                reduced.is_some_and(|(r, kept)| r == self.v || kept.contains(&self.v))
            };
            let whole = writes || dropped || comes_late || keyed || reduced();
            parts[n.0] = match exit {
                Exit::Own if writes => NodePart::Inside,
                // Sums of the copies are whole again.
                Exit::Tree if !node.inputs.iter().any(|s| self.has(*s)) => NodePart::Outside,
                Exit::Serial if from(NodePart::After) || whole && (touches || from(NodePart::Inside)) => {
                    NodePart::After
                }
                _ if touches || from(NodePart::Inside) => NodePart::Inside,
                _ => NodePart::Outside,
            };
        }
        parts
    }

    fn rewrite(&self, exit: Exit, parts: &[NodePart], groups: &Groups, deal: Deal) -> Graph {
        let graph = self.graph();
        let mut w = Rewrite::new(graph, self.copies);
        w.sharing = self.wanted.sharing;
        let split = exit == Exit::Serial;
        let deeper = |s: &Stream| {
            let mut s = s.clone();
            if let Some(k) = s.over.iter().position(|x| *x == self.v).filter(|_| split) {
                let (outside, inside) = s.over.split_at(k);
                s.over = outside.iter().chain([&self.v]).chain(inside).copied().collect();
            }
            s
        };
        let results = self.own_results(exit, &mut w);
        for n in self.order(parts, groups) {
            for group in groups.values() {
                if group.iter().all(|s| w.outside.contains_key(s)) && !w.copies[0].contains_key(&group[0]) {
                    self.deal(&mut w, group, deal, split);
                }
            }
            let node = graph.node(n);
            match parts[n.0] {
                NodePart::Outside => w.keep(n),
                NodePart::Inside => {
                    for (c, used) in results.iter().enumerate() {
                        let of = |u: UseId| used.get(&u).copied().unwrap_or(u);
                        w.copy(n, c, node.op.with_use(of), deeper);
                    }
                    let Op::Reduce { op, .. } = node.op else { continue };
                    if exit == Exit::Tree && node.outputs.iter().all(|&s| !self.has(s)) {
                        let ty = graph.value_type(n).unwrap_or(self.statement().ty);
                        w.combine(n, op, crate::facts::identity(op, ty));
                    }
                }
                NodePart::After => {
                    for &s in &node.inputs {
                        if let (None, Some(&turn)) = (w.outside.get(&s), w.turns.get(&s)) {
                            self.serialize(&mut w, s, turn);
                        }
                    }
                    w.keep(n);
                }
            }
        }
        w.new
    }

    /// Per copy where each of its results is: arrays of its own, from the second copy on new ones.
    fn own_results(&self, exit: Exit, w: &mut Rewrite) -> Vec<BTreeMap<UseId, UseId>> {
        let mut out = vec![BTreeMap::new(); self.copies];
        if exit != Exit::Own {
            return out;
        }
        let written = |n: NodeId| {
            let node = self.graph().node(n);
            node.op.written().filter(|_| node.stage == self.stage)
        };
        for u in self.nodes().filter_map(written) {
            for (c, map) in out.iter_mut().enumerate().skip(1) {
                let mut used = w.new.uses[u.0].clone();
                used.name = format!("{}_c{c}", used.name);
                map.insert(u, UseId(w.new.uses.len()));
                w.new.uses.push(used);
            }
        }
        out
    }

    /// A parallelizer of the streams of a group.
    fn deal(&self, w: &mut Rewrite, group: &[StreamId], deal: Deal, split: bool) {
        let mut outputs = Vec::new();
        for _ in 0..self.copies {
            for s in group {
                let mut s = self.graph().stream(*s).clone();
                if split {
                    s.over = s.over.iter().chain([&self.v]).copied().collect();
                }
                s.may_be_empty |= matches!(s.payload, Payload::Crd(_));
                outputs.push(s.leaves());
            }
        }
        let over = self.graph().stream(group[0]).over.clone();
        if split {
            outputs.push(Leaves::sure(Payload::Copy(self.copies as u32), over));
        }
        let inputs = group.iter().map(|s| w.outside[s]).collect();
        let op = Op::Deal { copies: self.copies as u32, deal, split };
        let made = w.new.add(format!("deal_{}", self.name()), op, inputs, outputs, self.stage);
        for (c, map) in w.copies.iter_mut().enumerate() {
            map.extend(group.iter().copied().zip(made[c * group.len()..].iter().copied()));
        }
        if split {
            w.turns.extend(group.iter().map(|&s| (s, made[made.len() - 1])));
        }
    }

    fn serialize(&self, w: &mut Rewrite, s: StreamId, turn: StreamId) {
        let stream = self.graph().stream(s).clone();
        let level = stream.over.iter().position(|x| *x == self.v).unwrap_or(0);
        let height = (stream.over.len() - level - 1) as u8;
        let inputs = std::iter::once(turn).chain(w.copies.iter().map(|c| c[&s])).collect();
        let name = format!("serialize_{}", self.graph().stream_name(s).replace('.', "_"));
        let outputs = vec![stream.leaves()];
        let out = w.new.add(name, Op::Serialize { height }, inputs, outputs, self.stage);
        w.outside.insert(s, out[0]);
    }
}
