//! Estimates of a graph's cycles before a run, from expected lengths of all streams and the cost of nodes. Entries are
//! taken to be spread evenly and independently; of results of earlier statements it is expected how many there are.

mod bus;
mod flow;
mod join;
mod levels;
mod nodes;

use crate::facts::Density;
use crate::graph::{NodeId, Op};
use crate::lower::Lowered;
use crate::stmt::{TensorId, VarId};
use flow::Flow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The expected cost of a graph.
#[derive(Debug, Clone, Default)]
pub struct Cycles {
    /// Total number of cycles.
    pub total: f64,
    /// Cycles of each node.
    pub nodes: Vec<f64>,
    /// Number of stored values of results.
    pub stored: HashMap<TensorId, f64>,
}

/// Cycles between the first input of a stage and its last output, except what is counted.
const LATENCY: f64 = 20.0;

/// When a stream begins and ends, in its stage.
#[derive(Debug, Clone, Copy, Default)]
struct Time {
    begin: f64,
    end: f64,
}

/// What is known so far of the streams of a graph.
struct Walk<'a> {
    lowered: &'a Lowered,
    density: &'a Density,
    flows: Vec<Flow>,
    times: Vec<Time>,
    /// Sizes of the modes of tensors.
    shapes: HashMap<TensorId, Vec<f64>>,
    /// Values that tensors hold.
    stored: HashMap<TensorId, f64>,
}

/// Estimates the cost of `lowered` on data with the known `density`. `stored`: what statements that it does not have
/// have written.
pub fn estimate(lowered: &Lowered, density: &Density, stored: &HashMap<TensorId, f64>) -> Cycles {
    let graph = &lowered.graph;
    let known = density.stored.iter().map(|(&t, &n)| (t, n as f64));
    let mut walk = Walk {
        lowered,
        density,
        flows: vec![Flow::root(); graph.streams.len()],
        times: vec![Time::default(); graph.streams.len()],
        shapes: HashMap::new(),
        stored: known.chain(stored.iter().map(|(&t, &n)| (t, n))).collect(),
    };
    walk.measure();
    let (mut nodes, mut ends) = (Vec::new(), BTreeMap::<usize, f64>::new());
    let mut written = HashMap::new();
    for (n, node) in graph.nodes.iter().enumerate() {
        let (takes, end) = walk.node(NodeId(n));
        if let Op::WriteValues { of, .. } = node.op {
            let values = &walk.flows[node.inputs[0].0];
            *written.entry(graph.uses[of.0].tensor).or_insert(0.0) += values.leaves() * values.present;
            walk.stored.extend(&written);
        }
        nodes.push(takes);
        let last = ends.entry(node.stage).or_insert(0.0);
        *last = last.max(end);
    }
    Cycles { total: ends.values().map(|end| end + LATENCY).sum(), nodes, stored: written }
}

impl Walk<'_> {
    /// Coordinates of a variable's dimension.
    fn size(&self, v: VarId) -> f64 {
        let known = self.density.sizes.get(&v).copied();
        known.unwrap_or(self.lowered.kernel.var(v).max).max(1) as f64
    }

    /// Sizes of tensors' modes are those of the variables that are there. A graph may be that of
    /// few of the kernel's statements.
    fn measure(&mut self) {
        let kernel = &self.lowered.kernel;
        let stages: BTreeSet<usize> = self.lowered.graph.nodes.iter().map(|node| node.stage).collect();
        for s in stages.into_iter().filter_map(|n| kernel.statements.get(n)) {
            for (t, indices) in kernel.reads(s.value).into_iter().chain([(s.result, s.indices.as_slice())]) {
                let shape = indices.iter().map(|&v| self.size(v)).collect();
                self.shapes.entry(t).or_insert(shape);
            }
        }
    }
}
