//! Expected cost of a run, computed before it starts.

use samhw_compiler::cycles::estimate;
use samhw_compiler::facts::Density;
use samhw_compiler::lower::Lowered;
use std::collections::{BTreeMap, HashMap};

/// The expected cost of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expected {
    /// Approximate number of cycles.
    pub cycles: f64,
    /// Number of nodes of the graph.
    pub nodes: usize,
    /// The slowest node of each statement and its cycles, in decreasing order.
    pub slowest: Vec<(String, f64)>,
}

impl Expected {
    /// Estimates the cycles of this graph on data with this `density`.
    pub(crate) fn of(lowered: &Lowered, density: &Density) -> Self {
        let found = estimate(lowered, density, &HashMap::new());
        let mut of_stages: BTreeMap<usize, (&str, f64)> = BTreeMap::new();
        for (node, &cycles) in lowered.graph.nodes.iter().zip(&found.nodes) {
            let slowest = of_stages.entry(node.stage).or_default();
            if cycles > slowest.1 {
                *slowest = (&node.name, cycles);
            }
        }
        let mut slowest: Vec<(String, f64)> = of_stages.into_values().map(|(name, n)| (name.to_owned(), n)).collect();
        slowest.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self { cycles: found.total, nodes: lowered.graph.nodes.len(), slowest }
    }
}
