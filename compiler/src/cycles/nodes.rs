//! Output sizes and cycles of each node.

use super::flow::{Depth, Flow, any, ratio};
use super::join::Join;
use super::levels::{PackedLevel, levels};
use super::{Time, Walk};
use crate::facts::{pace, scan_interval};
use crate::graph::{Arg, Node, NodeId, Op, Payload, UseId};
use crate::netlist::Pace;
use crate::stmt::{Prefix, TensorId};

/// Part of the entries of a tensor that is not dense, where nothing is known of them.
const UNKNOWN: f64 = 0.05;
/// Part of a level between this number of bounds, of which nothing is known.
const SPAN: [f64; 3] = [1.0, 0.5, 0.125];
/// Part of the items at which a condition holds of which nothing is known.
const HOLDS: f64 = 0.5;
/// Workspaces of more words than this take as long as they are large.
const LARGE_WORKSPACE: f64 = 65536.0;

impl Walk<'_> {
    /// Follows node `n`: the cycles it takes, and when it ends.
    pub(super) fn node(&mut self, n: NodeId) -> (f64, f64) {
        let node = self.lowered.graph.node(n);
        let inputs: Vec<Flow> = node.inputs.iter().map(|s| self.flows[s.0].clone()).collect();
        let outputs = self.outputs(node, &inputs);
        let wide = self.lowered.graph.joins.wide.scans.contains_key(&n)
            || self.lowered.graph.joins.wide.joins.contains_key(&n);
        // Groups of coordinates count less than each.
        let (taken, made) = (beats(&inputs), beats(&outputs));
        let ports = if wide { 0.0 } else { taken.max(made) };
        let takes = self.takes(n, node, &inputs, &outputs).max(ports) + self.fetched(n, node, &inputs);
        // A reducer that keeps indices gives a list when its last value has come.
        let keeps = matches!(node.op, Op::Reduce { kept, .. } if kept > 0);
        let lists = outputs.first().map_or(1.0, |o| o.lists().max(1.0));
        let (first, last) = if keeps { (taken / lists, made / lists) } else { (0.0, 0.0) };
        let times = || node.inputs.iter().map(|s| self.times[s.0]);
        let begin = times().map(|t| t.begin).fold(0.0, f64::max);
        let end = times().map(|t| t.end).fold(0.0, f64::max);
        let end = (end + last).max(begin + takes).max(begin + first + made);
        for (s, flow) in node.outputs.iter().zip(outputs) {
            self.flows[s.0] = flow;
            self.times[s.0] = Time { begin: begin + first, end };
        }
        (takes, end)
    }

    /// What comes out.
    fn outputs(&self, node: &Node, inputs: &[Flow]) -> Vec<Flow> {
        let none = Flow::root();
        let input = |k: usize| inputs.get(k).unwrap_or(&none);
        match &node.op {
            Op::Root => vec![Flow::root()],
            Op::Scan(u, l) | Op::ScanGroup(u, l) => {
                let PackedLevel { size, mean, filled, .. } = self.level(*u, *l);
                let all = input(0).below(size, mean, filled);
                vec![if inputs.len() > 1 { all.thinned(SPAN[1]) } else { all }; 2]
            }
            Op::ScanPart(u, l, _, window) => {
                let of = self.level(*u, *l).size;
                let part = (window.from.count() as f64).min(of);
                vec![input(0).below(window.size as f64, part, 1.0); 2]
            }
            Op::Broadcast(v) => vec![input(0).with(1.0).below(self.size(*v), self.size(*v), 1.0), {
                let spread = input(0).with(1.0).below(self.size(*v), self.size(*v), 1.0);
                spread.with(input(0).present)
            }],
            Op::Repeat => vec![input(1).with(input(0).present)],
            Op::Join { emit, keep } => {
                let operands = inputs.iter().step_by(2).collect();
                Join { operands, emit, keep }.outputs()
            }
            Op::Locate(u, l) | Op::Place(u, l) => {
                let level = self.level(*u, *l);
                let dense = self.lowered.graph.uses[u.0].levels[*l].is_dense();
                let found = if dense { 1.0 } else { ratio(level.mean, level.size).min(1.0) };
                vec![input(0).with(input(1).present.min(input(0).present) * found)]
            }
            Op::Span(v, ends) => {
                let size = self.size(*v);
                let bounds = ends.iter().filter(|end| end.is_bound()).count();
                vec![input(0).below(size, size * SPAN[bounds], 1.0)]
            }
            Op::Between(_, ends) => {
                let bounds = ends.iter().filter(|end| end.is_bound()).count();
                let crd = input(bounds).thinned(SPAN[bounds]);
                vec![crd.clone(), crd.with(input(bounds + 1).present)]
            }
            Op::Single => {
                let size = self.coordinates(node);
                vec![input(0).below(size, 1.0, 1.0)]
            }
            Op::Alu { args, emit, .. } => vec![input(0).with(there(inputs, args, *emit))],
            Op::Slice(window) => {
                let (part, size) = (window.from.count() as f64, window.size as f64);
                let mut crd = input(0).clone();
                let of = crd.depths.last().map_or(1.0, |d| d.size);
                crd = crd.thinned(ratio(part, of).min(1.0));
                if let Some(d) = crd.depths.last_mut() {
                    d.size = size;
                }
                vec![crd.clone(), crd.with(input(1).present)]
            }
            Op::Reduce { kept, .. } => reduced(*kept, inputs),
            Op::Collapse(size) => {
                let (outer, x) = (input(0), input(2));
                let mut key = outer.with(1.0);
                let inner = input(1).depths.last().map_or(1.0, |d| d.size);
                if let Some(d) = key.depths.last_mut() {
                    (d.leaves, d.size) = (x.leaves(), if *size == 0 { inner } else { d.size * inner });
                }
                vec![key.clone(), key.with(x.present)]
            }
            Op::Divide(_) => self.divided(node, input(0), input(1)),
            Op::Drop { list, explicit } => dropped(*list, explicit.is_some(), input(0), input(1)),
            Op::Deal { copies, .. } => {
                let dealt = |k: usize| input(k % inputs.len().max(1)).thinned(1.0 / f64::from(*copies));
                let whole = node.outputs.len() % inputs.len().max(1);
                let mut out: Vec<Flow> = (0..node.outputs.len() - whole).map(dealt).collect();
                out.extend(vec![input(0).clone(); whole]);
                out
            }
            Op::Serialize { .. } => {
                let mut all = input(1).clone();
                for (k, d) in all.depths.iter_mut().enumerate() {
                    d.leaves = inputs[1..].iter().map(|f| f.leaves_at(k + 1)).sum();
                }
                vec![all]
            }
            Op::WriteLevel { .. } | Op::WriteValues { .. } => vec![],
            Op::Unpack(_)
            | Op::Origin
            | Op::Expand { .. }
            | Op::Pack(..)
            | Op::Within(_)
            | Op::Array(_)
            | Op::Tiles(..)
            | Op::Constant(..)
            | Op::Measure(_)
            | Op::Prefix { .. }
            | Op::Exit(..)
            | Op::Zip
            | Op::Stitch { .. } => {
                (0..node.outputs.len()).map(|k| input(k.min(inputs.len().max(1) - 1)).clone()).collect()
            }
        }
    }

    /// Cycles in addition to those of the beats that come in and go out.
    fn takes(&self, n: NodeId, node: &Node, inputs: &[Flow], outputs: &[Flow]) -> f64 {
        match &node.op {
            Op::Scan(u, l) if self.lowered.graph.uses[u.0].levels.get(*l).is_some_and(|kind| kind.is_linked()) => {
                // Each place is known when the one before it was read.
                (3.0 * outputs[0].leaves() - 2.0 * outputs[0].lists()).max(0.0)
            }
            Op::Scan(u, _) if self.lowered.graph.uses[u.0].levels.is_empty() => 0.0,
            Op::Scan(..) => match self.lowered.graph.joins.wide.scans.get(&n) {
                Some(&log2) => {
                    let wide = f64::from(1u32 << log2);
                    (outputs[0].beats() + outputs[0].lists() * (wide - 1.0) / 2.0) / wide
                }
                None => 0.0,
            },
            Op::ScanGroup(u, l) => inputs[0].leaves() * inputs[0].present * self.level(*u, *l).entries,
            Op::Join { emit, keep } => {
                let operands = inputs.iter().step_by(2).collect();
                Join { operands, emit, keep }.cycles(n, &self.lowered.graph.joins)
            }
            Op::Locate(u, l) => {
                let kind = self.lowered.graph.uses[u.0].levels[*l];
                inputs[0].leaves() * kind.lookup_cycles(self.level(*u, *l).mean)
            }
            Op::Alu { fun, args, .. } => {
                let constant = |a: &Arg| if let Arg::Const(v) = a { Some(*v) } else { None };
                let second = args.get(1).and_then(constant);
                let ty = self.lowered.graph.value_type(n);
                let pace = ty.and_then(|ty| pace(*fun, ty, second, self.lowered.kernel.division));
                slow(pace) * outputs[0].leaves() * outputs[0].present
            }
            Op::Reduce { op, kept } => {
                let values = inputs.last().map_or(0.0, |v| v.leaves() * v.present);
                let ty = self.lowered.graph.value_type(n);
                let pace = ty.and_then(|ty| pace((*op).into(), ty, None, self.lowered.kernel.division));
                let words: f64 = outputs[..*kept].iter().filter_map(|o| o.depths.last()).map(|d| d.size).product();
                let large = if *kept > 0 && words > LARGE_WORKSPACE { words } else { 0.0 };
                slow(pace) * values + beats(inputs) + waits(*kept, pace, inputs) + large
            }
            Op::Prefix { how: how @ Prefix::Fold(..), .. } => {
                let ty = self.lowered.graph.value_type(n);
                let between = ty.map_or(1.0, |ty| scan_interval(*how, ty));
                (between - 1.0) * inputs[0].leaves() * inputs[0].present
            }
            Op::WriteLevel { level: (u, l), .. } if self.lowered.graph.uses[u.0].levels[*l].is_linked() => {
                // A run begins with empty lists.
                (0..*l).map(|m| self.level(*u, m).size).product::<f64>() + inputs[0].beats()
            }
            Op::WriteValues { chain, scatter: None, .. } | Op::WriteLevel { chain, .. } => {
                // Gaps of dense levels are filled. Segments of a list lie in the levels above it,
                // as its positions.
                let (flow, chain) = (inputs.last().unwrap_or(&inputs[0]), usize::from(*chain));
                let above = flow.depths.len().saturating_sub(chain);
                flow.leaves_at(above) * flow.depths[above..].iter().map(|d| d.size).product::<f64>()
            }
            Op::WriteValues { scatter: Some(_), .. }
            | Op::Root
            | Op::ScanPart(..)
            | Op::Broadcast(_)
            | Op::Unpack(_)
            | Op::Origin
            | Op::Expand { .. }
            | Op::Pack(..)
            | Op::Repeat
            | Op::Within(_)
            | Op::Span(..)
            | Op::Between(..)
            | Op::Single
            | Op::Place(..)
            | Op::Array(_)
            | Op::Tiles(..)
            | Op::Slice(_)
            | Op::Constant(..)
            | Op::Collapse(_)
            | Op::Divide(_)
            | Op::Measure(_)
            | Op::Prefix { how: Prefix::Least | Prefix::Greatest, .. }
            | Op::Exit(..)
            | Op::Zip
            | Op::Drop { .. }
            | Op::Deal { .. }
            | Op::Stitch { .. }
            | Op::Serialize { .. } => 0.0,
        }
    }

    pub(super) fn level(&self, u: UseId, l: usize) -> PackedLevel {
        let used = &self.lowered.graph.uses[u.0];
        levels(used, &self.shape(used.tensor), self.entries(u))[l]
    }

    /// Sizes of a tensor's modes.
    fn shape(&self, t: TensorId) -> Vec<f64> {
        let declared = || self.lowered.kernel.tensor(t).shape.iter().map(|&n| n.max(1) as f64).collect();
        self.shapes.get(&t).cloned().unwrap_or_else(declared)
    }

    /// Values that a packing stores, those of dense levels at every coordinate.
    pub(super) fn entries(&self, u: UseId) -> f64 {
        let (kernel, used) = (&self.lowered.kernel, self.lowered.graph.uses[u.0].tensor);
        let (own, base) = (kernel.tensor(used), kernel.base(used));
        let cells: f64 = self.shape(used).iter().product();
        let whole: f64 = self.shape(base).iter().product();
        let known = self.stored.get(&base).copied().or(kernel.tensor(base).nnz.map(|n| n as f64));
        match known {
            Some(n) => (n * (cells / whole).min(1.0)).min(cells),
            None if own.levels.iter().any(|l| !l.is_dense()) => (cells * UNKNOWN).max(1.0),
            None => cells,
        }
    }

    /// Coordinates of the variable that a node's first output has.
    fn coordinates(&self, node: &Node) -> f64 {
        let payload = node.outputs.first().map(|s| self.lowered.graph.stream(*s).payload);
        if let Some(Payload::Crd(v)) = payload { self.size(v) } else { 1.0 }
    }

    /// Keys as two coordinates.
    fn divided(&self, node: &Node, key: &Flow, x: &Flow) -> Vec<Flow> {
        let Some(&Depth { size, leaves, empty }) = key.depths.last() else { return vec![key.clone(); 3] };
        let inner = match node.outputs.get(1).map(|s| self.lowered.graph.stream(*s).payload) {
            Some(Payload::Crd(v)) => self.size(v),
            _ => 1.0,
        };
        let (lists, size) = (key.lists(), (size / inner).max(1.0));
        let mut outer = key.with(1.0);
        outer.depths.pop();
        outer.depths.push(Depth { size, leaves: lists * size * any(key.density(), inner), empty });
        let mut values = outer.clone();
        values.depths.push(Depth { size: inner, leaves, empty: 0.0 });
        vec![outer, values.clone(), values.with(x.present)]
    }
}

