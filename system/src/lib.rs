//! Operating system services: scratch folders, atomic writes of files, and runs of programs. Whatever ends this
//! process, nothing of it is left running and nothing half done is left under a name that someone relies on.

mod change;
pub mod ending;
mod folder;
pub mod hash;
mod listed;
pub mod lock;
pub mod memory;
pub mod news;
mod program;
mod scratch;
pub mod stack;
mod whole;

pub use change::Change;
pub use folder::Folder;
pub use listed::LIST;
pub use program::{End, Ran, Running, TOOL_SECONDS, output, tool_seconds};
pub use scratch::Scratch;
pub use whole::{Whole, make_folder, replace, resolved};
