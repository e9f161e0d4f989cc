//! Tensors: as data ([`Coo`]), in files ([`read_file`], [`write_file`]), generated ([`generate()`]), and as stored in
//! hardware memories ([`Storage`]). What is accepted and why: `docs/data-files.md`.

pub mod codes;
mod coo;
mod file;
mod generate;
mod held;
mod sort;
mod storage;
mod target;
#[cfg(test)]
mod tests;
mod triangle;

pub use coo::{Clash, Coo};
pub use file::{cannot_write, file_header, may_write, read_file, writable, write_file};
pub use generate::generate;
pub use held::header;
pub use storage::{LevelData, Run, Runs, Storage, Table, bank, pack, unpack};
pub use target::{Keep, Loaded, Target};
pub use triangle::triangle;

use samhw_compiler::data::DataSource;
use samhw_compiler::diag::Diagnostic;

/// Largest number of positions (stored values, coordinates of a dense level, generated entries) of one tensor. Larger
/// ones are refused before memory is asked for.
pub const MAX_POSITIONS: u64 = 1 << 27;

/// Loads or generates the data of one tensor.
pub fn load(source: &DataSource, target: &Target) -> Result<Loaded, Diagnostic> {
    match source {
        DataSource::File { path, policy } => read_file(path, *policy, target),
        DataSource::Generated(generator) => generate(generator, target),
        DataSource::Held(entries) => held::read(entries, target),
        DataSource::Everywhere(raw) => generate::everywhere(*raw, target),
    }
}
