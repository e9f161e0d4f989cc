//! What follows from a kernel alone, before there is a graph: what absent entries are (`fills`),
//! which variables expressions have (`variables`), how wide numbers are (`widths`), what hardware
//! there is for functions and how fast it is (`functions`), what lanes cut into runs (`runs`), and what
//! is known of data (`density`).

mod density;
mod fills;
mod functions;
mod runs;
mod variables;
mod widths;

pub use density::Density;
pub use fills::{Fill, Settled, constant_fill, counts_without, declared_fill, fill};
pub(crate) use fills::{always, columns, covers, stored_everywhere, tensor_fill};
pub(crate) use functions::{alu_fun, fold, identity, recurrence_pace, scan_interval};
pub use functions::{computes, fold_cycles, folds, pace, reduces};
pub use runs::{cut, dealt, innermost};
pub use variables::{computed, open_variables, scanned, variables};
pub use widths::coordinate_bits;
