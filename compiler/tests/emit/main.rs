//! Emitted Verilog: clean under all tools, as recorded, and of the size expected.

mod kernels;
mod lint;
