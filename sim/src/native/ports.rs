//! The channels at the ports of each cell.

use samhw_compiler::netlist::{CellId, Netlist};
use samhw_streams::Dir;

/// The channels at each cell's handshakes, one cell's after another's.
#[derive(Debug, Clone)]
pub(crate) struct Ports {
    channels: Vec<usize>,
    /// Per cell where its inputs begin, its outputs, and where those end.
    cells: Vec<[usize; 3]>,
}

impl Ports {
    /// Builds the index of a netlist.
    pub fn of(netlist: &Netlist) -> Self {
        let (mut channels, mut cells) = (Vec::new(), Vec::new());
        for c in (0..netlist.cells.len()).map(CellId) {
            let [ins, outs] = [Dir::In, Dir::Out].map(|d| netlist.handshakes(c, d).len());
            let begin = channels.len();
            cells.push([begin, begin + ins, begin + ins + outs]);
            channels.resize(begin + ins + outs, usize::MAX);
        }
        for (k, channel) in netlist.channels.iter().enumerate() {
            for (end, side) in [(channel.to, 0), (channel.from, 1)] {
                if let Some((c, p)) = end {
                    channels[cells[c.0][side] + p] = k;
                }
            }
        }
        Self { channels, cells }
    }
    /// Returns the channels at the inputs and at the outputs of cell `c`.
    #[inline]
    pub fn of_cell(&self, c: usize) -> (&[usize], &[usize]) {
        let [begin, middle, end] = self.cells[c];
        self.channels[begin..end].split_at(middle - begin)
    }
    /// Returns the channels at the inputs of cell `c`.
    #[inline]
    pub fn ins(&self, c: usize) -> &[usize] {
        let [begin, end, _] = self.cells[c];
        &self.channels[begin..end]
    }
    /// Returns the channels at the outputs of cell `c`.
    #[inline]
    pub fn outs(&self, c: usize) -> &[usize] {
        let [_, begin, end] = self.cells[c];
        &self.channels[begin..end]
    }
}
