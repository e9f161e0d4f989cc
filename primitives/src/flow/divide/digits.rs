//! Model of `samhw_digits` and of the paths that need no division.

use samhw_streams::Beat;
use samhw_values::{full_mul_depth, mul_depth};
use std::collections::VecDeque;

/// Keys as their two coordinates next to each other: key / size0 above the `shift` bits of key % size0.
#[derive(Debug)]
pub struct Digits {
    size0: u64,
    shift: u32,
    /// The registers of the division, the oldest beat first; none for a power of two.
    stages: VecDeque<Option<Beat>>,
}

/// Returns the bits of an inner coordinate below `size0` in a key; one for an inner level of size 1.
pub fn digit_bits(size0: u32) -> u32 {
    size0.max(2).next_power_of_two().trailing_zeros()
}

/// Returns the registers of `samhw_digits` for keys of `key_w` bits; none if the key's bits are the coordinates.
pub fn digit_stages(key_w: u32, size0: u32) -> u32 {
    if size0.is_power_of_two() { 0 } else { full_mul_depth(key_w + 1) + 3 + mul_depth(digit_bits(size0)) }
}

impl Digits {
    /// Creates the model for keys of `key_w` bits and an inner level of `size0`.
    pub fn new(key_w: u32, size0: u32) -> Self {
        let stages = vec![None; digit_stages(key_w, size0) as usize].into();
        Self { size0: size0.into(), shift: digit_bits(size0), stages }
    }
    /// Returns the oldest key, as coordinates; `head`: what the input buffer offers.
    #[inline]
    pub fn head(&self, head: Option<&Beat>) -> Option<Beat> {
        self.stages.front().map_or_else(|| head.map(|b| self.divided(b)), |stage| *stage)
    }
    /// Simulates a clock edge, at which [`Self::head`] leaves if `taken`. Returns (the input's head was taken,
    /// anything moved).
    #[inline]
    pub fn clock(&mut self, head: Option<&Beat>, taken: bool) -> (bool, bool) {
        let Some(oldest) = self.stages.front() else { return (taken, taken) };
        if !taken && oldest.is_some() {
            return (false, false);
        }
        let next = head.map(|b| self.divided(b));
        let moved = next.is_some() || self.stages.iter().any(Option::is_some);
        self.stages.pop_front();
        self.stages.push_back(next);
        (next.is_some(), moved)
    }
    #[inline]
    fn divided(&self, b: &Beat) -> Beat {
        if !b.is_leaf() {
            return *b;
        }
        let key = ((b.p[0] / self.size0) << self.shift) | (b.p[0] % self.size0);
        Beat { p: [key, b.p[1]], ..*b }
    }
}
