//! On-chip memories.

pub mod banks;
pub mod follower;
pub mod memory;
pub mod memory_fold;
pub mod memory_ports;
pub mod memory_shared;
pub mod memory_wide;
mod requested;

/// Forms of each, which all checks of primitives go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [
        banks::tests::forms(),
        follower::tests::forms(),
        memory::tests::forms(),
        memory_fold::tests::forms(),
        memory_ports::tests::forms(),
        memory_shared::tests::forms(),
        memory_wide::tests::forms(),
    ];
    all.into_iter().flatten().collect()
}
