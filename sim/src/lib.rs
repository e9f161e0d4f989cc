//! Tensors, the lattice reference executor, the dense evaluator, the native engine and the Verilator engine.

mod arrays;
pub mod axi;
mod begin;
pub mod compare;
mod data;
pub mod dense;
pub mod expected;
mod fills;
pub mod load;
mod memory;
pub mod native;
pub mod parts;
pub mod problem;
pub mod random;
pub mod reference;
pub mod run;
pub mod tensor;
pub mod tiles;
pub mod verify;
pub mod verilator;
pub mod views;
mod wave;
mod words;
