//! Verilog as data: modules, wires, instances and assignments, printed as readable
//! Verilog-2005. Knows nothing of tensors; does not check more than names and widths of what
//! it is told. Compared with other crates in docs/hardware.md.

mod expr;
mod module;
mod names;
mod print;

pub use expr::{Expr, Signal};
pub use module::{Connection, Instance, Item, Module, Port, PortDir, PortGroup, Wire};
pub use names::{Scope, is_legal, is_reserved};
