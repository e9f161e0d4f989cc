//! The primitives of the Sparse Abstract Machine as hardware: one folder per primitive with
//! its parameters and ports ([`Primitive`](samhw_streams::Primitive)), its Verilog, its cycle
//! model ([`Model`](samhw_streams::Model)), its tests and its page of documentation.
//! [`samhw_streams`] defines what flows between them, [`blocks`] holds the building blocks they
//! share, [`library`] lists the Verilog.
//!
//! Invariant: a primitive has no combinational path from an input to an output. So a model's
//! outputs depend on its state alone, and all models of a graph can be clocked in any order.

pub mod arith;
pub mod axi;
pub mod blocks;
pub mod copies;
#[cfg(test)]
mod every;
pub mod flow;
#[cfg(test)]
mod formal;
pub mod join;
pub mod library;
pub mod memories;
pub mod reduce;
pub mod scan;
pub mod write;
