#![doc = include_str!("../README.md")]

mod cache;
mod cached;
mod comb;
mod compile;
mod design;
mod environment;
mod error;
mod header;
mod icarus;
mod install;
mod instance;
mod library;
mod lint;
mod mapped;
mod prove;
mod tools;
mod watch;
mod yosys;

pub use cache::{Cache, default_cache};
pub use cached::{Cached, cached, clear, clear_locks};
pub use comb::{CombPath, comb_paths};
pub use compile::build;
pub use design::{Design, Dir, Signal, SignalKind};
pub use environment::environment;
pub use error::{Error, Result};
pub use icarus::{lint_iverilog, run_iverilog};
pub use install::{GROUPS, Group, Package, Status, install, status};
pub use instance::{Instance, WordPort};
pub use library::Library;
pub use lint::{lint_slang, lint_verilator};
pub use mapped::{Family, mapped};
pub use prove::{Method, Proof, prove};
pub use tools::{Compiler, Toolchain, environments, executable, incomplete, private_dir};
pub use watch::{Channel, ChannelCount, ChannelHash, Node, NodeCount, Transfer};
pub use yosys::{Cells, ecp5_cells, elaborated};
