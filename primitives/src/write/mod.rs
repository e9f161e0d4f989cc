//! What stores results, and what decides which of their coordinates are stored.

pub mod bits_writer;
pub mod dropper;
pub mod level_writer;
pub mod runs_pack;
pub mod scatter;
pub mod value_writer;
