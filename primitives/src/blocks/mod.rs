//! Building blocks that primitives share, each with its module beside it.

mod queue;
mod skid;

pub use queue::Queue;
pub use skid::Skid;
