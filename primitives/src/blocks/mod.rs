//! Building blocks that primitives share, each with its module beside it.

mod skid;

pub use skid::Skid;
