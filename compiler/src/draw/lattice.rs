//! Iteration lattices: for every loop over several operands, the sets of present operands, and whether a coordinate is
//! visited for each. "Compilation of Sparse Array Programming Models", section 4: a point is a set of operands that
//! still have coordinates; below it are the points where one more is exhausted.

use super::dot::quoted;
use super::label::Labels;
use super::words::bit;
use crate::graph::{NodeId, Op, Payload};
use crate::lower::Lowered;
use std::fmt::Write;

/// A set of operands, by bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LatticePoint {
    pub set: u64,
    /// A coordinate with just these is visited: a producer. Else it is passed over: an omitter.
    pub produces: bool,
}

/// The lattice of one loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnLattice {
    /// Statement it belongs to.
    pub stage: usize,
    /// `loop over j, join_j`.
    pub title: String,
    /// Names of the operands.
    pub names: Vec<String>,
    /// Most operands first. A set from which nothing can be visited any more is left out: the loop has ended there.
    pub points: Vec<LatticePoint>,
}

impl DrawnLattice {
    /// Returns the names of a set's operands, such as `B, C`.
    pub fn name(&self, set: u64) -> String {
        let some = self.names.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1);
        some.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns pairs of points: each with the points directly below it.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let place = |set: u64| self.points.iter().position(|p| p.set == set);
        let below = |(n, p): (usize, &LatticePoint)| {
            let set = p.set;
            let less = (0..self.names.len()).filter(move |k| set >> k & 1 == 1).map(move |k| set & !(1 << k));
            less.filter_map(place).map(|m| (n, m)).collect::<Vec<_>>()
        };
        self.points.iter().enumerate().flat_map(below).collect()
    }
}

/// Lattices of all loops, in the order of the graph. A loop over a single operand has one point.
pub(super) fn lattices(lowered: &Lowered) -> Vec<DrawnLattice> {
    let readers = lowered.graph.readers();
    let labels = Labels { lowered, readers: &readers };
    let graph = &lowered.graph;
    let mut all = Vec::new();
    for node in &graph.nodes {
        let Some(Payload::Crd(v)) = node.outputs.first().map(|&s| graph.stream(s).payload) else { continue };
        let title = format!("loop over {}, {}", lowered.kernel.var(v).name, node.name);
        let (names, points) = if let Op::Join { emit, .. } = &node.op {
            let names = labels.operands(node);
            let sets = (1..1u64 << names.len()).rev();
            let alive = |set: &u64| (1..=*set).any(|p| p & !set == 0 && bit(emit, p));
            let mut points: Vec<LatticePoint> =
                sets.filter(alive).map(|set| LatticePoint { set, produces: bit(emit, set) }).collect();
            points.sort_by_key(|p| (u32::MAX - p.set.count_ones(), p.set.reverse_bits()));
            points.reverse();
            points.sort_by_key(|p| std::cmp::Reverse(p.set.count_ones()));
            (names, points)
        } else if matches!(
            node.op,
            Op::Scan(..) | Op::ScanGroup(..) | Op::ScanPart(..) | Op::Slice(_) | Op::Between(..) | Op::Broadcast(_)
        ) {
            let crd = node.outputs[0];
            let alone = |c: NodeId| {
                !matches!(
                    graph.node(c).op,
                    Op::Join { .. } | Op::Slice(_) | Op::Between(..) | Op::Locate(..) | Op::Zip | Op::Drop { .. }
                )
            };
            if !readers[crd.0].iter().all(|&(c, _)| alone(c)) {
                continue;
            }
            (
                vec![node.outputs.get(1).map_or_else(|| node.name.clone(), |&s| labels.source(s))],
                vec![LatticePoint { set: 1, produces: true }],
            )
        } else {
            continue;
        };
        all.push(DrawnLattice { stage: node.stage, title, names, points });
    }
    all
}

/// Returns the lattices as text, with a line per point.
pub fn text(lowered: &Lowered) -> String {
    let mut out = String::new();
    let all = lattices(lowered);
    for (n, statement) in lowered.kernel.statements.iter().enumerate() {
        let _ = writeln!(out, "{}", lowered.kernel.statement_text(statement));
        for lattice in all.iter().filter(|l| l.stage == n) {
            let _ = writeln!(out, "  {}", lattice.title);
            let width = lattice.points.iter().map(|p| lattice.name(p.set).chars().count()).max().unwrap_or(0);
            for (k, point) in lattice.points.iter().enumerate() {
                let kind = if point.produces { "producer" } else { "omitter" };
                let below = lattice.edges().into_iter().filter(|(a, _)| *a == k);
                let below: Vec<String> =
                    below.map(|(_, b)| format!("{{{}}}", lattice.name(lattice.points[b].set))).collect();
                let then = if below.is_empty() { String::new() } else { format!("  then {}", below.join(" ")) };
                let name = format!("{{{}}}", lattice.name(point.set));
                let _ = writeln!(out, "    {name:<0$} {kind}{then}", width + 3);
            }
            if lattice.points.is_empty() {
                out.push_str("    nothing is visited\n");
            }
        }
    }
    out
}

/// Returns the lattices for Graphviz, with producers filled and omitters dashed.
pub fn dot(lowered: &Lowered) -> String {
    let mut out = format!("digraph {} {{\n", quoted(&format!("{}_lattices", lowered.kernel.name)));
    out.push_str("  graph [rankdir=TB, fontname=\"Helvetica\"];\n");
    out.push_str("  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n");
    for (n, lattice) in lattices(lowered).iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{n} {{\n    label={}; color=\"#b8c0c8\";", quoted(&lattice.title));
        for (k, point) in lattice.points.iter().enumerate() {
            let look = if point.produces {
                "fillcolor=\"#dcecdc\", color=\"#3d7a46\""
            } else {
                "style=\"rounded,dashed\", color=\"#8a94a0\""
            };
            let _ = writeln!(out, "    p{n}_{k} [label={}, {look}];", quoted(&lattice.name(point.set)));
        }
        for (a, b) in lattice.edges() {
            let _ = writeln!(out, "    p{n}_{a} -> p{n}_{b};");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}
