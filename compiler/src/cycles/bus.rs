//! Cycles for which reads wait for memory behind a bus.

use super::Walk;
use super::flow::Flow;
use crate::facts::coordinate_bits;
use crate::graph::{Access, How, Node, NodeId, Op, UseId};

/// Cycles from a request to its line, where the one before does not tell what it asks for.
const MEMORY_LATENCY: f64 = 100.0;

impl Walk<'_> {
    /// Cycles for which node `n` waits for memory: what lies elsewhere than what was read last is
    /// asked for by itself, unless the chip has room for the whole array. Tiles are asked for ahead.
    pub(super) fn fetched(&self, n: NodeId, node: &Node, inputs: &[Flow]) -> f64 {
        let (graph, kernel) = (&self.lowered.graph, &self.lowered.kernel);
        let Some(Access { of, level, how }) = node.op.access().filter(|_| kernel.bus) else { return 0.0 };
        let tensor = kernel.base(graph.uses[of.0].tensor);
        let Some(&refs) = node.inputs.first() else { return 0.0 };
        if kernel.on_chip(node.stage, tensor) || !kernel.schedule.split.is_empty() || graph.ascends(refs) {
            return 0.0;
        }
        let apart = inputs[0].leaves() * inputs[0].present;
        let (jumps, bytes) = match (how, level) {
            (How::Scan, Some(l)) if graph.uses[of.0].levels[l].lists_coordinates() => {
                (apart, self.coordinate_bytes(of, l))
            }
            (How::Read, _) => {
                // A list of positions is read as one, what is located word by word.
                let scanned = !matches!(graph.node(graph.stream(refs).from.0).op, Op::Locate(..) | Op::Place(..));
                let bits = graph.value_type(n).map_or(32, |ty| ty.bits());
                (if scanned { inputs[0].lists() } else { apart }, f64::from(bits.div_ceil(8)))
            }
            _ => return 0.0,
        };
        if self.entries(of) * bytes <= kernel.room as f64 { 0.0 } else { jumps * MEMORY_LATENCY }
    }

    /// Bytes of a coordinate in memory.
    fn coordinate_bytes(&self, u: UseId, l: usize) -> f64 {
        let size = self.level(u, l).size as u64;
        f64::from(coordinate_bits(size).div_ceil(8).next_power_of_two())
    }
}
