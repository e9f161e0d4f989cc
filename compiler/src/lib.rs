//! The compiler: kernel files to graphs of primitives to Verilog. Does no I/O and never panics on user input.
//! [`frontend`] makes [`stmt`] of text, [`pipeline`] a netlist of that, [`emit`] Verilog.

pub mod compiled;
pub mod cycles;
pub mod data;
pub mod diag;
pub mod draw;
pub mod emit;
pub mod facts;
pub mod frontend;
pub mod function;
pub mod graph;
pub mod levels;
pub mod lower;
pub mod netlist;
pub mod operator;
pub mod passes;
pub mod pipeline;
pub mod prefix;
pub mod repeat;
pub mod schedule;
pub mod stmt;
mod stmt_text;
pub mod types;

pub use stmt_text::reduction_name;
pub mod view;
