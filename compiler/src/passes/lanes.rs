//! `lanes = { v = W }`: processes W coordinates of v per cycle. Before: a lowered graph. After: everything that depends
//! on v stands W times, lane w for the coordinates w, w + W, w + 2W .. of v. Operands with v lie in W banks, a slice
//! each, so every lane has a memory port to its own words; a result with v lies in W banks too. What a sum over v needs
//! from all lanes is combined by a tree. A lane is the same kernel on a slice: its coordinates are those of a variable
//! of its own.

mod banks;
mod chunks;
mod others;
mod rewrite;
mod rows;
mod runs;
mod share;
mod step;

use crate::diag::{Diagnostic, Place};
use crate::facts::{self, Density};
use crate::graph::{Graph, How, NodeId, Op, Payload, Slice, StreamId, UseId};
use crate::levels::{self, LevelKind};
use crate::lower::Lowered;
use crate::stmt::{Kernel, Operator, Statement, TensorId, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;

/// Largest number of lanes.
pub const MAX_LANES: u64 = 256;

/// Changes the storage of tensors that lanes divide into runs, which have no empty rows, and of results with dense
/// levels, whose parts lanes write; returns the declared levels of these.
pub fn prepare(kernel: &mut Kernel) -> BTreeMap<TensorId, Vec<LevelKind>> {
    let mut declared = BTreeMap::new();
    for (t, statement) in facts::cut(kernel) {
        kernel.tensors[t.0].levels.fill(levels::COMPRESSED);
        let result = kernel.statements[statement].result;
        let tensor = &mut kernel.tensors[result.0];
        if tensor.levels.iter().all(|l| l.is_dense()) {
            // What is dense leaves nothing out: what lanes leave out is what the expression is there.
            tensor.fill = None;
        }
        // What no result can be stored as is refused as without lanes.
        if tensor.levels.iter().any(|l| l.is_dense()) && levels::lone_singleton(&tensor.levels).is_none() {
            declared.insert(result, tensor.levels.clone());
            tensor.levels.fill(levels::COMPRESSED);
        }
    }
    declared
}

/// Gives lanes that are impossible along their index to another index, and copies that would wait for
/// their items to lanes, by what is known of the data; describes the changes.
pub fn redirect(kernel: &mut Kernel, order: &[VarId], density: &Density) -> Vec<String> {
    let mut said = runs::keep(kernel, order);
    // Copies are where they stay.
    said.extend(share::copies(kernel, order, density));
    said.extend(rows::deal(kernel, order));
    said.extend(others::give(kernel, order));
    said
}

/// Lanes that are refused: the position of their entry in the kernel file, and why.
struct LanesRefused {
    entry: usize,
    why: Diagnostic,
}

/// Lanes that the schedule wants.
struct LanesAsked {
    name: Spanned<String>,
    lanes: Spanned<u64>,
    /// The variables that are to have them.
    vars: Vec<VarId>,
    /// Copies are wanted of one of them, too.
    copied: bool,
}

fn asked(kernel: &Kernel) -> Vec<LanesAsked> {
    let copies = kernel.asked(|s| &s.parallel);
    let of = |((name, lanes), statements): (&LanesEntry, Vec<usize>)| {
        let copied = copies.iter().any(|((other, copies), of)| {
            other.get_ref() == name.get_ref() && copies.several() && of.iter().any(|n| statements.contains(n))
        });
        let vars = kernel.named_in(name.get_ref(), &statements);
        LanesAsked { name: name.clone(), lanes: lanes.clone(), vars, copied }
    };
    entries(kernel).into_iter().map(of).collect()
}

/// An index and its number of lanes.
type LanesEntry = (Spanned<String>, Spanned<u64>);

/// The entries of schedules that ask for lanes, each with its statements.
fn entries(kernel: &Kernel) -> Vec<(&LanesEntry, Vec<usize>)> {
    kernel.asked(|s| &s.lanes).into_iter().filter(|((_, n), _)| *n.get_ref() > 1).collect()
}

/// Makes the lanes that the schedule requests. Where memories are `on_chip` they may go in step: behind a bus
/// each waits for other words, and one that does not wait for the others is done sooner.
pub fn apply(lowered: &mut Lowered, on_chip: bool) -> Result<(), Diagnostic> {
    made(lowered, on_chip).map_err(|refused| refused.why)
}

fn made(lowered: &mut Lowered, on_chip: bool) -> Result<(), LanesRefused> {
    let all = asked(&lowered.kernel);
    let steps = |lowered: &Lowered, vars: &[VarId]| on_chip && vars.iter().all(|&v| in_step(lowered, v));
    // What one statement writes and another reads has banks of one size.
    let several = lowered.kernel.statements.len() > 1;
    let every: Vec<VarId> = all.iter().flat_map(|asked| asked.vars.iter().copied()).collect();
    let all_even = several && steps(lowered, &every);
    for LanesAsked { name, lanes, vars, copied } in all {
        let at = |why: Diagnostic| LanesRefused { entry: name.span().start, why: why.at(Place::Kernel(name.span())) };
        if *lanes.get_ref() > MAX_LANES {
            let d = Diagnostic::new("S013", format!("{} lanes", lanes.get_ref()));
            return Err(at(d.help(format!("at most {MAX_LANES} are possible"))));
        }
        not_scanned(&lowered.kernel, &vars, "lanes").map_err(at)?;
        let even = if several { all_even } else { steps(lowered, &vars) };
        for v in vars {
            // What cannot be cut into runs is dealt by coordinates.
            let runs = chunks::apply(lowered, v, *lanes.get_ref());
            if copied && runs.as_ref().is_ok_and(|cut| *cut) {
                let d = Diagnostic::new("S014", format!("{} has lanes of equal runs, and copies", name.get_ref()));
                return Err(at(d.help("such lanes have as much to do, whatever the rows are: leave out `parallel`")));
            }
            if !runs.as_ref().is_ok_and(|cut| *cut) {
                widen(lowered, v, *lanes.get_ref(), even).map_err(|d| at(runs.err().unwrap_or(d)))?;
            }
        }
    }
    banks::alike(lowered)
}

/// Refuses to cut the loop over one of these variables if something is scanned along it.
pub(super) fn not_scanned(kernel: &Kernel, vars: &[VarId], what: &str) -> Result<(), Diagnostic> {
    let mut scanned = kernel.statements.iter().flat_map(|s| facts::scanned(kernel, s.value));
    let Some((v, _)) = scanned.find(|(v, _)| vars.contains(v)) else { return Ok(()) };
    let name = &kernel.var(v).name;
    let said = Diagnostic::new("S019", format!("{what} over {name}, along which a scan, `argmin` or `argmax` goes"));
    Err(said.help(format!("it goes from the first coordinate to the last: give {what} to another index")))
}

/// Whether lanes of `v` can go in step in every statement that has it.
fn in_step(lowered: &Lowered, v: VarId) -> bool {
    let mut stages = (0..lowered.kernel.statements.len()).filter(|&stage| touched(lowered, v, stage));
    stages.all(|stage| VariableLevel { lowered, v, stage }.apart().is_some())
}

/// Gives `v` lanes in every statement that has it, which are of one size if `even`.
fn widen(lowered: &mut Lowered, v: VarId, lanes: u64, even: bool) -> Result<(), Diagnostic> {
    let name = lowered.kernel.var(v).name.clone();
    let most = lowered.kernel.var(v).max.div_ceil(lanes).max(1);
    let first = lowered.kernel.vars.len();
    let stages: Vec<usize> = (0..lowered.kernel.statements.len()).filter(|&s| touched(lowered, v, s)).collect();
    for &stage in &stages {
        VariableLevel { lowered, v, stage }.check()?;
    }
    if stages.is_empty() {
        return Ok(());
    }
    for lane in 0..lanes {
        if lane == 0 || !even {
            lowered.kernel.vars.push(Var { name: format!("{name}_l{lane}"), max: most });
        }
        let var = VarId(lowered.kernel.vars.len() - 1);
        // The mode is each packing's own.
        lowered.slices.push(Slice { mode: 0, of: v, var, lane, lanes, even });
    }
    let slices: Vec<Slice> = lowered.slices.iter().copied().filter(|s| s.var.0 >= first).collect();
    for stage in stages {
        let graph = VariableLevel { lowered, v, stage }.rewrite(&slices);
        lowered.graph = graph;
    }
    Ok(())
}

fn touched(lowered: &Lowered, v: VarId, stage: usize) -> bool {
    let graph = &lowered.graph;
    let has = |s: &StreamId| graph.stream(*s).over.contains(&v);
    graph.nodes.iter().any(|n| n.stage == stage && n.outputs.iter().any(has))
}

/// A variable in a statement.
struct VariableLevel<'a> {
    lowered: &'a Lowered,
    v: VarId,
    stage: usize,
}

