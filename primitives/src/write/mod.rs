//! Writers, which store results, and droppers, which remove coordinates that are not stored.

pub mod bits_writer;
pub mod dropper;
pub mod level_writer;
pub mod list_writer;
pub mod runs_pack;
pub mod scatter;
pub mod value_writer;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        bits_writer::tests::forms(),
        dropper::tests::forms(),
        level_writer::tests::forms(),
        list_writer::tests::forms(),
        runs_pack::tests::forms(),
        scatter::tests::forms(),
        value_writer::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