/// Cycles of the longest of some streams.
fn beats(flows: &[Flow]) -> f64 {
    flows.iter().map(Flow::beats).fold(0.0, f64::max)
}

/// Cycles of a value, where it takes several: between the fewest and the most, nearer to the fewest.
fn slow(pace: Option<Pace>) -> f64 {
    match pace {
        Some(Pace::Program(least, most)) => (least as f64 * most as f64).sqrt(),
        Some(Pace::Every(cycles)) => cycles as f64 - 1.0,
        Some(Pace::Pipeline(_)) | None => 0.0,
    }
}

/// Cycles in which values wait for those under way to their coordinates.
fn waits(kept: usize, pace: Option<Pace>, inputs: &[Flow]) -> f64 {
    let (Some(Pace::Pipeline(stages)), Some(values), true) = (pace, inputs.last(), kept > 0) else { return 0.0 };
    if stages < 3 {
        return 0.0;
    }
    // From one value at a coordinate to the next there.
    let lists = values.leaves_at(values.depths.len().saturating_sub(kept));
    let between = ratio(values.beats(), lists);
    lists * values.density() * (f64::from(stages) + 1.0 - between).max(0.0)
}

/// How likely the result of an ALU is there.
fn there(inputs: &[Flow], args: &[Arg], emit: u64) -> f64 {
    let n = args.iter().filter(|a| matches!(a, Arg::Stream(_))).count().min(inputs.len());
    let chance = |p: u64| -> f64 {
        let of = |k: usize| if p >> k & 1 == 1 { inputs[k].present } else { 1.0 - inputs[k].present };
        (0..n).map(of).product()
    };
    (0..1u64 << n).filter(|p| emit >> p & 1 == 1).map(chance).sum()
}

