//! The primitives of the Sparse Abstract Machine as hardware: one folder per primitive with
//! its parameters and ports ([`Primitive`](samhw_streams::Primitive)), its Verilog, its cycle
//! model ([`Model`](samhw_streams::Model)), its tests and its page of documentation.
//! [`samhw_streams`] defines what flows between them, [`blocks`] holds the building blocks they
//! share, [`library`] lists the Verilog.
//!
//! Invariant: a primitive has no combinational path from an input to an output. So a model's
//! outputs depend on its state alone, and all models of a graph can be clocked in any order.

pub mod alu;
pub mod array;
pub mod axi;
pub mod barrier;
pub mod bench;
#[cfg(test)]
pub mod bench_rtl;
pub mod bits_unpack;
pub mod bits_writer;
pub mod blocks;
pub mod collapse;
pub mod convert;
pub mod coordinate;
pub mod divide;
pub mod dropper;
pub mod early_exit;
#[cfg(test)]
mod every;
pub mod fifo;
pub mod fork;
#[cfg(test)]
mod formal;
pub mod joiner;
pub mod joiner_bits;
pub mod joiner_wide;
pub mod level_writer;
pub mod library;
pub mod locator;
pub mod memory;
pub mod memory_fold;
pub mod memory_shared;
pub mod memory_wide;
pub mod nests;
pub mod parallelizer;
pub mod reducer_iterative;
pub mod reducer_matrix;
pub mod reducer_pipelined;
pub mod reducer_scalar;
pub mod reducer_vector;
pub mod relay;
pub mod repeater;
pub mod root;
pub mod runs_pack;
pub mod runs_unpack;
pub mod scanner_bits;
pub mod scanner_compressed;
pub mod scanner_dense;
pub mod scanner_part;
pub mod scanner_range;
pub mod scanner_seek;
pub mod scanner_skip;
pub mod scanner_wide;
pub mod scatter;
pub mod serializer;
pub mod single;
pub mod slice;
pub mod stitch;
pub mod value_writer;
#[cfg(test)]
pub mod vectors;
pub mod within;
pub mod zip;
