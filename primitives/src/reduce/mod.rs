//! Reducers and scans, which fold lists.

pub mod prefix;
pub mod prefix_first;
pub mod reducer_iterative;
pub mod reducer_matrix;
pub mod reducer_pipelined;
pub mod reducer_scalar;
pub mod reducer_vector;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        prefix::tests::forms(),
        prefix_first::tests::forms(),
        reducer_iterative::tests::forms(),
        reducer_matrix::tests::forms(),
        reducer_pipelined::tests::forms(),
        reducer_scalar::tests::forms(),
        reducer_vector::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
