//! Model of a pipeline that stalls as a whole: registers, the last one the output register.

use samhw_streams::{Beat, Io};

/// The stages before the output register.
#[derive(Debug, Clone)]
pub struct Pipe {
    /// A ring.
    stages: Vec<Option<Beat>>,
    /// Place of the oldest stage, which the newest takes.
    oldest: usize,
    /// Beats in them.
    held: usize,
}

impl Pipe {
    /// Creates a pipeline of `stages` registers (at least 1), including the output register.
    pub fn new(stages: u32) -> Self {
        Self { stages: vec![None; stages.saturating_sub(1) as usize], oldest: 0, held: 0 }
    }
    /// An edge at which output `k` is free: everything moves on. Returns whether anything did.
    #[inline]
    pub fn step(&mut self, io: &mut Io, k: usize, beat: Option<Beat>) -> bool {
        let moved = beat.is_some() || self.held > 0;
        if !moved {
            return false;
        }
        let left = match self.stages.get_mut(self.oldest) {
            Some(stage) => {
                let left = std::mem::replace(stage, beat);
                self.held += usize::from(beat.is_some());
                self.held -= usize::from(left.is_some());
                self.oldest = if self.oldest + 1 == self.stages.len() { 0 } else { self.oldest + 1 };
                left
            }
            None => beat,
        };
        if let Some(b) = left {
            io.put(k, b);
        }
        moved
    }
}
