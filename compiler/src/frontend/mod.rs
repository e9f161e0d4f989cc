//! The frontend: parses a kernel file into a resolved [`Kernel`](crate::stmt::Kernel) and the other sections of the
//! file. The steps: TOML with places (`reader`), the sections (`declaration`, `schedule`, `data_section`), the
//! expression (`token`, `expression`, `call`, `index`, `shape`), results that several statements write (`versions`),
//! computed coordinates on the left (`landing`), names and sizes (`resolve`, `sizes`, `reshape`, `shaped`, `storage`,
//! `build`, `order`), types of what is compared and of indices (`compare`, `whole`, `meet`, `conversion`). Every
//! problem of a file is reported, not only the first.

mod accumulators;
mod adopt;
mod asked;
mod blocks;
mod body;
mod build;
mod builder;
mod call;
mod cases;
mod coalesce;
mod compare;
mod computed;
mod conversion;
mod cursor;
mod data_section;
mod declaration;
mod domain;
mod expression;
mod fibers;
mod file;
mod fills;
mod foreign;
mod format;
mod functions;
mod header;
mod hints;
mod implicit;
mod index;
mod kept;
mod kept_reads;
mod kernel_name;
mod landing;
mod linear;
mod linked;
mod literal;
mod meet;
mod named;
mod names;
mod nearest;
mod operators;
mod order;
mod own;
mod prelude;
mod properties;
mod reader;
mod recurrences;
mod reduction;
mod repeat;
mod reshape;
mod resolve;

mod samples;
mod scans;
mod schedule;
mod sections;
mod shape;
mod shape_operators;
mod shaped;
mod shifts;
mod sized;
mod sizes;
mod storage;
mod symmetric;
mod syntax;
#[cfg(test)]
mod tests;
mod tiles;
mod together;
mod token;
mod undeclared;
mod user;
mod user_function;
mod uses;
mod usual;
mod versions;
mod views;
mod whole;
mod windows;

pub use file::{Ask, KernelFile, MAX_BYTES, too_large};
pub use header::{DataHeader, GivenNumbers};
pub use named::{NamedTensor, named_tensors};
pub use nearest::nearest;
pub use schedule::{AxiOptions, Fifo, Hardware, Memory};
pub use toml::Spanned;

use crate::diag::{Diagnostics, Source};
use crate::levels;
use std::sync::Arc;

/// Lists the names of the usual formats.
pub fn format_names() -> Vec<&'static str> {
    usual::UsualFormat::ALL.map(usual::UsualFormat::name).to_vec()
}

/// Lists the names of the kinds of levels.
pub fn level_names() -> Vec<&'static str> {
    levels::ALL.iter().map(|level| level.name()).collect()
}

/// Parses a kernel file; an error contains all problems found.
///
/// # Errors
///
/// All problems of the file, in the order of their places.
pub fn parse(source: Arc<Source>) -> Result<KernelFile, Diagnostics> {
    file::parse(source, &mut |_, _, _| None)
}

/// Parses a kernel file together with its operands' data, which supply sizes and types that the file omits.
/// `ask` is called for such a tensor, with the source that `[data]` gives it, and whether it is an error
/// that this cannot be read.
///
/// # Errors
///
/// All problems of the file, in the order of their places.
pub fn parse_with_data(source: Arc<Source>, ask: &mut Ask<'_>) -> Result<KernelFile, Diagnostics> {
    file::parse(source, ask)
}
