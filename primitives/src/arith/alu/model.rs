//! The ALU's pipeline as a model, and what a beat of each stream makes, which that of programs asks, too.

use super::{Alu, Operand, Pipe};
use crate::blocks::Skid;
use samhw_streams::{Beat, Fault, Io, Kind, Model};
use samhw_values::mask;

/// The result of the heads of an ALU's streams.
pub(super) enum Taken {
    /// A beat without a computed value.
    Plain(Beat),
    /// The function of these arguments, and the stop that goes with it.
    Value([u64; 4], u8),
}

impl Alu {
    /// Combines `heads`, a beat of each stream.
    #[inline]
    pub(super) fn take(&self, heads: &[&Beat]) -> Result<Taken, Fault> {
        let first = heads[0];
        let hole = mask(self.stop_w);
        for (k, &h) in heads.iter().enumerate().skip(1) {
            let same = h.is_leaf() || h.kind == first.kind && (h.p[0] ^ first.p[0]) & hole == 0;
            if h.is_leaf() != first.is_leaf() || !same {
                return Err(Fault { what: "streams are not aligned", port: format!("val{k}"), beat: *h });
            }
        }
        if !first.is_leaf() {
            return Ok(Taken::Plain(*first));
        }
        let mut present = 0u32;
        let mut args = [0; 4];
        let mut streams = heads.iter().enumerate();
        for (arg, operand) in args.iter_mut().zip(&self.operands) {
            *arg = match *operand {
                Operand::Const(c) | Operand::Last { begin: c } => c,
                Operand::Stream { fill } => match streams.next() {
                    Some((k, h)) if h.kind == Kind::Data => {
                        present |= 1 << k;
                        h.p[0]
                    }
                    _ => fill,
                },
            };
        }
        if self.emit >> present & 1 == 0 {
            return Ok(Taken::Plain(Beat::empty(first.stop)));
        }
        Ok(Taken::Value(args, first.stop))
    }
    /// A beat of each stream, if all have one.
    pub(super) fn heads(inputs: &[Skid]) -> Option<[&Beat; 4]> {
        const NONE: &Beat = &Beat::DONE;
        let mut heads = [NONE; 4];
        for (s, h) in inputs.iter().zip(&mut heads) {
            *h = s.head()?;
        }
        Some(heads)
    }
}

/// Model of an ALU of N streams.
#[derive(Debug)]
pub(super) struct AluModel<const N: usize> {
    of: Alu,
    inputs: [Skid; N],
    pipe: Pipe,
}

impl<const N: usize> AluModel<N> {
    pub(super) fn new(of: &Alu) -> Self {
        Self { of: of.clone(), inputs: std::array::from_fn(|_| Skid::passing()), pipe: Pipe::new(of.stages()) }
    }
    /// What the heads make, if all streams have one.
    #[inline]
    fn beat(&mut self) -> Result<Option<Beat>, Fault> {
        let mut heads = [&Beat::DONE; N];
        for (head, input) in heads.iter_mut().zip(&self.inputs) {
            let Some(beat) = input.head() else { return Ok(None) };
            *head = beat;
        }
        let beat = match self.of.take(&heads)? {
            Taken::Value(args, stop) => Beat::data(stop, self.of.apply(&args)),
            Taken::Plain(beat) => beat,
        };
        self.inputs.iter_mut().for_each(Skid::pop);
        Ok(Some(beat))
    }
}

impl<const N: usize> Model for AluModel<N> {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        for (k, s) in self.inputs.iter_mut().enumerate() {
            s.open(io, k);
        }
        if io.free(0) {
            let beat = self.beat()?;
            moved = self.pipe.step(io, 0, beat);
        }
        for (k, s) in self.inputs.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
