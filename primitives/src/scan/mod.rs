//! Scan primitives, which read operands: scanners, locators, and generators of coordinates.

pub mod array;
pub mod between;
pub mod bits_unpack;
pub mod coordinate;
pub mod interval_expand;
pub mod interval_length;
pub mod interval_slice;
pub mod locator;
pub mod locator_hash;
pub mod runs_origin;
pub mod runs_unpack;
pub mod scanner_bits;
pub mod scanner_compressed;
pub mod scanner_dense;
pub mod scanner_list;
pub mod scanner_part;
pub mod scanner_range;
pub mod scanner_seek;
pub mod scanner_skip;
pub mod scanner_span;
pub mod scanner_until;
pub mod scanner_whole;
pub mod scanner_wide;
pub mod single;
pub mod slice;
pub mod within;
