//! Building blocks that primitives share, each with its module beside it.

mod fold;
mod hold_back;
mod queue;
mod scale;
mod skid;

pub use fold::{Fold, Kept};
pub use hold_back::HoldBack;
pub use queue::Queue;
pub use scale::{Scale, scale_depth};
pub use skid::Skid;
