//! Reducers and scans, which fold lists.

pub mod prefix;
pub mod prefix_first;
pub mod reducer_iterative;
pub mod reducer_matrix;
pub mod reducer_pipelined;
pub mod reducer_scalar;
pub mod reducer_vector;
