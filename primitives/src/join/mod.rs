//! Joiners, which coiterate operands.

pub mod joiner;
pub mod joiner_bits;
pub mod joiner_intervals;
pub mod joiner_wide;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        joiner::tests::forms(),
        joiner_bits::tests::forms(),
        joiner_intervals::tests::forms(),
        joiner_wide::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
