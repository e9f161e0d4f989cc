//! Simulation: tensors, the reference executor, the native engine and the Verilator engine.

mod arrays;
pub mod axi;
mod begin;
pub mod compare;
mod data;
pub mod expected;
mod fills;
mod joined;
pub mod load;
mod memory;
pub mod native;
pub mod observe;
pub mod parts;
pub mod problem;
pub mod reference;
pub mod rounds;
pub mod run;
pub mod staged;
pub mod tensor;
pub mod tiles;
pub mod verilator;
pub mod views;
pub mod wave;
mod words;
pub mod written;
