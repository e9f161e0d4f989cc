//! Primitives for copies of a graph: they distribute items to copies and merge results.

pub mod parallelizer;
pub mod serializer;
pub mod stitch;
