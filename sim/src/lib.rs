//! Tensors, the lattice reference executor, the native engine and the Verilator engine.

pub mod tensor;
