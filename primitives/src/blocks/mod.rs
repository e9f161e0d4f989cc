//! Building blocks shared by primitives, each with its Verilog module.

mod bit_walk;
mod fiber_over;
mod fold;
mod hold_back;
mod pick;
mod progress;
mod queue;
mod scale;
mod skid;

pub use bit_walk::{BitWalk, Operands, Step, group_log2};
pub use fiber_over::FiberOver;
pub use fold::{Fold, Kept};
pub use hold_back::HoldBack;
pub use pick::Pick;
pub use progress::Progress;
pub use queue::Queue;
pub use scale::{Scale, scale_depth};
pub use skid::Skid;
