#![doc = include_str!("../README.md")]

mod cache;
mod compile;
mod design;
mod error;
mod header;
mod instance;
mod library;
mod tools;
mod watch;

pub use cache::default_dir as default_cache;
pub use compile::build;
pub use design::{Design, Dir, Signal, SignalKind};
pub use error::{Error, Result};
pub use instance::Instance;
pub use library::Library;
pub use tools::{Toolchain, environments, executable, private_dir};
pub use watch::{Channel, ChannelCount, ChannelHash, Node, NodeCount, Transfer};
