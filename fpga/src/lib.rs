//! FPGA support for generated kernels: boards, the design around the kernel, the flow to a bitstream, its reports, and
//! the host's side of the serial line.
//!
//! Everything here works from the manifest and the Verilog that emission wrote ([`Kernel`]); nothing
//! knows how they came about.

pub mod alone;
pub mod board;
pub mod cells;
pub mod constraints;
pub mod design;
pub mod estimate;
pub mod flow;
pub mod fusesoc;
pub mod host;
pub mod link;
pub mod make;
pub mod port;
pub mod report;
pub mod steps;
pub mod timing;
pub mod tools;
pub mod top;

pub use board::{Board, Family};
pub use design::Kernel;
pub use flow::{Failure, Options, Watch, build, sources, synthesise};
pub use report::Report;
