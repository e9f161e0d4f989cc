//! Primitives for copies of a graph: they distribute items to copies and merge results.

pub mod parallelizer;
pub mod serializer;
pub mod stitch;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [parallelizer::tests::forms(), serializer::tests::forms(), stitch::tests::forms()];
    all.into_iter().flatten().collect()
}
