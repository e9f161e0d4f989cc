//! Flow primitives: they start and end runs, and buffer, copy, repeat, pair or regroup streams.

pub mod barrier;
pub mod collapse;
pub mod divide;
pub mod early_exit;
pub mod fifo;
pub mod fork;
pub mod relay;
pub mod repeater;
pub mod root;
pub mod rounds;
pub mod zip;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        barrier::tests::forms(),
        collapse::tests::forms(),
        divide::tests::forms(),
        early_exit::tests::forms(),
        fifo::tests::forms(),
        fork::tests::forms(),
        relay::tests::forms(),
        repeater::tests::forms(),
        root::tests::forms(),
        rounds::tests::forms(),
        zip::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