impl VariableLevel<'_> {
    fn graph(&self) -> &Graph {
        &self.lowered.graph
    }
    fn statement(&self) -> &Statement {
        &self.lowered.kernel.statements[self.stage]
    }
    fn name(&self) -> &str {
        &self.lowered.kernel.var(self.v).name
    }
    fn mine(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = &self.graph().nodes;
        (0..nodes.len()).filter(|&n| nodes[n].stage == self.stage).map(NodeId)
    }

    /// The level of each operand that holds v.
    fn levels(&self) -> BTreeSet<(UseId, usize)> {
        let mut out = BTreeSet::new();
        for n in self.mine() {
            let node = self.graph().node(n);
            let last = |s: StreamId| self.graph().stream(s).over.last() == Some(&self.v);
            let above = |s: StreamId| self.graph().stream(s).payload == Payload::Crd(self.v);
            let access = node.op.access();
            match access.map(|access| (access.how, access.of, access.level)) {
                Some((How::Scan, u, Some(l))) => {
                    out.extend(last(node.outputs[0]).then_some((u, l)));
                    // A coordinate is the position in a dense first level.
                    out.extend((l > 0 && above(node.inputs[0])).then(|| (u, l - 1)));
                }
                Some((How::Locate, u, Some(l))) if matches!(node.op, Op::Locate(..)) => {
                    out.extend(above(node.inputs[0]).then_some((u, l)));
                    out.extend((l > 0 && above(node.inputs[1])).then(|| (u, l - 1)));
                }
                Some((How::Read, u, None)) => {
                    let levels = self.graph().uses[u.0].levels.len();
                    out.extend((levels > 0 && above(node.inputs[0])).then(|| (u, levels - 1)));
                }
                Some((How::Write, of, None)) => {
                    let mode = self.statement().indices.iter().position(|x| *x == self.v);
                    let level = mode.and_then(|m| self.graph().uses[of.0].mode_order.iter().position(|x| *x == m));
                    out.extend(level.map(|l| (of, l)));
                }
                _ => {}
            }
            // Inputs whose leaves pass to an output.
            let outputs = node.op.signature(node.inputs.len()).outputs.into_iter().enumerate();
            for (i, o) in outputs.filter_map(|(o, output)| Some((output.passes?, o))) {
                if let (true, Payload::Ref(u, l)) =
                    (above(node.inputs[i]), self.graph().stream(node.outputs[o]).payload)
                {
                    out.insert((u, l));
                }
            }
        }
        loop {
            let before = out.len();
            out.extend(self.led(&out));
            if out.len() == before {
                return out;
            }
        }
    }

    /// The same levels of other lanes of an operand, which read at positions of its first one.
    fn led(&self, levels: &BTreeSet<(UseId, usize)>) -> Vec<(UseId, usize)> {
        let (graph, mut out) = (self.graph(), Vec::new());
        for node in self.mine().map(|n| graph.node(n)) {
            let position = |s: &StreamId| match graph.stream(*s).payload {
                Payload::Ref(u, l) => Some((u, l)),
                _ => None,
            };
            let of = node.op.access().map(|access| access.of).into_iter();
            let mut next: Vec<_> = of.flat_map(|u| node.inputs.iter().map(move |s| (position(s), u))).collect();
            // A repeater of a lane has positions of the lane.
            let outputs = node.op.signature(node.inputs.len()).outputs.into_iter().zip(&node.outputs);
            let passed = outputs.filter_map(|(output, s)| Some((output.passes?, position(s)?.0)));
            next.extend(passed.map(|(i, u)| (position(&node.inputs[i]), u)));
            for ((first, last), of) in next.into_iter().filter_map(|(from, of)| Some((from?, of))) {
                if first != of && graph.uses[first.0].packs_as(&graph.uses[of.0]) {
                    out.extend(levels.iter().filter(|(u, l)| *u == first && *l <= last).map(|(_, l)| (of, *l)));
                }
            }
        }
        out
    }

    /// Refuses what has no lanes.
    fn check(&self) -> Result<(), Diagnostic> {
        let kernel = &self.lowered.kernel;
        let levels = self.levels();
        let result = self.statement().result;
        let cut = facts::cut(kernel);
        for (u, l) in &levels {
            let used = &self.graph().uses[u.0];
            let written = used.tensor == result && self.writes(*u);
            // The host deals what it packs, and what lanes write lies as they read it ([`banks::alike`]), but for rows
            // of which a lane has nothing.
            let kind = &used.levels[*l];
            let packed = kernel.statements.iter().all(|s| s.result != self.source(*u));
            let rows = packed || used.levels[..*l].iter().all(|outer| outer.is_dense());
            let dealt = if kind.is_dense() { rows || !self.lacks_rows(*u, *l) } else { rows && kind.can_be_dealt() };
            if !written && !dealt {
                let (name, of, kind) = (self.name(), &used.name, kind.name());
                let (what, store) = if rows {
                    (format!("dealt by coordinates: it has {name} {kind}"), format!("dense or compressed at {name}"))
                } else {
                    (format!("dense above {name}, as it is read on the chip"), format!("dense above {name}"))
                };
                return Err(Diagnostic::new("S015", format!("lanes over {name} need {of} {what}"))
                    .help("each lane takes every W-th coordinate, of every tensor that has the index")
                    .help(format!("store {of} {store}, or make copies: parallel = {{ {name} = .. }}")));
            }
            let in_runs = cut.iter().any(|(t, _)| *t == used.tensor);
            if in_runs || used.chunk.is_some() {
                let message = format!("{} would be cut into runs of its entries, and at {}", used.name, self.name());
                return Err(Diagnostic::new("S020", message).help("give lanes to one of its indices"));
            }
        }
        self.check_rows(&levels)?;
        let number = |n: NodeId| {
            let node = self.graph().node(n);
            let crd = |s: &StreamId| self.graph().stream(*s).payload == Payload::Crd(self.v);
            let alone = matches!(node.op, Op::ScanPart(_, _, dim, _) | Op::Constant(dim, _) | Op::Span(dim, _) | Op::Between(dim, _) if dim == self.v);
            let taken = matches!(node.op, Op::Slice(_)) && node.inputs.iter().any(crd);
            let given = matches!(node.op, Op::Slice(_) | Op::ScanPart(..) | Op::Within(_) | Op::Single)
                && node.outputs.iter().any(crd);
            alone || taken || given
        };
        if self.mine().any(number) {
            return Err(Diagnostic::new(
                "S019",
                format!("lanes over {}, whose coordinates are bounded, computed, or those of a slice", self.name()),
            )
            .help("a lane counts its own coordinates: give lanes to another index"));
        }
        let alone = |op: Operator, kept, n| kept > 1 || self.keyed(n) || !op.commutes();
        let deep = |n: NodeId| {
            matches!(self.graph().node(n).op, Op::Reduce { op, kept } if alone(op, kept, n)) && self.folds(n)
        };
        let summed = !self.statement().indices.contains(&self.v);
        let into = |n: NodeId| matches!(self.graph().node(n).op, Op::WriteValues { scatter: Some(_), .. });
        if summed && self.mine().any(into) {
            let result = &kernel.tensor(result).name;
            return Err(Diagnostic::new("S018", format!("lanes over {}, whose sums are scattered into {result}", self.name()))
                .help(format!("each lane would fold into the same words: leave {result} out of `scatter`, or give lanes to one of its indices")));
        }
        if self.mine().any(deep) {
            return Err(Diagnostic::new("S018", format!("lanes over {}, whose sums cannot be computed in parts", self.name()))
                .help("the results of the lanes are combined fiber by fiber: choose an order in which the reduction keeps at most one level"));
        }
        Ok(())
    }

    /// Is a use of what statements write, or rounds carry: where lanes of theirs drop rows of which they have
    /// nothing?
    fn lacks_rows(&self, u: UseId, l: usize) -> bool {
        let (kernel, graph, used) = (&self.lowered.kernel, self.graph(), &self.graph().uses[u.0]);
        let source = self.source(u);
        let of = |stage: usize| kernel.statements.get(stage).filter(|s| s.result == source);
        graph.nodes.iter().any(|node| {
            let (Op::Drop { .. }, Some(writer)) = (&node.op, of(node.stage)) else { return false };
            let whole = writer.indices[used.mode_order[l]];
            let cut = |v: &VarId| self.lowered.whole(*v) == whole;
            let over = &graph.stream(node.inputs[1]).over;
            over.iter().any(|v| *v == whole || cut(v)) && !graph.stream(node.outputs[0]).over.contains(&whole)
        })
    }

    /// The tensor whose words a use has: another one where rounds carry it.
    fn source(&self, u: UseId) -> TensorId {
        let kernel = &self.lowered.kernel;
        let base = kernel.base(self.graph().uses[u.0].tensor);
        kernel.carried(base).unwrap_or(base)
    }

    /// Refuses a result whose rows a lane would write where it has nothing of them: nothing drops them.
    fn check_rows(&self, levels: &BTreeSet<(UseId, usize)>) -> Result<(), Diagnostic> {
        let (graph, indices) = (self.graph(), &self.statement().indices);
        let kind = |(u, l): &(UseId, usize)| graph.uses[u.0].levels[*l].is_dense();
        if !indices.contains(&self.v) || levels.iter().all(|at| kind(at) || self.writes(at.0)) {
            return Ok(());
        }
        for (u, l) in levels.iter().filter(|(u, _)| self.writes(*u)) {
            let used = &graph.uses[u.0];
            for m in (0..*l).filter(|m| !used.levels[*m].is_dense()) {
                let row = Payload::Crd(indices[used.mode_order[m]]);
                let drops = |n: NodeId| {
                    let node = graph.node(n);
                    matches!(node.op, Op::Drop { .. }) && graph.stream(node.outputs[0]).payload == row
                };
                if !self.mine().any(drops) {
                    let what = format!(
                        "lanes over {}, of which a lane may have nothing in a row of {}",
                        self.name(),
                        used.name
                    );
                    return Err(
                        Diagnostic::new("S015", what).help(format!("store {} dense at its outer levels", used.name))
                    );
                }
            }
        }
        Ok(())
    }

    fn keyed(&self, n: NodeId) -> bool {
        let key = |s: &StreamId| matches!(self.graph().stream(*s).payload, Payload::Key(_));
        self.graph().node(n).inputs.iter().any(key)
    }

    fn writes(&self, u: UseId) -> bool {
        self.graph().nodes.iter().any(|n| matches!(n.op, Op::WriteValues { of, .. } if of == u))
    }

    /// True if reducer `n` folds v.
    fn folds(&self, n: NodeId) -> bool {
        let node = self.graph().node(n);
        let has = |s: &StreamId| self.graph().stream(*s).over.contains(&self.v);
        matches!(node.op, Op::Reduce { .. }) && node.inputs.iter().any(has) && !node.outputs.iter().any(has)
    }
}
