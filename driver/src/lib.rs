//! What samhw does with a kernel, without printing: the command line and the Python package are thin
//! layers over this.

pub mod bundle;
pub mod bus;
pub mod content;
pub mod coverage;
pub mod design;
pub mod edit;
pub mod einsum;
pub mod estimate;
pub mod explore;
pub mod forecast;
pub mod format;
pub mod generate;
pub mod kernel;
pub mod kernel_schema;
pub mod page;
pub mod report;
pub mod run;
pub mod schema;
pub mod spoken;
pub mod statements;
mod tokens;

/// Cycles after which a run is given up.
pub const LIMIT: u64 = 1 << 40;
