//! FIFOs at the edges of the graph: depths and reasons.

use crate::graph::{NodeId, Over};
use crate::netlist::{CellId, CellPlace, Ends, Netlist};
use samhw_streams::{Class, Dir, Port, Shape};

/// A FIFO between two cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnFifo {
    /// Cell and port in front of the FIFO.
    pub from: String,
    /// Cell and port behind the FIFO.
    pub to: String,
    /// Variables of the lists.
    pub over: Over,
    /// Depth in beats.
    pub depth: u32,
    /// Reason for the depth.
    pub why: String,
}

/// Beats of a relay, the smallest FIFO: its register and one behind it.
const RELAY: u32 = 2;

/// Beats a FIFO cell holds; `None` for another cell.
fn depth(net: &Netlist, c: CellId) -> Option<u32> {
    match net.cell(c).primitive.class() {
        Class::Relay => Some(RELAY),
        Class::Fifo { depth } => Some(depth),
        _ => None,
    }
}

/// The FIFOs of a netlist.
pub(super) struct Fifos<'n> {
    net: &'n Netlist,
    ends: Ends,
}

impl<'n> Fifos<'n> {
    pub fn of(net: &'n Netlist) -> Self {
        Self { net, ends: Ends::of(net) }
    }

    /// Returns every FIFO of the dataflow core, in the order of its cells.
    pub fn all(&self) -> Vec<DrawnFifo> {
        let Self { net, ends } = self;
        let core = (0..net.cells.len()).map(CellId).filter(|c| net.cell(*c).place == CellPlace::Core);
        let end = |e: Option<(CellId, usize)>, dir| {
            e.and_then(|e| Some([&net.cell(e.0).name, ".", &net.port(e, dir)?.name].concat()))
        };
        core.filter_map(|c| {
            let depth = depth(net, c)?;
            let (before, after) = (ends.before(net, (c, 0))?, ends.after(net, (c, 0))?);
            Some(DrawnFifo {
                from: end(before.from, Dir::Out)?,
                to: end(after.to, Dir::In)?,
                over: before.over.clone(),
                depth,
                why: after.note.clone(),
            })
        })
        .collect()
    }

    /// The port of logical input `input` of a node. Node n is cell n, and a port takes as many
    /// logical inputs in turn as it has fields.
    fn port(&self, node: NodeId, input: usize) -> Option<(CellId, usize)> {
        let cell = CellId(node.0);
        let fields = |port: &Port| if let Shape::Stream { fields, .. } = &port.shape { fields.len() } else { 0 };
        let mut first = 0;
        let port = self.net.handshakes(cell, Dir::In).iter().position(|p| {
            first += fields(p);
            input < first
        });
        port.map(|port| (cell, port))
    }

    /// Returns the number of the channel at logical input `input` of a node.
    pub fn channel(&self, node: NodeId, input: usize) -> Option<usize> {
        self.ends.number_before(self.port(node, input)?)
    }

    /// Returns the depth of the FIFOs directly in front of logical input `input` of a node; 0 if there is none.
    pub fn before(&self, node: NodeId, input: usize) -> u32 {
        let Self { net, ends } = self;
        let Some(port) = self.port(node, input) else { return 0 };
        let (mut end, mut total) = (port, 0);
        while let Some((from, _)) = ends.before(net, end).and_then(|channel| channel.from) {
            match depth(net, from) {
                Some(d) => total += d,
                None if net.cell(from).primitive.class() == Class::Fork => {}
                None => break,
            }
            end = (from, 0);
        }
        total
    }
}
