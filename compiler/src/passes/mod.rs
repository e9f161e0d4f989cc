//! The passes between a resolved kernel and its netlist, in the order they run:
//!
//! 1. [`order`] chooses the loop order, or checks the one the kernel file gives: everything after
//!    depends on it.
//! 2. lowering ([`crate::lower`]) makes the graph.
//! 3. [`exits`] watches for values that end a reduction early.
//! 4. [`crate::netlist::realize`] configures primitives, adds memories and forks.
//! 5. [`fifo`] puts FIFOs where paths of different length meet again, last because every cell counts.

mod copies;
pub mod exits;
pub mod fifo;
pub mod lanes;
pub mod order;
pub mod parallel;
