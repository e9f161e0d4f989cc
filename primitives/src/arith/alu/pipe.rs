//! Model of a pipeline that stalls as a whole: registers, the last one the output register.

use samhw_streams::{Beat, Io};
use std::collections::VecDeque;

/// The stages before the output register.
#[derive(Debug, Clone)]
pub struct Pipe {
    stages: VecDeque<Option<Beat>>,
    /// Beats in them.
    held: usize,
}

impl Pipe {
    /// `stages` registers, the output register included (at least 1).
    pub fn new(stages: u32) -> Self {
        Self { stages: vec![None; stages.saturating_sub(1) as usize].into(), held: 0 }
    }
    /// An edge at which output `k` is free: everything moves on. Returns whether anything did.
    #[inline]
    pub fn step(&mut self, io: &mut Io, k: usize, beat: Option<Beat>) -> bool {
        let moved = beat.is_some() || self.held > 0;
        if !moved {
            return false;
        }
        let left = match self.stages.pop_front() {
            Some(oldest) => {
                self.held += usize::from(beat.is_some());
                self.held -= usize::from(oldest.is_some());
                self.stages.push_back(beat);
                oldest
            }
            None => beat,
        };
        if let Some(b) = left {
            io.put(k, b);
        }
        moved
    }
}
