#![doc = include_str!("../README.md")]

mod cache;
mod comb;
mod compile;
mod design;
mod error;
mod header;
mod install;
mod instance;
mod library;
mod lint;
mod mapped;
mod prove;
mod tools;
mod watch;
mod yosys;

pub use cache::default_dir as default_cache;
pub use comb::{CombPath, comb_paths};
pub use compile::build;
pub use design::{Design, Dir, Signal, SignalKind};
pub use error::{Error, Result};
pub use install::{GROUPS, Group, Package, Status, install, status};
pub use instance::{Instance, WordPort};
pub use library::Library;
pub use lint::{lint_iverilog, lint_verilator};
pub use mapped::{Family, mapped};
pub use prove::{Method, Proof, prove};
pub use tools::{Toolchain, environments, executable, private_dir};
pub use watch::{Channel, ChannelCount, ChannelHash, Node, NodeCount, Transfer};
pub use yosys::{Cells, ecp5_cells, elaborated};
