//! Model of a pipeline that stalls as a whole: registers, the last one the output register.

use samhw_streams::{Beat, Io};
use std::collections::VecDeque;

/// The stages before the output register.
#[derive(Debug, Clone)]
pub struct Pipe(VecDeque<Option<Beat>>);

impl Pipe {
    /// `stages` registers, the output register included (at least 1).
    pub fn new(stages: u32) -> Self {
        Self(vec![None; stages.saturating_sub(1) as usize].into())
    }
    /// An edge at which output `k` is free: everything moves on. Returns whether anything did.
    #[inline]
    pub fn step(&mut self, io: &mut Io, k: usize, beat: Option<Beat>) -> bool {
        let moved = beat.is_some() || self.0.iter().any(Option::is_some);
        self.0.push_back(beat);
        if let Some(Some(b)) = self.0.pop_front() {
            io.put(k, b);
        }
        moved
    }
}
