//! Model of `samhw_scale`, which multiplies the references of a dense scanner by the size of the level.

use super::Skid;
use crate::scan::scanner_dense::Child;
use samhw_streams::{Beat, Io, Kind};
use samhw_values::mul_depth;
use std::collections::VecDeque;

/// Returns the registers in the product of a reference of `ref_in_w` bits and a size of `dim_w`, cut to `ref_w`; none
/// if one multiplier suffices.
pub fn scale_depth(child: Child, ref_in_w: u32, dim_w: u32, ref_w: u32) -> u32 {
    let factor = ref_in_w.max(dim_w).min(ref_w);
    if child == Child::Row && mul_depth(factor) > 0 { mul_depth(ref_w) } else { 0 }
}

/// The input of a dense scanner. Use within a tick as a [`Skid`].
#[derive(Debug, Clone)]
pub struct Scale {
    skid: Skid,
    /// What references are multiplied by.
    factor: u64,
    /// The product's registers, the oldest beat first.
    stages: VecDeque<Option<Beat>>,
    popped: bool,
}

impl Scale {
    /// Creates the model behind `skid`, for a level of size `dim`, with `depth` registers in the product.
    pub fn new(skid: Skid, child: Child, dim: u64, depth: u32) -> Self {
        let factor = if child == Child::Row { dim } else { 1 };
        Self { skid, factor, stages: vec![None; depth as usize].into(), popped: false }
    }
    /// Takes the beat that arrives at input `k` at this edge, if the buffer passes beats through.
    #[inline]
    pub fn open(&mut self, io: &Io, k: usize) {
        self.skid.open(io, k);
    }
    /// Returns the oldest beat, scaled.
    #[inline]
    pub fn head(&self) -> Option<Beat> {
        match self.stages.front() {
            Some(stage) => *stage,
            None => self.scaled(),
        }
    }
    /// Removes the head at this edge.
    #[inline]
    pub fn pop(&mut self) {
        if self.stages.is_empty() {
            self.skid.pop();
        }
        self.popped = true;
    }
    /// Simulates a clock edge at input `k`. Returns whether anything changed.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> bool {
        let mut moved = std::mem::take(&mut self.popped);
        if let Some(oldest) = self.stages.front()
            && (moved || oldest.is_none())
        {
            let next = self.scaled();
            if next.is_some() {
                self.skid.pop();
            }
            moved |= self.stages.iter().any(Option::is_some) || next.is_some();
            self.stages.pop_front();
            self.stages.push_back(next);
        }
        moved | self.skid.clock(io, k)
    }
    #[inline]
    fn scaled(&self) -> Option<Beat> {
        self.skid
            .head()
            .map(|&r| if r.kind == Kind::Data { Beat { p: [r.p[0].wrapping_mul(self.factor), 0], ..r } } else { r })
    }
}
