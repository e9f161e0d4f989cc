//! Kernels behind AXI: a memory with latency, stalls and faults that checks the protocol, a host that uses only
//! registers, and two engines: the Verilog, and models of the same registers.

mod bus;
mod dram;
mod engine;
mod host;
mod layout;
mod memory;
mod native;
mod port;
mod protocol;
mod run;
mod shell;
mod watcher;

pub use bus::Bus;
pub use dram::Dram;
pub use engine::{AxiBuilt, AxiEngine, Ended, Fail};
pub use host::Host;
pub use layout::{Buffer, Layout, Placing};
pub use memory::{Fault, Faulty, Memory, Settings};
pub use native::{AxiNative, Ran, Unfinished};
pub use port::Moved;
pub use protocol::Violation;
pub use run::Bill;
