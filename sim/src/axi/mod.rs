//! Kernels behind AXI: a memory with latency, stalls and faults that checks the protocol, a host that
//! uses registers alone, and the engine that runs both with the Verilog.

mod bus;
mod data;
mod engine;
mod host;
mod layout;
mod memory;
mod protocol;
mod run;

pub use bus::Bus;
pub use engine::{AxiBuilt, AxiEngine, Ended, Fail};
pub use host::Host;
pub use layout::{Buffer, Layout, Placing};
pub use memory::{Burst, Fault, Faulty, Memory, Moved, Settings};
