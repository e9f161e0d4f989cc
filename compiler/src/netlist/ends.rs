//! An index of the ends of a netlist's channels and of their ports.

use super::{CellId, Channel, End, Netlist};
use samhw_streams::{Dir, Port, Shape};

/// An index of the ends of a netlist's channels. What is put into the netlist later is not in it.
#[derive(Debug)]
pub struct Ends {
    /// Handshake ports of each cell.
    ports: Vec<Vec<Port>>,
    /// Channels that leave each cell, by their numbers.
    leaving: Vec<Vec<usize>>,
    /// The channel at each output and at each input of each cell, if there is one.
    from: Vec<Vec<Option<usize>>>,
    to: Vec<Vec<Option<usize>>>,
}

/// Notes that channel `k` is at a port, if it is the first there.
fn note(at: &mut [Vec<Option<usize>>], (cell, port): End, k: usize) {
    let ports = &mut at[cell.0];
    if ports.len() <= port {
        ports.resize(port + 1, None);
    }
    ports[port].get_or_insert(k);
}

impl Ends {
    /// Builds the index of all channels of `net`.
    pub fn of(net: &Netlist) -> Self {
        let mut leaving = vec![Vec::new(); net.cells.len()];
        let (mut from, mut to) = (vec![Vec::new(); net.cells.len()], vec![Vec::new(); net.cells.len()]);
        for (k, channel) in net.channels.iter().enumerate() {
            if let Some(end) = channel.from {
                leaving[end.0.0].push(k);
                note(&mut from, end, k);
            }
            if let Some(end) = channel.to {
                note(&mut to, end, k);
            }
        }
        let ports = |c: usize| {
            let mut all = net.cells[c].primitive.ports();
            all.retain(|p| p.shape.handshakes());
            all
        };
        Self { ports: (0..net.cells.len()).map(ports).collect(), leaving, from, to }
    }
    /// Returns the port at which channels begin (`Dir::Out`) or end (`Dir::In`).
    pub fn port(&self, (cell, port): End, dir: Dir) -> Option<&Port> {
        self.ports.get(cell.0)?.iter().filter(|p| p.dir == dir).nth(port)
    }
    /// Returns whether the channels that begin there are streams.
    pub fn is_stream(&self, from: End) -> bool {
        self.port(from, Dir::Out).is_some_and(|p| matches!(p.shape, Shape::Stream { .. }))
    }
    /// Returns the numbers of the channels that leave this cell.
    pub fn leaving(&self, c: CellId) -> &[usize] {
        self.leaving.get(c.0).map_or(&[], Vec::as_slice)
    }
    /// Returns the channel that begins there.
    pub fn after<'n>(&self, net: &'n Netlist, from: End) -> Option<&'n Channel> {
        self.from.get(from.0.0)?.get(from.1)?.map(|k| &net.channels[k])
    }
    /// Returns the number of the channel that ends there.
    pub fn number_before(&self, to: End) -> Option<usize> {
        *self.to.get(to.0.0)?.get(to.1)?
    }
    /// Returns the channel that ends there.
    pub fn before<'n>(&self, net: &'n Netlist, to: End) -> Option<&'n Channel> {
        self.to.get(to.0.0)?.get(to.1)?.map(|k| &net.channels[k])
    }
}
