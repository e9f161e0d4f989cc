//! On-chip memories.

pub mod banks;
pub mod follower;
pub mod memory;
pub mod memory_fold;
pub mod memory_shared;
pub mod memory_wide;
