//! Emitted Verilog: clean under all tools, as recorded, and built from the RAM meant for it.

mod drivers;
mod golden;
mod kernels;
mod lint;
mod names;
mod registers;
mod synthesis;
mod tools;
