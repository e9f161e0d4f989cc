//! The start token and the done token outside of a netlist with memories on the chip.

use super::{Outside, Wires};
use samhw_compiler::netlist::CellId;
use samhw_streams::{Beat, Chan};

/// The tokens of a netlist with its memories on the chip.
pub(super) struct StartTokens {
    pub start: Option<usize>,
    pub done: usize,
    pub begun: bool,
}

impl Outside for StartTokens {
    const SLEEPS: bool = true;
    fn has(&self, _: CellId) -> bool {
        false
    }
    fn over(&mut self, chans: &mut [Chan]) -> bool {
        if let Some(s) = self.start.filter(|_| !self.begun) {
            (chans[s].valid, chans[s].beat) = (true, Beat { p: [1, 0], ..Beat::default() });
        }
        self.begun = true;
        let over = chans.get(self.done).is_some_and(|c| c.valid);
        if over {
            // The token is taken, so that the next run can start.
            chans[self.done].valid = false;
        }
        over
    }
    fn clock(&mut self, wires: &mut Wires) -> bool {
        if let Some(s) = self.start.filter(|&s| wires.chans[s].fire) {
            wires.chans[s].valid = false;
        }
        false
    }
}
