//! Writers, which store results, and droppers, which remove coordinates that are not stored.

pub mod bits_writer;
pub mod dropper;
pub mod level_writer;
pub mod list_writer;
pub mod runs_pack;
pub mod scatter;
pub mod value_writer;
