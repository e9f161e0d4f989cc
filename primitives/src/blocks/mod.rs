//! Building blocks that primitives share, each with its module beside it.

mod hold_back;
mod skid;

pub use hold_back::HoldBack;
mod queue;
mod skid;

pub use queue::Queue;
pub use skid::Skid;
