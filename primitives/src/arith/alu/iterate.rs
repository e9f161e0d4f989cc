//! Model of an ALU that takes one value at a time.

use super::model::Taken;
use super::{Alu, Operand};
use crate::blocks::Skid;
use samhw_streams::{Beat, Fault, Io, Kind, Model};
use samhw_values::Program;
use std::sync::Arc;

/// A value under way, or none.
#[derive(Debug)]
pub(super) struct Iterate {
    of: Alu,
    inputs: Vec<Skid>,
    program: Option<Arc<Program>>,
    /// The result, and the cycles until it is there.
    running: Option<(Beat, u64)>,
    /// Its value at the list's last leaf that has one.
    last: Option<u64>,
}

impl Iterate {
    pub fn new(of: Alu, inputs: Vec<Skid>) -> Self {
        let program = of.program();
        Self { of, inputs, program, running: None, last: None }
    }

    /// The value of these arguments, and the cycles until it is there.
    fn timed(&self, args: &[u64; 4]) -> (u64, u64) {
        match &self.program {
            Some(program) => {
                let (value, cycles) = program.run(&args[..self.of.operands.len()]);
                (value & self.of.ty.mask(), cycles)
            }
            None => (self.of.apply(args), self.of.run().unwrap_or(0)),
        }
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
                Taken::Value(mut args, stop) => {
                    for (arg, operand) in args.iter_mut().zip(&self.of.operands) {
                        if let (Operand::Last { .. }, Some(last)) = (operand, self.last) {
                            *arg = last;
                        }
                    }
                    let (value, cycles) = self.timed(&args);
                    let beat = Beat::data(stop, value);
                    if cycles == 0 && io.free(0) {
                        out = Some(beat);
                    } else {
                        self.running = Some((beat, cycles));
                    }
                    moved = true;
                }
                Taken::Plain(beat) if io.free(0) => out = Some(beat),
                Taken::Plain(_) => {}
            }
        }
        if let Some(beat) = out {
            io.put(0, beat);
            if beat.kind == Kind::Data {
                self.last = Some(beat.p[0]);
            }
            if !beat.is_leaf() || beat.stop > 0 {
                self.last = None;
            }
            self.inputs.iter_mut().for_each(Skid::pop);
            moved = true;
        }
        for (k, s) in self.inputs.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
