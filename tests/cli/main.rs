//! The command line as a user has it: the built program, files, exit status, what it prints.

mod bad;
#[cfg(unix)]
mod cache;
mod cycles;
mod environment;
mod explore;
mod fills;
mod folders;
mod found;
mod good;
mod heat;
#[cfg(target_os = "linux")]
mod memory;
mod numbers;
mod runs;
mod schema;
mod shells;
#[cfg(target_os = "linux")]
mod soak;
mod spoken;
mod support;
#[cfg(target_os = "linux")]
mod tools;
mod trace;
mod types;
#[cfg(unix)]
mod waves;
