//! Which edges of the graph have a FIFO in the netlist, how deep and why.

use crate::graph::NodeId;
use crate::netlist::{CellId, Netlist, Place};
use crate::stmt::VarId;
use samhw_streams::{Dir, Param, Shape};

/// A FIFO between two cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fifo {
    /// Cell and port that fill it.
    pub from: String,
    /// Cell and port that empty it.
    pub to: String,
    /// Variables its lists range over.
    pub over: Vec<VarId>,
    /// Beats it holds.
    pub depth: u32,
    /// Why it is that deep.
    pub why: String,
}

/// Beats of a relay, the smallest FIFO: its register and one behind it.
const RELAY: u32 = 2;

/// Beats a FIFO cell holds; `None` for another cell.
fn depth(net: &Netlist, c: CellId) -> Option<u32> {
    let primitive = &net.cell(c).primitive;
    match primitive.kind() {
        "relay" => Some(RELAY),
        "fifo" => primitive.instance().params.into_iter().find_map(|param| match param {
            ("DEPTH", Param::Int(n)) => Some(n),
            _ => None,
        }),
        _ => None,
    }
}

/// Every FIFO of the dataflow core, in the order of its cells.
pub(super) fn all(net: &Netlist) -> Vec<Fifo> {
    let core = (0..net.cells.len()).map(CellId).filter(|c| net.cell(*c).place == Place::Core);
    let end = |e: Option<(CellId, usize)>, dir| {
        e.and_then(|(c, p)| Some(format!("{}.{}", net.cell(c).name, net.handshakes(c, dir).get(p)?.name)))
    };
    core.filter_map(|c| {
        let depth = depth(net, c)?;
        let before = net.channels.iter().find(|ch| ch.to == Some((c, 0)))?;
        let after = net.channels.iter().find(|ch| ch.from == Some((c, 0)))?;
        Some(Fifo {
            from: end(before.from, Dir::Out)?,
            to: end(after.to, Dir::In)?,
            over: before.over.clone(),
            depth,
            why: after.note.clone(),
        })
    })
    .collect()
}

/// Beats held by the FIFOs right before logical input `input` of a node; 0 if there is none.
/// Node n is cell n, and a port takes as many logical inputs in turn as it has fields.
pub(super) fn before(net: &Netlist, node: NodeId, input: usize) -> u32 {
    let cell = CellId(node.0);
    let fields =
        |port: &samhw_streams::Port| if let Shape::Stream { fields, .. } = &port.shape { fields.len() } else { 0 };
    let mut first = 0;
    let port = net.handshakes(cell, Dir::In).iter().position(|p| {
        first += fields(p);
        input < first
    });
    let Some(port) = port else { return 0 };
    let (mut end, mut total) = ((cell, port), 0);
    while let Some((from, _)) = net.channels.iter().find(|ch| ch.to == Some(end)).and_then(|ch| ch.from) {
        match depth(net, from) {
            Some(d) => total += d,
            None if net.cell(from).primitive.kind() == "fork" => {}
            None => break,
        }
        end = (from, 0);
    }
    total
}
