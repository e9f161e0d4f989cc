//! Model of an ALU that runs a program for each value.

use super::{Alu, Taken};
use crate::blocks::Skid;
use samhw_streams::{Beat, Fault, Io, Model};
use samhw_values::Program;
use std::sync::Arc;

/// A program under way, or none.
#[derive(Debug)]
pub(super) struct Iterate {
    of: Alu,
    inputs: Vec<Skid>,
    program: Arc<Program>,
    /// The result, and the cycles until it is there.
    running: Option<(Beat, u64)>,
}

impl Iterate {
    pub fn new(of: Alu, inputs: Vec<Skid>, program: Arc<Program>) -> Self {
        Self { of, inputs, program, running: None }
    }
}

impl Model for Iterate {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        // A result that waits for its place does not move.
        let mut moved = self.running.is_some_and(|(_, left)| left > 0);
        let mut out = None;
        if let Some((beat, left)) = &mut self.running {
            *left = left.saturating_sub(1);
            if *left == 0 && io.free(0) {
                out = Some(*beat);
                self.running = None;
            }
        } else if let Some(heads) = Alu::heads(&self.inputs) {
            match self.of.take(&heads[..self.inputs.len()])? {
                Taken::Value(args, stop) => {
                    let (value, cycles) = self.program.run(&args[..self.of.operands.len()]);
                    self.running = Some((Beat::data(stop, value & self.of.ty.mask()), cycles));
                    moved = true;
                }
                Taken::Plain(beat) if io.free(0) => out = Some(beat),
                Taken::Plain(_) => {}
            }
        }
        if let Some(beat) = out {
            io.put(0, beat);
            self.inputs.iter_mut().for_each(Skid::pop);
            moved = true;
        }
        for (k, s) in self.inputs.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
