//! Facts that follow from a kernel alone, without a graph: fills (`fills`), variables (`variables`), widths (`widths`),
//! functions in hardware and their throughput (`functions`), runs of lanes (`runs`), and known sizes of the data
//! (`density`).

mod density;
mod fills;
mod functions;
mod runs;
mod variables;
mod widths;

pub use density::Density;
pub use fills::{Fill, Settled, constant_fill, counts_without, declared_fill, each_fill, fill};
pub(crate) use fills::{always, columns, covers, known_from, known_without, stored_everywhere, tensor_fill};
pub(crate) use functions::{alu_fun, fold, identity, recurrence_pace, scan_interval};
pub use functions::{computes, fold_cycles, folds, pace, reduces};
pub use runs::{cut, dealt, innermost};
pub(crate) use variables::read_modes;
pub use variables::{computed, open_variables, scanned, variables};
pub use widths::coordinate_bits;
