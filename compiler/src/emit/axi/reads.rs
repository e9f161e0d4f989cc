//! The way in which the core reads an array behind the bus.

use crate::graph::{Node, Op};
use crate::lower::Lowered;
use crate::netlist::{CellId, CellPlace, Netlist};

/// The cell that reads an array.
pub(super) fn reading(net: &Netlist, array: usize) -> Option<CellId> {
    let cell = net.arrays[array].cell;
    let asks = net.channels.iter().find(|c| c.to.is_some_and(|(to, _)| to == cell)).and_then(|c| c.from);
    asks.map(|(r, _)| r).filter(|r| net.cell(*r).place == CellPlace::Core)
}

/// The node of the graph that reads an array.
pub(super) fn reader<'a>(lowered: &'a Lowered, net: &Netlist, array: usize) -> Option<&'a Node> {
    reading(net, array).and_then(|r| lowered.graph.nodes.get(r.0))
}

/// True if the array's reader asks for addresses that do not decrease within a run.
pub(super) fn in_order(lowered: &Lowered, net: &Netlist, array: usize) -> bool {
    let graph = &lowered.graph;
    reader(lowered, net, array).is_some_and(|n| !matches!(n.op, Op::Locate(..)) && graph.ascends(n.inputs[0]))
}
