//! What deals items to copies of a graph, and puts them together again.

pub mod parallelizer;
pub mod serializer;
pub mod stitch;
