//! Widths of numbers in bits.

/// Returns the bits of a coordinate or position below `max`, at least 1.
pub fn coordinate_bits(max: u64) -> u32 {
    (u64::BITS - max.saturating_sub(1).leading_zeros()).max(1)
}
