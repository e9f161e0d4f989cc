//! An index of the ends of a netlist's channels.

use super::{Cell, CellId, Channel, End, Netlist};
use samhw_streams::{Dir, Shape};
use smallvec::{SmallVec, smallvec};

/// An index of the ends of a netlist's channels. Of what is put into the netlist later it knows what it is
/// told.
#[derive(Debug)]
pub struct Ends {
    /// Whether the channels that begin at each output of each cell are streams.
    streams: Vec<SmallVec<[bool; 8]>>,
    /// Channels that leave each cell, by their numbers.
    leaving: Vec<SmallVec<[usize; 2]>>,
    /// The channel at each output and at each input of each cell, if there is one.
    from: Vec<AtPorts>,
    to: Vec<AtPorts>,
}

/// The channel at each port of a cell in one direction, if there is one.
type AtPorts = SmallVec<[Option<usize>; 2]>;

/// Notes that channel `k` is at a port, if it is the first there.
fn note(at: &mut [AtPorts], (cell, port): End, k: usize) {
    let ports = &mut at[cell.0];
    if ports.len() <= port {
        ports.resize(port + 1, None);
    }
    ports[port].get_or_insert(k);
}

/// Whether the channels that begin at each output of a cell are streams.
fn streams(cell: &Cell) -> SmallVec<[bool; 8]> {
    let ports = cell.primitive.ports();
    let outputs = ports.iter().filter(|p| p.dir == Dir::Out && p.shape.handshakes());
    outputs.map(|p| matches!(p.shape, Shape::Stream { .. })).collect()
}

impl Ends {
    /// Builds the index of all channels of `net`.
    pub fn of(net: &Netlist) -> Self {
        let mut leaving = vec![SmallVec::new(); net.cells.len()];
        let (mut from, mut to) = (vec![AtPorts::new(); net.cells.len()], vec![AtPorts::new(); net.cells.len()]);
        for (k, channel) in net.channels.iter().enumerate() {
            if let Some(end) = channel.from {
                leaving[end.0.0].push(k);
                note(&mut from, end, k);
            }
            if let Some(end) = channel.to {
                note(&mut to, end, k);
            }
        }
        Self { streams: net.cells.iter().map(streams).collect(), leaving, from, to }
    }
    /// Channel `k` has been led into a new cell, the last of `net`, and its last channel goes on from there.
    pub fn divided(&mut self, net: &Netlist, k: usize) {
        let (Some(cell), Some(rest)) = (net.cells.last(), net.channels.len().checked_sub(1)) else { return };
        self.streams.push(streams(cell));
        self.leaving.push(smallvec![rest]);
        self.from.push(smallvec![Some(rest)]);
        self.to.push(smallvec![Some(k)]);
        if let Some((cell, port)) = net.channels[rest].to {
            self.to[cell.0][port] = Some(rest);
        }
    }
    /// Returns whether the channels that begin there are streams.
    pub fn is_stream(&self, (cell, port): End) -> bool {
        self.streams.get(cell.0).is_some_and(|outputs| outputs.get(port) == Some(&true))
    }
    /// Returns the numbers of the channels that leave this cell.
    pub fn leaving(&self, c: CellId) -> &[usize] {
        self.leaving.get(c.0).map_or(&[], SmallVec::as_slice)
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
