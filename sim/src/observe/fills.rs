//! Fill levels of a netlist's FIFOs.

use samhw_compiler::netlist::{CellId, Netlist};
use samhw_streams::Class;

/// An observed FIFO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FifoSeen {
    /// Cell of the FIFO.
    pub cell: CellId,
    /// Depth of the FIFO in beats, without the registers at both ends.
    pub depth: u32,
    fill: i64,
    /// The cycle that `fill` belongs to: within one it goes up and down in any order.
    cycle: u64,
    peak: i64,
}

/// Which FIFO a channel fills or empties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    fifo: usize,
    by: i64,
}

/// The FIFOs of a netlist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Fills {
    pub fifos: Vec<FifoSeen>,
    /// Per channel: of its consumer, and of its producer.
    sides: Vec<[Option<Side>; 2]>,
}

impl Fills {
    pub fn of(net: &Netlist) -> Self {
        let mut fills = Self::default();
        let mut number = vec![None; net.cells.len()];
        for (c, cell) in net.cells.iter().enumerate() {
            if let Class::Fifo { depth } = cell.primitive.class() {
                number[c] = Some(fills.fifos.len());
                fills.fifos.push(FifoSeen { cell: CellId(c), depth, fill: 0, cycle: 0, peak: 0 });
            }
        }
        let side = |end: Option<(CellId, usize)>, by| end.and_then(|(c, _)| number[c.0]).map(|fifo| Side { fifo, by });
        fills.sides = net.channels.iter().map(|c| [side(c.to, 1), side(c.from, -1)]).collect();
        fills
    }

    pub fn transfer(&mut self, channel: usize, cycle: u64) {
        for side in self.sides[channel].into_iter().flatten() {
            let fifo = &mut self.fifos[side.fifo];
            if fifo.cycle != cycle {
                fifo.peak = fifo.peak.max(fifo.fill);
                fifo.cycle = cycle;
            }
            fifo.fill += side.by;
        }
    }

    /// Returns the largest number of beats in each FIFO since the last call.
    pub fn peaks(&mut self) -> Vec<u32> {
        let peak = |fifo: &mut FifoSeen| {
            let peak = std::mem::replace(&mut fifo.peak, fifo.fill).max(fifo.fill);
            u32::try_from(peak).unwrap_or(0)
        };
        self.fifos.iter_mut().map(peak).collect()
    }
}
