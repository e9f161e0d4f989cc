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
pub mod scanner_growing;
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

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        array::tests::forms(),
        between::tests::forms(),
        bits_unpack::tests::forms(),
        coordinate::tests::forms(),
        interval_expand::tests::forms(),
        interval_length::tests::forms(),
        interval_slice::tests::forms(),
        locator::tests::forms(),
        locator_hash::tests::forms(),
        runs_origin::tests::forms(),
        runs_unpack::tests::forms(),
        scanner_bits::tests::forms(),
        scanner_compressed::tests::forms(),
        scanner_dense::tests::forms(),
        scanner_growing::tests::forms(),
        scanner_list::tests::forms(),
        scanner_part::tests::forms(),
        scanner_range::tests::forms(),
        scanner_seek::tests::forms(),
        scanner_skip::tests::forms(),
        scanner_span::tests::forms(),
        scanner_until::tests::forms(),
        scanner_whole::tests::forms(),
        scanner_wide::tests::forms(),
        single::tests::forms(),
        slice::tests::forms(),
        within::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