/// What a reducer gives that keeps this number of levels.
fn reduced(kept: usize, inputs: &[Flow]) -> Vec<Flow> {
    let Some(val) = inputs.last() else { return vec![] };
    if kept == 0 {
        return vec![val.reduced()];
    }
    let reduced = val.depths.len().saturating_sub(kept + 1);
    let (around, rounds) = (val.leaves_at(reduced), val.leaves_at(reduced + 1));
    let mut out = Flow { depths: val.depths[..reduced].to_vec(), present: 1.0 };
    let mut flows = Vec::new();
    let mut cells = 1.0;
    for (k, crd) in inputs[..kept].iter().enumerate() {
        let size = crd.depths.last().map_or(1.0, |d| d.size);
        cells *= size;
        // Of `around` times `cells` places each has something in some round.
        let part = any(ratio(crd.leaves(), rounds * cells), ratio(rounds, around));
        let empty = if k == 0 { out.leaves() * (1.0 - any(part, cells)) } else { 0.0 };
        out.depths.push(Depth { size, leaves: around * cells * part, empty });
        flows.push(out.clone());
    }
    flows.push(out);
    flows
}

/// What a dropper leaves; `tested`: of values that are there, too, only some stay.
fn dropped(list: bool, tested: bool, outer: &Flow, inner: &Flow) -> Vec<Flow> {
    if !list {
        let left = outer.thinned(inner.present * if tested { HOLDS } else { 1.0 });
        return vec![left.with(outer.present), left];
    }
    let empty = inner.depths.last().map_or(0.0, |d| d.empty);
    let left = outer.thinned(1.0 - ratio(empty, outer.leaves()));
    let mut inside = left.clone();
    if let Some(d) = inner.depths.last() {
        inside.depths.push(Depth { empty: 0.0, ..*d });
    }
    vec![left.with(outer.present), inside.with(inner.present)]
}
